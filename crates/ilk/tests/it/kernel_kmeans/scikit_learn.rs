//! Values of scikit-learn 1.9, on points that both can make: see `draws`.

use ilk::group::kernel_kmeans::{Space, WeightedKernelKMeans};
use ilk::group::{GroupingInput, Label};
use ilk::ndarray::Array2;
use ilk::observe::Silent;

use super::cases::{fit, with_clusters};

/// Numbers x / 2^31 of the congruential generator x <- 1103515245 x + 12345 mod 2^31.
fn draws(n: usize, dims: usize, seed: u64) -> Array2<f64> {
    let mut x = seed;
    Array2::from_shape_simple_fn((n, dims), || {
        x = (1_103_515_245 * x + 12_345) % (1 << 31);
        x as f64 / 2f64.powi(31)
    })
}

/// Unit cubes with corners drawn in [0, 10).
fn cubes(n: usize, dims: usize, k: usize, seed: u64) -> Array2<f64> {
    let (corners, within) = (draws(k, dims, seed + 7), draws(n, dims, seed));
    Array2::from_shape_fn((n, dims), |(i, d)| corners[[i % k, d]] * 10.0 + within[[i, d]])
}

/// `KMeans(5, init=X[seeds], n_init=1, tol=0).fit(X, sample_weight=w)` on 60 points in the plane,
/// without weights and with 1, 2, 3, 1, 2, 3, ...: labels and inertia.
#[test]
fn from_equal_starts_labels_and_objective_are_those_of_scikit_learn() {
    let runs = [
        (
            [0, 1, 2, 3, 4],
            false,
            "042204433320103333010210321414100002443424420323234124231433",
            1.544_737_965_243_838_2,
        ),
        (
            [0, 1, 2, 3, 4],
            true,
            "042204433320103333010210321114100002443424420323034124231433",
            3.257_841_492_682_391_3,
        ),
        (
            [5, 15, 25, 35, 45],
            false,
            "302330011123431111040243124040433333001030023121310430214011",
            1.553_218_131_259_313_9,
        ),
        (
            [5, 15, 25, 35, 45],
            true,
            "302330011123431111040243124040433333001020023121310420214011",
            3.315_482_747_900_833,
        ),
        (
            [10, 11, 40, 41, 59],
            false,
            "110211124402314444131032403331322112114121102404241321243144",
            1.690_634_910_831_117,
        ),
        (
            [10, 11, 40, 41, 59],
            true,
            "130113322201412222343041204343411110332303301202123403024322",
            3.260_642_909_816_853,
        ),
    ];
    let points = draws(60, 2, 1);
    let kernel = points.dot(&points.t());
    let weights: Vec<f64> = (0..60).map(|i| f64::from(1 + i % 3)).collect();
    let lloyd = WeightedKernelKMeans { local_search: false, ..with_clusters(5) };
    for (seeds, weighted, labels, inertia) in runs {
        let mut start: Vec<Label> = vec![None; 60];
        for (cluster, seed) in seeds.into_iter().enumerate() {
            start[seed] = Some(cluster);
        }
        let weights = weighted.then_some(&weights[..]);
        for space in [Space::Features(points.view()), Space::Kernel(kernel.view())] {
            let (found, _) = lloyd
                .group_from(
                    GroupingInput::new(space).with_weights(weights),
                    std::slice::from_ref(&start),
                    &Silent,
                )
                .unwrap();
            assert_eq!(found.labels, by_first_point(labels), "{seeds:?}");
            let objective = found.trace.last().unwrap().objective.unwrap();
            assert!((objective - inertia).abs() < 1e-12, "{seeds:?}");
        }
    }
}

/// Digits as labels, numbered in the order of their first points.
fn by_first_point(digits: &str) -> Vec<Label> {
    let mut seen = Vec::new();
    digits
        .chars()
        .map(|digit| {
            seen.iter().position(|&other| other == digit).or_else(|| {
                seen.push(digit);
                Some(seen.len() - 1)
            })
        })
        .collect()
}

/// The mean inertia of `KMeans(k, n_init=10, random_state=r).fit(X)` over r = 0, ..., 4.
#[test]
fn ten_restarts_end_no_higher_than_those_of_scikit_learn_on_average() {
    let cases: [(Array2<f64>, usize, f64); 7] = [
        (draws(300, 2, 1), 8, 5.657_276_715_9),
        (draws(300, 2, 1), 20, 2.139_943_383_6),
        (draws(500, 5, 2), 10, 88.795_214_717_7),
        (draws(1000, 2, 3), 30, 4.940_174_006_2),
        (cubes(400, 2, 25, 4), 25, 54.752_448_228_1),
        (cubes(600, 8, 12, 5), 12, 395.908_539_169_9),
        (cubes(600, 8, 12, 5), 20, 356.262_723_338_2),
    ];
    for (points, k, inertia) in cases {
        let found: f64 = (0..5)
            .map(|seed| {
                let params = WeightedKernelKMeans { seed, ..with_clusters(k) };
                fit(&params, Space::Features(points.view()), None).objective / 5.0
            })
            .sum();
        assert!(found <= inertia * (1.0 + 1e-11), "{k}: {found} above {inertia}");
    }
}
