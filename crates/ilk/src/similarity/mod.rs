//! How alike two points are.

pub mod bandwidth;
mod gram;
mod kernel;
pub mod sums;

pub use bandwidth::{Bandwidth, Resolved};
pub use gram::{Gram, MAX_BYTES};
pub use kernel::{Kernel, Profile};

#[cfg(test)]
mod tests;
