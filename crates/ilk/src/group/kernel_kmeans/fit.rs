//! From a space to clusters and their means: runs from several starts.

use std::borrow::Cow;

use super::descent::{Descent, PartitionState, descend, nearest};
use super::kernel::{KernelSpace, restricted};
use super::params::{KernelKMeansInit, WeightedKernelKMeans};
use super::space::{Geometry, Space, distinct, members};
use super::{features::FeatureSpace, graph::GraphSpace, means::Means};
use crate::error::{check_length, check_n_clusters};
use crate::group::seeding::{draw_by_weight, farthest_first, kmeans_plus_plus};
use crate::group::{
    Grouping, GroupingAlgorithm, GroupingInput, Label, Renumbering, StopReason, restarts::best_of,
};
use crate::numerics::{distinct_rows::DistinctRows, rng::rng_stream, rows_of};
use crate::observe::{Observer, Progress};
use crate::{Error, Result};

impl GroupingAlgorithm for WeightedKernelKMeans {
    type Input<'a> = GroupingInput<'a, Space<'a>>;
    type Model = Means;

    /// Finds the clusters, numbered in the order of their first points, and their means.
    fn group<'a>(
        &self,
        input: impl Into<Self::Input<'a>>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, Means)> {
        self.run(input.into(), None, observer)
    }
}

impl WeightedKernelKMeans {
    /// As [`group`](GroupingAlgorithm::group), with one descent from each of the given starts, at
    /// least one. The best descent is kept, the first of equally good ones.
    ///
    /// A start has a cluster for every point, or for some. The other points go to the nearest mean of
    /// those first, and clusters without any point get the points farthest from their means.
    ///
    /// # Errors
    /// Besides those of [`group`](GroupingAlgorithm::group), [`Error::WrongLength`] of a start, and
    /// [`Error::BadParameter`] where it names a cluster that does not exist, or no point has one.
    pub fn group_from<'a>(
        &self,
        input: impl Into<GroupingInput<'a, Space<'a>>>,
        starts: &[Vec<Label>],
        observer: &dyn Observer,
    ) -> Result<(Grouping, Means)> {
        self.run(input.into(), Some(starts), observer)
    }

    fn run(
        &self,
        input: GroupingInput<'_, Space<'_>>,
        starts: Option<&[Vec<Label>]>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, Means)> {
        let (space, weights) = (input.data, input.weights);
        self.check()?;
        space.check(weights)?;
        let n = space.len();
        check_n_clusters(self.n_clusters, n)?;
        for start in starts.into_iter().flatten() {
            self.check_start(start, n)?;
        }
        let distinct = distinct(space);
        let given =
            |starts: &[Vec<Label>]| starts.iter().map(|s| distinct.first_given(s)).collect();
        let fit = Descents {
            params: self,
            starts: starts.map(given),
            weights: distinct.weights(weights),
            distinct,
            progress: Progress::new(
                observer,
                "kernel k-means",
                starts.map_or(self.n_init, <[_]>::len),
            ),
        };
        let (distinct, weights) = (&fit.distinct, fit.weights.clone());
        match space {
            Space::Features(rows) => {
                let rows = if distinct.are_all_distinct() {
                    rows.as_standard_layout()
                } else {
                    distinct.select(rows).into()
                };
                fit.best(&FeatureSpace::new(&rows, weights))
            }
            Space::Kernel(rows) => {
                let rows = rows.as_standard_layout();
                let values = if distinct.are_all_distinct() {
                    Cow::Borrowed(rows_of(&rows))
                } else {
                    restricted(rows.view(), &distinct.first).into()
                };
                fit.best(&KernelSpace::new(&values, weights))
            }
            Space::Graph(links) => fit.best(&GraphSpace::new(links, weights)),
        }
    }

    fn check_start(&self, start: &[Label], n: usize) -> Result<()> {
        check_length("the start", start.len(), n)?;
        let (value, expected) = match start.iter().flatten().max() {
            None => ("all none".to_owned(), "give a point a cluster".to_owned()),
            Some(&last) if last >= self.n_clusters => (
                last.to_string(),
                format!("clusters are numbered from 0 to {}", self.n_clusters - 1),
            ),
            Some(_) => return Ok(()),
        };
        Err(Error::bad_parameter("start", value, expected))
    }
}

struct Descents<'a> {
    params: &'a WeightedKernelKMeans,
    distinct: DistinctRows,
    /// Those of the distinct points.
    weights: Vec<f64>,
    starts: Option<Vec<Vec<Label>>>,
    progress: Progress<'a>,
}

impl Descents<'_> {
    fn best(&self, space: &impl Geometry) -> Result<(Grouping, Means)> {
        // More clusters than distinct points cannot all have points.
        let k = self.params.n_clusters.min(space.len());
        let descents = self.starts.as_ref().map_or(self.params.n_init, Vec::len);
        let run = |run: usize| {
            let start: Vec<Label> = match &self.starts {
                Some(starts) => starts[run].iter().map(|c| c.filter(|&c| c < k)).collect(),
                None => self.drawn(space, run, k)?,
            };
            descend(space, &start, k, self.params, &self.progress)
        };
        let best = best_of(descents, &self.progress, run, |descent| descent.objective)?;
        Ok(self.finish(space, best, k))
    }

    /// A start from randomly chosen points, one per cluster.
    fn drawn(&self, space: &impl Geometry, run: usize, k: usize) -> Result<Vec<Label>> {
        let mut rng = rng_stream(self.params.seed, run as u64);
        let mut start = vec![None; space.len()];
        let seeds = match self.params.init {
            KernelKMeansInit::PlusPlus => kmeans_plus_plus(space, k, &mut rng, &self.progress)?,
            KernelKMeansInit::FarthestFirst => {
                farthest_first(space, k, draw_by_weight(space, &mut rng), &self.progress)?
            }
        };
        for (cluster, seed) in seeds.into_iter().enumerate() {
            start[seed] = Some(cluster);
        }
        Ok(start)
    }

    /// Numbers the clusters and makes sure that the stored means assign the points to their labels.
    ///
    /// After convergence they do. If the limit of iterations ended the run, or two means are equally
    /// near up to rounding, the points go to the nearest mean once more. With an indefinite kernel
    /// that can raise the objective, or empty a cluster after convergence; then it is not done.
    fn finish<G: Geometry>(&self, space: &G, descent: Descent, k: usize) -> (Grouping, Means) {
        let mut trace = descent.trace;
        let mut labels = by_first_point(&descent.labels);
        let means = space.means(&members(&labels, k));
        let nearest = nearest(space, &means).cluster;
        let mut kept = space.keep(means, &labels, &self.distinct);
        if nearest != labels {
            let of_nearest = members(&nearest, k);
            let own = space.means(&of_nearest);
            let objective = PartitionState::new(space, nearest.clone(), own).objective;
            let is_lower = objective <= descent.objective + rounding(space, descent.objective);
            let has_all = of_nearest.iter().all(|members| !members.is_empty());
            if is_lower && (has_all || !descent.converged) {
                if let Some(last) = trace.last_mut() {
                    last.objective = Some(objective.min(descent.objective));
                }
                labels = nearest;
                kept.in_order_of(&mut labels);
            }
        }
        let labels = self.distinct.spread(&labels).into_iter().map(Some);
        let stop = StopReason::of_descent(descent.converged);
        let mut grouping = Grouping::new(labels.collect(), kept.n_clusters(), stop, trace);
        if let Means::Features { centers } = &kept {
            grouping.centers = Some(centers.clone());
        }
        (grouping, kept)
    }
}

/// The possible rounding error of an objective.
fn rounding(space: &impl Geometry, objective: f64) -> f64 {
    let size: f64 = (0..space.len()).map(|i| space.weight(i) * space.offset(i).abs()).sum();
    1e-9 * objective.abs() + 1e-14 * size
}

/// The same partition with clusters numbered in the order of their first points.
fn by_first_point(labels: &[usize]) -> Vec<usize> {
    let numbers = Renumbering::by_appearance(labels.iter().copied());
    labels.iter().filter_map(|&c| numbers.get(c)).collect()
}
