use super::*;
use crate::numerics::rng::rng;
use crate::numerics::simd::Portable64;

#[test]
fn the_portable_distances_and_products_have_the_same_bits() {
    let (n, dims) = (37, 5);
    let mut rng = rng(1);
    let points = ndarray::Array2::from_shape_simple_fn((n, dims), || rng.uniform());
    let panels = Panels::new(points.view());
    let queries: Vec<f64> = (0..6 * dims).map(|_| rng.uniform()).collect();
    let simd = Portable64::AVAILABLE;
    let (mut ours, mut portable) = (vec![0.0; 6 * n], vec![0.0; 6 * n]);
    panels.dist_sq(&queries, 0..n, &mut ours);
    fill::<_, SquaredDifference>(simd, &panels, &queries, 0..n, &mut portable);
    assert_eq!(ours, portable);
    panels.dot(&queries, 0..n, &mut ours);
    fill::<_, Product>(simd, &panels, &queries, 0..n, &mut portable);
    assert_eq!(ours, portable);
}
