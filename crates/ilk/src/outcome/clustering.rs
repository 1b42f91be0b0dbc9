//! Labels and the story of the run that found them.

use ndarray::Array2;

use super::{Chosen, ConstraintReport, Model};
use crate::group::{Grouping, Label, Snapshot, StopReason, TraceStep};
use crate::problem::Constraints;

/// The groups that were found, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Clustering {
    /// The cluster of every point, in the order of the input.
    pub labels: Vec<Label>,
    /// Number of clusters.
    pub n_clusters: usize,
    /// One row a cluster: its mode or centre, for methods that have them.
    pub modes: Option<Array2<f64>>,
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
    /// What the method chose by itself, such as a width, and by what.
    pub chosen: Vec<Chosen>,
    /// Which constraints the labels keep and break.
    pub report: ConstraintReport,
    /// The parts of which clusters were made, for methods that have them.
    pub partitions: Option<PartitionReport>,
}

/// Parts of which clusters were made.
#[derive(Debug, Clone, PartialEq)]
pub struct PartitionReport {
    /// The part of every point.
    pub of_point: Vec<usize>,
    /// The affinities of parts, after what was said.
    pub affinity: Array2<f64>,
}

/// A finished fit: the groups, and a model that can place new points.
#[derive(Debug, Clone)]
pub struct Fit {
    /// The groups.
    pub clustering: Clustering,
    /// The model.
    pub model: Model,
}

impl Clustering {
    /// The outcome of a grouping, judged by what was said.
    pub fn new(grouping: Grouping, constraints: &Constraints) -> Self {
        Self {
            report: ConstraintReport::new(constraints, &grouping.labels),
            labels: grouping.labels,
            n_clusters: grouping.n_clusters,
            modes: grouping.centers,
            rest: grouping.rest,
            bandwidth: grouping.bandwidth,
            iterations: grouping.iterations,
            stop: grouping.stop,
            trace: grouping.trace,
            history: grouping.history,
            chosen: Vec::new(),
            partitions: None,
        }
    }
}
