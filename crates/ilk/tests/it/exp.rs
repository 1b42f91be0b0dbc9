//! The SIMD exponential against the standard library, in units in the last place.

use ilk::numerics::exp::{exp_in_place, exp_in_place_f32};
use proptest::prelude::*;

/// How many doubles lie between two results. Non-negative floats order like their bits.
fn ulps(a: f64, b: f64) -> u64 {
    a.to_bits().abs_diff(b.to_bits())
}

fn ulps_f32(a: f32, b: f32) -> u32 {
    a.to_bits().abs_diff(b.to_bits())
}

fn worst(values: &[f64]) -> (u64, f64) {
    let mut ours = values.to_vec();
    exp_in_place(&mut ours);
    values.iter().zip(&ours).map(|(&x, &y)| (ulps(x.exp(), y), x)).max_by_key(|&(u, _)| u).unwrap()
}

#[test]
fn f64_is_within_2_ulp_on_a_dense_grid_of_the_whole_range() {
    let grid: Vec<f64> = (0..2_000_000).map(|i| -750.0 + f64::from(i) * 0.000_731).collect();
    let (ulp, x) = worst(&grid);
    assert!(ulp <= 2, "{ulp} ulp at {x}");
}

#[test]
fn f32_is_within_4_ulp_at_every_seventh_float() {
    // Every float between -110 and 90 by its bits, in steps of seven, both signs.
    let magnitudes = (0..f32::to_bits(110.0)).step_by(7).map(f32::from_bits);
    let mut batch = Vec::with_capacity(1 << 16);
    let check = |batch: &mut Vec<f32>| {
        let mut ours = batch.clone();
        exp_in_place_f32(&mut ours);
        for (&x, &y) in batch.iter().zip(&ours) {
            let truth = f64::from(x).exp() as f32;
            assert!(ulps_f32(truth, y) <= 4, "{} ulp at {x:e}", ulps_f32(truth, y));
        }
        batch.clear();
    };
    for x in magnitudes {
        batch.push(x);
        batch.push(-x);
        if batch.len() >= 1 << 16 {
            check(&mut batch);
        }
    }
    check(&mut batch);
}

#[test]
fn special_values_are_those_of_the_standard_library() {
    for x in [
        0.0,
        -0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        709.9,
        1e308,
        -745.2,
        -746.0,
        -1e308,
        f64::MIN_POSITIVE,
    ] {
        let mut y = [x];
        exp_in_place(&mut y);
        assert_eq!(y[0].to_bits(), x.exp().to_bits(), "exp({x})");
        let x = x as f32;
        let mut y = [x];
        exp_in_place_f32(&mut y);
        assert_eq!(y[0].to_bits(), x.exp().to_bits(), "exp({x}) in single precision");
    }
    let mut nan = [f64::NAN];
    exp_in_place(&mut nan);
    assert!(nan[0].is_nan());
    let mut nan = [f32::NAN];
    exp_in_place_f32(&mut nan);
    assert!(nan[0].is_nan());
}

proptest! {
    #[test]
    fn f64_is_within_2_ulp_everywhere(values in prop::collection::vec(-750.0..750.0f64, 1..200)) {
        let (ulp, x) = worst(&values);
        prop_assert!(ulp <= 2, "{ulp} ulp at {x}");
    }

    #[test]
    fn f64_is_within_2_ulp_for_tiny_arguments(exponent in -300..0i32, mantissa in -10.0..10.0f64) {
        let (ulp, x) = worst(&[mantissa * 10f64.powi(exponent)]);
        prop_assert!(ulp <= 2, "{ulp} ulp at {x}");
    }
}
