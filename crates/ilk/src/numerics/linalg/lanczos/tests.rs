use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use proptest::prelude::*;

use super::super::filter::filtered;
use super::super::{
    EXACT_TOLERANCE, Eigen, product, symmetric_eigen, top_eigen, top_eigen_observed, top_eigen_of,
};
use super::{Outcome, Sizes, lanczos};
use crate::Error;
use crate::numerics::rng::rng;

fn symmetric(n: usize, seed: u64) -> Array2<f64> {
    let mut rng = rng(seed);
    let a = Array2::from_shape_fn((n, n), |_| rng.normal());
    &a + &a.t()
}

/// A matrix with these eigenvalues, in random directions.
fn with_spectrum(values: &[f64], seed: u64) -> Array2<f64> {
    let v = symmetric_eigen(symmetric(values.len(), seed).view()).unwrap().vectors;
    product((&v * &Array1::from(values.to_vec())).view(), v.t())
}

fn largest(a: &Array2<f64>) -> f64 {
    a.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

fn found(outcome: crate::Result<Outcome>) -> Eigen {
    match outcome.expect("finite products") {
        Outcome::Found(eigen) => eigen,
        Outcome::Slow(spectrum) => panic!("it does not converge: {spectrum:?}"),
    }
}

/// The iteration alone, without the full decomposition to fall back on.
fn iterated(a: &Array2<f64>, k: usize) -> Eigen {
    let sizes = Sizes::new(k);
    assert!(sizes.fit(a.nrows()), "too small for the iteration");
    let apply = |x: ArrayView2<'_, f64>| Ok(product(a.view(), x));
    found(lanczos(a.nrows(), sizes, EXACT_TOLERANCE, 100_000, apply))
}

/// That `found` are the pairs of the largest eigenvalues `expected`.
fn assert_top(a: &Array2<f64>, found: &Eigen, expected: &[f64]) {
    let k = expected.len();
    let scale = 1e-300 + largest(a) * a.nrows() as f64;
    assert_eq!(found.values.len(), k);
    for (found, expected) in found.values.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-13 * scale, "{found} {expected}");
    }
    let v = &found.vectors;
    let residual = product(a.view(), v.view()) - v * &found.values.view().insert_axis(Axis(0));
    assert!(largest(&residual) < 1e-12 * scale);
    let gram = product(v.t(), v.view()) - Array2::<f64>::eye(k);
    assert!(largest(&gram) < 1e-12);
    for column in v.columns() {
        let (low, high) =
            column.iter().fold((0.0, 0.0), |(l, h): (f64, f64), &x| (l.min(x), h.max(x)));
        assert!(high >= -low);
    }
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_iteration_finds_what_the_full_decomposition_finds(
        n in 170usize..250, k in 1usize..12, seed: u64,
    ) {
        let a = symmetric(n, seed);
        let all = symmetric_eigen(a.view()).unwrap();
        let found = iterated(&a, k);
        assert_top(&a, &found, &all.values.to_vec()[..k]);
        // Random matrices have no repeated eigenvalues: the vectors are the same too.
        let difference = &found.vectors - &all.vectors.slice(s![.., ..k]);
        prop_assert!(largest(&difference) < 1e-7, "{}", largest(&difference));
    }
}

#[test]
fn repeated_eigenvalues_come_as_often_as_they_are_repeated() {
    let mut values = vec![1.0; 45];
    values.extend(vec![0.5; 20]);
    values.extend((0..535).map(|i| 0.4 - f64::from(i) / 500.0));
    let a = with_spectrum(&values, 1);
    for k in [1, 3, 32, 33, 40, 45, 46, 60] {
        assert_top(&a, &iterated(&a, k), &values[..k]);
    }
}

#[test]
fn eigenvalues_that_nearly_agree_are_distinguished() {
    let values: Vec<f64> = (0..300)
        .map(|i| if i < 12 { 1.0 - 1e-6 * f64::from(i) } else { 0.9 / f64::from(i) })
        .collect();
    let a = with_spectrum(&values, 2);
    for k in [4, 10, 20] {
        assert_top(&a, &iterated(&a, k), &values[..k]);
    }
}

#[test]
fn the_largest_are_not_the_largest_in_magnitude() {
    let values = sorted((0..300).map(|i| 0.01 * f64::from(i) - 20.0).chain([0.5, 0.25]).collect());
    let a = with_spectrum(&values, 3);
    assert_top(&a, &iterated(&a, 5), &values[..5]);
}

#[test]
fn a_rank_below_the_number_wanted_is_filled_with_zeros() {
    for rank in [0, 1, 7, 30] {
        let mut values: Vec<f64> = (0..rank).map(|i| 1.0 + f64::from(i)).rev().collect();
        values.resize(500, 0.0);
        let a = with_spectrum(&values, 4);
        for k in [5, 35] {
            assert_top(&a, &iterated(&a, k), &values[..k]);
        }
    }
}

#[test]
fn the_size_of_the_entries_does_not_matter() {
    for factor in [1e-150, 1e-12, 1e12, 1e150] {
        let values: Vec<f64> = (0..320).map(|i| factor * (0.8f64.powi(i) - 0.1)).collect();
        let a = with_spectrum(&values, 9);
        for k in [3, 20] {
            assert_top(&a, &iterated(&a, k), &values[..k]);
        }
    }
}

#[test]
fn multiples_of_the_identity_have_any_vectors() {
    for value in [0.0, 1.0, -3.0] {
        let a = Array2::<f64>::eye(400) * value;
        for k in [2, 25] {
            assert_top(&a, &iterated(&a, k), &vec![value; k]);
        }
    }
}

#[test]
fn the_parts_of_a_disconnected_graph_span_its_null_space() {
    // Rings of 5 to 44 nodes; A = 2 - L has the eigenvalue 2 once for each ring.
    let mut ring_of = Vec::new();
    for ring in 0..40 {
        ring_of.extend(vec![ring; 5 + ring]);
    }
    let n = ring_of.len();
    let start = |i: usize| i - (0..i).rev().take_while(|&j| ring_of[j] == ring_of[i]).count();
    let next = |i: usize| {
        if i + 1 < n && ring_of[i + 1] == ring_of[i] { i + 1 } else { start(i) }
    };
    let edges: Vec<(usize, usize)> = (0..n).map(|i| (i, next(i))).collect();
    let apply = |x: ndarray::ArrayView2<'_, f64>| {
        let mut out = Array2::zeros(x.dim());
        for &(i, j) in &edges {
            for c in 0..x.ncols() {
                out[[i, c]] += x[[j, c]];
                out[[j, c]] += x[[i, c]];
            }
        }
        Ok(out)
    };
    let found = found(lanczos(n, Sizes::new(40), EXACT_TOLERANCE, 100_000, apply));
    let worst = found.values.iter().fold(0.0, |m: f64, value| m.max((value - 2.0).abs()));
    assert!(worst < 1e-12, "{worst} {:?}", found.values);
    for ring in 0..40 {
        let indicator: Array1<f64> =
            ring_of.iter().map(|&r| f64::from(u8::from(r == ring))).collect();
        let along = found.vectors.t().dot(&indicator);
        let size = 5.0 + ring as f64;
        assert!((along.dot(&along) - size).abs() < 1e-10 * size, "ring {ring}");
    }
}

#[test]
fn without_room_for_an_iteration_the_operator_is_made_a_matrix() {
    for (n, k) in [(1, 1), (3, 5), (90, 2), (200, 150), (130, 130)] {
        let a = symmetric(n, n as u64);
        let all = symmetric_eigen(a.view()).unwrap();
        let found = top_eigen_of(n, k, EXACT_TOLERANCE, |x| product(a.view(), x)).unwrap();
        assert_top(&a, &found, &all.values.to_vec()[..k.min(n)]);
    }
    let none = top_eigen_of(300, 0, EXACT_TOLERANCE, |x| x.to_owned()).unwrap();
    assert_eq!((none.values.len(), none.vectors.dim()), (0, (300, 0)));
}

#[test]
fn few_eigenpairs_of_a_large_matrix_are_the_first_of_all() {
    let values: Vec<f64> = (0..600).map(|i| 0.9f64.powi(i)).collect();
    let a = with_spectrum(&values, 5);
    assert_top(&a, &top_eigen(a.view(), 6, EXACT_TOLERANCE).unwrap(), &values[..6]);
    // A spectrum without an end to speak of, where the iteration gives up.
    let a = symmetric(600, 6);
    let all = symmetric_eigen(a.view()).unwrap();
    assert_top(&a, &top_eigen(a.view(), 30, EXACT_TOLERANCE).unwrap(), &all.values.to_vec()[..30]);
}

#[test]
fn an_iteration_that_takes_too_long_says_so() {
    let a = symmetric(300, 7);
    let apply = |x: ArrayView2<'_, f64>| Ok(product(a.view(), x));
    let found = lanczos(300, Sizes::new(5), EXACT_TOLERANCE, 0, apply);
    assert!(matches!(found, Ok(Outcome::Slow(_))));
}

#[test]
fn products_that_are_not_finite_are_errors() {
    for bad in [f64::NAN, f64::INFINITY] {
        let found = top_eigen_of(300, 3, EXACT_TOLERANCE, |x| x.mapv(|v| v * bad));
        assert_eq!(found, Err(Error::NoConvergence));
        let mut a = Array2::<f64>::eye(600);
        a[[5, 7]] = bad;
        assert_eq!(top_eigen(a.view(), 3, EXACT_TOLERANCE), Err(Error::NoConvergence));
    }
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let values: Vec<f64> = (0..700).map(|i| 0.95f64.powi(i)).collect();
    let a = with_spectrum(&values, 8);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (iterated(&a, 3), iterated(&a, 20)))
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(3));
}

#[test]
fn eigenvalues_that_crowd_at_the_top_are_separated_by_a_filter() {
    // The first come ever closer to 1, and the others are spread out.
    let n = 300;
    let close = |i: usize| 1.0 - 1e-4 * 1.6_f64.powf((i / 2) as f64);
    let spread = |i: usize| -((i % 97) as f64) / 97.0;
    let values: Array1<f64> = (0..n).map(|i| if i < 20 { close(i) } else { spread(i) }).collect();
    let column = values.view().insert_axis(Axis(1));
    let apply = |x: ArrayView2<'_, f64>| Ok(&x * &column);
    let sizes = Sizes::new(6);
    let Ok(Outcome::Slow(spectrum)) = lanczos(n, sizes, 1e-10, 400, apply) else {
        panic!("or no filter is needed");
    };
    let eigen = filtered(n, sizes, 1e-10, spectrum, &apply).unwrap().expect("it converges");
    for (found, expected) in eigen.values.iter().zip(&values) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
    let residual = &(&eigen.vectors * &column) - &(&eigen.vectors * &eigen.values);
    assert!(residual.iter().all(|x| x.abs() < 1e-9));
}

#[test]
fn a_product_that_fails_ends_the_search() {
    let cancelled = || Error::Cancelled { iterations: 3 };
    let found = top_eigen_observed(300, 3, EXACT_TOLERANCE, |_| Err(cancelled()), &|| Ok(()));
    assert_eq!(found, Err(cancelled()));
}
