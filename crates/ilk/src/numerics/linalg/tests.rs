use ndarray::{Array2, Axis, array};
use proptest::prelude::*;

use super::{
    Cholesky, EXACT_TOLERANCE, fix_sign, principal_axes, product, symmetric_eigen, top_eigen,
};
use crate::Error;
use crate::numerics::rng::rng;

fn random(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut rng = rng(seed);
    Array2::from_shape_fn((rows, columns), |_| rng.normal())
}

fn symmetric(n: usize, seed: u64) -> Array2<f64> {
    let a = random(n, n, seed);
    &a + &a.t()
}

fn positive_definite(n: usize, seed: u64) -> Array2<f64> {
    let a = random(n, n, seed);
    plain_product(&a, &a.t().to_owned()) + Array2::<f64>::eye(n)
}

fn plain_product(a: &Array2<f64>, b: &Array2<f64>) -> Array2<f64> {
    Array2::from_shape_fn((a.nrows(), b.ncols()), |(i, j)| {
        (0..a.ncols()).map(|k| a[[i, k]] * b[[k, j]]).sum()
    })
}

fn largest(a: &Array2<f64>) -> f64 {
    a.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn eigenvectors_diagonalise_the_matrix(n in 1usize..70, seed: u64) {
        let a = symmetric(n, seed);
        let eigen = symmetric_eigen(a.view()).unwrap();
        let (v, values) = (&eigen.vectors, &eigen.values);
        let residual = plain_product(&a, v) - v * &values.view().insert_axis(Axis(0));
        prop_assert!(largest(&residual) < 1e-13 * n as f64 * (1.0 + largest(&a)));
        let gram = plain_product(&v.t().to_owned(), v) - Array2::<f64>::eye(n);
        prop_assert!(largest(&gram) < 1e-13 * n as f64);
        prop_assert!(values.windows(2).into_iter().all(|w| w[0] >= w[1]));
        for column in v.columns() {
            let (low, high) = column.iter().fold((0.0, 0.0), |(l, h): (f64, f64), &x| (l.min(x), h.max(x)));
            prop_assert!(high >= -low);
        }
    }

    #[test]
    fn the_top_eigenpairs_are_the_first_of_all(n in 1usize..30, k in 0usize..40, seed: u64) {
        let a = symmetric(n, seed);
        let (all, top) = (symmetric_eigen(a.view()).unwrap(), top_eigen(a.view(), k, EXACT_TOLERANCE).unwrap());
        prop_assert_eq!(top.values.len(), k.min(n));
        prop_assert_eq!(top.values, all.values.slice(ndarray::s![..k.min(n)]));
        prop_assert_eq!(top.vectors, all.vectors.slice(ndarray::s![.., ..k.min(n)]));
    }

    #[test]
    fn cholesky_factors_solves_and_knows_the_determinant(n in 1usize..60, m in 1usize..5, seed: u64) {
        let a = positive_definite(n, seed);
        let factor = Cholesky::factor(a.view()).unwrap();
        let lower = factor.lower().to_owned();
        let residual = plain_product(&lower, &lower.t().to_owned()) - &a;
        prop_assert!(largest(&residual) < 1e-14 * n as f64 * largest(&a));
        prop_assert!(lower.indexed_iter().all(|((i, j), &x)| j <= i || x == 0.0));
        let b = random(n, m, seed ^ 1);
        let x = factor.solve(b.view());
        prop_assert!(largest(&(plain_product(&a, &x) - &b)) < 1e-13 * n as f64 * largest(&a) * largest(&x));
        let half = plain_product(&lower, &factor.forward_solve(b.view())) - &b;
        prop_assert!(largest(&half) < 1e-13 * n as f64 * largest(&a) * largest(&b));
        let mut upper = a.clone();
        upper.indexed_iter_mut().filter(|((i, j), _)| i > j).for_each(|(_, x)| *x = f64::NAN);
        prop_assert_eq!(&Cholesky::factor_upper(upper).unwrap(), &factor);
        let by_eigenvalues: f64 = symmetric_eigen(a.view()).unwrap().values.iter().map(|v| v.ln()).sum();
        prop_assert!((factor.log_det() - by_eigenvalues).abs() < 1e-10 * n as f64);
    }

    #[test]
    fn products_equal_the_triple_loop(n in 1usize..40, k in 1usize..40, m in 1usize..40, seed: u64) {
        let (a, b) = (random(n, k, seed), random(m, k, !seed));
        let found = product(a.view(), b.t());
        prop_assert!(largest(&(found - plain_product(&a, &b.t().to_owned()))) < 1e-13 * k as f64);
    }

    #[test]
    fn principal_axes_are_orthonormal_and_carry_the_variance(
        n in 2usize..25, dims in 1usize..25, k in 1usize..4, seed: u64,
    ) {
        let points = random(n, dims, seed);
        let principal = principal_axes(points.view(), k).unwrap();
        prop_assert_eq!(principal.axes.ncols(), k.min(dims).min(if dims > n { n - 1 } else { n }));
        let axes = &principal.axes;
        let gram = plain_product(&axes.t().to_owned(), axes) - Array2::<f64>::eye(axes.ncols());
        prop_assert!(largest(&gram) < 1e-10);
        let along = principal.project(points.view());
        for (column, variance) in along.columns().into_iter().zip(&principal.variances) {
            let mean = column.sum() / n as f64;
            prop_assert!(mean.abs() < 1e-12);
            let found = column.iter().map(|x| x * x).sum::<f64>() / (n - 1) as f64;
            prop_assert!((found - variance).abs() < 1e-10);
        }
    }
}

#[test]
fn eigenvalues_match_numpy() {
    // numpy.linalg.eigh of the Hilbert matrix of order 4.
    let a = Array2::from_shape_fn((4, 4), |(i, j)| 1.0 / (i + j + 1) as f64);
    let eigen = symmetric_eigen(a.view()).unwrap();
    let expected = [
        1.500_214_280_059_242_6,
        0.169_141_220_221_45,
        0.006_738_273_605_760_619,
        9.670_230_402_260_895e-5,
    ];
    for (found, expected) in eigen.values.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-15);
    }
    let first = [
        0.792_608_291_163_763_7,
        0.451_923_120_901_599_7,
        0.322_416_398_581_824_9,
        0.252_161_169_688_241_9,
    ];
    for (found, expected) in eigen.vectors.column(0).iter().zip(first) {
        assert!((found - expected).abs() < 1e-14);
    }
    let log_det = Cholesky::factor(a.view()).unwrap().log_det();
    assert!((log_det - -15.615_238_196_841_42).abs() < 1e-10);
}

#[test]
fn the_first_pivot_that_fails_is_named() {
    let a = array![[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    assert_eq!(Cholesky::factor(a.view()), Err(Error::NotPositiveDefinite { pivot: 1 }));
    let mut a = Array2::<f64>::eye(5);
    a[[3, 3]] = -1.0;
    assert_eq!(Cholesky::factor(a.view()), Err(Error::NotPositiveDefinite { pivot: 3 }));
}

#[test]
fn matrices_that_are_not_finite_are_errors() {
    for bad in [f64::NAN, f64::INFINITY] {
        let mut a = Array2::<f64>::eye(3);
        a[[1, 1]] = bad;
        assert_eq!(Cholesky::factor(a.view()), Err(Error::NotPositiveDefinite { pivot: 1 }));
        assert_eq!(symmetric_eigen(a.view()), Err(Error::NoConvergence));
    }
}

#[test]
fn points_on_a_line_in_many_dimensions_have_one_axis() {
    let points = Array2::from_shape_fn((3, 10), |(i, k)| (i * (k + 1)) as f64);
    let principal = principal_axes(points.view(), 2).unwrap();
    assert_eq!(principal.axes.ncols(), 1);
}

#[test]
fn a_sign_is_fixed_by_the_first_entry_of_largest_magnitude() {
    let mut a = array![0.5, -2.0, 2.0];
    fix_sign(a.view_mut());
    assert_eq!(a, array![-0.5, 2.0, -2.0]);
    fix_sign(a.view_mut());
    assert_eq!(a, array![-0.5, 2.0, -2.0]);
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let a = symmetric(300, 7);
    let definite = positive_definite(300, 8);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let factor = Cholesky::factor(definite.view()).unwrap();
            (
                symmetric_eigen(a.view()).unwrap(),
                factor.solve(a.view()),
                factor,
                product(a.view(), definite.view()),
            )
        })
    };
    let (one, two, three) = (run(1), run(2), run(3));
    assert_eq!(one, two);
    assert_eq!(one, three);
}

/// Matrices of this size are decomposed in steps.
#[test]
fn a_large_matrix_in_any_unit_is_diagonalised() {
    let n = 1100;
    let a = symmetric(n, 5);
    for unit in [1.0, 1e-200, 1e200] {
        let a = &a * unit;
        let eigen = symmetric_eigen(a.view()).unwrap();
        let top = top_eigen(a.view(), n / 2, EXACT_TOLERANCE).unwrap();
        assert_eq!(top.values, eigen.values.slice(ndarray::s![..n / 2]));
        let (v, values) = (&eigen.vectors, &eigen.values);
        let off = product(a.view(), v.view()) - v * &values.view().insert_axis(Axis(0));
        assert!(largest(&off) < 1e-13 * n as f64 * largest(&a), "{unit}");
        assert!(largest(&(product(v.t(), v.view()) - Array2::<f64>::eye(n))) < 1e-13 * n as f64);
    }
}
