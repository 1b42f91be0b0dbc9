//! Runs from several starts: assignment by iterated conditional modes (ICM), then means.

use ndarray::Array2;

use super::{init::LinkedComponents, params::HmrfKMeans};
use crate::Result;
use crate::error::check_length;
use crate::group::{
    Grouping, GroupingAlgorithm, GroupingInput, Renumbering, StopReason, TraceStep,
    checks::check_positive_weights, kernel_kmeans::Means, restarts::best_of,
};
use crate::numerics::rng::{Rng, rng_stream};
use crate::numerics::{distances::Panels, extrema::argmin};
use crate::observe::{Observer, Progress};
use crate::problem::{Constraints, Points};

/// Random streams per run: one for the start, one for the order of points.
const STREAMS: u64 = 2;

/// The most ICM sweeps before the means are updated.
const MAX_SWEEPS: usize = 100;

/// A label changes only if that lowers its cost by more than this share, so that rounding does not count.
const ROUNDING: f64 = 1e-12;

impl GroupingAlgorithm for HmrfKMeans {
    type Input<'a> = GroupingInput<'a, &'a Points, &'a Constraints>;
    type Model = Means;

    /// Finds the clusters, numbered in the order of their first points, and their means. It uses
    /// must-links and cannot-links; see
    /// [`with_labels_as_pairs`](crate::problem::with_labels_as_pairs) for labels.
    ///
    /// If there are fewer distinct points than clusters, there is one cluster per distinct point.
    fn group<'a>(
        &self,
        input: impl Into<Self::Input<'a>>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, Means)> {
        let GroupingInput { data: points, weights, constraints } = input.into();
        let n = points.len();
        self.check()?;
        let k = self.n_clusters.given_n_clusters(n)?;
        check_positive_weights(weights, n)?;
        let what = "the list of points of the constraints";
        check_length(what, constraints.n(), n)?;
        let weights = weights.map_or_else(|| vec![1.0; n], <[f64]>::to_vec);
        let closure = constraints.closure();
        let components = LinkedComponents::new(points.view(), &weights, &closure);
        let k = k.min(points.distinct_rows().len());
        let unit = spread(points, &weights) / points.len() as f64;
        let penalty = self.penalty.cost(constraints, k, unit);
        let hmrf = HmrfObjective {
            points,
            weights: &weights,
            penalties: PairPenalties::new(constraints, penalty),
            k,
            max_iter: self.max_iter,
            progress: Progress::new(observer, "HMRF k-means", self.n_init),
        };
        let run = |run: usize| {
            let mut rng = rng_stream(self.seed, STREAMS * run as u64);
            let mut other = rng_stream(self.seed, STREAMS * run as u64 + 1);
            let first = (run > 0).then_some(&mut other);
            let start = components.choose(k, first, &mut rng);
            hmrf.run(&start, &mut rng)
        };
        let best = best_of(self.n_init, &hmrf.progress, run, |run| run.objective)?;
        Ok(best.finish())
    }
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
    each.map(|(point, weight)| weight * (&point - &mean).mapv(|x| x * x).sum()).sum()
}

/// The constraints of every point, with the penalty of each.
struct PairPenalties {
    /// The points with constraints, ascending.
    constrained: Vec<usize>,
    /// For each of `constrained`: the other point, the penalty, and whether it is a must-link.
    pairs: Vec<Vec<(usize, f64, bool)>>,
}

impl PairPenalties {
    fn new(constraints: &Constraints, penalty: f64) -> Self {
        let mut constrained = Vec::new();
        let (must_links, cannot_links) = (constraints.must_links(), constraints.cannot_links());
        for pair in must_links.iter().chain(cannot_links) {
            constrained.extend(pair.points);
        }
        constrained.sort_unstable();
        constrained.dedup();
        let mut pairs = vec![Vec::new(); constrained.len()];
        for (entries, is_must_link) in [(must_links, true), (cannot_links, false)] {
            for pair in entries {
                let [a, b] = pair.points;
                for (own, other) in [(a, b), (b, a)] {
                    let place = constrained.partition_point(|&i| i < own);
                    pairs[place].push((other, penalty * pair.weight, is_must_link));
                }
            }
        }
        Self { constrained, pairs }
    }

    /// The sum of the penalties of violated constraints.
    fn violated(&self, labels: &[usize]) -> f64 {
        let each = self.constrained.iter().zip(&self.pairs).map(|(&i, pairs)| {
            let violated = pairs
                .iter()
                .filter(|&&(j, _, is_must_link)| i < j && (labels[i] == labels[j]) != is_must_link);
            violated.map(|(_, cost, _)| cost).sum::<f64>()
        });
        each.sum()
    }
}

/// The objective and what all runs share: Σ w |x - m|² plus the penalties of violated constraints.
struct HmrfObjective<'a> {
    points: &'a Points,
    weights: &'a [f64],
    penalties: PairPenalties,
    k: usize,
    max_iter: usize,
    progress: Progress<'a>,
}

struct HmrfDescent {
    labels: Vec<usize>,
    means: Array2<f64>,
    objective: f64,
    trace: Vec<TraceStep>,
    converged: bool,
}

impl HmrfObjective<'_> {
    /// Runs from some points of every cluster.
    fn run(&self, start: &[Vec<usize>], rng: &mut Rng) -> Result<HmrfDescent> {
        let mut labels = vec![usize::MAX; self.points.len()];
        for (cluster, members) in start.iter().enumerate() {
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
            self.progress.step(trace.len() + 1)?;
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
            let objective = self.objective(&labels, &costs);
            trace.push(TraceStep::new(active, movement).with_objective(objective));
        }
        Ok(HmrfDescent {
            objective: trace.last().and_then(|step| step.objective).unwrap_or(f64::INFINITY),
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
                means.row_mut(label).scaled_add(self.weights[i], &self.points.view().row(i));
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

    /// Assignment step (ICM): each point takes the label of lowest cost given the labels of the others.
    /// A cluster keeps its last point.
    fn relabel(&self, labels: &mut [usize], costs: &[f64], rng: &mut Rng) {
        let mut sizes = vec![0_usize; self.k];
        for &label in labels.iter() {
            sizes[label] += 1;
        }
        let mut relabel_point = |labels: &mut [usize], i: usize, costs: &[f64]| {
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
        // Points without constraints do not influence each other: one pass is enough.
        let mut constrained = self.penalties.constrained.iter().peekable();
        for (i, costs) in costs.chunks_exact(self.k).enumerate() {
            if constrained.next_if(|&&point| point == i).is_none() {
                relabel_point(labels, i, costs);
            }
        }
        let mut order: Vec<usize> = (0..self.penalties.constrained.len()).collect();
        let mut with_pairs = vec![0.0; self.k];
        for _ in 0..MAX_SWEEPS {
            rng.shuffle(&mut order);
            let mut any = false;
            for &place in &order {
                let i = self.penalties.constrained[place];
                with_pairs.copy_from_slice(&costs[i * self.k..(i + 1) * self.k]);
                for &(j, cost, is_must_link) in &self.penalties.pairs[place] {
                    // A must-link has its penalty in all clusters but that of the other point. Taking it
                    // off there is the same up to a constant.
                    with_pairs[labels[j]] += if is_must_link { -cost } else { cost };
                }
                let least = with_pairs.iter().fold(0.0, |least: f64, c| least.min(*c));
                for cost in &mut with_pairs {
                    *cost -= least;
                }
                any |= relabel_point(labels, i, &with_pairs);
            }
            if !any {
                break;
            }
        }
    }

    fn objective(&self, labels: &[usize], costs: &[f64]) -> f64 {
        let rows = costs.chunks_exact(self.k).zip(labels);
        let distances: f64 = rows.map(|(costs, &label)| costs[label]).sum();
        distances + self.penalties.violated(labels)
    }
}

impl HmrfDescent {
    /// Numbers the clusters in the order of their first points.
    fn finish(self) -> (Grouping, Means) {
        let numbers = Renumbering::by_appearance(self.labels.iter().copied());
        let centers = self.means.select(ndarray::Axis(0), &numbers.order);
        let labels = self.labels.iter().map(|&cluster| numbers.get(cluster));
        let stop = StopReason::of_descent(self.converged);
        let grouping = Grouping {
            centers: Some(centers.clone()),
            ..Grouping::new(labels.collect(), numbers.n_clusters(), stop, self.trace)
        };
        (grouping, Means::Features { centers })
    }
}

/// The cluster of lowest cost.
fn cheapest(costs: &[f64]) -> usize {
    argmin(costs).unwrap_or(0)
}

/// The largest distance between rows of the same number.
fn farthest(before: &Array2<f64>, after: &Array2<f64>) -> f64 {
    let moved = before - after;
    let lengths_sq = moved.rows().into_iter().map(|row| row.dot(&row));
    lengths_sq.fold(0.0, f64::max).sqrt()
}
