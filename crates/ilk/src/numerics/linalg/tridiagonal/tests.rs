use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::Axis;
use proptest::prelude::*;

use super::*;
use crate::numerics::linalg::symmetric_eigen;
use crate::numerics::rng::rng;

/// A symmetric matrix of normal numbers, of a rank.
fn symmetric(n: usize, rank: usize, seed: u64) -> Array2<f64> {
    let mut rng = rng(seed);
    let factor = Array2::from_shape_fn((n, rank), |_| rng.normal());
    let signs = Array2::from_shape_fn((1, rank), |(_, j)| if j % 3 == 0 { -1.0 } else { 1.0 });
    product((&factor * &signs).view(), factor.t())
}

fn largest(a: &Array2<f64>) -> f64 {
    a.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// Asserts that A v = λ v for orthonormal v, and that the eigenvalues are those of faer.
fn check(a: &Array2<f64>, k: usize) {
    let n = a.nrows();
    let (values, vectors) = eigen_in_steps(a.clone(), k, &|| Ok(())).unwrap();
    let bound = 1e-14 * n as f64 * (1.0 + values.iter().fold(0.0, |m: f64, x| m.max(x.abs())));
    let theirs = symmetric_eigen(a.view()).unwrap();
    for (value, theirs) in values.iter().rev().zip(&theirs.values) {
        assert!((value - theirs).abs() < bound, "{value} for {theirs}");
    }
    assert_eq!(vectors.dim(), (k, n));
    let scaled = &vectors * &ndarray::aview1(&values[n - k..]).insert_axis(Axis(1));
    assert!(largest(&(product(vectors.view(), a.view()) - scaled)) < bound);
    let inner = product(vectors.view(), vectors.t()) - Array2::<f64>::eye(k);
    assert!(largest(&inner) < 1e-14 * n as f64);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_decomposition_in_steps_is_one(n in 1usize..150, rank in 1usize..150, share in 0.0..=1.0, seed: u64) {
        check(&symmetric(n, rank, seed), (share * n as f64) as usize);
    }
}

#[test]
fn matrices_that_are_diagonal_already_or_have_repeated_eigenvalues_are_decomposed() {
    check(&Array2::zeros((70, 70)), 70);
    check(&Array2::eye(70), 70);
    check(&Array2::ones((70, 70)), 5);
    check(&Array2::from_diag(&(0..70).map(f64::from).collect::<ndarray::Array1<_>>()), 70);
}

#[test]
fn the_upper_half_is_not_read() {
    let a = symmetric(90, 90, 3);
    let lower = Array2::from_shape_fn(a.dim(), |(i, j)| if j > i { 7.0 } else { a[[i, j]] });
    let in_steps = |a: Array2<f64>| eigen_in_steps(a, 4, &|| Ok(())).unwrap();
    assert_eq!(in_steps(lower), in_steps(a));
}

#[test]
fn it_can_be_cancelled_at_every_column_and_every_panel() {
    let n = 70;
    let asked = AtomicUsize::new(0);
    eigen_in_steps(symmetric(n, n, 1), n, &|| {
        asked.fetch_add(1, Ordering::Relaxed);
        Ok(())
    })
    .unwrap();
    let total = asked.into_inner();
    assert_eq!(total, n + n.div_ceil(PANEL));
    for last in 1..=total {
        let asked = AtomicUsize::new(0);
        let found = eigen_in_steps(symmetric(n, n, 1), n, &|| {
            let now = asked.fetch_add(1, Ordering::Relaxed) + 1;
            if now == last { Err(Error::Cancelled { iterations: last }) } else { Ok(()) }
        });
        assert_eq!(found, Err(Error::Cancelled { iterations: last }));
        assert_eq!(asked.into_inner(), last);
    }
}
