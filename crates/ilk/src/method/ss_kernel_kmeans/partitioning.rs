//! From affinities and constraints to clusters: what is grouped, and on which path.

use ndarray::ArrayView2;

use super::descents::KernelOrGraph;
use super::fit::point_counts;
use super::{SsKernelKMeans, UseMultilevel};
use crate::Result;
use crate::group::kernel_kmeans::{KernelKMeansModel, Objective};
use crate::group::{Grouping, renumber_by_appearance};
use crate::numerics::sparse::Sparse;
use crate::observe::Observer;
use crate::outcome::AnyModel;
use crate::problem::aggregate::AggregatedConstraints;
use crate::problem::{Closure, Constraints, MustLinkPolicy, Problem, with_labels_as_pairs};
use crate::supervise::penalty::Penalty;

/// Nodes above which a graph is coarsened first.
pub(super) const MANY: usize = 5000;

/// A fit under way.
pub(super) struct Partitioning<'a> {
    pub(super) params: &'a SsKernelKMeans,
    pub(super) constraints: &'a Constraints,
    pub(super) closure: Closure,
    /// The constraints with labels as pairs.
    pairs: Constraints,
    /// Points that move as one.
    pub(super) sets: AggregatedConstraints,
    /// The number of clusters, or of sets where there are fewer.
    pub(super) n_clusters: usize,
    /// How many points each point counts for.
    pub(super) counts: Vec<f64>,
    pub(super) observer: &'a dyn Observer,
}

impl<'a> Partitioning<'a> {
    pub(super) fn new(
        params: &'a SsKernelKMeans,
        problem: &'a Problem,
        observer: &'a dyn Observer,
    ) -> Result<Self> {
        let constraints = problem.constraints();
        let closure = constraints.closure();
        let sets = AggregatedConstraints::new(constraints, &closure, params.must_links);
        Ok(Self {
            params,
            constraints,
            pairs: with_labels_as_pairs(constraints, params.seed)?,
            n_clusters: params.n_clusters.resolved().min(sets.len()),
            counts: point_counts(problem),
            closure,
            sets,
            observer,
        })
    }

    /// Clusters of a kernel matrix, and a model for rows of one.
    pub(super) fn of_kernel(&self, kernel: ArrayView2<'_, f64>) -> Result<(Grouping, AnyModel)> {
        let grouping = self.of_dense(kernel, true)?;
        let model = self.model(&Sparse::from_dense(kernel), &grouping);
        Ok((grouping, model))
    }

    /// Clusters of a kernel matrix, which is given or made of points.
    pub(super) fn of_dense(&self, kernel: ArrayView2<'_, f64>, is_given: bool) -> Result<Grouping> {
        let Self { params, pairs, .. } = self;
        let unit = match params.penalty {
            Penalty::Auto => self.unit_of(kernel, is_given),
            Penalty::Paper | Penalty::Fixed(_) => 1.0,
        };
        let penalties = params.penalty.matrix_in(unit, pairs, params.n_clusters.resolved());
        match self.objective() {
            Objective::Modularity | Objective::Likelihood => {
                self.divide_on_levels(&Sparse::from_dense(kernel), &penalties)
            }
            _ => self.divide(KernelOrGraph::Kernel(kernel), &penalties),
        }
    }

    /// What a point counts in the objective, so that penalties scale with the data and with the weights of points: 1 by a
    /// Gaussian kernel, of which every point has the similarity 1 with itself; the mean squared distance to the mean by
    /// products of coordinates; the mean similarity of a point with itself by a given kernel.
    fn unit_of(&self, kernel: ArrayView2<'_, f64>, is_given: bool) -> f64 {
        let n = kernel.nrows() as f64;
        let own = kernel.diag().mean().unwrap_or_default();
        let unit = match self.objective() {
            Objective::Hmrf => own - kernel.sum() / (n * n),
            _ if is_given => own,
            _ => 1.0,
        };
        self.mean_count().powi(2) * if unit > 0.0 { unit } else { 1.0 }
    }

    fn mean_count(&self) -> f64 {
        self.counts.iter().sum::<f64>() / self.counts.len() as f64
    }

    /// Clusters of a graph, and a model for links of new nodes.
    pub(super) fn of_links(&self, links: &Sparse) -> Result<(Grouping, AnyModel)> {
        let is_coarsened = match self.params.multilevel {
            _ if matches!(self.objective(), Objective::Modularity | Objective::Likelihood) => true,
            UseMultilevel::Auto => links.len() > MANY || self.enforces_something(),
            UseMultilevel::On => true,
            UseMultilevel::Off => false,
        };
        let penalties = self.penalties(links.values().iter().map(|value| value.abs()).sum());
        let mut grouping = if is_coarsened {
            self.divide_on_levels(links, &penalties)?
        } else {
            self.divide(KernelOrGraph::Graph(links), &penalties)?
        };
        for (i, label) in grouping.labels.iter_mut().enumerate() {
            let is_constrained = self.closure.is_constrained(self.closure.component_of(i));
            if links.row(i).0.is_empty() && !is_constrained {
                *label = None;
            }
        }
        (grouping.labels, grouping.n_clusters) = renumber_by_appearance(&grouping.labels);
        let model = self.model(links, &grouping);
        Ok((grouping, model))
    }

    /// Whether there are constraints that hold wherever they can.
    fn enforces_something(&self) -> bool {
        self.enforces()
            && (!self.pairs.must_links().is_empty() || !self.pairs.cannot_links().is_empty())
    }

    pub(super) fn objective(&self) -> Objective {
        self.params.objective.for_graph(false)
    }

    /// The constraints on a graph as a matrix W, where `total` is the sum of all links.
    ///
    /// By default a violated pair costs the links of a mean node, however many constraints there are. Costs
    /// count over the size of a cluster: were they larger, points would all move into a cluster that violates a
    /// cannot-link, because that makes the violation cheaper.
    fn penalties(&self, total: f64) -> Sparse {
        let Self { params, pairs, .. } = self;
        if params.penalty != Penalty::Auto {
            return params.penalty.matrix(pairs, params.n_clusters.resolved());
        }
        let of_point = self.mean_count().powi(2) * total / pairs.n().max(1) as f64;
        Penalty::Fixed(of_point).matrix(pairs, params.n_clusters.resolved())
    }

    /// Whether cannot-links hold wherever they can, at any price.
    pub(super) fn enforces(&self) -> bool {
        self.params.penalty == Penalty::Auto && self.params.must_links != MustLinkPolicy::Soft
    }

    /// The means of the clusters without the constraints, by which new rows of affinities are assigned.
    fn model(&self, affinity: &Sparse, grouping: &Grouping) -> AnyModel {
        AnyModel::KernelKMeans(KernelKMeansModel::of_links(
            affinity,
            &self.counts,
            &grouping.labels,
            grouping.n_clusters,
            self.objective().is_normalized(),
        ))
    }
}
