use super::*;
use crate::numerics::rng::rng;
use crate::numerics::simd::Portable64;

#[test]
fn the_portable_search_finds_the_same_neighbors() {
    for dims in [1, 3, 7] {
        let mut rng = rng(dims as u64);
        let points = ndarray::Array2::from_shape_simple_fn((300, dims), || rng.uniform());
        let tree = Tree::new(points.view());
        let query = vec![0.3; dims];
        let (mut ours, mut portable) = (KNearest::new(9), KNearest::new(9));
        tree.nearest(&query, &mut ours);
        nearest(Portable64::AVAILABLE, &tree, &query, &mut portable);
        let none = Neighbor { index: 0, dist_sq: 0.0 };
        let mut found = [[none; 9]; 2];
        ours.take_sorted(&mut found[0]);
        portable.take_sorted(&mut found[1]);
        assert_eq!(found[0], found[1]);
    }
}
