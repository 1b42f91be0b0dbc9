//! Kernel k-means: points go to the cluster whose mean, in the space of a kernel, is nearest.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`KernelKMeans`], the parameters |
//! | `space` | [`Space`], a kernel matrix or features, and what the algorithm asks of either |
//! | `kernel`, `features` | the two spaces |
//! | `distinct` | points that are the same are one point with their weights added up |
//! | `start` | k-means++ and farthest-first starts |
//! | `descent` | one run from one start: batch steps, then moves of single points |
//! | `fit` | restarts, from a space to clusters and their means |
//! | `means` | [`Means`], which place new points |
//! | `model` | [`KernelKMeansModel`], which finds what the means compare |

mod descent;
mod distinct;
mod features;
mod fit;
mod kernel;
mod means;
mod model;
mod params;
mod space;
mod start;

pub use means::{Mean, Means, Member};
pub use model::KernelKMeansModel;
pub use params::{Init, KernelKMeans};
pub use space::Space;
