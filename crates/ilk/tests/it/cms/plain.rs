//! Constrained mean shift as a plain double loop over all points and constraints: the oracle of the
//! tests, and what the bench measures against.

use std::collections::HashMap;

use ilk::group::constrained_mean_shift::{CmsKernel, Schedule};
use ilk::method::Cms;
use ilk::problem::{Constraints, Points};

/// All that the loop needs to know.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) bandwidths: Vec<f64>,
    pub(crate) kernel: CmsKernel,
    pub(crate) truncation: f64,
    pub(crate) blurring: bool,
    pub(crate) scale: f64,
    pub(crate) merge_kernel: f64,
    pub(crate) merge_weight: f64,
    pub(crate) early_stop: bool,
}

/// What it found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) centers: Vec<f64>,
    pub(crate) labels: Vec<usize>,
    /// The bandwidths of the iterations that were done.
    pub(crate) bandwidths: Vec<f64>,
    /// The labels with each threshold of merging a little off: where they differ, it is a tie.
    pub(crate) labels_nearby: [Vec<usize>; 3],
    /// For every passenger, which points its centre is merged with.
    pub(crate) links: Vec<Vec<bool>>,
}

/// How far off.
const NEARBY: f64 = 1e-9;

/// Lengths of the released program, for data in the unit cube.
const NARROWEST: f64 = 1e-3;
const MIN_MOVEMENT: f64 = 1e-6;

pub(crate) fn settings(params: &Cms, points: &Points) -> Settings {
    let n = points.len();
    let distances: Vec<f64> = (0..n)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .map(|(i, j)| distance_sq(points.row(i), points.row(j)).sqrt())
        .filter(|&d| d > 0.0)
        .collect();
    let between = |low: f64, high: f64| -> Vec<f64> {
        let last = (params.max_iter.max(2) - 1) as f64;
        (0..params.max_iter).map(|i| low + i as f64 / last * (high - low)).collect()
    };
    let bandwidths = match &params.bandwidth {
        Schedule::Linear if distances.is_empty() => between(1.0, 1.0),
        Schedule::Linear => between(
            distances.iter().copied().fold(f64::INFINITY, f64::min),
            distances.iter().copied().fold(0.0, f64::max),
        ),
        Schedule::Fixed(h) => between(*h, *h),
        Schedule::Between(low, high) => between(*low, *high),
        Schedule::Given(each) => {
            (0..params.max_iter).map(|i| each[i.min(each.len() - 1)]).collect()
        }
    };
    Settings {
        bandwidths,
        kernel: params.kernel,
        truncation: params.truncation,
        blurring: params.blurring,
        scale: params.constraint_scale,
        merge_kernel: params.merge_kernel,
        merge_weight: params.merge_weight,
        early_stop: params.early_stop,
    }
}

/// One direction of a cannot-link, and how many times it counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Blocked {
    pub(crate) ends: [usize; 2],
    pub(crate) times: f64,
}

/// Every pair that the closure keeps apart, in both directions. An implied one counts as often as
/// the heaviest of those that imply it.
pub(crate) fn closure_pairs(constraints: &Constraints) -> Vec<Blocked> {
    let closure = constraints.closure();
    let mut times = HashMap::new();
    for pair in constraints.cannot_links() {
        let [a, b] = pair.points.map(|point| closure.component_of(point));
        for components in [[a, b], [b, a]] {
            let times = times.entry(components).or_insert(0.0_f64);
            *times = times.max(pair.weight);
        }
    }
    let pairs = closure.cannot_link_pairs();
    both_ways(pairs.map(|ends| (ends, times[&ends.map(|point| closure.component_of(point))])))
}

/// Every cannot-link as it was given, in both directions.
pub(crate) fn given_pairs(constraints: &Constraints) -> Vec<Blocked> {
    both_ways(constraints.cannot_links().iter().map(|pair| (pair.points, pair.weight)))
}

fn both_ways(pairs: impl Iterator<Item = ([usize; 2], f64)>) -> Vec<Blocked> {
    pairs.flat_map(|([a, b], times)| [[a, b], [b, a]].map(|ends| Blocked { ends, times })).collect()
}

pub(crate) fn distance_sq(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

impl Settings {
    fn kernel(&self, dist_sq: f64, h: f64) -> f64 {
        match self.kernel {
            CmsKernel::Ball => f64::from(u8::from(dist_sq <= h * h)),
            CmsKernel::Rbf => (-dist_sq / (h * h)).exp(),
            CmsKernel::Truncated => {
                let value = (-dist_sq / (h * h)).exp();
                if value < self.truncation { 0.0 } else { value }
            }
        }
    }

    fn is_constant(&self) -> bool {
        self.bandwidths.windows(2).all(|pair| pair[0] == pair[1])
    }
}

pub(crate) fn shift(points: &[f64], dims: usize, pairs: &[Blocked], settings: &Settings) -> Found {
    shift_nudged(points, &[], dims, pairs, settings, |_, _| ())
}

/// As [`shift`], with `nudge` called on the centres and the bandwidth before every iteration, and
/// with passengers: centres without a sampling point and without weight, which come last.
pub(crate) fn shift_nudged(
    points: &[f64],
    new_points: &[f64],
    dims: usize,
    pairs: &[Blocked],
    settings: &Settings,
    mut nudge: impl FnMut(&mut [f64], f64),
) -> Found {
    let mut centers = [points, new_points].concat();
    let n_points = points.len() / dims;
    let n = centers.len() / dims;
    let mut bandwidths = Vec::new();
    let mut w = vec![1.0; n * n];
    for &h in &settings.bandwidths {
        nudge(&mut centers, h);
        bandwidths.push(h);
        weights(&centers, dims, pairs, settings, h, &mut w);
        let samples = if settings.blurring { &centers } else { points };
        let mut moved = centers.clone();
        let mut is_final = true;
        for i in 0..n {
            let x = row(&centers, dims, i);
            let (mut total, mut sums) = (0.0, vec![0.0; dims]);
            for j in 0..n_points {
                let s = row(samples, dims, j);
                let k = settings.kernel(distance_sq(x, s), h);
                let weight = k * w[i * n + j];
                total += weight;
                for (sum, s) in sums.iter_mut().zip(s) {
                    *sum += weight * s;
                }
                is_final &= i >= n_points
                    || w[i * n + j] < settings.merge_weight
                    || k > settings.merge_kernel;
            }
            if total > 1e-10 {
                for (to, sum) in moved[i * dims..].iter_mut().zip(&sums) {
                    *to = sum / total;
                }
            }
        }
        let still = centers
            .iter()
            .zip(&moved)
            .take(points.len())
            .all(|(old, new)| (new - old).abs() <= MIN_MOVEMENT + 1e-4 * old.abs());
        centers = moved;
        if settings.early_stop && still && (is_final || settings.is_constant()) {
            break;
        }
    }
    let h = bandwidths[bandwidths.len() - 1];
    let linked = |i: usize, j: usize, off_kernel: f64, off_weight: f64| {
        let dist_sq = distance_sq(row(&centers, dims, i), row(&centers, dims, j));
        let k = settings.kernel(dist_sq, h);
        k > settings.merge_kernel + off_kernel && w[i * n + j] > settings.merge_weight + off_weight
    };
    let labels = |off_kernel: f64, off_weight: f64| {
        components(n_points, |i, j| linked(i, j, off_kernel, off_weight))
    };
    Found {
        labels: labels(0.0, 0.0),
        labels_nearby: [(-NEARBY, 0.0), (NEARBY, 0.0), (0.0, NEARBY)]
            .map(|(kernel, weight)| labels(kernel, weight)),
        links: (n_points..n)
            .map(|i| (0..n_points).map(|j| linked(i, j, 0.0, 0.0)).collect())
            .collect(),
        centers,
        bandwidths,
    }
}

fn row(rows: &[f64], dims: usize, i: usize) -> &[f64] {
    &rows[i * dims..(i + 1) * dims]
}

/// The matrix w of eq. (4.3).
fn weights(
    centers: &[f64],
    dims: usize,
    pairs: &[Blocked],
    settings: &Settings,
    h: f64,
    w: &mut [f64],
) {
    let n = centers.len() / dims;
    w.fill(1.0);
    let (mut near_x, mut near_y) = (vec![0.0; n], vec![0.0; n]);
    for pair in pairs {
        let [x, y] = pair.ends.map(|end| row(centers, dims, end));
        let h_c = (settings.scale * distance_sq(x, y).sqrt()).max(NARROWEST).min(h);
        for (end, near) in [(x, &mut near_x), (y, &mut near_y)] {
            for (i, near) in near.iter_mut().enumerate() {
                *near = settings.kernel(distance_sq(end, row(centers, dims, i)), h_c);
            }
        }
        for (w, near_x) in w.chunks_exact_mut(n).zip(&near_x) {
            if *near_x > 0.0 && pair.times == 1.0 {
                for (w, near_y) in w.iter_mut().zip(&near_y) {
                    *w *= 1.0 - near_x * near_y;
                }
            } else if *near_x > 0.0 {
                for (w, near_y) in w.iter_mut().zip(&near_y) {
                    *w *= (1.0 - near_x * near_y).powf(pair.times);
                }
            }
        }
    }
    if settings.blurring {
        for i in 0..n {
            w[i * n + i] = 1.0;
        }
    }
}

/// Connected components by repeated relabelling.
fn components(n: usize, linked: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut labels: Vec<usize> = (0..n).collect();
    for i in 0..n {
        for j in 0..n {
            if labels[i] != labels[j] && linked(i, j) {
                let (from, to) = (labels[i].max(labels[j]), labels[i].min(labels[j]));
                for label in &mut labels {
                    if *label == from {
                        *label = to;
                    }
                }
            }
        }
    }
    labels
}

/// The same partition with clusters numbered by first appearance.
pub(crate) fn numbered(labels: &[usize]) -> Vec<usize> {
    let mut seen: Vec<usize> = Vec::new();
    labels
        .iter()
        .map(|label| {
            seen.iter().position(|s| s == label).unwrap_or_else(|| {
                seen.push(*label);
                seen.len() - 1
            })
        })
        .collect()
}

pub(crate) fn worst(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
