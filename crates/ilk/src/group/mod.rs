//! Finding the groups. Every algorithm is a struct of its parameters that implements
//! [`GroupingAlgorithm`]; the result is a [`Grouping`] and the algorithm's own model.

mod checks;
pub(crate) mod consensus;
pub mod constrained_mean_shift;
pub mod hmrf_kmeans;
pub mod kernel_kmeans;
pub mod kmeans;
pub mod mean_shift;
pub mod mixture;
pub mod multilevel;
mod must_link_seeds;
mod relabel;
mod restarts;
mod seeding;
pub mod spectral;

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::observe::Observer;
pub use crate::observe::StopReason;
pub(crate) use relabel::{Renumbering, n_clusters, renumber_by_appearance};

/// An algorithm that groups points, or the nodes of a graph.
pub trait GroupingAlgorithm {
    /// What the algorithm groups: a [`GroupingInput`] of points, rows, a kernel space or a graph.
    type Input<'a>;

    /// What the algorithm learns besides the labels, such as centres that place new points.
    type Model;

    /// Groups the input.
    ///
    /// # Errors
    /// [`Error::BadParameter`](crate::Error::BadParameter) for parameters out of range,
    /// [`Error::TooManyClusters`](crate::Error::TooManyClusters) for more clusters than points,
    /// [`Error::Cancelled`](crate::Error::Cancelled) where the observer asks to stop, and errors for
    /// inputs whose parts do not fit each other.
    fn group<'a>(
        &self,
        input: impl Into<Self::Input<'a>>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, Self::Model)>;
}

/// Data to group, with optional weights and with the constraints that the algorithm uses.
///
/// Plain data converts into an input without weights:
///
/// ```
/// use ilk::group::kmeans::KMeans;
/// use ilk::group::{GroupingAlgorithm, GroupingInput};
/// use ilk::observe::Silent;
/// use ndarray::array;
///
/// let rows = array![[0.0], [1.0], [9.0]];
/// let kmeans = KMeans { n_clusters: 2.into(), ..KMeans::default() };
/// let (plain, _) = kmeans.group(rows.view(), &Silent)?;
/// let weighted = GroupingInput::new(rows.view()).with_weights(Some(&[1.0, 1.0, 5.0]));
/// let (weighted, _) = kmeans.group(weighted, &Silent)?;
/// assert_eq!(plain.labels, weighted.labels);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct GroupingInput<'a, D, C = ()> {
    /// Points, rows, a space of points, or the links of a graph.
    pub data: D,
    /// How many points each point counts for; 1 for every point where this is `None`.
    pub weights: Option<&'a [f64]>,
    /// The constraints, for an algorithm that uses them.
    pub constraints: C,
}

impl<D> GroupingInput<'_, D> {
    /// Data in which every point counts once.
    pub fn new(data: D) -> Self {
        Self { data, weights: None, constraints: () }
    }
}

impl<'a, D, C> GroupingInput<'a, D, C> {
    /// The same data with a weight for every point. `None` leaves every weight at 1.
    #[must_use]
    pub fn with_weights(self, weights: Option<&'a [f64]>) -> Self {
        Self { weights, ..self }
    }

    /// The same data with constraints.
    pub fn with_constraints<K>(self, constraints: K) -> GroupingInput<'a, D, K> {
        GroupingInput { data: self.data, weights: self.weights, constraints }
    }
}

impl<D> From<D> for GroupingInput<'_, D> {
    fn from(data: D) -> Self {
        Self::new(data)
    }
}

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
    /// The objective after this iteration, for algorithms that minimise one.
    pub objective: Option<f64>,
}

impl TraceStep {
    /// A step after which `active` points or centres changed, the largest movement being `movement`.
    pub(crate) fn new(active: usize, movement: f64) -> Self {
        Self { active, movement, bandwidth: None, objective: None }
    }

    /// The same with the value of the objective after the step.
    pub(crate) fn with_objective(self, objective: f64) -> Self {
        Self { objective: Some(objective), ..self }
    }
}

/// The centres of all points after an iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// After this many iterations.
    pub iteration: usize,
    /// The bandwidth of that iteration.
    pub bandwidth: f64,
    /// One row per point.
    pub centers: Array2<f64>,
}

/// The clusters that an algorithm found, and how the run went.
#[derive(Debug, Clone, PartialEq)]
pub struct Grouping {
    /// The cluster of every point, in the order of the input.
    pub labels: Vec<Label>,
    /// Number of clusters.
    pub n_clusters: usize,
    /// One row per cluster: its mode or centre, for algorithms that have them.
    pub centers: Option<Array2<f64>>,
    /// One row per point: where its own centre ended, for algorithms that move a centre for each.
    pub final_positions: Option<Array2<f64>>,
    /// The bandwidth, for algorithms with one; the median where every point has its own.
    pub bandwidth: Option<f64>,
    /// Iterations done.
    pub iterations: usize,
    /// Why the run ended.
    pub stop: StopReason,
    /// One step per iteration.
    pub trace: Vec<TraceStep>,
    /// Snapshots of the centres, where the parameters ask for them.
    pub history: Vec<Snapshot>,
}

impl Grouping {
    /// A grouping without centres, final positions, bandwidth and history.
    pub fn new(
        labels: Vec<Label>,
        n_clusters: usize,
        stop: StopReason,
        trace: Vec<TraceStep>,
    ) -> Self {
        Self {
            labels,
            n_clusters,
            centers: None,
            final_positions: None,
            bandwidth: None,
            iterations: trace.len(),
            stop,
            trace,
            history: Vec::new(),
        }
    }
}
