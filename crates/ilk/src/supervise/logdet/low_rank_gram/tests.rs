use ndarray::{Array1, Array2};

use super::LowRankGram;
use crate::numerics::rng::rng;
use crate::supervise::logdet::current_gram::CurrentGram;
use crate::supervise::logdet::rows::Distances;

/// e_a - e_b.
fn difference(c: usize, a: usize, b: usize) -> Array1<f64> {
    let mut z = Array1::zeros(c);
    z[a] += 1.0;
    z[b] -= 1.0;
    z
}

#[test]
fn what_is_between_the_features_changes_as_the_whole_kernel_does() {
    let (c, r) = (30, 4);
    let mut rng = rng(3);
    let features = Array2::from_shape_fn((c, r), |_| rng.normal());
    let mut state = LowRankGram::new(features.clone());
    let mut kernel = features.dot(&features.t());
    for step in 0..40 {
        let three = rng.sample(c, 3);
        let [i, j, k] = [three[0], three[1], three[2]];
        let (u, v) = (difference(c, i, j), difference(c, i, k));
        let (cu, cv) = (kernel.dot(&u), kernel.dot(&v));
        let form = state.form(i, j, k);
        for (found, expected) in [
            (form.uu, u.dot(&cu)),
            (form.uv, u.dot(&cv)),
            (form.vv, v.dot(&cv)),
            (state.dist_sq(i, j), u.dot(&cu)),
            (state.value(i, k), kernel[[i, k]]),
        ] {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
        let outer =
            |x: &Array1<f64>, y: &Array1<f64>| Array2::from_shape_fn((c, c), |(a, b)| x[a] * y[b]);
        if step % 2 == 0 {
            let factor = -0.3 / (1.0 + form.uu);
            state.update_pair(i, j, factor);
            kernel = kernel + factor * outer(&cu, &cu);
        } else {
            let size = 1.0 + form.uu + form.vv;
            let q = (-0.02 / size, 0.01 * rng.normal() / size, 0.03 / size);
            state.update_comparison([i, j, k], q);
            let crossed = outer(&cu, &cv) + outer(&cv, &cu);
            kernel = kernel + q.0 * outer(&cu, &cu) + q.1 * crossed + q.2 * outer(&cv, &cv);
        }
        let off = (&state.current() - &kernel).iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        assert!(off < 1e-9, "after {step} off by {off}");
    }
}

#[test]
fn growth_is_counted_from_the_last_start() {
    let mut state = LowRankGram::new(Array2::eye(3));
    assert_eq!(state.growth(), 1.0);
    state.update_pair(0, 1, 4.0);
    assert_eq!(state.growth(), 5.0);
    state.reset((Array2::eye(3) * 2.0).view());
    assert_eq!((state.growth(), state.value(0, 0)), (1.0, 2.0));
}
