use ilk::ndarray::{Array2, array};
use ilk::problem::Points;
use ilk_io::{Scale, Scaling};
use proptest::prelude::*;

fn points(data: Array2<f64>) -> Points {
    Points::new(data).unwrap()
}

#[test]
fn standard_equals_scikit_learn() {
    let points = points(array![[1.0, 200.0, 7.0], [2.0, 300.0, 7.0], [4.0, 700.0, 7.0]]);
    let scaling = Scale::Standard.fit(&points);
    // StandardScaler().fit(X).mean_, .scale_ and .transform(X) of scikit-learn 1.9.
    let near = |found: &[f64], expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        for (f, e) in found.iter().zip(expected) {
            assert!((f - e).abs() <= 1e-14 * e.abs().max(1.0), "{found:?}");
        }
    };
    near(&scaling.offset, &[2.333_333_333_333_333_5, 400.0, 7.0]);
    near(&scaling.factor, &[1.247_219_128_924_647, 216.024_689_946_928_67, 1.0]);
    near(
        scaling.apply(&points).unwrap().as_slice(),
        &[
            -1.069_044_967_649_697_8,
            -0.925_820_099_772_551_4,
            0.0,
            -0.267_261_241_912_424_5,
            -0.462_910_049_886_275_7,
            0.0,
            1.336_306_209_562_121_9,
            1.388_730_149_658_827_1,
            0.0,
        ],
    );
}

#[test]
fn minmax_reaches_both_ends_exactly() {
    let points = points(array![[0.1, -3.0], [0.7, -3.0], [0.3, -3.0]]);
    let scaled = Scale::MinMax.fit(&points).apply(&points).unwrap();
    assert_eq!([scaled.row(0)[0], scaled.row(1)[0]], [0.0, 1.0]);
    assert_eq!([scaled.row(0)[1], scaled.row(2)[1]], [0.0, 0.0]);
}

#[test]
fn none_changes_no_bit() {
    let points = points(array![[0.1, -0.0], [1e300, 5e-324]]);
    let scaling = Scale::None.fit(&points);
    assert!(scaling.is_identity());
    assert_eq!(scaling, Scaling::identity(2));
    assert_eq!(scaling.apply(&points).unwrap(), points);
}

#[test]
fn unit_rows_have_the_distances_of_the_cosine() {
    let points =
        points(array![[3.0, 4.0], [-6.0, 8.0], [0.0, 0.0], [1e200, 0.0], [1e-200, 1e-200]]);
    let scaling = Scale::Unit.fit(&points);
    assert!(!scaling.is_identity());
    let unit = scaling.apply(&points).unwrap();
    let dist_sq = |i: usize, j: usize| -> f64 {
        unit.row(i).iter().zip(unit.row(j)).map(|(x, y)| (x - y).powi(2)).sum()
    };
    assert!((dist_sq(0, 1) - 2.0 * (1.0 - 0.28)).abs() < 1e-15);
    assert_eq!(unit.row(2), [0.0, 0.0]);
    assert_eq!(unit.row(3), [1.0, 0.0]);
    assert!((unit.row(4)[0] - 0.5_f64.sqrt()).abs() < 1e-15);
}

#[test]
fn new_data_is_scaled_as_the_old() {
    let scaling = Scale::Standard.fit(&points(array![[0.0], [2.0]]));
    let new = scaling.apply(&points(array![[5.0]])).unwrap();
    assert_eq!(new.row(0), [4.0]);
    let wrong = scaling.apply(&points(array![[1.0, 2.0]])).unwrap_err();
    assert_eq!(wrong.to_string(), "the new points have 2 columns, but the model was fitted on 1");
}

#[test]
fn names_are_those_of_serde() {
    let scales = [Scale::None, Scale::Standard, Scale::MinMax];
    for (scale, name) in scales.iter().zip(Scale::NAMES) {
        assert_eq!(serde_json::to_value(scale).unwrap(), *name);
    }
}

proptest! {
    /// Magnitudes from the smallest double to beyond where squares overflow.
    #[test]
    fn scaled_data_is_finite_and_comes_back(
        cells in prop::collection::vec((-1.0..1.0f64, -300..300i32), 2..30),
        constant: bool,
    ) {
        let exponent = cells[0].1;
        let column: Vec<f64> = cells
            .iter()
            .map(|&(value, _)| if constant { cells[0].0 } else { value } * 10f64.powi(exponent))
            .collect();
        let data = points(Array2::from_shape_vec((column.len(), 1), column).unwrap());
        for scale in [Scale::Standard, Scale::MinMax] {
            let scaling = scale.fit(&data);
            let scaled = scaling.apply(&data).unwrap();
            let back = scaling.undo(&scaled.view().to_owned()).unwrap();
            let largest = data.as_slice().iter().fold(0.0, |m: f64, v| m.max(v.abs()));
            for (b, x) in back.iter().zip(data.as_slice()) {
                prop_assert!((b - x).abs() <= 1e-14 * largest, "{} for {}", b, x);
            }
        }
    }
}
