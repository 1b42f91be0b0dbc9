//! Find the groups. Every grouping returns a [`Grouping`].

pub mod constrained_mean_shift;
pub mod mean_shift;

use ndarray::Array2;
use serde::{Deserialize, Serialize};

/// The cluster of a point, or `None` if it belongs to none (noise).
pub type Label = Option<usize>;

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Nothing moved any more.
    Converged,
    /// The limit of iterations was reached before that.
    MaxIterations,
    /// A fixed number of iterations was asked for and done.
    FixedCount,
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Converged => "converged",
            Self::MaxIterations => "reached the limit of iterations",
            Self::FixedCount => "did the iterations asked for",
        })
    }
}

/// One iteration in the trace of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TraceStep {
    /// Points or centres that still moved.
    pub active: usize,
    /// The largest movement, in units of the data.
    pub movement: f64,
    /// The bandwidth of this iteration, where it changes from one to the next.
    pub bandwidth: Option<f64>,
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
