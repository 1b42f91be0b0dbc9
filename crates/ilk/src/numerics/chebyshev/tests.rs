use ndarray::Array2;

use super::chebyshev_solve;
use crate::numerics::rng::rng;

#[test]
fn the_solution_satisfies_the_equations_for_any_damping() {
    let n = 40;
    let mut rng = rng(3);
    let mut s = Array2::zeros((n, n));
    for i in 0..n {
        for j in 0..=i {
            s[[i, j]] = rng.uniform();
            s[[j, i]] = s[[i, j]];
        }
    }
    let degrees: Vec<f64> = s.rows().into_iter().map(|row| row.sum()).collect();
    for ((i, j), value) in s.indexed_iter_mut() {
        *value /= (degrees[i] * degrees[j]).sqrt();
    }
    let right = Array2::from_shape_fn((n, 3), |_| rng.normal());
    for alpha in [0.0, 1e-6, 0.4, 0.9, 0.999] {
        let x = chebyshev_solve(alpha, right.view(), |x| s.dot(&x));
        let left = &x - &(s.dot(&x) * alpha);
        let error = (&left - &right).iter().fold(0.0, |m: f64, e| m.max(e.abs()));
        assert!(error < 1e-11 / (1.0 - alpha), "{alpha}: {error}");
    }
}
