//! Points, kernels and weights to run on, and the objective by its definition.

use ilk::group::kernel_kmeans::{Means, Space, WeightedKernelKMeans};
use ilk::group::{GroupingAlgorithm, GroupingInput, Label};
use ilk::ndarray::{Array2, ArrayView2};
use ilk::numerics::rng::rng;
use ilk::observe::Silent;

pub(crate) fn random(n: usize, dims: usize, seed: u64) -> Array2<f64> {
    let mut rng = rng(seed);
    Array2::from_shape_simple_fn((n, dims), || rng.normal())
}

pub(crate) fn random_weights(n: usize, seed: u64) -> Vec<f64> {
    let mut rng = rng(seed);
    (0..n).map(|_| 0.2 + 3.0 * rng.uniform()).collect()
}

pub(crate) fn gaussian(points: &Array2<f64>, sigma: f64) -> Array2<f64> {
    let n = points.nrows();
    Array2::from_shape_fn((n, n), |(i, j)| {
        let dist_sq: f64 =
            points.row(i).iter().zip(points.row(j)).map(|(a, b)| (a - b).powi(2)).sum();
        (-dist_sq / (2.0 * sigma * sigma)).exp()
    })
}

/// Symmetric, with negative eigenvalues.
pub(crate) fn indefinite(n: usize, seed: u64) -> Array2<f64> {
    let half = random(n, n, seed);
    &half + &half.t()
}

/// Σ_c Σ_{i in c} w_i |φ_i - m_c|² = Σ_i w_i K_ii - Σ_c Σ_{i,j in c} w_i w_j K_ij / W_c, pair by pair.
pub(crate) fn objective(
    kernel: ArrayView2<'_, f64>,
    weights: Option<&[f64]>,
    labels: &[Label],
) -> f64 {
    let n = labels.len();
    let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
    let mut total: f64 = (0..n).map(|i| weight(i) * kernel[[i, i]]).sum();
    let k = labels.iter().flatten().max().map_or(0, |last| last + 1);
    for cluster in 0..k {
        let members: Vec<usize> = (0..n).filter(|&i| labels[i] == Some(cluster)).collect();
        let mass: f64 = members.iter().map(|&i| weight(i)).sum();
        for &i in &members {
            for &j in &members {
                total -= weight(i) * weight(j) * kernel[[i, j]] / mass;
            }
        }
    }
    total
}

pub(crate) struct Found {
    pub(crate) labels: Vec<Label>,
    pub(crate) objective: f64,
    pub(crate) trace: Vec<f64>,
    pub(crate) means: Means,
}

pub(crate) fn fit<'a>(
    params: &WeightedKernelKMeans,
    space: Space<'a>,
    weights: Option<&'a [f64]>,
) -> Found {
    let (grouping, means) = params
        .group(GroupingInput::new(space).with_weights(weights), &Silent)
        .expect("valid input");
    let trace: Vec<f64> =
        grouping.trace.iter().map(|step| step.objective.expect("every step has one")).collect();
    assert_eq!(means.n_clusters(), grouping.n_clusters);
    Found {
        labels: grouping.labels,
        objective: *trace.last().expect("at least one step"),
        trace,
        means,
    }
}

pub(crate) fn with_clusters(n_clusters: usize) -> WeightedKernelKMeans {
    WeightedKernelKMeans { n_clusters, ..WeightedKernelKMeans::default() }
}
