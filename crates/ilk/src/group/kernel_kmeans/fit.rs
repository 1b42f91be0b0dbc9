//! Fitting: descents from several starts, and the best of them.

use rayon::prelude::*;

use super::descent::{Descent, Rule, State, descend, nearest};
use super::features::{Centers, Features};
use super::graph::{Graph, Shares};
use super::kernel::{Kernel, Sums, restricted};
use super::means::{Mean, Means, Member};
use super::params::{Init, KernelKMeans};
use super::space::{Geometry, Space, distinct, members};
use crate::group::distinct::Distinct;
use crate::group::seeds::{by_weight, farthest_first, plus_plus};
use crate::group::watch::Watch;
use crate::group::{Grouping, Label, StopReason, in_order_of_appearance, numbers_in};
use crate::numerics::rng::rng_stream;
use crate::observe::Observer;
use crate::{Error, Result};

impl KernelKMeans {
    /// Finds the clusters, numbered in the order of their first points, and their means.
    ///
    /// `weights` says how many points each point counts for.
    ///
    /// # Errors
    /// [`Error::TooManyClusters`] where there are fewer points than clusters;
    /// [`Error::BadParameter`], [`Error::Cancelled`], and those of arrays and weights that do not
    /// fit each other.
    pub fn fit(
        &self,
        space: Space<'_>,
        weights: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, Means)> {
        self.run(space, weights, None, observer)
    }

    /// As [`fit`](Self::fit), with one descent from a given start: a cluster for every point, or
    /// for some. The others go to the nearest mean of those first, and clusters without any point
    /// get the points that are farthest from their means.
    ///
    /// # Errors
    /// Besides those of [`fit`](Self::fit), [`Error::WrongLength`] of the start, and
    /// [`Error::BadParameter`] where it names a cluster that does not exist, or no point has one.
    pub fn fit_from(
        &self,
        space: Space<'_>,
        weights: Option<&[f64]>,
        start: &[Label],
        observer: &dyn Observer,
    ) -> Result<(Grouping, Means)> {
        self.fit_from_each(space, weights, &[start.to_vec()], observer)
    }

    /// As [`fit_from`](Self::fit_from), from every one of some starts, at least one; the best is kept,
    /// and of equally good ones the first.
    ///
    /// # Errors
    /// Those of [`fit_from`](Self::fit_from).
    pub fn fit_from_each(
        &self,
        space: Space<'_>,
        weights: Option<&[f64]>,
        starts: &[Vec<Label>],
        observer: &dyn Observer,
    ) -> Result<(Grouping, Means)> {
        self.run(space, weights, Some(starts), observer)
    }

    fn run(
        &self,
        space: Space<'_>,
        weights: Option<&[f64]>,
        starts: Option<&[Vec<Label>]>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, Means)> {
        self.check()?;
        space.check(weights)?;
        let n = space.len();
        if self.n_clusters > n {
            return Err(Error::TooManyClusters {
                k: self.n_clusters,
                n,
            });
        }
        for start in starts.into_iter().flatten() {
            self.check_start(start, n)?;
        }
        let distinct = distinct(space);
        let given = |starts: &[Vec<Label>]| starts.iter().map(|s| distinct.starts(s)).collect();
        let fit = Fit {
            params: self,
            starts: starts.map(given),
            weights: distinct.weights(weights),
            distinct,
            watch: Watch::new(
                "kernel k-means",
                observer,
                starts.map_or(self.n_init, <[_]>::len),
            ),
        };
        let first = &fit.distinct.first;
        match (space, fit.distinct.is_all()) {
            (Space::Features(rows), true) => {
                let rows = rows.as_standard_layout();
                fit.best(&Features::new(&rows, fit.weights.clone()))
            }
            (Space::Features(rows), false) => {
                let rows = rows.select(ndarray::Axis(0), first);
                fit.best(&Features::new(&rows, fit.weights.clone()))
            }
            (Space::Kernel(rows), true) => {
                let rows = rows.as_standard_layout();
                let values = rows.as_slice().unwrap_or(&[]);
                fit.best(&Kernel::new(values, fit.weights.clone()))
            }
            (Space::Kernel(rows), false) => {
                let values = restricted(rows, first);
                fit.best(&Kernel::new(&values, fit.weights.clone()))
            }
            (Space::Graph(links), _) => fit.best(&Graph::new(links, fit.weights.clone())),
        }
    }

    fn check_start(&self, start: &[Label], n: usize) -> Result<()> {
        if start.len() != n {
            return Err(Error::WrongLength {
                what: "the start",
                found: start.len(),
                expected: n,
            });
        }
        let bad = |value: String, expected: String| {
            Err(Error::BadParameter {
                parameter: "start",
                value,
                expected,
            })
        };
        match start.iter().flatten().max() {
            None => bad("all none".to_owned(), "give a point a cluster".to_owned()),
            Some(&last) if last >= self.n_clusters => bad(
                last.to_string(),
                format!("clusters are numbered from 0 to {}", self.n_clusters - 1),
            ),
            Some(_) => Ok(()),
        }
    }
}

/// What a space turns its means into for keeping.
trait Kept: Geometry {
    fn keep(&self, means: Self::Means, labels: &[usize], distinct: &Distinct) -> Means;
}

impl Kept for Features<'_> {
    fn keep(&self, means: Centers, _: &[usize], _: &Distinct) -> Means {
        Means::Features {
            centers: means.rows,
        }
    }
}

impl Kept for Kernel<'_> {
    fn keep(&self, means: Sums, labels: &[usize], distinct: &Distinct) -> Means {
        by_members(self, self.masses(&means), means.squares(), labels, distinct)
    }
}

impl Kept for Graph<'_> {
    fn keep(&self, means: Shares, labels: &[usize], distinct: &Distinct) -> Means {
        by_members(self, self.masses(&means), means.squares(), labels, distinct)
    }
}

/// Means known by the points of each cluster.
fn by_members(
    space: &impl Geometry,
    masses: &[f64],
    squares: &[f64],
    labels: &[usize],
    distinct: &Distinct,
) -> Means {
    let points = distinct.first.iter().zip(labels).enumerate();
    let clusters = masses.iter().zip(squares);
    Means::Kernel {
        n: distinct.place_of.len(),
        members: points
            .map(|(i, (&point, &cluster))| Member {
                point,
                cluster,
                weight: space.weight(i),
            })
            .collect(),
        clusters: clusters
            .map(|(&mass, &square)| Mean { mass, square })
            .collect(),
    }
}

/// A fit under way.
struct Fit<'a> {
    params: &'a KernelKMeans,
    distinct: Distinct,
    /// Those of the distinct points.
    weights: Vec<f64>,
    starts: Option<Vec<Vec<Label>>>,
    watch: Watch<'a>,
}

impl Fit<'_> {
    /// The best of all descents, the first of equally good ones.
    fn best(&self, space: &impl Kept) -> Result<(Grouping, Means)> {
        // More clusters than distinct points cannot all have points.
        let k = self.params.n_clusters.min(space.len());
        let descents = self.starts.as_ref().map_or(self.params.n_init, Vec::len);
        let best = (0..descents)
            .into_par_iter()
            .map(|run| {
                self.watch.goes_on(0)?;
                let start = match &self.starts {
                    Some(starts) => starts[run].iter().map(|c| c.filter(|&c| c < k)).collect(),
                    None => self.drawn(space, run, k),
                };
                self.descend(space, &start, k)
            })
            .try_reduce_with(|best, descent| {
                Ok(if descent.objective < best.objective {
                    descent
                } else {
                    best
                })
            });
        // There is at least one descent.
        let best = best.unwrap_or(Err(Error::Cancelled { iterations: 0 }))?;
        Ok(self.finish(space, best, k))
    }

    /// A start from points that are drawn, one a cluster.
    fn drawn(&self, space: &impl Geometry, run: usize, k: usize) -> Vec<Label> {
        let mut rng = rng_stream(self.params.seed, run as u64);
        let mut start = vec![None; space.len()];
        let seeds = match self.params.init {
            Init::PlusPlus => plus_plus(space, k, &mut rng),
            Init::FarthestFirst => farthest_first(space, k, by_weight(space, &mut rng)),
        };
        for (cluster, seed) in seeds.into_iter().enumerate() {
            start[seed] = Some(cluster);
        }
        start
    }

    fn descend(&self, space: &impl Geometry, start: &[Label], k: usize) -> Result<Descent> {
        let rule = Rule {
            max_iter: self.params.max_iter,
            local_search: self.params.local_search,
            chain: self.params.chain,
        };
        let descent = descend(space, start, k, rule, &self.watch)?;
        self.watch.finish();
        Ok(descent)
    }

    /// Numbers the clusters and sees to it that the means place the points where they were placed.
    ///
    /// After a descent that converged they do. After one that the limit of steps ended, or where two
    /// means are equally near but for rounding, the points go to the nearest mean once more. Only for
    /// an indefinite kernel could that raise the objective, or empty a cluster after convergence:
    /// then it is left undone.
    fn finish<G: Kept>(&self, space: &G, descent: Descent, k: usize) -> (Grouping, Means) {
        let mut trace = descent.trace;
        let mut labels = by_first_point(&descent.labels);
        let all = |labels: &[usize]| members(labels.iter().map(|&c| Some(c)), k);
        let means = space.means(&all(&labels));
        let nearest = nearest(space, &means).cluster;
        let mut kept = space.keep(means, &labels, &self.distinct);
        if nearest != labels {
            let own = space.means(&all(&nearest));
            let objective = State::new(space, nearest.clone(), own).objective;
            let is_lower = objective <= descent.objective + rounding(space, descent.objective);
            let has_all = all(&nearest).iter().all(|members| !members.is_empty());
            if is_lower && (has_all || !descent.converged) {
                if let Some(last) = trace.last_mut() {
                    last.objective = Some(objective.min(descent.objective));
                }
                labels = nearest;
                kept.in_order_of(&mut labels);
            }
        }
        let place_of = &self.distinct.place_of;
        let grouping = Grouping {
            labels: place_of.iter().map(|&place| Some(labels[place])).collect(),
            n_clusters: kept.n_clusters(),
            centers: match &kept {
                Means::Features { centers } => Some(centers.clone()),
                Means::Kernel { .. } => None,
            },
            rest: None,
            bandwidth: None,
            iterations: trace.len(),
            stop: if descent.converged {
                StopReason::Converged
            } else {
                StopReason::MaxIterations
            },
            trace,
            history: Vec::new(),
        };
        (grouping, kept)
    }
}

/// By how much an objective may differ for no other reason than rounding.
fn rounding(space: &impl Geometry, objective: f64) -> f64 {
    let size: f64 = (0..space.len())
        .map(|i| space.weight(i) * space.offset(i).abs())
        .sum();
    1e-9 * objective.abs() + 1e-14 * size
}

/// The same partition with clusters numbered in the order of their first points.
fn by_first_point(labels: &[usize]) -> Vec<usize> {
    let number = numbers_in(&in_order_of_appearance(labels.iter().copied()));
    labels.iter().map(|cluster| number[cluster]).collect()
}
