//! Multilevel clustering of large sparse graphs: nodes are merged level by level until few are left,
//! those are clustered, and the clusters are refined on every level on the way back.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`Multilevel`], the parameters |
//! | `fit` | from a graph to clusters |
//! | `node_constraints` | [`NodeConstraints`]; must-link components become one node each |
//! | `level` | the graph of one level, and how the next is made from it |
//! | `region_growing`, `matching` | which nodes are merged: [`Coarsening`] |
//! | `hierarchy` | all levels |
//! | `agglomerate`, `greedy_growing` | clusters of the coarsest level |
//! | `cluster_value` | what a cluster is worth: [`Criterion`] |
//! | `planted_partition` | [`PlantedPartition`]: the resolution of modularity, and the likelihood of a partition |
//! | `partition` | clusters, and the gain of moving a node |
//! | `refine` | moves of single nodes until none helps |
//! | `exchange` | a cluster is split and two others are merged |
//! | `split_overweight` | clusters far heavier than the mean are split |
//! | `search` | the order of these steps |
//! | `hash`, `progress` | random tie-breaking; progress and cancellation |

mod agglomerate;
mod cluster_value;
mod exchange;
mod fit;
pub(in crate::group) mod greedy_growing;
mod hash;
mod hierarchy;
pub(in crate::group) mod level;
mod matching;
mod node_constraints;
mod params;
mod partition;
mod planted_partition;
pub(in crate::group) mod progress;
mod refine;
mod region_growing;
mod search;
mod split_overweight;

pub use node_constraints::NodeConstraints;
pub use params::{Coarsening, Criterion, Multilevel};
pub use planted_partition::PlantedPartition;
