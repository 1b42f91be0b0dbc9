use ndarray::{Array1, Array2};

use super::Hessian;
use crate::numerics::rng::rng;
use crate::supervise::logdet::rows::DualRows;
use crate::supervise::logdet::{DistanceConstraint, DistanceConstraints, LogDet};

/// Random rows over random points, their duals and a kernel.
fn problem(seed: u64) -> (DualRows, Vec<f64>, Array2<f64>) {
    let mut rng = rng(seed);
    let c = 14;
    let x = Array2::from_shape_fn((c, c + 3), |_| rng.normal());
    let gram = x.dot(&x.t()) / c as f64;
    let rows = (0..40).map(|number| {
        let three = rng.sample(c, 3);
        if number % 2 == 0 {
            DistanceConstraint::Pair {
                a: three[0],
                b: three[1],
                sign: if number % 4 == 0 { 1.0 } else { -1.0 },
                target: 0.5,
                weight: 1.0,
            }
        } else {
            DistanceConstraint::Comparison {
                i: three[0],
                j: three[1],
                k: three[2],
                ratio: 2.0,
                is_equality: false,
                weight: 1.0,
            }
        }
    });
    let terms = DistanceConstraints::from_rows((0..c).collect(), rows.collect());
    let rows = DualRows::new(&LogDet::default(), &terms, &gram.view(), 1.0);
    let duals = (0..40).map(|_| 0.1 * rng.uniform()).collect();
    (rows, duals, gram)
}

#[test]
fn the_matrix_is_the_derivative_of_the_gradient() {
    let (rows, duals, gram) = problem(1);
    let chosen: Vec<usize> = (0..duals.len()).collect();
    let hessian = Hessian::new(&rows, &duals, gram.view(), &chosen);
    // The gradient at λ + e d, with the kernel (C^-1 + e B)^-1 = C - e C B C.
    let mut rng = rng(2);
    let d: Vec<f64> = duals.iter().map(|_| rng.normal()).collect();
    let by_product = hessian.times(&d);
    let sum = rows.sum(gram.nrows(), &d);
    let change = gram.dot(&sum).dot(&gram);
    for (number, row) in rows.taking_part() {
        let e = 1e-6;
        let slope = |dual: f64| row.slack_slope(dual);
        let slack = (slope(duals[number] - e * d[number]) - slope(duals[number] + e * d[number]))
            / (2.0 * e);
        let expected = row.value(&change.view()) + slack;
        assert!((by_product[number] - expected).abs() < 1e-6 * (1.0 + expected.abs()));
    }
}

#[test]
fn products_and_solutions_are_the_same_with_and_without_the_matrix() {
    for seed in 0..5 {
        let (rows, duals, gram) = problem(seed);
        let chosen: Vec<usize> = (0..duals.len()).step_by(2).collect();
        // A matrix of all rows, of the free ones, and none.
        let [all, some, none] =
            [20, 7, 6].map(|most| Hessian::with_limit(&rows, &duals, gram.view(), &chosen, most));
        assert!(!all.is_operator() && some.is_operator() && none.is_operator());
        let mut rng = rng(seed);
        let d: Vec<f64> = chosen.iter().map(|_| rng.normal()).collect();
        for (x, y) in all.times(&d).iter().zip(none.times(&d)) {
            assert!((x - y).abs() < 1e-12 * (1.0 + x.abs()));
        }
        let free = [0, 3, 4, 7, 8, 11, 15];
        let right = Array1::from_shape_fn(free.len(), |_| rng.normal());
        let expected = all.solve(&free, &right, &d, 1e-10).unwrap();
        let scale = expected.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        for hessian in [some, none] {
            let found = hessian.solve(&free, &right, &d, 1e-10).unwrap();
            for (x, y) in expected.iter().zip(&found) {
                assert!((x - y).abs() < 1e-7 * scale, "{expected} {found}");
            }
        }
    }
}
