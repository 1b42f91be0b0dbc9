use super::*;
use crate::numerics::rng::rng;
use crate::numerics::simd::Portable64;

fn uniform(seed: u64, count: usize) -> Vec<f64> {
    let mut rng = rng(seed);
    (0..count).map(|_| rng.uniform()).collect()
}

fn assert_close(ours: &[f64], portable: &[f64]) {
    for (a, b) in ours.iter().zip(portable) {
        assert!((a - b).abs() <= 1e-14 * b.abs(), "{a} and {b}");
    }
}

#[test]
fn the_portable_combination_is_the_same() {
    let (vectors, factors) = (uniform(1, 5 * 24), uniform(2, 5));
    let mut ours = uniform(3, 24);
    let mut portable = ours.clone();
    add_combination(&vectors, &factors, &mut ours);
    combine(Portable64::AVAILABLE, &vectors, &factors, &mut portable);
    assert_close(&ours, &portable);
}

#[test]
fn the_portable_updates_are_the_same() {
    // Order 20: panels of 20, 12 and 4 rows.
    let starts = [0, 20 * LANES, 32 * LANES];
    let (vectors, scaled) = (uniform(4, PENDING * 24), uniform(5, PENDING * 24));
    let mut ours = uniform(6, 36 * LANES);
    let mut portable = ours.clone();
    add_rank_updates(&mut ours, &starts, &vectors, &scaled);
    let simd = Portable64::AVAILABLE;
    update_panels(simd, &mut portable, &starts, &vectors, &scaled);
    assert_close(&ours, &portable);
}
