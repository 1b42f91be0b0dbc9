//! Descents of weighted kernel k-means on the sets of points that move as one.

use std::collections::BTreeMap;

use ndarray::{Array2, ArrayView2};

use super::SearchEffort;
use super::partitioning::Partitioning;
use crate::group::kernel_kmeans::{
    ObjectiveTerms, Space, WeightedKernel, WeightedKernelKMeans, weighted_kernel_dense,
    weighted_kernel_sparse,
};
use crate::group::{Grouping, GroupingInput, Label};
use crate::numerics::extrema::heaviest;
use crate::numerics::sparse::Sparse;
use crate::{Error, Result};

/// Moves in a row that need help only together: penalties make poor optima of anything else.
const CHAIN: usize = 20;

/// Affinities between points.
#[derive(Clone, Copy)]
pub(super) enum KernelOrGraph<'a> {
    Kernel(ArrayView2<'a, f64>),
    Graph(&'a Sparse),
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

impl Partitioning<'_> {
    /// The best of all descents from starts that follow the constraints.
    pub(super) fn divide(
        &self,
        affinity: KernelOrGraph<'_>,
        penalties: &Sparse,
    ) -> Result<Grouping> {
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
            KernelOrGraph::Kernel(matrix) => Space::Kernel(matrix),
            KernelOrGraph::Graph(matrix) => Space::Graph(matrix),
        };
        let starts = kmeans.starts(space, Some(counts), &self.closure)?;
        let starts: Vec<_> = starts.iter().map(|start| self.start_of_sets(start)).collect();
        let set_of: Vec<usize> = (0..sets.n_points()).map(|i| sets.set_of(i)).collect();
        let weighted = self.weigh(affinity, penalties, &set_of)?;
        let mut grouping = self.descended(&kmeans, weighted.input(), &starts, penalties)?;
        let (objective, terms) = (self.objective(), weighted.terms());
        let clusters = grouping.n_clusters;
        for step in &mut grouping.trace {
            step.objective = step.objective.map(|sum| terms.value(objective, sum, clusters));
        }
        Ok(grouping)
    }

    /// The kernel and masses of the objective on sets of points.
    fn weigh(
        &self,
        affinity: KernelOrGraph<'_>,
        penalties: &Sparse,
        set_of: &[usize],
    ) -> Result<WeightedSets> {
        let (objective, counts, shift) = (self.objective(), &self.counts, self.params.shift);
        let n_sets = self.sets.len();
        let has_sets = n_sets < set_of.len();
        Ok(match affinity {
            KernelOrGraph::Kernel(matrix) => {
                let kernel = weighted_kernel_dense(objective, matrix, penalties, counts, shift)?;
                WeightedSets::Dense(if has_sets {
                    kernel.contracted(set_of, n_sets)
                } else {
                    kernel
                })
            }
            KernelOrGraph::Graph(matrix) => {
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
