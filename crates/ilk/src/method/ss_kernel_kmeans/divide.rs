//! From affinities and constraints to clusters.

use std::collections::BTreeMap;

use ndarray::{Array2, ArrayView2};

use super::fit::point_counts;
use super::{SearchEffort, SsKernelKMeans, UseMultilevel};
use crate::group::kernel_kmeans::{
    DiagonalShift, KernelKMeansModel, Objective, ObjectiveTerms, Space, WeightedKernel,
    WeightedKernelKMeans, weighted_kernel_dense, weighted_kernel_sparse,
};
use crate::group::multilevel::{Criterion, Multilevel, NodeConstraints, PlantedPartition};
use crate::group::{Grouping, GroupingAlgorithm, GroupingInput, Label, renumber_by_appearance};
use crate::numerics::sparse::Sparse;
use crate::observe::Observer;
use crate::outcome::AnyModel;
use crate::parameter::Auto;
use crate::problem::aggregate::{AggregatedConstraints, heaviest};
use crate::problem::{Closure, Constraints, MustLinkPolicy, Problem, with_labels_as_pairs};
use crate::supervise::penalty::Penalty;
use crate::{Error, Result};

/// Moves in a row that need help only together: penalties make poor optima of anything else.
const CHAIN: usize = 20;

/// Nodes above which a graph is coarsened first.
const MANY: usize = 5000;

/// Searches for the resolution of modularity or the density between groups, at most.
const SETTINGS: usize = 4;

/// Either is found where it changes by less than this share.
const SAME_SETTING: f64 = 0.02;

/// Affinities between points.
#[derive(Clone, Copy)]
enum Affinity<'a> {
    Dense(ArrayView2<'a, f64>),
    Sparse(&'a Sparse),
}

/// The kernel of an objective on sets of points.
enum WeightedSets {
    Dense(WeightedKernel<Array2<f64>>),
    Sparse(WeightedKernel<Sparse>),
}

impl WeightedSets {
    fn input(&self) -> GroupingInput<'_, Space<'_>> {
        let (space, masses) = match self {
            Self::Dense(kernel) => (Space::Kernel(kernel.matrix.view()), &kernel.masses),
            Self::Sparse(links) => (Space::Graph(&links.matrix), &links.masses),
        };
        GroupingInput::new(space).with_weights(Some(masses))
    }

    fn terms(&self) -> ObjectiveTerms {
        match self {
            Self::Dense(kernel) => kernel.terms,
            Self::Sparse(links) => links.terms,
        }
    }
}

/// A fit under way.
pub(super) struct Task<'a> {
    params: &'a SsKernelKMeans,
    constraints: &'a Constraints,
    closure: Closure,
    /// The constraints with labels as pairs.
    pairs: Constraints,
    /// Points that move as one.
    sets: AggregatedConstraints,
    /// The number of clusters, or of sets where there are fewer.
    n_clusters: usize,
    /// How many points each point counts for.
    counts: Vec<f64>,
    observer: &'a dyn Observer,
}

impl<'a> Task<'a> {
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
            _ => self.divide(Affinity::Dense(kernel), &penalties),
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
            self.divide(Affinity::Sparse(links), &penalties)?
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

    fn objective(&self) -> Objective {
        self.params.objective.for_graph(false)
    }

    /// The constraints on a graph as a matrix W, where `total` is the sum of all links.
    ///
    /// By default a violated pair costs the links of a mean node, however many constraints there are. Costs
    /// count over the size of a cluster: were they larger, points would flood into a cluster that violates a
    /// cannot-link, because that makes the violation cheaper.
    fn penalties(&self, total: f64) -> Sparse {
        let Self { params, pairs, .. } = self;
        if params.penalty != Penalty::Auto {
            return params.penalty.matrix(pairs, params.n_clusters.resolved());
        }
        let of_point = self.mean_count().powi(2) * total / pairs.n().max(1) as f64;
        Penalty::Fixed(of_point).matrix(pairs, params.n_clusters.resolved())
    }

    /// The clusters of a graph that is coarsened first. Cannot-links are enforced by the moves themselves; penalties are
    /// added only where they are given, or where constraints are soft.
    fn divide_on_levels(&self, links: &Sparse, penalties: &Sparse) -> Result<Grouping> {
        let objective = self.objective();
        let none = Sparse::empty(links.len());
        let penalties = if self.enforces() { &none } else { penalties };
        let weighed = |penalties: &Sparse| {
            weighted_kernel_sparse(objective, links, penalties, &self.counts, DiagonalShift::Off)
        };
        let (full, free) = (weighed(penalties)?, weighed(&none)?);
        let mut grouping = self.most_likely(&full, &free)?;
        for step in &mut grouping.trace {
            let value = |sum: f64| full.terms.from_association(objective, -sum, self.n_clusters);
            step.objective = step.objective.map(value);
        }
        Ok(grouping)
    }

    /// Whether cannot-links hold wherever they can, at any price.
    fn enforces(&self) -> bool {
        self.params.penalty == Penalty::Auto && self.params.must_links != MustLinkPolicy::Soft
    }

    /// One search on levels.
    fn on_levels(
        &self,
        weighed: &WeightedKernel<Sparse>,
        (criterion, parameter): (Criterion, f64),
    ) -> Result<Grouping> {
        let Self { params, constraints, closure, n_clusters, .. } = self;
        let is_small = weighed.matrix.len() <= MANY;
        let multilevel = Multilevel {
            n_clusters: *n_clusters,
            criterion,
            resolution: parameter,
            between: parameter,
            coarsening: params.coarsening,
            n_init: if is_small { params.n_init } else { 1 },
            max_iter: params.max_iter,
            seed: params.seed,
        };
        let mut known = NodeConstraints::new(constraints, closure, params.must_links, *n_clusters);
        known.enforces_cannot_links = self.enforces();
        let input = GroupingInput::new(&weighed.matrix)
            .with_weights(Some(&weighed.masses))
            .with_constraints(&known);
        Ok(multilevel.group(input, self.observer)?.0)
    }

    /// The best clusters of a graph `full` with penalties; `free` is the same without.
    ///
    /// Where the resolution is open, the partition is the most likely one of those with the largest value at
    /// several settings: modularity with resolution 1 at first, then always with the setting of the last partition.
    fn most_likely(
        &self,
        full: &WeightedKernel<Sparse>,
        free: &WeightedKernel<Sparse>,
    ) -> Result<Grouping> {
        let of_model = |model: PlantedPartition| match (self.objective(), self.params.resolution) {
            (Objective::Likelihood, _) => {
                Some(((Criterion::Likelihood, model.between()), model.log_likelihood_of_groups()))
            }
            (Objective::Modularity, Auto::Auto) => {
                Some(((Criterion::Modularity, model.resolution()), model.log_likelihood()))
            }
            _ => None,
        };
        let mut setting = match (self.objective(), self.params.resolution) {
            (Objective::Likelihood, _) => (Criterion::Modularity, 1.0),
            (Objective::Modularity, resolution) => {
                (Criterion::Modularity, resolution.fixed().unwrap_or(1.0))
            }
            _ => (Criterion::Density, 1.0),
        };
        let mut best = self.on_levels(full, setting)?;
        let model_of = |found: &Grouping| {
            of_model(PlantedPartition::new(&free.matrix, &free.masses, &found.labels))
        };
        let Some((mut next, mut most)) = model_of(&best) else {
            return Ok(best);
        };
        for _ in 1..SETTINGS {
            let is_same = next.0 == setting.0 && (next.1 / setting.1 - 1.0).abs() < SAME_SETTING;
            setting = next;
            if is_same {
                break;
            }
            let found = self.on_levels(full, setting)?;
            let Some((after, likelihood)) = model_of(&found) else { break };
            next = after;
            if likelihood > most {
                (most, best) = (likelihood, found);
            }
        }
        Ok(best)
    }

    /// The best of all descents from starts that follow the constraints.
    fn divide(&self, affinity: Affinity<'_>, penalties: &Sparse) -> Result<Grouping> {
        let Self { params, counts, sets, .. } = self;
        let kmeans = WeightedKernelKMeans {
            n_clusters: self.n_clusters,
            max_iter: params.max_iter,
            seed: params.seed,
            n_init: match params.search {
                SearchEffort::Near => 1,
                _ => params.n_init,
            },
            ..WeightedKernelKMeans::default()
        };
        let space = match affinity {
            Affinity::Dense(matrix) => Space::Kernel(matrix),
            Affinity::Sparse(matrix) => Space::Graph(matrix),
        };
        let starts = kmeans.starts(space, Some(counts), &self.closure)?;
        let starts: Vec<_> = starts.iter().map(|start| self.start_of_sets(start)).collect();
        let set_of: Vec<usize> = (0..sets.n_points()).map(|i| sets.set_of(i)).collect();
        let weighed = self.weigh(affinity, penalties, &set_of)?;
        let mut grouping = self.descended(&kmeans, weighed.input(), &starts, penalties)?;
        let (objective, terms) = (self.objective(), weighed.terms());
        let clusters = grouping.n_clusters;
        for step in &mut grouping.trace {
            step.objective = step.objective.map(|sum| terms.value(objective, sum, clusters));
        }
        Ok(grouping)
    }

    /// The kernel and masses of the objective on sets of points.
    fn weigh(
        &self,
        affinity: Affinity<'_>,
        penalties: &Sparse,
        set_of: &[usize],
    ) -> Result<WeightedSets> {
        let (objective, counts, shift) = (self.objective(), &self.counts, self.params.shift);
        let n_sets = self.sets.len();
        let has_sets = n_sets < set_of.len();
        Ok(match affinity {
            Affinity::Dense(matrix) => {
                let kernel = weighted_kernel_dense(objective, matrix, penalties, counts, shift)?;
                WeightedSets::Dense(if has_sets {
                    kernel.contracted(set_of, n_sets)
                } else {
                    kernel
                })
            }
            Affinity::Sparse(matrix) => {
                let links = weighted_kernel_sparse(objective, matrix, penalties, counts, shift)?;
                WeightedSets::Sparse(if has_sets {
                    links.contracted(set_of, n_sets)
                } else {
                    links
                })
            }
        })
    }

    /// The start of every set: the label of most of its points.
    fn start_of_sets(&self, start: &[Label]) -> Vec<Label> {
        let of_set = |set: usize| {
            let mut counts: BTreeMap<usize, f64> = BTreeMap::new();
            for label in self.sets.members(set).iter().filter_map(|&i| start[i]) {
                *counts.entry(label).or_default() += 1.0;
            }
            heaviest(counts)
        };
        (0..self.sets.len()).map(of_set).collect()
    }

    /// What comes of the starts, as labels of all points.
    fn descended<'s>(
        &self,
        kmeans: &WeightedKernelKMeans,
        input: GroupingInput<'s, Space<'s>>,
        starts: &[Vec<Label>],
        penalties: &Sparse,
    ) -> Result<Grouping> {
        let near = WeightedKernelKMeans { local_search: false, ..kmeans.clone() };
        let thorough = WeightedKernelKMeans { chain: CHAIN, ..kmeans.clone() };
        let from = |kmeans: &WeightedKernelKMeans, starts: &[Vec<Label>]| {
            let (mut found, _) = kmeans.group_from(input, starts, self.observer)?;
            let labels = (0..self.sets.n_points()).map(|i| found.labels[self.sets.set_of(i)]);
            found.labels = labels.collect();
            Ok::<_, Error>(found)
        };
        match self.params.search {
            SearchEffort::Near => return from(&near, starts),
            SearchEffort::Thorough => return from(&thorough, starts),
            SearchEffort::Auto if penalties.n_entries() == 0 => return from(&thorough, starts),
            SearchEffort::Auto => {}
        }
        let mut best: Option<(f64, Grouping)> = None;
        for start in starts {
            for kmeans in [&near, &thorough] {
                let found = from(kmeans, std::slice::from_ref(start))?;
                let broken = broken(penalties, &found.labels);
                let objective =
                    |grouping: &Grouping| grouping.trace.last().and_then(|s| s.objective);
                let is_better = best.as_ref().is_none_or(|(least, before)| {
                    broken < *least || broken == *least && objective(&found) < objective(before)
                });
                if is_better {
                    best = Some((broken, found));
                }
            }
        }
        // There is at least one start.
        best.map_or_else(|| from(&near, starts), |(_, grouping)| Ok(grouping))
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

/// The worth of the constraints that labels break.
fn broken(penalties: &Sparse, labels: &[Label]) -> f64 {
    let mut sum = 0.0;
    for i in 0..penalties.len() {
        for (j, worth) in penalties.entries(i).filter(|&(j, _)| j > i) {
            if (worth > 0.0) != (labels[i] == labels[j]) {
                sum += worth.abs();
            }
        }
    }
    sum
}
