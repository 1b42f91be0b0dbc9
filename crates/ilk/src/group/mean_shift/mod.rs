//! Mean shift: every point climbs to a mode of the density, and points that reach the same mode are
//! a group.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`MeanShift`], the parameters |
//! | `fit` | from points to modes, clusters and a model |
//! | `density` | the density, laid out for SIMD, and one step on it; with `kernel`, `layout` |
//! | `surroundings` | the points around one place, copied together |
//! | `climb` | the climb of points on a fixed density |
//! | `flat` | the climb under a flat kernel, where equal balls go the same way |
//! | `vicinity` | the points in and around a ball, in single precision |
//! | `ascent` | all points in waves; modes capture, saddles are left |
//! | `blur` | blurring: the data move along; `sweep` is a step of it in single precision |
//! | `modes` | from resting places to modes and clusters |
//! | `model` | [`MeanShiftModel`], for new points |
//! | `watch` | progress, cancelling, the trace |

mod ascent;
mod blur;
mod climb;
mod density;
mod fit;
mod flat;
mod kernel;
mod layout;
mod model;
mod modes;
mod params;
mod surroundings;
mod sweep;
mod vicinity;
mod watch;

pub use model::MeanShiftModel;
pub use params::MeanShift;
