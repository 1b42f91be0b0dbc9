//! k-means: points go to the nearest of k centres, and the centres are the means of their points.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`KMeans`], the parameters |
//! | `cloud` | the points that count: different ones, with weights, of length 1 for the cosine |
//! | `start` | where descents start |
//! | `descent` | one run from one start |
//! | `bounds` | which points can have changed their cluster: the triangle inequality |
//! | `sums` | sums of the points of every cluster, which follow changes without drifting |
//! | `fit` | restarts, from points to clusters and centres |
//! | `model` | [`KMeansModel`], for new points |

mod bounds;
mod cloud;
mod descent;
mod fit;
mod model;
mod params;
mod start;
mod sums;

pub(in crate::group) use cloud::check;
pub use model::KMeansModel;
pub use params::{Distance, KMeans, Start};
