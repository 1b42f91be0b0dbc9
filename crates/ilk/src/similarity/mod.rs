//! How alike two points are.

mod bandwidth;
mod kernel;
pub mod sums;

pub use bandwidth::Bandwidth;
pub use kernel::Profile;
