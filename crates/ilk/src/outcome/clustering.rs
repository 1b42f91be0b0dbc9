//! Labels, and how the run went that found them.

use ndarray::Array2;

use super::{
    AnyModel, Chosen, ClusterCountSupport, ConstraintReport, MemberReport, PointConfidence,
};
use crate::group::{Grouping, Label, Snapshot, StopReason, TraceStep};
use crate::problem::Constraints;

/// The clusters that were found, and how the run went.
#[derive(Debug, Clone, PartialEq)]
pub struct Clustering {
    /// The cluster of every point, in the order of the input.
    pub labels: Vec<Label>,
    /// Number of clusters.
    pub n_clusters: usize,
    /// The number of clusters that was asked for, or chosen before the fit, for methods that take one.
    pub requested_clusters: Option<usize>,
    /// The mode or centre of every cluster, one row each, for methods that have them.
    pub modes: Option<Array2<f64>>,
    /// The final centre of every point, one row each, for methods that move a centre for each point.
    pub final_positions: Option<Array2<f64>>,
    /// The bandwidth, for methods with one; the median where every point has its own.
    pub bandwidth: Option<f64>,
    /// Number of iterations.
    pub iterations: usize,
    /// Why the run ended.
    pub stop: StopReason,
    /// One entry an iteration: movement, objective and so on.
    pub trace: Vec<TraceStep>,
    /// The centres after some of the iterations, if requested.
    pub history: Vec<Snapshot>,
    /// The parameters that the method chose by itself, such as a bandwidth.
    pub chosen: Vec<Chosen>,
    /// Which constraints the labels satisfy and violate.
    pub report: ConstraintReport,
    /// The partitions that clusters are unions of, for methods that have them.
    pub partitions: Option<PartitionReport>,
    /// How sure every point's cluster is, for methods that tell.
    pub confidence: Option<PointConfidence>,
    /// The members of a consensus, those with the largest weights first; empty for other methods.
    pub leaderboard: Vec<MemberReport>,
    /// What speaks for the numbers of clusters that a consensus tried, the smallest first; empty for other methods.
    pub cluster_counts: Vec<ClusterCountSupport>,
}

/// Partitions of the points that clusters are unions of.
#[derive(Debug, Clone, PartialEq)]
pub struct PartitionReport {
    /// The partition of every point.
    pub of_point: Vec<usize>,
    /// The affinities between partitions, after the constraints were applied.
    pub affinity: Array2<f64>,
}

/// A finished fit: the clusters, and a model that assigns new points to them.
#[derive(Debug, Clone)]
pub struct Fit {
    /// The clusters of the points of the fit.
    pub clustering: Clustering,
    /// The model for new points.
    pub model: AnyModel,
}

impl Fit {
    /// The fit of a grouping and its model, with a report on these constraints.
    pub(crate) fn new(
        grouping: Grouping,
        model: impl Into<AnyModel>,
        constraints: &Constraints,
    ) -> Self {
        Self { clustering: Clustering::new(grouping, constraints), model: model.into() }
    }
}

impl Clustering {
    /// The outcome of a grouping, with a report on these constraints.
    pub fn new(grouping: Grouping, constraints: &Constraints) -> Self {
        Self {
            report: ConstraintReport::new(constraints, &grouping.labels),
            labels: grouping.labels,
            n_clusters: grouping.n_clusters,
            requested_clusters: None,
            modes: grouping.centers,
            final_positions: grouping.final_positions,
            bandwidth: grouping.bandwidth,
            iterations: grouping.iterations,
            stop: grouping.stop,
            trace: grouping.trace,
            history: grouping.history,
            chosen: Vec::new(),
            partitions: None,
            confidence: None,
            leaderboard: Vec::new(),
            cluster_counts: Vec::new(),
        }
    }
}
