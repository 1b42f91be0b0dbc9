//! Constrained mean shift: each centre ascends its own density, from which points with cannot-links
//! to it are left out.
//!
//! Every point i has a centre t_i, which starts at the point. A step takes it to a weighted mean of
//! the sampling points s_j,
//!
//! ```text
//! t_i  <-  Σ_j k(|s_j - t_i|² / h²) w_ij s_j  /  Σ_j k(|s_j - t_i|² / h²) w_ij
//! w_ij  =  Π_(x,y)  1 - k(|t_x - t_i|² / h_xy²) k(|t_y - t_j|² / h_xy²)
//! h_xy  =  min(h, max(ε, λ |t_x - t_y|))
//! ```
//!
//! with the product over all cannot-links (x, y) in both directions. So points whose centres are near
//! one end of a cannot-link have no weight for a centre near the other end. The bandwidth h grows
//! from iteration to iteration: small clusters form first and merge until only cannot-links keep
//! them apart (Schier, Reinders and Rosenhahn, *Constrained Mean Shift Clustering*, eqs. 3.1 and 4.2
//! to 4.4).
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`ConstrainedMeanShift`], the parameters |
//! | `extent` | the smallest and the largest distance of points |
//! | `schedule` | [`Schedule`], the bandwidth of every iteration |
//! | `scheduled` | [`ScheduledShift`], the parameters as rules that the data resolve |
//! | `fit` | the iterations |
//! | `step` | the centres and sampling points of one iteration, and the pairs that constraints separate |
//! | `centers` | the distinct centres and the number of points of each |
//! | `weights` | the weights w, a few rows at a time |
//! | `shifted_centers` | [`ShiftedCenters`], the final centres, and labels from them |
//! | `model` | [`CmsModel`], for new points |

mod centers;
mod extent;
mod fit;
mod model;
mod params;
mod schedule;
mod scheduled;
mod shifted_centers;
mod step;
mod weights;

pub use fit::COINCIDENT;
pub use model::CmsModel;
pub use params::{CmsKernel, ConstrainedMeanShift, EarlyStop};
pub use schedule::Schedule;
pub use scheduled::ScheduledShift;
pub use shifted_centers::ShiftedCenters;
