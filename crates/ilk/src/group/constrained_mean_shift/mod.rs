//! Constrained mean shift: centres climb a density of their own, from which what was said to be
//! apart is left out.
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
//! with the product over all cannot-links (x, y) in both directions. So a centre near one end of a
//! cannot-link does not see the points whose centres are near the other end. The bandwidth h grows
//! as the iterations go on: local heaps form first and join until only cannot-links keep them apart
//! (Schier, Reinders and Rosenhahn, *Constrained Mean Shift Clustering*, eqs. 3.1 and 4.2 to 4.4).
//!
//! | file | what it holds |
//! |---|---|
//! | `schedule` | [`Schedule`], the bandwidth of every iteration |
//! | `apart` | [`Apart`], who is kept apart from whom |
//! | `centers` | the distinct centres and how many points each stands for |
//! | `reduction` | the weights w, a few rows at a time |
//! | `product` | the inner loops of w |
//! | `step` | what one iteration works on |
//! | `shift` | [`ConstrainedMeanShift`], the iterations |
//! | `shifted` | [`Shifted`], where the centres ended, and labels read from that |
//! | `model` | [`CmsModel`], for new points |

mod apart;
mod centers;
mod model;
mod product;
mod reduction;
mod schedule;
mod shift;
mod shifted;
mod step;

pub use apart::{Apart, Spread};
pub use model::CmsModel;
pub use schedule::Schedule;
pub use shift::{CmsKernel, ConstrainedMeanShift, EarlyStop};
pub use shifted::Shifted;
