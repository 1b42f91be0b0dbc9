//! Mean shift: every point ascends the density of the data to a mode, and the points of one mode are
//! a cluster.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`MeanShift`], the parameters |
//! | `fit` | from points to modes, clusters and a model |
//! | `density` | the density, laid out for SIMD, and one step on it; with `kernel`, `layout` |
//! | `trajectory` | the trajectories of points on a fixed density, and their trace |
//! | `neighbor_cache` | the points around a position, copied together |
//! | `flat_kernel` | trajectories under a flat kernel, which often join earlier ones |
//! | `neighbor_cache_f32` | the points around a position, in single precision |
//! | `ascent` | the trajectories of all points, in waves; modes capture, saddles are left |
//! | `blur` | blurring: the data move too; `blur_f32` is a step of it in single precision |
//! | `modes` | from the ends of trajectories to modes and clusters |
//! | `model` | [`MeanShiftModel`], for new points |

mod ascent;
mod blur;
mod blur_f32;
mod density;
mod fit;
mod flat_kernel;
mod flat_means;
mod kernel;
mod layout;
mod model;
mod modes;
mod neighbor_cache;
mod neighbor_cache_f32;
mod params;
#[cfg(test)]
mod tests;
mod trajectory;

pub use model::MeanShiftModel;
pub use params::MeanShift;
