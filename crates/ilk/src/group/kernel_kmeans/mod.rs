//! Kernel k-means: points go to the cluster whose mean, in the space of a kernel, is nearest.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`KernelKMeans`], the parameters |
//! | `space` | [`Space`]: a kernel matrix, features or links, and what the algorithm asks of each |
//! | `kernel`, `features`, `graph` | the three spaces |
//! | `components`, `grow` | starts from what was said, in a space and along the edges of a graph |
//! | `objective` | [`Objective`]s of graph clustering as weights and kernels |
//! | `descent` | one run from one start: batch steps, then moves of single points |
//! | `fit` | restarts, from a space to clusters and their means |
//! | `means` | [`Means`], which place new points |
//! | `model` | [`KernelKMeansModel`], which finds what the means compare |

mod components;
mod descent;
mod features;
mod fit;
mod graph;
mod grow;
mod kernel;
mod means;
mod model;
mod objective;
mod params;
mod space;

pub use means::{Mean, Means, Member};
pub use model::KernelKMeansModel;
pub use objective::{Objective, Shift, Terms, Weighed, weigh_dense, weigh_sparse};
pub use params::{Init, KernelKMeans};
pub use space::Space;
