use super::*;
use crate::numerics::simd::{Portable32, Portable64};

#[test]
fn the_portable_exponential_is_the_same_to_the_last_bits() {
    let values: Vec<f64> = (-800..800).map(|i| f64::from(i) * 0.93).collect();
    let (mut ours, mut portable) = (values.clone(), values.clone());
    exp_in_place(&mut ours);
    exp_slice::<_, 8>(Portable64::AVAILABLE, &mut portable);
    for (a, b) in ours.iter().zip(&portable) {
        assert!(a == b || (a / b - 1.0).abs() <= 1e-13, "{a:e} and {b:e}");
    }
    let values: Vec<f32> = (-80..80).map(|i| i as f32 * 0.93).collect();
    let (mut ours, mut portable) = (values.clone(), values);
    exp_in_place_f32(&mut ours);
    exp_slice::<_, 16>(Portable32::AVAILABLE, &mut portable);
    for (a, b) in ours.iter().zip(&portable) {
        assert!(a == b || (a / b - 1.0).abs() <= 1e-4, "{a:e} and {b:e}");
    }
}
