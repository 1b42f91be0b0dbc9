//! Bandwidth rules and kernels against the outputs of other programs.

use crate::shared::shared;
use ilk::numerics::linalg::symmetric_eigen;
use ilk::observe::Silent;
use ilk::problem::Points;
use ilk::similarity::bandwidth::rules;
use ilk::similarity::{Bandwidth, Gram, Kernel, KernelValues, Truncation, eigen_truncation};
use ndarray::{Array0, Array1, Array2, Axis};
use ndarray_npy::NpzReader;

fn golden(path: &str) -> Option<NpzReader<std::fs::File>> {
    let file = std::fs::File::open(shared(path)?).unwrap();
    Some(NpzReader::new(file).unwrap())
}

#[test]
fn silverman_matches_the_corrected_rule() {
    let Some(mut npz) = golden("golden/spectral/silverman.npz") else {
        return;
    };
    let x: Array2<f64> = npz.by_name("X").unwrap();
    let expected: Array0<f64> = npz.by_name("standard").unwrap();
    let found = rules::silverman(&Points::new(x).unwrap());
    assert!((found - expected.into_scalar()).abs() < 1e-14);
}

#[test]
fn kth_neighbor_matches_the_variable_bandwidths() {
    let Some(mut npz) = golden("golden/logdet/meanshift_small.npz") else {
        return;
    };
    let z: Array2<f64> = npz.by_name("Z").unwrap();
    let h: Array1<f64> = npz.by_name("h").unwrap();
    let k: Array0<i64> = npz.by_name("k").unwrap();
    // That program counts the point itself among its neighbours.
    let others = usize::try_from(k.into_scalar()).unwrap() - 1;
    let found = rules::positive_kth_neighbor(&Points::new(z).unwrap(), others);
    for (found, expected) in found.iter().zip(&h) {
        assert!((found - expected).abs() < 1e-13);
    }
}

#[test]
fn gaussian_and_self_tuning_kernels_match_on_iris() {
    let Some(mut npz) = golden("golden/logdet/kernels_iris.npz") else {
        return;
    };
    let x: Array2<f64> = npz.by_name("X").unwrap();
    let gaussian: Array2<f64> = npz.by_name("K_gauss_s1").unwrap();
    let tuned: Array2<f64> = npz.by_name("K_adapt_l10_noself").unwrap();
    let scaled = standardised(&x);
    for (points, kernel, expected) in [
        (x, Kernel::gaussian(Bandwidth::Fixed(1.0)), gaussian),
        (scaled, Kernel::SelfTuning { neighbors: 10 }, tuned),
    ] {
        let points = Points::new(points).unwrap();
        let found = Gram::new(&kernel, &points, 0).unwrap().full().unwrap();
        let worst = (&found - &expected).mapv(f64::abs).fold(0.0, |a: f64, &b| a.max(b));
        assert!(worst < 1e-13, "{kernel:?}: {worst}");
    }
}

#[test]
fn ranks_by_trace_and_by_frobenius_norm_match_on_iris() {
    let Some(mut npz) = golden("golden/logdet/kernels_iris.npz") else {
        return;
    };
    let points = Points::new(npz.by_name("X").unwrap()).unwrap();
    let gram = Gram::new(&Kernel::gaussian(Bandwidth::Fixed(1.0)), &points, 0).unwrap();
    let values = KernelValues::Gram(gram);
    for (name, by) in [
        ("rank_fro", Truncation::Frobenius(0.99)),
        // The root of the trace, as if it were a norm.
        ("rank_trace_sqrt", Truncation::Trace(0.99 * 0.99)),
        ("rank_trace", Truncation::Trace(0.99)),
    ] {
        let expected: Array0<i64> = npz.by_name(name).unwrap();
        let expected = usize::try_from(expected.into_scalar()).unwrap();
        let found = eigen_truncation(&values, by, &Silent).unwrap().map.rank();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn the_self_tuning_kernel_of_iris_is_as_indefinite_as_expected() {
    let Some(mut npz) = golden("golden/logdet/kernels_iris.npz") else {
        return;
    };
    let points = Points::new(standardised(&npz.by_name("X").unwrap())).unwrap();
    let expected: Array0<f64> = npz.by_name("min_eig_adapt").unwrap();
    let expected = expected.into_scalar();
    let gram = Gram::new(&Kernel::SelfTuning { neighbors: 10 }, &points, 0).unwrap();
    let eigen = symmetric_eigen(gram.full().unwrap().view()).unwrap();
    assert!((eigen.values[149] - expected).abs() < 1e-13);
}

/// The self-tuning kernels were computed on z-scored columns.
fn standardised(x: &Array2<f64>) -> Array2<f64> {
    (x - &x.mean_axis(Axis(0)).unwrap()) / &x.std_axis(Axis(0), 0.0)
}
