use super::*;
use crate::numerics::blocks::Blocks;
use crate::numerics::rng::rng;
use crate::numerics::simd::Portable64;

const PORTABLE: Available<Portable64> = Portable64::AVAILABLE;

fn uniform(count: usize) -> Vec<f64> {
    let mut rng = rng(count as u64);
    (0..count).map(|_| rng.uniform()).collect()
}

#[test]
fn the_portable_ball_query_finds_the_same_slots() {
    for dims in [1, 4, 9] {
        let blocks = Blocks::new(&uniform(300 * dims), dims);
        let all: Vec<u32> = (0..blocks.n_blocks() as u32).collect();
        let each = uniform(blocks.n_blocks() * BLOCK_LEN);
        let x = vec![0.4; dims];
        for radius_sq in [PerLane::Same(0.3), PerLane::Each(&each)] {
            let (mut ours, mut portable) = (Vec::new(), Vec::new());
            slots_within(blocks.coords(), &all, &x, radius_sq, &mut ours);
            let coords = blocks.coords();
            find_slots(PORTABLE, coords, &all, &x, radius_sq, &mut portable);
            assert!(!ours.is_empty());
            assert_eq!(ours, portable);
            for &slot in &ours {
                let point: Vec<f64> = blocks.point(slot as usize).collect();
                let bound = radius_sq.at(slot as usize);
                assert!(is_within(&point, &x, bound));
                assert!(compare(PORTABLE, &point, &x, bound));
            }
        }
    }
}

#[test]
fn the_portable_sum_of_rows_is_the_same() {
    for padded in [WIDTH, 2 * WIDTH, 3 * WIDTH] {
        let rows = uniform(40 * padded);
        let members: Vec<u32> = (0..40).step_by(3).collect();
        for mass in [Vec::new(), uniform(40)] {
            let (mut ours, mut portable) = (vec![0.0; padded], vec![0.0; padded]);
            sum_rows(&rows, &mass, &members, &mut ours);
            add_rows(PORTABLE, &rows, &mass, &members, &mut portable);
            for (a, b) in ours.iter().zip(&portable) {
                assert!((a - b).abs() <= 1e-14 * b.abs());
            }
        }
    }
}
