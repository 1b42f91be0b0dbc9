//! How alike two points are.

mod bandwidth;
mod kernel;

pub use bandwidth::Bandwidth;
pub use kernel::Profile;
