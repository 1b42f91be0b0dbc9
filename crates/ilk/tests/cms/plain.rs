//! Constrained mean shift as a plain double loop over all points and constraints: the oracle.

use ilk::group::constrained_mean_shift::{CmsKernel, Schedule};
use ilk::method::Cms;
use ilk::problem::{Constraints, Points};

/// All that the loop needs to know.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) bandwidths: Vec<f64>,
    pub(crate) constant: bool,
    pub(crate) kernel: CmsKernel,
    pub(crate) truncation: f64,
    pub(crate) blurring: bool,
    pub(crate) scale: f64,
    pub(crate) merge_kernel: f64,
    pub(crate) merge_weight: f64,
}

/// What it found.
pub(crate) struct Found {
    pub(crate) centers: Vec<f64>,
    pub(crate) labels: Vec<usize>,
    pub(crate) bandwidths: Vec<f64>,
}

pub(crate) fn settings(params: &Cms, points: &Points) -> Settings {
    let n = points.len();
    let distances: Vec<f64> = (0..n)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .map(|(i, j)| distance_sq(points.row(i), points.row(j)).sqrt())
        .filter(|&d| d > 0.0)
        .collect();
    let low = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let high = distances.iter().copied().fold(0.0, f64::max);
    let last = params.max_iter as f64 - 1.0;
    let bandwidth = |i: usize| match params.bandwidth {
        Schedule::Linear if params.max_iter == 1 || distances.is_empty() => low.min(1.0),
        Schedule::Linear => low + i as f64 / last * (high - low),
        Schedule::Fixed(h) => h,
        _ => unreachable!("not a schedule of these tests"),
    };
    Settings {
        bandwidths: (0..params.max_iter).map(bandwidth).collect(),
        constant: matches!(params.bandwidth, Schedule::Fixed(_)),
        kernel: params.kernel,
        truncation: params.truncation,
        blurring: params.blurring,
        scale: params.constraint_scale,
        merge_kernel: params.merge_kernel,
        merge_weight: params.merge_weight,
    }
}

/// Every pair that the closure keeps apart, in both directions.
pub(crate) fn closure_pairs(said: &Constraints) -> Vec<[usize; 2]> {
    let closure = said.closure();
    closure
        .cannot_link_pairs()
        .flat_map(|[a, b]| [[a, b], [b, a]])
        .collect()
}

fn distance_sq(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

impl Settings {
    fn kernel(&self, dist_sq: f64, h: f64) -> f64 {
        let value = (-dist_sq / (h * h)).exp();
        match self.kernel {
            CmsKernel::Ball => f64::from(u8::from(dist_sq <= h * h)),
            CmsKernel::Truncated if value < self.truncation => 0.0,
            _ => value,
        }
    }
}

pub(crate) fn shift(
    points: &[f64],
    dims: usize,
    pairs: &[[usize; 2]],
    settings: &Settings,
) -> Found {
    let n = points.len() / dims;
    let row = |rows: &[f64], i: usize| rows[i * dims..(i + 1) * dims].to_vec();
    let mut centers = points.to_vec();
    let mut bandwidths = Vec::new();
    let mut w = vec![1.0; n * n];
    for &h in &settings.bandwidths {
        bandwidths.push(h);
        w = weights(&centers, dims, pairs, settings, h);
        let samples = if settings.blurring {
            centers.clone()
        } else {
            points.to_vec()
        };
        let mut moved = centers.clone();
        let mut settled = true;
        for i in 0..n {
            let x = row(&centers, i);
            let (mut total, mut sums) = (0.0, vec![0.0; dims]);
            for j in 0..n {
                let s = row(&samples, j);
                let k = settings.kernel(distance_sq(&x, &s), h);
                let weight = k * w[i * n + j];
                total += weight;
                for (sum, s) in sums.iter_mut().zip(&s) {
                    *sum += weight * s;
                }
                settled &= w[i * n + j] < settings.merge_weight || k > settings.merge_kernel;
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
            .all(|(old, new)| (new - old).abs() <= 1e-6 + 1e-4 * old.abs());
        centers = moved;
        if still && (settled || settings.constant) {
            break;
        }
    }
    let h = *bandwidths.last().unwrap();
    let labels = components(n, |i, j| {
        let k = settings.kernel(distance_sq(&row(&centers, i), &row(&centers, j)), h);
        k > settings.merge_kernel && w[i * n + j] > settings.merge_weight
    });
    Found {
        centers,
        labels,
        bandwidths,
    }
}

/// The matrix w of eq. (4.3).
fn weights(
    centers: &[f64],
    dims: usize,
    pairs: &[[usize; 2]],
    settings: &Settings,
    h: f64,
) -> Vec<f64> {
    let n = centers.len() / dims;
    let row = |i: usize| &centers[i * dims..(i + 1) * dims];
    let mut w = vec![1.0; n * n];
    for &[x, y] in pairs {
        let length = distance_sq(row(x), row(y)).sqrt();
        let h_c = (settings.scale * length).max(0.001).min(h);
        let near = |end: usize| -> Vec<f64> {
            (0..n)
                .map(|i| settings.kernel(distance_sq(row(end), row(i)), h_c))
                .collect()
        };
        let (near_x, near_y) = (near(x), near(y));
        for i in 0..n {
            for j in 0..n {
                w[i * n + j] *= 1.0 - near_x[i] * near_y[j];
            }
        }
    }
    if settings.blurring {
        for i in 0..n {
            w[i * n + i] = 1.0;
        }
    }
    w
}

/// Connected components by repeated relabelling.
fn components(n: usize, linked: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut labels: Vec<usize> = (0..n).collect();
    for i in 0..n {
        for j in 0..n {
            if linked(i, j) && labels[i] != labels[j] {
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
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max)
}
