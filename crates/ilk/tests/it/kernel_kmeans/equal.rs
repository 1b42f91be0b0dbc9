//! The same thing asked in two ways has the same answer.

use ilk::Error;
use ilk::evaluate::adjusted_rand;
use ilk::group::kernel_kmeans::{Space, WeightedKernelKMeans};
use ilk::group::{GroupingAlgorithm, GroupingInput, Label};
use ilk::ndarray::{Array2, Axis};
use ilk::numerics::rng::rng;
use ilk::observe::Silent;

use super::cases::{fit, gaussian, random, random_weights, with_clusters};

/// `k` round groups, far apart as `spread` is small.
fn blobs(n: usize, k: usize, spread: f64, seed: u64) -> Array2<f64> {
    let noise = random(n, 3, seed);
    let centers = random(k, 3, seed + 1) * 4.0;
    Array2::from_shape_fn((n, 3), |(i, d)| centers[[i % k, d]] + spread * noise[[i, d]])
}

#[test]
fn features_and_their_dot_products_give_the_same_clusters() {
    for seed in 0..10 {
        let points = blobs(90, 5, 0.8, seed);
        let weights = random_weights(90, seed);
        for weights in [None, Some(&weights[..])] {
            let params = with_clusters(5);
            let kernel = points.dot(&points.t());
            let features = fit(&params, Space::Features(points.view()), weights);
            let kernel = fit(&params, Space::Kernel(kernel.view()), weights);
            assert_eq!(features.labels, kernel.labels, "seed {seed}");
            let (a, b) = (features.objective, kernel.objective);
            assert!((a - b).abs() < 1e-9 * a, "seed {seed}: {a} and {b}");
        }
    }
}

#[test]
fn a_weight_of_m_is_m_copies() {
    for seed in 0..10 {
        let points = random(30, 2, seed);
        let mut rng = rng(seed);
        let counts: Vec<usize> = (0..30).map(|_| 1 + rng.below(4)).collect();
        let weights: Vec<f64> = counts.iter().map(|&m| m as f64).collect();
        let mut copies: Vec<usize> = (0..30).flat_map(|i| vec![i; counts[i]]).collect();
        rng.shuffle(&mut copies[30..]);
        // The originals first, so that both ways meet the points in the same order.
        copies.sort_by_key(|&i| i);
        let copied = points.select(Axis(0), &copies);
        let params = with_clusters(4);
        let (kernel, copied_kernel) = (gaussian(&points, 1.0), gaussian(&copied, 1.0));
        let ways = [
            (Space::Features(points.view()), Space::Features(copied.view())),
            (Space::Kernel(kernel.view()), Space::Kernel(copied_kernel.view())),
        ];
        for (once, copied) in ways {
            let weighted = fit(&params, once, Some(&weights));
            let copied = fit(&params, copied, None);
            let spread: Vec<Label> = copies.iter().map(|&i| weighted.labels[i]).collect();
            assert_eq!(copied.labels, spread, "seed {seed}");
            assert_eq!(copied.objective, weighted.objective, "seed {seed}");
        }
    }
}

#[test]
fn weights_all_twice_as_large_change_nothing_but_the_objective() {
    let points = random(50, 2, 3);
    let space = Space::Features(points.view());
    let weights = random_weights(50, 4);
    let doubled: Vec<f64> = weights.iter().map(|w| 2.0 * w).collect();
    let once = fit(&with_clusters(4), space, Some(&weights));
    let twice = fit(&with_clusters(4), space, Some(&doubled));
    assert_eq!(once.labels, twice.labels);
    assert_eq!(2.0 * once.objective, twice.objective);
}

#[test]
fn permuting_the_points_permutes_the_clusters() {
    for seed in 0..10 {
        let points = blobs(60, 4, 0.5, seed);
        let mut order: Vec<usize> = (0..60).collect();
        rng(seed).shuffle(&mut order);
        let shuffled = points.select(Axis(0), &order);
        let (kernel, shuffled_kernel) = (gaussian(&points, 3.0), gaussian(&shuffled, 3.0));
        let ways = [
            (Space::Features(points.view()), Space::Features(shuffled.view())),
            (Space::Kernel(kernel.view()), Space::Kernel(shuffled_kernel.view())),
        ];
        for (plain, shuffled) in ways {
            let plain = fit(&with_clusters(4), plain, None).labels;
            let shuffled = fit(&with_clusters(4), shuffled, None).labels;
            let expected: Vec<Label> = order.iter().map(|&i| plain[i]).collect();
            assert_eq!(adjusted_rand(&expected, &shuffled), Ok(1.0), "seed {seed}");
        }
    }
}

#[test]
fn one_thread_and_four_give_the_same_bits() {
    let points = random(3000, 4, 1);
    let kernel = gaussian(&points.slice(ilk::ndarray::s![..400, ..]).to_owned(), 1.0);
    for space in [Space::Features(points.view()), Space::Kernel(kernel.view())] {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| with_clusters(7).group(space, &Silent))
        };
        assert_eq!(run(1), run(4));
    }
}

#[test]
fn more_clusters_than_distinct_points_give_as_many_as_there_are() {
    // 0.1 + 0.1 + 0.1 is not 3 times 0.1: means of equal points must not drift from them.
    let points = Array2::from_shape_fn((9, 1), |(i, _)| [0.1, 0.7, 0.3][i % 3]);
    let found = fit(&with_clusters(5), Space::Features(points.view()), None);
    let expected: Vec<Label> = (0..9).map(|i| Some(i % 3)).collect();
    assert_eq!((found.labels, found.objective), (expected.clone(), 0.0));
    let kernel = gaussian(&points, 0.2);
    let found = fit(&with_clusters(5), Space::Kernel(kernel.view()), None);
    assert_eq!(found.labels, expected);
}

#[test]
fn more_clusters_than_points_are_refused() {
    let points = random(4, 2, 0);
    let refused = with_clusters(5).group(Space::Features(points.view()), &Silent);
    assert_eq!(refused.unwrap_err(), Error::TooManyClusters { k: 5, n: 4 });
}

#[test]
fn a_start_that_is_the_answer_ends_at_once_and_a_part_of_it_is_enough() {
    let points = blobs(40, 4, 0.1, 2);
    let space = Space::Features(points.view());
    let truth: Vec<Label> = (0..40).map(|i| Some(i % 4)).collect();
    let params = with_clusters(4);
    let (from, _) = params.group_from(space, std::slice::from_ref(&truth), &Silent).unwrap();
    assert_eq!((&from.labels, from.iterations), (&truth, 1));
    let some: Vec<Label> = (0..40).map(|i| truth[i].filter(|_| i % 7 == 0)).collect();
    let (from, _) = params.group_from(space, std::slice::from_ref(&some), &Silent).unwrap();
    assert_eq!(from.labels, truth);
}

#[test]
fn clusters_that_a_start_leaves_empty_get_the_farthest_points() {
    let points = blobs(40, 4, 0.1, 2);
    let space = Space::Features(points.view());
    let truth: Vec<Label> = (0..40).map(|i| Some(i % 4)).collect();
    // Two groups in one cluster, and no point in the last.
    let start: Vec<Label> = (0..40).map(|i| Some((i % 4).min(2))).collect();
    let (found, _) =
        with_clusters(4).group_from(space, std::slice::from_ref(&start), &Silent).unwrap();
    assert_eq!(found.labels, truth);
    assert_eq!(found.n_clusters, 4);
}

#[test]
fn a_start_that_does_not_fit_is_refused() {
    let points = random(3, 2, 0);
    let space = Space::Features(points.view());
    let refused = |start: &[Label]| {
        let fitted = with_clusters(2).group_from(space, &[start.to_vec()], &Silent);
        fitted.unwrap_err().to_string()
    };
    assert_eq!(refused(&[Some(0)]), "the start has 1 entries where 3 are needed");
    assert_eq!(
        refused(&[Some(0), Some(2), None]),
        "start = 2 is out of range: clusters are numbered from 0 to 1"
    );
    assert_eq!(refused(&[None; 3]), "start = all none is out of range: give a point a cluster");
}

#[test]
fn arrays_and_weights_that_do_not_fit_are_refused() {
    let points = random(4, 3, 0);
    let params = WeightedKernelKMeans { n_clusters: 2, ..WeightedKernelKMeans::default() };
    let refused = |space, weights| {
        params.group(GroupingInput::new(space).with_weights(weights), &Silent).unwrap_err()
    };
    let features = Space::Features(points.view());
    assert_eq!(
        refused(Space::Kernel(points.view()), None),
        Error::NotSquare { rows: 4, columns: 3 }
    );
    let empty = Array2::zeros((0, 3));
    assert_eq!(refused(Space::Features(empty.view()), None), Error::Empty { rows: 0, columns: 3 });
    assert!(matches!(refused(features, Some(&[1.0])), Error::WrongLength { found: 1, .. }));
    assert!(matches!(
        refused(features, Some(&[1.0, 0.0, 1.0, 1.0])),
        Error::BadPointWeight { weight: 0.0, .. }
    ));
    let (_, means) = params.group(features, &Silent).unwrap();
    assert_eq!(
        means.assign(random(1, 2, 0).view()),
        Err(Error::WrongDimensions { found: 2, expected: 3 })
    );
}
