//! Mean shift: every point climbs to a mode of the density, and points that reach the same mode are
//! a group.

mod fit;
mod model;
mod params;

pub use model::MeanShiftModel;
pub use params::MeanShift;
