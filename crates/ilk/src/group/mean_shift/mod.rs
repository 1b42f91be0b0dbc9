//! Mean shift: every point climbs to a mode of the density, and points that reach the same mode are
//! a group.

mod blur;
mod climb;
mod density;
mod fit;
mod flat;
mod model;
mod modes;
mod params;

pub use model::MeanShiftModel;
pub use params::MeanShift;
