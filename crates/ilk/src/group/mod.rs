//! Find the groups. Every grouping returns a [`Grouping`].

pub mod constrained_mean_shift;
mod distinct;
pub mod hmrf_kmeans;
pub mod kernel_kmeans;
pub mod kmeans;
pub mod mean_shift;
pub mod mixture;
pub mod multilevel;
mod seeds;
pub mod spectral;
mod watch;

use std::collections::{HashMap, HashSet};

use ndarray::Array2;
use serde::{Deserialize, Serialize};

pub use crate::observe::StopReason;

/// The cluster of a point, or `None` if it belongs to none (noise).
pub type Label = Option<usize>;

/// One iteration in the trace of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TraceStep {
    /// Points or centres that still moved, or points that changed their cluster.
    pub active: usize,
    /// The largest movement, in units of the data.
    pub movement: f64,
    /// The bandwidth of this iteration, where it changes from one to the next.
    pub bandwidth: Option<f64>,
    /// What the run minimises, after this iteration, for methods with such a number.
    pub objective: Option<f64>,
}

/// The centres of all points at one moment of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// After this many iterations.
    pub iteration: usize,
    /// The bandwidth of that iteration.
    pub bandwidth: f64,
    /// One row a point.
    pub centers: Array2<f64>,
}

/// What a grouping found, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Grouping {
    /// The cluster of every point, in the order of the input.
    pub labels: Vec<Label>,
    /// Number of clusters.
    pub n_clusters: usize,
    /// One row a cluster: its mode or centre, for methods that have them.
    pub centers: Option<Array2<f64>>,
    /// One row a point: where its own centre ended, for methods that move one for each.
    pub rest: Option<Array2<f64>>,
    /// The bandwidth that was used, for methods with one; the median where every point has its own.
    pub bandwidth: Option<f64>,
    /// Iterations done.
    pub iterations: usize,
    /// Why the run ended.
    pub stop: StopReason,
    /// What happened in each iteration.
    pub trace: Vec<TraceStep>,
    /// The centres on the way, where they were asked for.
    pub history: Vec<Snapshot>,
}

/// The clusters that labels name, in the order in which they first do.
pub(crate) fn in_order_of_appearance(labels: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut is_seen = HashSet::new();
    let first = labels
        .into_iter()
        .filter(|&cluster| is_seen.insert(cluster));
    first.collect()
}

/// The place of every cluster in `order`, which is its number where clusters are numbered so.
pub(crate) fn numbers_in(order: &[usize]) -> HashMap<usize, usize> {
    let places = order.iter().enumerate();
    places.map(|(new, &old)| (old, new)).collect()
}
