//! Kernel k-means: points go to the cluster whose mean, in the space of a kernel, is nearest.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`WeightedKernelKMeans`], the parameters |
//! | `space` | [`Space`]: a kernel matrix, features or links, and the operations that each provides |
//! | `kernel`, `features`, `graph` | the three spaces |
//! | `constrained_init`, `graph_init` | starts from them, in a space with means and in a graph |
//! | `graph_objective` | [`Objective`]s of graph clustering as weights and kernels |
//! | `descent` | one run from one start: batch steps, then moves of single points |
//! | `fit` | restarts, from a space to clusters and their means |
//! | `means` | [`Means`], which assign new points |
//! | `model` | [`KernelKMeansModel`], for new points |

mod constrained_init;
mod descent;
mod features;
mod fit;
mod graph;
mod graph_init;
mod graph_objective;
mod kernel;
mod means;
mod model;
mod params;
mod space;

pub use graph_objective::{
    DiagonalShift, Objective, ObjectiveTerms, WeightedKernel, weighted_kernel_dense,
    weighted_kernel_sparse,
};
pub use means::{ClusterMember, Mean, Means};
pub use model::KernelKMeansModel;
pub use params::{KernelKMeansInit, WeightedKernelKMeans};
pub use space::Space;
