use super::*;
use crate::numerics::rng::rng;
use crate::numerics::simd::Portable32;

#[test]
fn the_portable_loop_adds_the_same_distances() {
    let mut rng = rng(1);
    let low: Vec<f32> = (0..4 * RUN).map(|_| rng.uniform() as f32).collect();
    let high: Vec<f32> = low.iter().map(|x| x + rng.uniform() as f32).collect();
    for (runs, width) in [(vec![0, 2, 3], RUN), (vec![0], 4 * RUN)] {
        let sums = || vec![0.5f32; runs.len() * width];
        let [mut gap, mut mean, mut portable_gap, mut portable_mean] = [(); 4].map(|()| sums());
        let side = (0.4, 0.9);
        simd_dispatch!(f32x16, add_distances(&low, &high, side, &runs, width, &mut gap, &mut mean));
        let (simd, gap_sq, mean_sq) =
            (Portable32::AVAILABLE, &mut portable_gap, &mut portable_mean);
        add_distances(simd, &low, &high, side, &runs, width, gap_sq, mean_sq);
        assert_eq!(gap, portable_gap);
        assert_eq!(mean, portable_mean);
    }
}
