use super::*;
use crate::numerics::rng::rng;
use crate::numerics::simd::Portable64;

const PORTABLE: Available<Portable64> = Portable64::AVAILABLE;

fn uniform(count: usize) -> Vec<f64> {
    let mut rng = rng(count as u64);
    (0..count).map(|_| rng.uniform()).collect()
}

fn assert_close(ours: &[f64], portable: &[f64]) {
    for (a, b) in ours.iter().zip(portable) {
        assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} and {b}");
    }
}

#[test]
fn the_portable_kernel_has_the_same_support_and_values() {
    let mut dist_sq = uniform(5 * BLOCK_LEN);
    dist_sq[BLOCK_LEN..2 * BLOCK_LEN].fill(9.0);
    for (shape, factor, bound, ball) in
        [(Shape::Truncated { floor: 0.3 }, -2.0, 0.3, false), (Shape::Ball, 2.0, 1.0, true)]
    {
        let ours = look_up(&dist_sq, 0.6, 2.0, shape);
        let mut blocks = Vec::new();
        blocks_within(PORTABLE, &dist_sq, 0.6, &mut blocks);
        assert_eq!(ours.blocks, blocks);
        assert_eq!(blocks, [0, 2, 3, 4]);
        let mut values = vec![0.0; ours.values.len()];
        kernel_in_blocks(PORTABLE, &dist_sq, &blocks, factor, bound, ball, &mut values);
        assert_close(&ours.values, &values);
    }
}

#[test]
fn the_portable_product_is_the_same() {
    let row_kernel = uniform(BLOCK_LEN);
    let columns = Support { blocks: vec![0, 2], values: uniform(2 * BLOCK_LEN) };
    for (times, keep_smallest) in [(1.0f64, false), (3.5, false), (900.0, true)] {
        let product = |is_portable: bool| {
            let mut weights = vec![1.0; BLOCK_LEN * 3 * BLOCK_LEN];
            let mut is_positive = vec![true; BLOCK_LEN * 3];
            let mut rows =
                WeightRows { weights: &mut weights, is_positive: &mut is_positive, keep_smallest };
            if is_portable {
                let (whole, part) = (times.floor() as u32, times.fract());
                let (blocks, values) = (&columns.blocks, &columns.values);
                reduce_rows(PORTABLE, &mut rows, &row_kernel, blocks, values, whole, part);
            } else {
                reduce(&mut rows, &row_kernel, &columns, 0, times);
            }
            (weights, is_positive)
        };
        let (ours, portable) = (product(false), product(true));
        assert_close(&ours.0, &portable.0);
        assert_eq!(ours.1, portable.1);
    }
}
