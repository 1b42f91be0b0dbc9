//! What must hold whatever the points are.

use ilk::evaluate::adjusted_rand;
use ilk::group::mixture::{
    CovarianceType, Covariances, GaussianMixture, InitialComponents, MixtureInit,
};
use ilk::group::{Grouping, GroupingAlgorithm, GroupingInput, Label};
use ilk::ndarray::{Array2, Axis, array};
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::parameter::AutoOr;
use ilk::problem::Points;
use proptest::prelude::*;

fn heaps(n: usize, dims: usize, k: usize, gap: f64, seed: u64) -> Array2<f64> {
    let mut rng = rng(seed);
    let places = Array2::from_shape_simple_fn((k, dims), || gap * rng.normal());
    Array2::from_shape_fn((n, dims), |(i, d)| places[[i % k, d]] + rng.normal())
}

fn objectives(grouping: &Grouping) -> Vec<f64> {
    let each = grouping.trace.iter().map(|step| step.objective.unwrap());
    each.collect()
}

fn kinds() -> impl Strategy<Value = CovarianceType> {
    prop_oneof![
        Just(CovarianceType::Full),
        Just(CovarianceType::Diag),
        Just(CovarianceType::Spherical),
    ]
}

proptest! {
    #[test]
    fn the_likelihood_never_falls_and_shares_add_up_to_one(
        n in 20usize..60, dims in 1usize..4, k in 1usize..4, seed in 0u64..1000, kind in kinds(),
    ) {
        let points = heaps(n, dims, k, 2.0, seed);
        let params = GaussianMixture {
            n_clusters: k.into(),
            covariance_type: kind,
            reg_covar: AutoOr::Fixed(1e-9),
            tol: 0.0,
            max_iter: 30,
            seed,
            ..GaussianMixture::default()
        };
        let (found, model) = params.group(points.view(), &Silent).unwrap();
        let objectives = objectives(&found);
        prop_assert!(
            objectives.windows(2).all(|pair| pair[1] <= pair[0] + 1e-6 * (1.0 + pair[0].abs())),
            "{objectives:?}"
        );
        let shares = model.probabilities(points.view()).unwrap();
        prop_assert!(shares.sum_axis(Axis(1)).iter().all(|sum| (sum - 1.0).abs() < 1e-12));
        prop_assert!((model.components().weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let predicted = model.predict(&Points::new(points).unwrap()).unwrap();
        prop_assert_eq!(predicted, found.labels);
    }

    #[test]
    fn a_weight_is_as_good_as_so_many_equal_points(
        seed in 0u64..1000, kind in kinds(),
    ) {
        let points = heaps(30, 2, 3, 8.0, seed);
        let mut rng = rng(seed);
        let counts: Vec<usize> = (0..30).map(|_| rng.below(4)).collect();
        let weights: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        let repeats: Vec<usize> = (0..30).flat_map(|i| std::iter::repeat_n(i, counts[i])).collect();
        let params = GaussianMixture {
            n_clusters: 3.into(),
            covariance_type: kind,
            reg_covar: AutoOr::Fixed(1e-3),
            seed,
            ..GaussianMixture::default()
        };
        let repeated = points.select(Axis(0), &repeats);
        let (many, _) = params.group(repeated.view(), &Silent).unwrap();
        let (few, _) = params.group(GroupingInput::new(points.view()).with_weights(Some(&weights)), &Silent).unwrap();
        let both = objectives(&few).into_iter().zip(objectives(&many));
        for (few, many) in both {
            prop_assert!((few - many).abs() <= 1e-9 * (1.0 + many.abs()), "{few} {many}");
        }
        let spread: Vec<Label> = repeats.iter().map(|&i| few.labels[i]).collect();
        prop_assert_eq!(adjusted_rand(&spread, &many.labels), Ok(1.0));
    }

    #[test]
    fn permuting_the_points_permutes_the_labels(seed in 0u64..1000, kind in kinds()) {
        let points = heaps(40, 2, 3, 4.0, seed);
        let means: Vec<Vec<f64>> = (0..3).map(|i| points.row(i).to_vec()).collect();
        let width = match kind {
            CovarianceType::Full => vec![1.0, 0.0, 0.0, 1.0],
            CovarianceType::Diag => vec![1.0; 2],
            CovarianceType::Spherical => vec![1.0],
        };
        let params = GaussianMixture {
            n_clusters: 3.into(),
            covariance_type: kind,
            reg_covar: AutoOr::Fixed(1e-3),
            init: MixtureInit::Components(InitialComponents {
                weights: Some(vec![0.25, 0.25, 0.5]),
                means: Some(means),
                covariances: Some(vec![width; 3]),
            }),
            ..GaussianMixture::default()
        };
        let order: Vec<usize> = (0..40).rev().collect();
        let (one, _) = params.group(points.view(), &Silent).unwrap();
        let (two, _) = params.group(points.select(Axis(0), &order).view(), &Silent).unwrap();
        let turned: Vec<Label> = order.iter().map(|&i| one.labels[i]).collect();
        prop_assert_eq!(turned, two.labels);
    }
}

#[test]
fn one_thread_and_eight_give_the_same_bits() {
    let points = heaps(2500, 6, 4, 1.0, 3);
    let params = GaussianMixture { n_clusters: 4.into(), n_init: 3, ..GaussianMixture::default() };
    let fit = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| params.group(points.view(), &Silent).unwrap())
    };
    assert_eq!(fit(1), fit(8));
}

#[test]
fn more_dimensions_than_points_give_finite_components() {
    let points = heaps(12, 40, 2, 20.0, 1);
    for kind in [CovarianceType::Full, CovarianceType::Diag, CovarianceType::Spherical] {
        for reg_covar in [0.0, 1e-6] {
            let params = GaussianMixture {
                n_clusters: 2.into(),
                covariance_type: kind,
                reg_covar: AutoOr::Fixed(reg_covar),
                ..GaussianMixture::default()
            };
            let (found, model) = params.group(points.view(), &Silent).unwrap();
            let parity: Vec<Label> = (0..12).map(|i| Some(i % 2)).collect();
            assert_eq!(found.labels, parity, "{kind:?}");
            let (_, logs) = model.densities(points.view()).unwrap();
            assert!(logs.iter().all(|log| log.is_finite()), "{kind:?}");
        }
    }
}

#[test]
fn components_that_shrink_to_a_point_are_held_without_regularisation_too() {
    let points = array![[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [5.0, 1.0], [6.0, 2.0], [7.0, 3.0]];
    for kind in [CovarianceType::Full, CovarianceType::Diag, CovarianceType::Spherical] {
        let params = GaussianMixture {
            n_clusters: 2.into(),
            covariance_type: kind,
            reg_covar: AutoOr::Fixed(0.0),
            ..GaussianMixture::default()
        };
        let (found, model) = params.group(points.view(), &Silent).unwrap();
        assert_eq!(found.labels, [0, 0, 0, 1, 1, 1].map(Some), "{kind:?}");
        let is_positive = match &model.components().covariances {
            Covariances::Full(each) => {
                each.iter().all(|matrix| matrix.diag().iter().all(|&x| x > 0.0))
            }
            Covariances::Diag(each) => each.iter().all(|&x| x > 0.0),
            Covariances::Spherical(each) => each.iter().all(|&x| x > 0.0),
        };
        assert!(is_positive, "{kind:?}");
    }
}

#[test]
fn a_component_without_points_is_no_cluster_and_takes_no_new_point() {
    let points = array![[0.0], [0.1], [0.2], [0.3]];
    let params = GaussianMixture {
        n_clusters: 2.into(),
        init: MixtureInit::Components(InitialComponents {
            weights: Some(vec![0.5, 0.5]),
            means: Some(vec![vec![0.0], vec![1e6]]),
            covariances: Some(vec![vec![1.0], vec![1.0]]),
        }),
        ..GaussianMixture::default()
    };
    let (found, model) = params.group(points.view(), &Silent).unwrap();
    assert_eq!((found.labels, found.n_clusters), (vec![Some(0); 4], 1));
    assert_eq!(model.components().len(), 2);
    assert_eq!(model.components().weights, [1.0, 0.0]);
    assert_eq!(model.components().means[[1, 0]], 1e6);
    let far = Points::new(array![[1e6]]).unwrap();
    assert_eq!(model.predict(&far).unwrap(), [Some(0)]);
}

#[test]
fn restarts_never_end_less_likely() {
    let points = heaps(200, 2, 6, 2.0, 9);
    let fit = |n_init: usize| {
        let params = GaussianMixture { n_clusters: 6.into(), n_init, ..GaussianMixture::default() };
        let (found, _) = params.group(points.view(), &Silent).unwrap();
        *objectives(&found).last().unwrap()
    };
    assert!(fit(8) <= fit(1));
}
