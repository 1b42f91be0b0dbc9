//! Kernel k-means as a method: which kernel it uses, how it places new points, what it refuses.

use ilk::Error;
use ilk::group::Label;
use ilk::group::kernel_kmeans::Space;
use ilk::method::{AnyMethod, KernelKMeans, Method};
use ilk::ndarray::{Array2, array};
use ilk::observe::Silent;
use ilk::outcome::Fit;
use ilk::parameter::AutoOr;
use ilk::problem::{KernelMatrix, Points, Problem};
use ilk::similarity::KernelName;
use proptest::prelude::*;

use super::cases::{fit, gaussian, random, random_weights, with_clusters};

fn run(params: KernelKMeans, problem: &Problem) -> ilk::Result<Fit> {
    AnyMethod::KernelKMeans(params).fit(problem, &Silent)
}

fn unsupervised(points: &Array2<f64>) -> Problem {
    Problem::unsupervised(Points::new(points.clone()).unwrap())
}

#[test]
fn the_automatic_width_is_the_median_distance_between_distinct_points() {
    // Distances 1, 2, 3, 4, 6, 7 where all points count once; the copies count for nothing.
    let points = array![[0.0], [1.0], [3.0], [7.0], [0.0], [0.0], [0.0]];
    let params = KernelKMeans { n_clusters: 2.into(), ..KernelKMeans::default() };
    let fixed = KernelKMeans { sigma: AutoOr::Fixed(3.5), ..params.clone() };
    let auto = run(params, &unsupervised(&points)).unwrap();
    let fixed = run(fixed, &unsupervised(&points)).unwrap();
    assert_eq!(auto.clustering, fixed.clustering);
    assert_eq!(auto.model, fixed.model);
}

#[test]
fn a_gaussian_kernel_of_points_is_that_kernel_matrix_and_weights_count() {
    let points = random(40, 2, 1);
    let weights = random_weights(40, 2);
    let params =
        KernelKMeans { n_clusters: 4.into(), sigma: AutoOr::Fixed(0.9), ..KernelKMeans::default() };
    let kernel = gaussian(&points, 0.9);
    for weights in [None, Some(weights)] {
        let weigh = |problem: Problem| match &weights {
            Some(weights) => problem.with_weights(weights.clone()).unwrap(),
            None => problem,
        };
        let of_points = run(params.clone(), &weigh(unsupervised(&points))).unwrap();
        let given = KernelMatrix::new(kernel.clone()).unwrap();
        let of_kernel = run(params.clone(), &weigh(Problem::unsupervised(given))).unwrap();
        let space = Space::Kernel(kernel.view());
        let plain = fit(&with_clusters(4), space, weights.as_deref());
        assert_eq!(of_points.clustering.labels, plain.labels);
        assert_eq!(of_kernel.clustering.labels, plain.labels);
        // A square table that is declared a kernel matrix is the same once more.
        let constraints = KernelKMeans { kernel: KernelName::Precomputed, ..params.clone() };
        let of_table = run(constraints, &weigh(unsupervised(&kernel))).unwrap();
        assert_eq!(of_table.clustering.labels, plain.labels);
        let rows = Points::new(kernel.clone()).unwrap();
        assert_eq!(of_table.model.predict(&rows).unwrap(), plain.labels);
    }
}

#[test]
fn a_linear_kernel_is_plain_k_means_with_centres() {
    let points = random(50, 3, 4);
    let params = KernelKMeans {
        n_clusters: 5.into(),
        kernel: KernelName::Linear,
        ..KernelKMeans::default()
    };
    let found = run(params, &unsupervised(&points)).unwrap();
    let plain = fit(&with_clusters(5), Space::Features(points.view()), None);
    assert_eq!(found.clustering.labels, plain.labels);
    let centers = found.clustering.modes.unwrap();
    for cluster in 0..5 {
        for d in 0..3 {
            let own: Vec<f64> = (0..50)
                .filter(|&i| plain.labels[i] == Some(cluster))
                .map(|i| points[[i, d]])
                .collect();
            let mean = own.iter().sum::<f64>() / own.len() as f64;
            assert!((centers[[cluster, d]] - mean).abs() < 1e-12);
        }
    }
}

/// The cluster whose mean is nearest to a new point, pair by pair.
fn nearest(
    new: &[f64],
    points: &Array2<f64>,
    weights: &[f64],
    labels: &[Label],
    sigma: f64,
) -> Label {
    let value = |a: &[f64], b: &[f64]| {
        let dist_sq: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
        (-dist_sq / (2.0 * sigma * sigma)).exp()
    };
    let row = |i: usize| points.row(i).to_vec();
    let k = labels.iter().flatten().max().map_or(0, |last| last + 1);
    let dist_sq = |cluster: usize| {
        let members: Vec<usize> =
            (0..labels.len()).filter(|&i| labels[i] == Some(cluster)).collect();
        let mass: f64 = members.iter().map(|&i| weights[i]).sum();
        let mut dist_sq = 1.0;
        for &i in &members {
            dist_sq -= 2.0 * weights[i] * value(new, &row(i)) / mass;
            for &j in &members {
                dist_sq += weights[i] * weights[j] * value(&row(i), &row(j)) / (mass * mass);
            }
        }
        dist_sq
    };
    (0..k).min_by(|&a, &b| dist_sq(a).total_cmp(&dist_sq(b)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn new_points_go_to_the_nearest_mean(n in 4usize..30, k in 1usize..5, seed in 0u64..1000) {
        let points = random(n, 2, seed);
        let weights = random_weights(n, seed);
        let problem = unsupervised(&points).with_weights(weights.clone()).unwrap();
        let params = KernelKMeans {
            n_clusters: k.min(n).into(),
            sigma: AutoOr::Fixed(0.8),
            ..KernelKMeans::default()
        };
        let found = run(params, &problem).unwrap();
        let new = random(20, 2, seed + 1);
        let placed = found.model.predict(&Points::new(new.clone()).unwrap()).unwrap();
        for (new, placed) in new.rows().into_iter().zip(placed) {
            let new = new.to_vec();
            let labels = &found.clustering.labels;
            prop_assert_eq!(nearest(&new, &points, &weights, labels, 0.8), placed);
        }
    }

    #[test]
    fn training_points_keep_their_labels_under_every_kernel(
        n in 2usize..50, k in 1usize..6, seed in 0u64..1000, n_neighbors in 1usize..9,
    ) {
        // Heavy tails, so that the widths of the self-tuning kernel differ.
        let points = random(n, 2, seed).mapv(|x| x.powi(3));
        for kernel in [KernelName::Gaussian, KernelName::SelfTuning, KernelName::Linear] {
            let params = KernelKMeans {
                n_clusters: k.min(n).into(),
                kernel,
                n_neighbors,
                ..KernelKMeans::default()
            };
            let found = run(params, &unsupervised(&points)).unwrap();
            let again = found.model.predict(&Points::new(points.clone()).unwrap()).unwrap();
            prop_assert_eq!(again, found.clustering.labels);
        }
    }
}

#[test]
fn more_points_than_a_kernel_matrix_can_have_are_refused_with_what_to_do() {
    let points = random(23_171, 1, 0);
    let params = KernelKMeans::default();
    let refused = run(params, &unsupervised(&points)).map(|fit| fit.clustering.labels);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "the kernel matrix would need 4295161928 bytes; use kernel=linear, which is k-means on the \
         points themselves, or a sample of the points, and predict the others"
    );
}

#[test]
fn widths_and_tables_that_make_no_sense_are_refused() {
    let points = unsupervised(&random(5, 3, 0));
    let params = KernelKMeans { n_clusters: 2.into(), ..KernelKMeans::default() };
    let refused = |params: KernelKMeans| {
        let fitted = run(params, &points).map(|fit| fit.clustering.labels);
        fitted.unwrap_err()
    };
    for sigma in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = refused(KernelKMeans { sigma: AutoOr::Fixed(sigma), ..params.clone() });
        let named = matches!(error, Error::BadParameter { parameter: "sigma", .. });
        assert!(named, "{error}");
    }
    let error = refused(KernelKMeans { kernel: KernelName::Precomputed, ..params });
    assert_eq!(error, Error::NotSquare { rows: 5, columns: 3 });
}
