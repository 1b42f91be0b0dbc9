use super::*;
use crate::numerics::rng::rng;
use crate::numerics::simd::Portable64;

#[test]
fn the_portable_distances_to_points_and_boxes_are_the_same() {
    let dims = 5;
    let mut rng = rng(1);
    let points: Vec<f64> = (0..100 * dims).map(|_| rng.uniform()).collect();
    let blocks = Blocks::new(&points, dims);
    let x = [0.1, 0.9, 0.4, 0.7, 0.5];
    let close = |ours: &[f64], portable: &[f64]| {
        for (a, b) in ours.iter().zip(portable) {
            assert!((a - b).abs() <= 1e-14 * b.abs(), "{a} and {b}");
        }
    };
    let (mut ours, mut portable) = (Vec::new(), vec![0.0; blocks.n_blocks() * BLOCK_LEN]);
    blocks.distances(&x, &mut ours);
    distances(Portable64::AVAILABLE, blocks.coords(), &x, &mut portable);
    close(&ours, &portable);
    let Boxes { low, high, .. } = &blocks.block_boxes;
    let (mut ours, mut portable) = ([0.0; BLOCK_LEN], [0.0; BLOCK_LEN]);
    blocks.block_boxes.dist_sq::<NEAREST>(0, &x, &mut ours);
    box_dist_sq::<_, NEAREST>(Portable64::AVAILABLE, low, high, &x, &mut portable);
    close(&ours, &portable);
    blocks.block_boxes.dist_sq::<FARTHEST>(0, &x, &mut ours);
    box_dist_sq::<_, FARTHEST>(Portable64::AVAILABLE, low, high, &x, &mut portable);
    close(&ours, &portable);
}
