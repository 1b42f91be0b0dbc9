//! Values, and the landmarks made from them.

use ndarray::{Array2, Axis, array};
use proptest::prelude::*;

use super::super::tests::{kernels, points};
use super::super::{Bandwidth, Gram, Kernel, KernelValues, Landmarks, Profile};
use crate::Error;
use crate::problem::{KernelMatrix, Points};

fn per_point(kernel: &Kernel) -> bool {
    matches!(kernel, Kernel::Radial { bandwidth: Bandwidth::PerPoint(_), .. })
}

fn saved_and_loaded(landmarks: &Landmarks) -> Landmarks {
    let json = serde_json::to_string(landmarks).unwrap();
    let bytes = rmp_serde::to_vec_named(landmarks).unwrap();
    let loaded: Landmarks = serde_json::from_str(&json).unwrap();
    assert_eq!(rmp_serde::from_slice::<Landmarks>(&bytes).unwrap(), loaded);
    loaded
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_part_has_the_bits_of_the_full_matrix(
        n in 2usize..40, dims in 1usize..5, seed: u64, chosen in prop::collection::vec(0usize..1000, 0..12),
    ) {
        let points = points(n, dims, seed);
        let chosen: Vec<usize> = chosen.into_iter().map(|i| i % n).collect();
        for kernel in kernels(n) {
            let gram = Gram::new(&kernel, &points, 0).unwrap();
            let full = gram.full().unwrap();
            let matrix = KernelMatrix::new(full.clone()).unwrap();
            for values in [KernelValues::Gram(gram), KernelValues::Matrix(&matrix)] {
                prop_assert_eq!(values.len(), n);
                prop_assert_eq!(&values.full().unwrap(), &full);
                prop_assert_eq!(values.columns(&chosen).unwrap(), full.select(Axis(1), &chosen));
                let among = full.select(Axis(0), &chosen).select(Axis(1), &chosen);
                prop_assert_eq!(values.among(&chosen), among);
                for (i, value) in values.diagonal().into_iter().enumerate() {
                    prop_assert!((value - full[[i, i]]).abs() <= 1e-13 * value.abs());
                    prop_assert!((values.value(i, 0) - full[[i, 0]]).abs() <= 1e-13 * full[[i, 0]].abs());
                }
            }
        }
    }

    #[test]
    fn landmarks_know_new_points_as_the_whole_kernel_does(
        n in 2usize..40, dims in 1usize..5, seed: u64,
        chosen in prop::collection::vec(0usize..1000, 1..12), cut in 0usize..12,
    ) {
        let training = points(n, dims, seed);
        let new = points(17, dims, !seed);
        let chosen: Vec<usize> = chosen.into_iter().map(|i| i % n).collect();
        let rules = [
            Kernel::gaussian(Bandwidth::Percentile(0.3)),
            Kernel::gaussian(Bandwidth::Auto),
        ];
        for kernel in kernels(n).into_iter().chain(rules) {
            let gram = Gram::new(&kernel, &training, 0).unwrap();
            let values = KernelValues::Gram(gram.clone());
            let cut = cut % chosen.len();
            let mut landmarks = values.landmarks(&chosen);
            if cut > 0 {
                let (first, second) = chosen.split_at(cut);
                let stacked = values.landmarks(first).stacked(&values.landmarks(second));
                prop_assert_eq!(&stacked, &landmarks);
                landmarks = stacked;
            }
            prop_assert_eq!((landmarks.len(), landmarks.dims()), (chosen.len(), dims));
            let loaded = saved_and_loaded(&landmarks);
            prop_assert_eq!(&loaded, &landmarks);
            if per_point(&kernel) {
                let error = loaded.values(&new).unwrap_err();
                let is_bad = matches!(error, Error::BadParameter { parameter: "bandwidth", .. });
                prop_assert!(is_bad, "{error}");
                continue;
            }
            let cross = gram.cross(&new).unwrap();
            prop_assert_eq!(loaded.values(&new).unwrap(), cross.select(Axis(1), &chosen));
            prop_assert_eq!(loaded.values(&training).unwrap(), values.columns(&chosen).unwrap());
            prop_assert_eq!(loaded.self_values(&training).unwrap(), values.diagonal());
            // All points, in their order.
            let all = values.landmarks(&(0..n).collect::<Vec<_>>());
            prop_assert_eq!(saved_and_loaded(&all).values(&new).unwrap(), cross);
        }
    }
}

#[test]
fn a_row_of_a_kernel_matrix_is_a_new_point() {
    let matrix =
        KernelMatrix::new(array![[3.0, 1.0, 0.5], [1.0, 2.0, 0.0], [0.5, 0.0, 1.0]]).unwrap();
    let values = KernelValues::Matrix(&matrix);
    let landmarks = values.landmarks(&[2]).stacked(&values.landmarks(&[0]));
    assert_eq!(saved_and_loaded(&landmarks), landmarks);
    let new = Points::new(array![[7.0, 8.0, 9.0]]).unwrap();
    assert_eq!(landmarks.values(&new).unwrap(), array![[9.0, 7.0]]);
    assert_eq!(landmarks.dims(), 3);
    assert_eq!(
        landmarks.self_values(&new).unwrap_err().to_string(),
        "a kernel matrix cannot use the kernel value of a new point with itself; \
         fit on points, or ask for features instead"
    );
}

#[test]
fn new_points_with_another_number_of_columns_are_refused() {
    let training = points(5, 2, 0);
    let matrix = KernelMatrix::new(Array2::eye(4)).unwrap();
    let gram = Gram::new(&Kernel::Linear, &training, 0).unwrap();
    let new = points(3, 3, 1);
    for (values, expected) in [(KernelValues::Gram(gram), 2), (KernelValues::Matrix(&matrix), 4)] {
        let landmarks = values.landmarks(&[1]);
        let message =
            format!("the new points have 3 columns, but the model was fitted on {expected}");
        assert_eq!(landmarks.values(&new).unwrap_err().to_string(), message);
        assert_eq!(landmarks.self_values(&new).unwrap_err().to_string(), message);
    }
}

#[test]
fn points_in_one_place_stay_alike_to_landmarks() {
    let training = Points::new(Array2::from_elem((5, 2), 3.0)).unwrap();
    let new = Points::new(array![[3.0, 3.0], [3.0, 4.0]]).unwrap();
    for kernel in [
        Kernel::gaussian(Bandwidth::Auto),
        Kernel::SelfTuning { neighbors: 2 },
        Kernel::Radial { profile: Profile::Flat, bandwidth: Bandwidth::Silverman, truncation: 0.0 },
    ] {
        let values = KernelValues::Gram(Gram::new(&kernel, &training, 0).unwrap());
        let found = saved_and_loaded(&values.landmarks(&[1, 4])).values(&new).unwrap();
        assert_eq!(found.row(0), array![1.0, 1.0]);
    }
}

#[test]
fn damaged_landmarks_are_refused() {
    let refused = |json: &str| serde_json::from_str::<Landmarks>(json).unwrap_err().to_string();
    for (json, message) in [
        (
            r#"{"columns": {"columns": [0, 3], "n": 3}}"#,
            "columns = 3 is out of range: the kernel matrix has 3 columns, counted from 0",
        ),
        (
            r#"{"columns": {"columns": [], "n": 3}}"#,
            "the input is empty: it has 3 rows and 0 columns; at least one of each is needed",
        ),
        (
            r#"{"points": {"kernel": "linear", "dims": 2, "coordinates": [1, 2, 3], "training": null}}"#,
            "the list of coordinates has 3 entries where 2 are needed",
        ),
        (
            r#"{"points": {"kernel": {"radial": {"profile": "gaussian", "bandwidth": -1.0, "truncation": 0.0}},
                "dims": 1, "coordinates": [1], "training": null}}"#,
            "bandwidth = -1 is out of range: a bandwidth must be a finite number above 0",
        ),
        (
            r#"{"points": {"kernel": {"radial": {"profile": "rbf", "bandwidth": "neighbor(3)", "truncation": 0.0}},
                "dims": 1, "coordinates": [1], "training": [1, 2]}}"#,
            "bandwidth = neighbor(3) is out of range: of 2 points none has more than 1 neighbours",
        ),
        (
            r#"{"points": {"kernel": {"radial": {"profile": "rbf", "bandwidth": "silverman", "truncation": 0.0}},
                "dims": 1, "coordinates": [1], "training": null}}"#,
            "bandwidth = silverman is out of range: landmarks alone cannot follow this rule; it must be a number",
        ),
    ] {
        assert!(refused(json).starts_with(message), "{}", refused(json));
    }
}
