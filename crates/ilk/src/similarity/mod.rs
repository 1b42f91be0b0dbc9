//! How alike two points are.

pub mod bandwidth;
mod kernel;
pub mod sums;

pub use bandwidth::{Bandwidth, Resolved};
pub use kernel::Profile;
