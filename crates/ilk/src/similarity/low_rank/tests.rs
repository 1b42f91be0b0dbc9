use std::ops::ControlFlow;

use ndarray::{Array2, Axis, s};
use proptest::prelude::*;

use super::{LowRank, Truncation, eigen_truncation, pivoted_cholesky};
use crate::Error;
use crate::numerics::linalg::{Cholesky, product, symmetric_eigen};
use crate::numerics::rng::rng;
use crate::observe::{Event, Silent};
use crate::problem::{KernelMatrix, Points};
use crate::similarity::{Bandwidth, FeatureMap, Gram, Kernel, KernelValues};

fn points(n: usize, dims: usize, seed: u64) -> Points {
    let mut rng = rng(seed);
    Points::new(Array2::from_shape_fn((n, dims), |_| rng.normal())).unwrap()
}

fn gaussian(h: f64) -> Kernel {
    Kernel::gaussian(Bandwidth::Fixed(h))
}

fn largest(a: &Array2<f64>) -> f64 {
    a.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

fn outer(features: &Array2<f64>) -> Array2<f64> {
    product(features.view(), features.t())
}

fn cholesky(values: &KernelValues<'_>, by: Truncation) -> LowRank {
    pivoted_cholesky(values, by, usize::MAX, &Silent).unwrap()
}

/// The textbook method, which subtracts every pivot's outer product from the whole matrix.
fn plain_cholesky(mut left: Array2<f64>, rank: usize, floor: f64) -> Array2<f64> {
    let n = left.nrows();
    let mut lower = Array2::zeros((n, 0));
    while lower.ncols() < rank {
        let mut best = 0;
        for i in 1..n {
            if left[[i, i]] > left[[best, best]] {
                best = i;
            }
        }
        if left[[best, best]] <= floor {
            break;
        }
        let column = left.column(best).to_owned() / left[[best, best]].sqrt();
        for (i, mut row) in left.rows_mut().into_iter().enumerate() {
            row.scaled_add(-column[i], &column);
        }
        left.row_mut(best).fill(0.0);
        left.column_mut(best).fill(0.0);
        lower.push_column(column.view()).unwrap();
    }
    lower
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn pivoted_cholesky_is_the_textbook_method(
        n in 1usize..60, dims in 1usize..5, rank in 1usize..30, h in 0.3..3.0f64, seed: u64,
    ) {
        let points = points(n, dims, seed);
        let gram = Gram::new(&gaussian(h), &points, 0).unwrap();
        let matrix = gram.full().unwrap();
        let given = KernelMatrix::new(matrix.clone()).unwrap();
        let expected = plain_cholesky(matrix, rank, 1e-9);
        for values in [KernelValues::Gram(gram), KernelValues::Matrix(&given)] {
            let by = Truncation::Dimensions(rank);
            let found = pivoted_cholesky(&values, by, expected.ncols(), &Silent).unwrap();
            prop_assert_eq!(found.features.dim(), expected.dim());
            prop_assert!(largest(&(&found.features - &expected)) < 1e-9);
        }
    }

    #[test]
    fn cholesky_leaves_what_is_positive_and_no_more_than_was_allowed(
        n in 2usize..80, dims in 1usize..6, share in 0.3..0.999f64, seed: u64,
    ) {
        let points = points(n, dims, seed);
        let values = KernelValues::Gram(Gram::new(&gaussian(0.8), &points, 0).unwrap());
        let full = values.full().unwrap();
        let found = cholesky(&values, Truncation::Trace(share));
        let left = &full - &outer(&found.features);
        let smallest = symmetric_eigen(left.view()).unwrap().values[n - 1];
        prop_assert!(smallest > -1e-12, "{smallest}");
        let trace = full.diag().sum();
        prop_assert!(left.diag().sum() <= (1.0 - share) * trace + 1e-10);
        prop_assert!((found.trace_share - 1.0 + left.diag().sum() / trace).abs() < 1e-12);
        // One column fewer would not do, unless there is only one.
        let rank = found.features.ncols();
        let fewer = found.features.slice(s![.., ..rank - 1]).to_owned();
        prop_assert!(rank == 1 || (&full - &outer(&fewer)).diag().sum() > (1.0 - share) * trace);
    }

    #[test]
    fn eigen_truncation_is_the_top_of_the_spectrum(
        n in 2usize..50, dims in 1usize..5, share in 0.3..1.0f64, seed: u64,
    ) {
        let points = points(n, dims, seed);
        for kernel in [gaussian(1.0), Kernel::SelfTuning { neighbors: 1 }] {
            let values = KernelValues::Gram(Gram::new(&kernel, &points, 0).unwrap());
            let eigen = symmetric_eigen(values.full().unwrap().view()).unwrap();
            let positive: Vec<f64> = eigen.values.iter().map(|v| v.max(0.0)).collect();
            let held = |r: usize, power: i32| {
                let size = |values: &[f64]| values.iter().map(|v| v.powi(power)).sum::<f64>();
                size(&positive[..r]) / size(&positive)
            };
            for (by, power, wanted) in [
                (Truncation::Trace(share), 1, share),
                (Truncation::Frobenius(share), 2, share * share),
            ] {
                let found = eigen_truncation(&values, by, &Silent).unwrap();
                let r = found.features.ncols();
                prop_assert!(held(r, power) >= wanted - 1e-12);
                prop_assert!(held(r - 1, power) < wanted + 1e-12);
                prop_assert!((found.trace_share - held(r, 1)).abs() < 1e-10);
                let v = eigen.vectors.slice(s![.., ..r]);
                let truncated = product((&v * &eigen.values.slice(s![..r])).view(), v.t());
                prop_assert!(largest(&(outer(&found.features) - truncated)) < 1e-12 * n as f64);
                let same = eigen_truncation(&values, Truncation::Dimensions(r), &Silent).unwrap();
                prop_assert!(largest(&(&same.features - &found.features)) < 1e-12);
            }
        }
    }

    #[test]
    fn training_points_as_new_points_get_their_features(
        n in 4usize..60, dims in 1usize..5, share in 0.5..0.999f64, seed: u64,
    ) {
        let points = points(n, dims, seed);
        for kernel in [
            gaussian(0.7),
            Kernel::gaussian(Bandwidth::Percentile(0.4)),
            Kernel::SelfTuning { neighbors: 2 },
            Kernel::Linear,
            Kernel::Polynomial { degree: 2, scale: 1.0, offset: 1.0 },
        ] {
            let gram = Gram::new(&kernel, &points, 0).unwrap();
            let matrix = KernelMatrix::new(gram.full().unwrap()).unwrap();
            let rows = Points::new(matrix.view().to_owned()).unwrap();
            for (values, new) in [(KernelValues::Gram(gram), &points), (KernelValues::Matrix(&matrix), &rows)] {
                let by = Truncation::Trace(share);
                for found in [eigen_truncation(&values, by, &Silent).unwrap(), cholesky(&values, by)] {
                    prop_assert_eq!(found.map.dims_in(), new.dims());
                    prop_assert_eq!(found.map.rank(), found.features.ncols());
                    let transformed = found.map.transform(new).unwrap();
                    let off = largest(&(&transformed - &found.features));
                    prop_assert!(off < 1e-9 * largest(&found.features), "{kernel:?}: {off}");
                }
            }
        }
    }

    #[test]
    fn new_points_are_alike_as_far_as_the_pivots_tell(
        n in 3usize..40, dims in 1usize..5, rank in 1usize..8, seed: u64,
    ) {
        // f(x)·f(y) = k(x, P) K_PP^-1 k(P, y).
        let (training, new) = (points(n, dims, seed), points(9, dims, !seed));
        let values = KernelValues::Gram(Gram::new(&gaussian(1.0), &training, 0).unwrap());
        let found = cholesky(&values, Truncation::Dimensions(rank));
        let features = found.map.transform(&new).unwrap();
        let landmarks = found.map.landmarks();
        let cross = landmarks.values(&new).unwrap();
        // The pivots are the rows that the factor describes fully.
        let pivots: Vec<usize> = (0..n)
            .filter(|&i| (found.features.row(i).dot(&found.features.row(i)) - 1.0).abs() < 1e-12)
            .collect();
        prop_assume!(pivots.len() == found.map.rank());
        let factor = Cholesky::factor(values.among(&pivots).view()).unwrap();
        let to_pivots = values.landmarks(&pivots).values(&new).unwrap();
        let expected = product(to_pivots.view(), factor.solve(to_pivots.t()).view());
        prop_assert!(largest(&(outer(&features) - expected)) < 1e-8);
        prop_assert_eq!(cross.ncols(), pivots.len());
    }
}

#[test]
fn pivots_found_ahead_are_those_of_the_textbook_method() {
    // More points than are candidates at once, some in the same place, so that there are ties.
    let mut all = points(2600, 2, 3).view().to_owned();
    for i in 0..300 {
        let other = all.row(2 * i).to_owned();
        all.row_mut(2599 - i).assign(&other);
    }
    let points = Points::new(all).unwrap();
    for kernel in [gaussian(0.3), Kernel::Polynomial { degree: 4, scale: 1.0, offset: 1.0 }] {
        let values = KernelValues::Gram(Gram::new(&kernel, &points, 0).unwrap());
        let full = values.full().unwrap();
        let floor = 1e-9 * largest(&full);
        let expected = plain_cholesky(full, 40, floor);
        let by = Truncation::Dimensions(expected.ncols());
        let found = cholesky(&values, by);
        assert_eq!(found.features.dim(), expected.dim());
        let off = largest(&(&found.features - &expected)) / largest(&expected);
        assert!(off < 1e-9, "{kernel:?}: {off}");
    }
}

#[test]
fn a_kernel_of_low_rank_is_found_out() {
    let points = points(500, 3, 1);
    let linear = KernelValues::Gram(Gram::new(&Kernel::Linear, &points, 0).unwrap());
    for found in [
        cholesky(&linear, Truncation::Trace(1.0)),
        cholesky(&linear, Truncation::Dimensions(100)),
        eigen_truncation(&linear, Truncation::Trace(1.0), &Silent).unwrap(),
        eigen_truncation(&linear, Truncation::Dimensions(100), &Silent).unwrap(),
    ] {
        assert_eq!(found.map.rank(), 3);
        assert!((found.trace_share - 1.0).abs() < 1e-12);
        assert!(largest(&(outer(&found.features) - linear.full().unwrap())) < 1e-12);
    }
}

#[test]
fn a_kernel_of_zeros_has_one_feature_of_zeros() {
    let points = Points::new(Array2::zeros((4, 2))).unwrap();
    let values = KernelValues::Gram(Gram::new(&Kernel::Linear, &points, 0).unwrap());
    for found in [
        cholesky(&values, Truncation::Trace(0.9)),
        eigen_truncation(&values, Truncation::Trace(0.9), &Silent).unwrap(),
    ] {
        assert_eq!(found.features, Array2::<f64>::zeros((4, 1)));
        assert_eq!(found.map.transform(&points).unwrap(), found.features);
        assert_eq!(found.trace_share, 1.0);
    }
}

#[test]
fn negative_eigenvalues_are_clipped() {
    let mut rng = rng(9);
    let half = Array2::from_shape_fn((40, 40), |_| rng.normal());
    let matrix = KernelMatrix::new(&half + &half.t()).unwrap();
    let values = KernelValues::Matrix(&matrix);
    let eigen = symmetric_eigen(matrix.view()).unwrap();
    assert!(eigen.values[39] < -1.0, "the case has a negative part");
    let clipped = eigen.values.mapv(|v| v.max(0.0));
    let expected = product((&eigen.vectors * &clipped).view(), eigen.vectors.t());
    let found = eigen_truncation(&values, Truncation::Trace(1.0), &Silent).unwrap();
    assert!(largest(&(outer(&found.features) - expected)) < 1e-12);
}

#[test]
fn what_cannot_be_asked_for_is_refused() {
    let points = points(5, 2, 0);
    let values = KernelValues::Gram(Gram::new(&gaussian(1.0), &points, 0).unwrap());
    for (by, message) in [
        (Truncation::Trace(0.0), "trace = 0 is out of range: it must be above 0, at most 1"),
        (Truncation::Trace(f64::NAN), "trace = NaN is out of range: it must be above 0, at most 1"),
        (
            Truncation::Frobenius(1.5),
            "frobenius = 1.5 is out of range: it must be above 0, at most 1",
        ),
        (Truncation::Dimensions(0), "dimensions = 0 is out of range: it must be at least 1"),
    ] {
        assert_eq!(eigen_truncation(&values, by, &Silent).unwrap_err().to_string(), message);
        let found = pivoted_cholesky(&values, by, 5, &Silent);
        assert_eq!(found.unwrap_err().to_string(), message);
    }
    assert_eq!(
        pivoted_cholesky(&values, Truncation::Frobenius(0.9), 5, &Silent).unwrap_err().to_string(),
        "frobenius = 0.9 is out of range: pivoted Cholesky sees some columns only; give a share of the \
         trace, or use the eigen truncation"
    );
    assert_eq!(
        pivoted_cholesky(&values, Truncation::Trace(0.9), 0, &Silent).unwrap_err().to_string(),
        "max_rank = 0 is out of range: it must be at least 1"
    );
}

#[test]
fn a_kernel_that_overflows_is_refused() {
    let points = Points::new(ndarray::array![[1.0], [1e200]]).unwrap();
    let values = KernelValues::Gram(Gram::new(&Kernel::Linear, &points, 0).unwrap());
    let by = Truncation::Dimensions(1);
    assert_eq!(
        pivoted_cholesky(&values, by, 1, &Silent).unwrap_err().to_string(),
        "the value in row 1, column 1 is inf; replace or drop it"
    );
    assert_eq!(eigen_truncation(&values, by, &Silent), Err(Error::NoConvergence));
}

#[test]
fn cholesky_can_be_cancelled() {
    let points = points(300, 5, 0);
    let values = KernelValues::Gram(Gram::new(&gaussian(0.2), &points, 0).unwrap());
    let stop = |event: &Event| {
        assert_eq!((event.stage, event.total), ("pivoted Cholesky", 200));
        ControlFlow::Break(())
    };
    let found = pivoted_cholesky(&values, Truncation::Dimensions(200), 300, &stop);
    assert!(matches!(found, Err(Error::Cancelled { iterations }) if iterations < 200));
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let points = points(5000, 3, 5);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let values = KernelValues::Gram(Gram::new(&gaussian(0.5), &points, 0).unwrap());
            let found = pivoted_cholesky(&values, Truncation::Trace(0.9), 150, &Silent).unwrap();
            let new = found.map.transform(&points).unwrap();
            (found, new)
        })
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(3));
}

#[test]
fn a_map_follows_a_map_as_their_product() {
    let points = points(40, 3, 2);
    let values = KernelValues::Gram(Gram::new(&gaussian(1.0), &points, 0).unwrap());
    let found = cholesky(&values, Truncation::Dimensions(6));
    let mut rng = rng(3);
    let turn = Array2::from_shape_fn((6, 4), |_| rng.normal());
    let map = found.map.then(turn.view());
    assert_eq!((map.rank(), map.dims_in()), (4, 3));
    let expected = found.features.dot(&turn);
    assert!(largest(&(map.transform(&points).unwrap() - expected)) < 1e-12);
}

#[test]
fn maps_read_back_and_damaged_ones_are_refused() {
    let points = points(30, 2, 6);
    for kernel in [gaussian(1.0), Kernel::SelfTuning { neighbors: 3 }] {
        let values = KernelValues::Gram(Gram::new(&kernel, &points, 0).unwrap());
        let map = cholesky(&values, Truncation::Dimensions(3)).map;
        let json = serde_json::to_string(&map).unwrap();
        assert_eq!(serde_json::from_str::<FeatureMap>(&json).unwrap(), map);
        let bytes = rmp_serde::to_vec_named(&map).unwrap();
        assert_eq!(rmp_serde::from_slice::<FeatureMap>(&bytes).unwrap(), map);
    }
    let matrix = KernelMatrix::new(Array2::eye(3)).unwrap();
    let landmarks = || KernelValues::Matrix(&matrix).landmarks(&[0, 2]);
    assert_eq!(
        FeatureMap::new(landmarks(), Array2::zeros((3, 1))).unwrap_err().to_string(),
        "the matrix of weights has 3 entries where 2 are needed"
    );
    assert!(matches!(
        FeatureMap::new(landmarks(), Array2::zeros((2, 0))),
        Err(Error::Empty { .. })
    ));
    let mut weights = Array2::zeros((2, 2));
    weights[[1, 0]] = f64::NAN;
    assert!(matches!(
        FeatureMap::new(landmarks(), weights),
        Err(Error::NotFinite { row: 1, column: 0, .. })
    ));
    let map = FeatureMap::new(landmarks(), Array2::ones((2, 1))).unwrap();
    let json = serde_json::to_string(&map).unwrap();
    let damaged = json.replace("\"columns\":[0,2]", "\"columns\":[0]");
    assert_ne!(damaged, json);
    assert!(serde_json::from_str::<FeatureMap>(&damaged).is_err());
    let sum = Points::new(ndarray::array![[1.0, 5.0, 2.0]]).unwrap();
    assert_eq!(map.transform(&sum).unwrap().sum_axis(Axis(1))[0], 3.0);
}
