//! Large sparse graphs clustered on several levels: nodes that belong together become one until few are
//! left, those are clustered, and the clusters are refined on every level on the way back.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`Multilevel`], the parameters |
//! | `said` | [`Said`], what was said about nodes; what must be together becomes one |
//! | `apart` | nodes that must not become one |
//! | `level` | a graph on one of the levels, and how the next is made from it |
//! | `coarsen` | which nodes become one: vicinities |
//! | `matching` | or pairs |
//! | `hierarchy` | all levels |
//! | `agglomerate` | a start: nodes joined two by two |
//! | `grow` | another: clusters that grow from a few nodes |
//! | `partition` | clusters, and what moving a node is worth |
//! | `refine` | moves of single nodes until none helps |
//! | `exchange` | a cluster split and two joined |
//! | `divide` | clusters that are far too heavy divided, and others joined |
//! | `search` | the order of all of these |
//! | `fit` | from a graph to clusters |
//! | `tally`, `watch` | sums over a node's links; progress and cancelling |

mod agglomerate;
pub(in crate::group) mod apart;
mod coarsen;
mod divide;
mod exchange;
mod fit;
pub(in crate::group) mod grow;
mod hierarchy;
pub(in crate::group) mod level;
mod matching;
mod params;
mod partition;
mod refine;
mod said;
mod search;
mod tally;
pub(in crate::group) mod watch;

pub use params::{Coarsening, Multilevel};
pub use said::Said;
