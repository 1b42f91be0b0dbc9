use super::*;
use crate::numerics::rng::rng;
use crate::numerics::simd::Portable32;

#[test]
fn the_portable_scores_are_the_same() {
    let (n, k, dims) = (21, 37, 70);
    let mut rng = rng(1);
    let points: Vec<f64> = (0..n * dims).map(|_| rng.uniform()).collect();
    let centers = ndarray::Array2::from_shape_simple_fn((k, dims), || rng.uniform());
    let distances = F32Distances::new(&points, dims);
    let centers = distances.f32_centers(centers.view());
    let numbers: Vec<usize> = (0..n).collect();
    let (mut ours, mut portable) = (F32Scores::default(), F32Scores::default());
    distances.scan(&numbers, &centers, &mut ours);
    portable.scores.resize(ours.scores.len(), 0.0);
    portable.best.resize(n, NearestTwo::default());
    let (all, best) = (&mut portable.scores, &mut portable.best);
    scores(Portable32::AVAILABLE, &distances, &numbers, &centers, all, best);
    for (a, b) in ours.scores.iter().zip(&portable.scores) {
        assert!((a - b).abs() <= 1e-5 * b.abs().max(1.0), "{a} and {b}");
    }
    for (a, b) in ours.best.iter().zip(&portable.best) {
        assert_eq!(a.center, b.center);
    }
    let (a, b) = (&distances.rows[..dims], &distances.rows[dims..2 * dims]);
    let (ours, portable) = (simd_dispatch!(f32x16, dot(a, b)), dot(Portable32::AVAILABLE, a, b));
    assert!((ours - portable).abs() <= 1e-5);
}
