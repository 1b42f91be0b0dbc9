//! How alike two points are.

pub mod bandwidth;
mod kernel;

pub use bandwidth::{Bandwidth, Resolved};
pub use kernel::Profile;
