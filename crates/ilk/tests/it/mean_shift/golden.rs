//! Outputs of other programs.

use ilk::group::mean_shift::MeanShift;
use ilk::group::{GroupingAlgorithm, Label};
use ilk::ndarray::{Array1, Array2};
use ilk::observe::Silent;
use ilk::problem::Points;
use ilk::similarity::{Bandwidth, Profile};
use ndarray_npy::NpzReader;

use super::cases::{assert_close, fit, places_after};
use crate::shared::shared;

fn golden(path: &str) -> Option<NpzReader<std::fs::File>> {
    Some(
        NpzReader::new(std::fs::File::open(shared(path)?).expect("readable")).expect("an npz file"),
    )
}

#[test]
fn variable_bandwidth_matches_the_golden_case() {
    let Some(mut file) = golden("golden/logdet/meanshift_small.npz") else {
        return;
    };
    let points = Points::new(file.by_name("Z").expect("Z")).expect("finite");
    let h: Array1<f64> = file.by_name("h").expect("h");
    let modes: Array2<f64> = file.by_name("modes").expect("modes");
    let labels: Array1<i64> = file.by_name("labels").expect("labels");
    let params = MeanShift {
        bandwidth: Bandwidth::PerPoint(h.to_vec()),
        kernel: Profile::Gaussian,
        max_iter: 5000,
        tol: Some(1e-10),
        ..MeanShift::default()
    };
    let grouping = fit(&params, &points);
    let ours = grouping.centers.expect("modes");
    for (i, label) in grouping.labels.iter().enumerate() {
        let ours = ours.row(label.expect("no noise"));
        let gap: f64 =
            ours.iter().zip(modes.row(i)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(gap < 1e-4, "point {i}: {ours} against {}", modes.row(i));
    }
    same_partition(&grouping.labels, &labels.to_vec());
}

/// Two labellings that differ in names only.
fn same_partition(ours: &[Label], theirs: &[i64]) {
    for i in 0..ours.len() {
        for j in 0..i {
            assert_eq!(ours[i] == ours[j], theirs[i] == theirs[j], "points {i} and {j}");
        }
    }
}

#[test]
fn positions_after_t_steps_match_the_golden_case() {
    let Some(mut file) = golden("golden/spectral/meanshift_80.npz") else {
        return;
    };
    let points = Points::new(file.by_name("X").expect("X")).expect("finite");
    let h = file.by_name::<ndarray::OwnedRepr<f64>, ndarray::Ix0>("h").expect("h").into_scalar();
    for (name, blurring) in [("nonblur", false), ("blur", true)] {
        let params = MeanShift { bandwidth: Bandwidth::Fixed(h), blurring, ..MeanShift::default() };
        for steps in [1, 2, 5, 10, 30, 100, 200] {
            let theirs: Array2<f64> = file.by_name(&format!("{name}_T{steps}")).expect("positions");
            let theirs: Vec<Vec<f64>> = theirs.rows().into_iter().map(|r| r.to_vec()).collect();
            assert_close(&places_after(&points, None, &params, steps), &theirs, 1e-9);
            let labels: Array1<i64> =
                file.by_name(&format!("{name}_fix_T{steps}")).expect("labels");
            let grouping = fit(&MeanShift { fixed_iter: Some(steps), ..params.clone() }, &points);
            same_partition(&grouping.labels, &labels.to_vec());
        }
    }
}

#[test]
fn new_points_follow_the_golden_case() {
    let Some(mut file) = golden("golden/spectral/meanshift_80.npz") else {
        return;
    };
    let points = Points::new(file.by_name("X").expect("X")).expect("finite");
    let new = Points::new(file.by_name("Xnew").expect("Xnew")).expect("finite");
    let h = file.by_name::<ndarray::OwnedRepr<f64>, ndarray::Ix0>("h").expect("h").into_scalar();
    for (blurring, steps, all, theirs) in [
        (false, 200, "nonblur_fix_T200", "new_labels"),
        (true, 30, "blur30_labels", "new_blur_labels"),
    ] {
        let params = MeanShift {
            bandwidth: Bandwidth::Fixed(h),
            blurring,
            fixed_iter: Some(steps),
            ..MeanShift::default()
        };
        let (grouping, model) = params.group(&points, &Silent).expect("valid input");
        let old: Array1<i64> = file.by_name(all).expect("labels");
        let new_labels: Array1<i64> = file.by_name(theirs).expect("labels");
        let ours: Vec<Label> = grouping
            .labels
            .iter()
            .copied()
            .chain(model.predict(&new).expect("same columns"))
            .collect();
        let theirs: Vec<i64> = old.iter().chain(&new_labels).copied().collect();
        same_partition(&ours, &theirs);
    }
}
