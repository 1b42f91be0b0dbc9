//! Graphs that are coarsened first: searches on levels.

use super::partitioning::{MANY, Partitioning};
use crate::Result;
use crate::group::kernel_kmeans::{
    DiagonalShift, Objective, WeightedKernel, weighted_kernel_sparse,
};
use crate::group::multilevel::{Criterion, Multilevel, NodeConstraints, PlantedPartition};
use crate::group::{Grouping, GroupingAlgorithm, GroupingInput};
use crate::numerics::sparse::Sparse;
use crate::parameter::AutoOr;

/// Searches for the resolution of modularity or the density between groups, at most.
const SETTINGS: usize = 4;

/// Either is found where it changes by less than this share.
const SAME_SETTING: f64 = 0.02;

impl Partitioning<'_> {
    /// The clusters of a graph that is coarsened first. Cannot-links are enforced by the moves themselves; penalties are
    /// added only where they are given, or where constraints are soft.
    pub(super) fn divide_on_levels(&self, links: &Sparse, penalties: &Sparse) -> Result<Grouping> {
        let objective = self.objective();
        let none = Sparse::empty(links.len());
        let penalties = if self.enforces() { &none } else { penalties };
        let weighted = |penalties: &Sparse| {
            weighted_kernel_sparse(objective, links, penalties, &self.counts, DiagonalShift::Off)
        };
        let (full, free) = (weighted(penalties)?, weighted(&none)?);
        let mut grouping = self.most_likely(&full, &free)?;
        for step in &mut grouping.trace {
            let value = |sum: f64| full.terms.from_association(objective, -sum, self.n_clusters);
            step.objective = step.objective.map(value);
        }
        Ok(grouping)
    }

    /// One search on levels.
    fn on_levels(
        &self,
        weighted: &WeightedKernel<Sparse>,
        (criterion, parameter): (Criterion, f64),
    ) -> Result<Grouping> {
        let Self { params, constraints, closure, n_clusters, .. } = self;
        let is_small = weighted.matrix.len() <= MANY;
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
        let input = GroupingInput::new(&weighted.matrix)
            .with_weights(Some(&weighted.masses))
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
            (Objective::Modularity, AutoOr::Auto) => {
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
}
