//! Mean shift: every point climbs to a mode of the density, and points that reach the same mode are
//! a group.

mod ascent;
mod blur;
mod climb;
mod density;
mod fit;
mod flat;
mod model;
mod modes;
mod params;
mod surroundings;
mod watch;

pub use model::MeanShiftModel;
pub use params::MeanShift;
