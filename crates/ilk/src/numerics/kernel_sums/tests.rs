use super::*;
use crate::numerics::blocks::{BLOCK_LEN_F32, Blocks};
use crate::numerics::rng::rng;
use crate::numerics::simd::{Portable32, Portable64};

#[test]
fn the_portable_sums_of_every_profile_are_the_same() {
    let dims = 3;
    let mut rng = rng(1);
    let points: Vec<f64> = (0..100 * dims).map(|_| rng.uniform()).collect();
    let blocks = Blocks::new(&points, dims);
    let mass: Vec<f64> = (0..blocks.n_blocks() * BLOCK_LEN).map(|_| rng.uniform()).collect();
    let all: Vec<u32> = (0..blocks.n_blocks() as u32).collect();
    let queries = [0.2, 0.4, 0.6, 0.9, 0.1, 0.5, 0.3, 0.8, 0.7];
    let sources = KernelSources {
        coords: blocks.coords(),
        dims,
        inverse_bandwidth_sq: PerLane::Same(4.0),
        mass: Some(&mass),
    };
    macro_rules! compare {
        ($loop:ident, $body:ident, $factor:expr, $parameter:expr) => {
            let (mut ours, mut portable) = ([0.0; 3 * 4 * WIDTH], [0.0; 3 * 4 * WIDTH]);
            $loop(sources, $factor, $parameter, &all, &queries, &mut ours);
            let simd = Portable64::AVAILABLE;
            $body(simd, sources, $factor, $parameter, &all, &queries, &mut portable);
            for (a, b) in ours.iter().zip(&portable) {
                assert!((a - b).abs() <= 1e-12 * b.abs().max(1e-10), "{a} and {b}");
            }
        };
    }
    compare!(exponential_sums, exponential_sums_body, -0.5, 0.0);
    compare!(truncated_sums, truncated_sums_body, -1.0, 0.2);
    compare!(flat_sums, flat_sums_body, 1.0, 1.0);
    compare!(epanechnikov_sums, epanechnikov_sums_body, -1.0, 1.0);
}

#[test]
fn the_portable_sums_in_single_precision_are_the_same() {
    let dims = 2;
    let mut rng = rng(2);
    let points: Vec<f64> = (0..150 * dims).map(|_| rng.uniform()).collect();
    let coords = Blocks::new(&points, dims).coords_f32(1.0);
    let all: Vec<u32> = (0..(coords.len() / dims / BLOCK_LEN_F32) as u32).collect();
    let sources = KernelSources {
        coords: &coords,
        dims,
        inverse_bandwidth_sq: PerLane::Same(4.0),
        mass: None,
    };
    let (mut ours, mut portable) = ([0.0; 3 * WIDTH_F32], [0.0; 3 * WIDTH_F32]);
    exponential_sums_f32(sources, -0.5, 0.0, &all, &[0.3, 0.6], &mut ours);
    let simd = Portable32::AVAILABLE;
    exponential_sums_f32_body(simd, sources, -0.5, 0.0, &all, &[0.3, 0.6], &mut portable);
    for (a, b) in ours.iter().zip(&portable) {
        assert!((a - b).abs() <= 1e-5 * b.abs(), "{a} and {b}");
    }
}
