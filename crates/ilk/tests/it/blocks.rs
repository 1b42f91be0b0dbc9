//! Points in blocks and sums over them, against brute force.

use ilk::numerics::ball::slots_within;
use ilk::numerics::blocks::{BLOCK_LEN, Blocks};
use ilk::numerics::rng::rng;
use ilk::similarity::Profile;
use ilk::similarity::kernel_sums::{KernelSources, PerLane, weighted_sums, weighted_sums_f32};
use proptest::prelude::*;

fn dist_sq(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// Points on a coarse grid, so that ties, duplicates and constant columns occur.
fn grid_points(n: usize, dims: usize, seed: u64) -> Vec<f64> {
    let mut rng = rng(seed);
    (0..n * dims).map(|_| rng.below(6) as f64).collect()
}

proptest! {
    #[test]
    fn a_search_finds_exactly_the_points_within_reach(
        n in 1usize..400, dims in 1usize..7, seed in 0u64..1000, radius_sq in 0u32..40
    ) {
        let points = grid_points(n, dims, seed);
        let radius_sq = f64::from(radius_sq);
        let blocks = Blocks::new(&points, dims);
        let x = &points[..dims];
        let (mut near, mut slots) = (Vec::new(), Vec::new());
        blocks.near(x, radius_sq, &mut near);
        prop_assert!(near.is_sorted());
        slots_within(blocks.coords(), &near, x, PerLane::Same(radius_sq), &mut slots);
        let mut found: Vec<u32> = slots.iter().map(|&slot| blocks.order()[slot as usize]).collect();
        found.sort_unstable();
        let expected: Vec<u32> = (0..n as u32)
            .filter(|&i| dist_sq(&points[i as usize * dims..(i as usize + 1) * dims], x) <= radius_sq)
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn some_block_lies_within_the_upper_bound(n in 1usize..300, dims in 1usize..5, seed in 0u64..1000) {
        let points = grid_points(n, dims, seed);
        let blocks = Blocks::new(&points, dims);
        let x: Vec<f64> = (0..dims).map(|k| k as f64 * 1.7 - 1.0).collect();
        let bound = blocks.nearest_block_upper_sq(&x);
        let whole = |block: &[u32]| {
            block.iter().all(|&i| dist_sq(&points[i as usize * dims..(i as usize + 1) * dims], &x) <= bound * (1.0 + 1e-12))
        };
        prop_assert!(blocks.order().chunks(BLOCK_LEN).any(whole));
    }

    #[test]
    fn the_order_is_a_permutation_that_does_not_depend_on_the_input_order(
        n in 1usize..300, dims in 1usize..4, seed in 0u64..1000
    ) {
        let points = grid_points(n, dims, seed);
        let blocks = Blocks::new(&points, dims);
        let mut seen = blocks.order().to_vec();
        seen.sort_unstable();
        prop_assert!(seen.iter().copied().eq(0..n as u32));
        let mut shuffled: Vec<usize> = (0..n).collect();
        rng(seed).shuffle(&mut shuffled);
        let moved: Vec<f64> =
            shuffled.iter().flat_map(|&i| points[i * dims..(i + 1) * dims].to_vec()).collect();
        let moved = Blocks::new(&moved, dims);
        prop_assert_eq!(blocks.coords(), moved.coords());
    }

    #[test]
    fn weighted_sums_equal_the_plain_loop(
        n in 1usize..200, dims in 1usize..12, seed in 0u64..1000, kernel in 0usize..5
    ) {
        let profile =
            [Profile::Gaussian, Profile::Rbf, Profile::Truncated, Profile::Flat, Profile::Epanechnikov][kernel];
        let mut rng = rng(seed);
        let points: Vec<f64> = (0..n * dims).map(|_| rng.normal()).collect();
        let mass: Vec<f64> = (0..n).map(|_| 0.5 + rng.uniform()).collect();
        let bandwidths: Vec<f64> = (0..n).map(|_| 1.0 + rng.uniform()).collect();
        let blocks = Blocks::new(&points, dims);
        let all: Vec<u32> = (0..blocks.n_blocks() as u32).collect();
        let inverse: Vec<f64> = bandwidths.iter().map(|h| 1.0 / (h * h)).collect();
        let (inverse, masses) = (blocks.arrange(&inverse, 1.0), blocks.arrange(&mass, 0.0));
        let lanes = KernelSources {
            coords: blocks.coords(),
            dims,
            inverse_bandwidth_sq: PerLane::Each(&inverse),
            mass: Some(&masses),
        };
        let queries: Vec<f64> = (0..3 * dims).map(|_| rng.normal()).collect();
        let mut out = vec![0.0; 3 * (dims + 1)];
        weighted_sums(lanes, profile, 0.2, &all, &queries, &mut Vec::new(), &mut out);
        for (x, ours) in queries.chunks_exact(dims).zip(out.chunks_exact(dims + 1)) {
            let mut plain = vec![0.0; dims + 1];
            for i in 0..n {
                let y = &points[i * dims..(i + 1) * dims];
                let w = mass[i] * profile.weight(dist_sq(x, y), bandwidths[i], 0.2);
                for (sum, v) in plain.iter_mut().zip(y) {
                    *sum += w * v;
                }
                plain[dims] += w;
            }
            for (a, b) in ours.iter().zip(&plain) {
                prop_assert!((a - b).abs() <= 1e-12 * n as f64, "{a} against {b}");
            }
        }
    }

    #[test]
    fn single_precision_agrees_to_five_digits(n in 1usize..400, dims in 1usize..12, seed in 0u64..1000) {
        let mut rng = rng(seed);
        let points: Vec<f64> = (0..n * dims).map(|_| 3.0 * rng.normal()).collect();
        let blocks = Blocks::new(&points, dims);
        let x = &points[..dims];
        let mut wide = vec![0.0; dims + 1];
        let lanes = KernelSources {
            coords: blocks.coords(),
            dims,
            inverse_bandwidth_sq: PerLane::Same(1.0),
            mass: None,
        };
        let all: Vec<u32> = (0..blocks.n_blocks() as u32).collect();
        weighted_sums(lanes, Profile::Rbf, 0.0, &all, x, &mut Vec::new(), &mut wide);
        let coords = blocks.coords_f32(1.0);
        let lanes = KernelSources {
            coords: &coords,
            dims,
            inverse_bandwidth_sq: PerLane::Same(1.0f32),
            mass: None,
        };
        let pairs: Vec<u32> = (0..blocks.n_blocks().div_ceil(2) as u32).collect();
        let narrow_x: Vec<f32> = x.iter().map(|&v| v as f32).collect();
        let mut narrow = vec![0.0; dims + 1];
        weighted_sums_f32(lanes, -1.0, &pairs, &narrow_x, &mut Vec::new(), &mut narrow);
        for (a, b) in wide.iter().zip(&narrow) {
            prop_assert!((a - b).abs() <= 1e-5 * wide[dims] * 10.0, "{a} against {b}");
        }
    }
}
