//! One run from one start, and the best of several.

use ndarray::Array2;
use rayon::prelude::*;

use super::params::HmrfKMeans;
use super::start::{Components, Start};
use crate::group::kernel_kmeans::Means;
use crate::group::watch::Watch;
use crate::group::{Grouping, StopReason, TraceStep};
use crate::numerics::cells::Cells;
use crate::numerics::distances::Panels;
use crate::numerics::rng::{Rng, rng_stream};
use crate::observe::Observer;
use crate::problem::{Constraints, Points};
use crate::{Error, Result};

/// Streams of random numbers: that of a start, and that of the order of points.
const STREAMS: u64 = 2;

/// Rounds in which points take labels, at most, before the means follow.
const ROUNDS: usize = 100;

/// A label changes where that saves more than this share of what it costs.
const ROUNDING: f64 = 1e-12;

impl HmrfKMeans {
    /// Finds the clusters, numbered in the order of their first points, and their means. Must-links
    /// and cannot-links are read; see
    /// [`with_labels_as_pairs`](crate::supervise::labels::with_labels_as_pairs) for labels.
    ///
    /// More clusters than different points give as many as there are different points. `weights`
    /// says how many points each point counts for.
    ///
    /// # Errors
    /// [`Error::TooManyClusters`], [`Error::BadParameter`], [`Error::Cancelled`],
    /// [`Error::WrongLength`] for weights or constraints about another number of points.
    pub fn fit(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        said: &Constraints,
        observer: &dyn Observer,
    ) -> Result<(Grouping, Means)> {
        let n = points.len();
        self.check(n)?;
        let weights = weights.map_or_else(|| vec![1.0; n], <[f64]>::to_vec);
        for (what, found) in [
            ("the list of point weights", weights.len()),
            ("the list of points of the constraints", said.n()),
        ] {
            if found != n {
                return Err(Error::WrongLength {
                    what,
                    found,
                    expected: n,
                });
            }
        }
        let closure = said.closure();
        let components = Components::new(points.view(), &weights, &closure);
        let k = self.n_clusters.min(places(points));
        let unit = spread(points, &weights) / points.len() as f64;
        let penalty = self.penalty.cost(said, k, unit);
        let field = Field {
            points,
            weights: &weights,
            paired: Paired::new(said, penalty),
            k,
            max_iter: self.max_iter,
            watch: Watch::new("HMRF k-means", observer, self.n_init),
        };
        let best = (0..self.n_init)
            .into_par_iter()
            .map(|run| {
                field.watch.goes_on(0)?;
                let mut rng = rng_stream(self.seed, STREAMS * run as u64);
                let mut other = rng_stream(self.seed, STREAMS * run as u64 + 1);
                let first = (run > 0).then_some(&mut other);
                let start = components.choose(k, first, &mut rng);
                let run = field.run(&start, &mut rng)?;
                field.watch.finish();
                Ok(run)
            })
            .try_reduce_with(|best, run| {
                Ok(if run.objective < best.objective {
                    run
                } else {
                    best
                })
            });
        // There is at least one run.
        Ok(best
            .unwrap_or(Err(Error::Cancelled { iterations: 0 }))?
            .finish())
    }
}

/// Number of different points.
fn places(points: &Points) -> usize {
    let mut cells = Cells::of_equal_places();
    let last = (0..points.len()).map(|i| cells.number(points.row(i))).max();
    last.map_or(0, |last| last + 1)
}

/// The sum of squared distances of points to their mean.
fn spread(points: &Points, weights: &[f64]) -> f64 {
    let mass: f64 = weights.iter().sum();
    let mut mean = ndarray::Array1::zeros(points.dims());
    for (point, weight) in points.view().rows().into_iter().zip(weights) {
        mean.scaled_add(weight / mass, &point);
    }
    let each = points.view();
    let each = each.rows().into_iter().zip(weights);
    each.map(|(point, weight)| weight * (&point - &mean).mapv(|x| x * x).sum())
        .sum()
}

/// The pairs of every point, and what breaking each costs.
struct Paired {
    /// The points that have pairs, ascending.
    named: Vec<usize>,
    /// For each of `named`: the others, the cost, and whether they must be together.
    pairs: Vec<Vec<(usize, f64, bool)>>,
}

impl Paired {
    fn new(said: &Constraints, penalty: f64) -> Self {
        let mut named = Vec::new();
        for pair in said.must_links().iter().chain(said.cannot_links()) {
            named.extend(pair.points);
        }
        named.sort_unstable();
        named.dedup();
        let mut pairs = vec![Vec::new(); named.len()];
        for (entries, together) in [(said.must_links(), true), (said.cannot_links(), false)] {
            for pair in entries {
                let [a, b] = pair.points;
                for (own, other) in [(a, b), (b, a)] {
                    let place = named.partition_point(|&i| i < own);
                    pairs[place].push((other, penalty * pair.weight, together));
                }
            }
        }
        Self { named, pairs }
    }

    /// What the broken pairs cost.
    fn cost(&self, labels: &[usize]) -> f64 {
        let each = self.named.iter().zip(&self.pairs).map(|(&i, pairs)| {
            let broken = pairs
                .iter()
                .filter(|&&(j, _, together)| i < j && (labels[i] == labels[j]) != together);
            broken.map(|(_, cost, _)| cost).sum::<f64>()
        });
        each.sum()
    }
}

/// What all runs share.
struct Field<'a> {
    points: &'a Points,
    weights: &'a [f64],
    paired: Paired,
    k: usize,
    max_iter: usize,
    watch: Watch<'a>,
}

/// A finished run.
struct Run {
    labels: Vec<usize>,
    means: Array2<f64>,
    objective: f64,
    trace: Vec<TraceStep>,
    converged: bool,
}

impl Field<'_> {
    fn run(&self, start: &Start, rng: &mut Rng) -> Result<Run> {
        let mut labels = vec![usize::MAX; self.points.len()];
        for (cluster, members) in start.clusters.iter().enumerate() {
            for &i in members {
                labels[i] = cluster;
            }
        }
        let mut means = self.means(&labels);
        let costs = self.costs(&means);
        for (label, costs) in labels.iter_mut().zip(costs.chunks_exact(self.k)) {
            if *label == usize::MAX {
                *label = cheapest(costs);
            }
        }
        means = self.means(&labels);
        let mut trace: Vec<TraceStep> = Vec::new();
        let mut converged = false;
        while !converged && trace.len() < self.max_iter {
            self.watch.step(trace.len() + 1)?;
            let mut movement = 0.0;
            if !trace.is_empty() {
                let before = std::mem::replace(&mut means, self.means(&labels));
                movement = farthest(&before, &means);
            }
            let costs = self.costs(&means);
            let before = labels.clone();
            self.relabel(&mut labels, &costs, rng);
            let active = labels.iter().zip(&before).filter(|(a, b)| a != b).count();
            converged = active == 0;
            trace.push(TraceStep {
                active,
                movement,
                bandwidth: None,
                objective: Some(self.objective(&labels, &costs)),
            });
        }
        Ok(Run {
            objective: trace
                .last()
                .and_then(|step| step.objective)
                .unwrap_or(f64::INFINITY),
            labels,
            means,
            trace,
            converged,
        })
    }

    /// The means of the points that have a label.
    fn means(&self, labels: &[usize]) -> Array2<f64> {
        let mut means: Array2<f64> = Array2::zeros((self.k, self.points.dims()));
        let mut masses = vec![0.0; self.k];
        for (i, &label) in labels.iter().enumerate() {
            if label < self.k {
                masses[label] += self.weights[i];
                means
                    .row_mut(label)
                    .scaled_add(self.weights[i], &self.points.view().row(i));
            }
        }
        for (mut mean, mass) in means.rows_mut().into_iter().zip(masses) {
            mean /= mass;
        }
        means
    }

    /// For every point, its weight times the squared distance to every mean.
    fn costs(&self, means: &Array2<f64>) -> Vec<f64> {
        let panels = Panels::new(means.view());
        let blocks = panels.map_dist_sq(self.points.as_slice(), |rows, block| {
            for (i, row) in rows.zip(block.chunks_exact_mut(self.k)) {
                for cost in row {
                    *cost *= self.weights[i];
                }
            }
            block.to_vec()
        });
        blocks.concat()
    }

    /// Step 1: labels of least cost, given the costs of distances.
    fn relabel(&self, labels: &mut [usize], costs: &[f64], rng: &mut Rng) {
        let mut sizes = vec![0_usize; self.k];
        for &label in labels.iter() {
            sizes[label] += 1;
        }
        let mut go = |labels: &mut [usize], i: usize, costs: &[f64]| {
            let (own, best) = (labels[i], cheapest(costs));
            let saved = costs[own] - costs[best];
            let moves = sizes[own] > 1 && saved > ROUNDING * costs[own];
            if moves {
                sizes[own] -= 1;
                sizes[best] += 1;
                labels[i] = best;
            }
            moves
        };
        // Nobody's label is a reason for the others to change theirs.
        let mut named = self.paired.named.iter().peekable();
        for (i, costs) in costs.chunks_exact(self.k).enumerate() {
            if named.next_if(|&&point| point == i).is_none() {
                go(labels, i, costs);
            }
        }
        let mut order: Vec<usize> = (0..self.paired.named.len()).collect();
        let mut with_pairs = vec![0.0; self.k];
        for _ in 0..ROUNDS {
            rng.shuffle(&mut order);
            let mut any = false;
            for &place in &order {
                let i = self.paired.named[place];
                with_pairs.copy_from_slice(&costs[i * self.k..(i + 1) * self.k]);
                for &(j, cost, together) in &self.paired.pairs[place] {
                    // A must-link costs everywhere but with the other, so it saves there.
                    with_pairs[labels[j]] += if together { -cost } else { cost };
                }
                let least = with_pairs.iter().fold(0.0, |least: f64, c| least.min(*c));
                for cost in &mut with_pairs {
                    *cost -= least;
                }
                any |= go(labels, i, &with_pairs);
            }
            if !any {
                break;
            }
        }
    }

    fn objective(&self, labels: &[usize], costs: &[f64]) -> f64 {
        let rows = costs.chunks_exact(self.k).zip(labels);
        let distances: f64 = rows.map(|(costs, &label)| costs[label]).sum();
        distances + self.paired.cost(labels)
    }
}

impl Run {
    /// Numbers the clusters in the order of their first points.
    fn finish(self) -> (Grouping, Means) {
        let mut order: Vec<usize> = Vec::new();
        for &label in &self.labels {
            if !order.contains(&label) {
                order.push(label);
            }
        }
        let mut number = vec![0; self.means.nrows()];
        for (at, &cluster) in order.iter().enumerate() {
            number[cluster] = at;
        }
        let centers = self.means.select(ndarray::Axis(0), &order);
        let grouping = Grouping {
            labels: self.labels.iter().map(|&l| Some(number[l])).collect(),
            n_clusters: order.len(),
            centers: Some(centers.clone()),
            rest: None,
            bandwidth: None,
            iterations: self.trace.len(),
            stop: if self.converged {
                StopReason::Converged
            } else {
                StopReason::MaxIterations
            },
            trace: self.trace,
            history: Vec::new(),
        };
        (grouping, Means::Features { centers })
    }
}

/// The first of the smallest.
fn cheapest(costs: &[f64]) -> usize {
    let cheaper = |best: usize, c: usize| if costs[c] < costs[best] { c } else { best };
    (0..costs.len()).fold(0, cheaper)
}

/// The largest distance between rows of the same number.
fn farthest(before: &Array2<f64>, after: &Array2<f64>) -> f64 {
    let moved = before - after;
    let lengths_sq = moved.rows().into_iter().map(|row| row.dot(&row));
    lengths_sq.fold(0.0, f64::max).sqrt()
}
