//! Points, the plain loop, and where points are after some steps.

use ilk::group::mean_shift::MeanShift;
use ilk::group::{Grouping, GroupingAlgorithm, GroupingInput, StopReason};
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::problem::Points;
use ilk::similarity::Profile;

pub(crate) const KERNELS: [Profile; 5] =
    [Profile::Gaussian, Profile::Rbf, Profile::Truncated, Profile::Flat, Profile::Epanechnikov];

pub(crate) fn fit(params: &MeanShift, points: &Points) -> Grouping {
    params.group(points, &Silent).expect("valid input").0
}

/// `k` Gaussian blobs in `dims` dimensions.
pub(crate) fn blobs(n: usize, dims: usize, k: usize, spread: f64, seed: u64) -> Points {
    let mut rng = rng(seed);
    let centers: Vec<f64> = (0..k * dims).map(|_| 10.0 * rng.uniform()).collect();
    let data = Array2::from_shape_fn((n, dims), |(i, d)| {
        centers[i % k * dims + d] + spread * rng.normal()
    });
    Points::new(data).expect("finite")
}

/// Shifts every point `steps` times by the definition, with nothing clever.
pub(crate) fn plain(
    points: &Points,
    h: &[f64],
    weights: &[f64],
    params: &MeanShift,
    steps: usize,
) -> Vec<Vec<f64>> {
    let n = points.len();
    let mut data: Vec<Vec<f64>> = (0..n).map(|i| points.row(i).to_vec()).collect();
    let mut places = data.clone();
    for _ in 0..steps {
        let next: Vec<Vec<f64>> = places
            .iter()
            .map(|x| {
                let mut total = 0.0;
                let mut sum = vec![0.0; x.len()];
                for (j, y) in data.iter().enumerate() {
                    let dist_sq: f64 = x.iter().zip(y).map(|(a, b)| (a - b).powi(2)).sum();
                    let variable = if h.iter().all(|v| *v == h[0]) {
                        1.0
                    } else {
                        (h[j] / h[0]).powf(-(x.len() as f64) - 2.0)
                    };
                    let w = weights[j]
                        * variable
                        * params.kernel.weight(dist_sq, h[j], params.truncation);
                    total += w;
                    for (s, v) in sum.iter_mut().zip(y) {
                        *s += w * v;
                    }
                }
                if total > 0.0 { sum.iter().map(|s| s / total).collect() } else { x.clone() }
            })
            .collect();
        places = next;
        if params.blurring {
            data.clone_from(&places);
        }
    }
    places
}

/// Where `fit` puts every point after `steps` steps: each point made its own cluster by a merge
/// radius next to nothing, the modes are the places.
pub(crate) fn places_after(
    points: &Points,
    weights: Option<&[f64]>,
    params: &MeanShift,
    steps: usize,
) -> Vec<Vec<f64>> {
    let params = MeanShift { fixed_iter: Some(steps), merge_radius: Some(1e-12), ..params.clone() };
    let (grouping, _) = params
        .group(GroupingInput::new(points).with_weights(weights), &Silent)
        .expect("valid input");
    let modes = grouping.centers.expect("mean shift has modes");
    assert_eq!(grouping.stop, StopReason::FixedCount);
    assert_eq!(grouping.iterations, steps);
    grouping.labels.iter().map(|l| modes.row(l.expect("no noise")).to_vec()).collect()
}

pub(crate) fn assert_close(ours: &[Vec<f64>], theirs: &[Vec<f64>], tolerance: f64) {
    for (i, (a, b)) in ours.iter().zip(theirs).enumerate() {
        for (x, y) in a.iter().zip(b) {
            assert!((x - y).abs() <= tolerance, "point {i}: {a:?} against {b:?}");
        }
    }
}
