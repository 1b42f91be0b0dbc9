use ndarray::{Array2, ArrayView2};
use proptest::prelude::*;

use super::{Neighbor, Neighbors, SelfNeighbor};

/// Points with many ties and duplicates (whole numbers), or with none, in 1 to 20 dimensions.
fn points() -> impl Strategy<Value = Array2<f64>> {
    (1usize..=20, 1usize..150, prop::bool::ANY).prop_flat_map(|(dims, n, whole)| {
        let coordinate =
            if whole { (-2i8..3).prop_map(f64::from).boxed() } else { (-1.0..1.0f64).boxed() };
        prop::collection::vec(coordinate, n * dims)
            .prop_map(move |v| Array2::from_shape_vec((n, dims), v).unwrap())
    })
}

/// All points by (distance, index), found by sorting.
fn ranked(points: ArrayView2<'_, f64>, query: &[f64]) -> Vec<Neighbor> {
    let mut all: Vec<Neighbor> = points
        .rows()
        .into_iter()
        .enumerate()
        .map(|(index, row)| Neighbor {
            index,
            dist_sq: row.iter().zip(query).map(|(a, b)| (a - b) * (a - b)).sum(),
        })
        .collect();
    all.sort_by(|a, b| a.dist_sq.total_cmp(&b.dist_sq).then(a.index.cmp(&b.index)));
    all
}

fn both(points: ArrayView2<'_, f64>) -> [Neighbors; 2] {
    [Neighbors::tree(points), Neighbors::scan(points)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nearest_equals_sorting_all_distances(
        points in points(), shift in prop_oneof![Just(0.0), -1.0..1.0f64], k in 0usize..200,
    ) {
        let query: Vec<f64> = points.row(0).iter().map(|x| x + shift).collect();
        let mut expected = ranked(points.view(), &query);
        expected.truncate(k);
        for index in both(points.view()) {
            prop_assert_eq!(&index.nearest(&query, k), &expected);
        }
    }

    #[test]
    fn tables_equal_sorting_all_distances(points in points(), k in 0usize..20) {
        let n = points.nrows();
        for index in both(points.view()) {
            let counted = index.nearest_all(k, SelfNeighbor::Included);
            let left_out = index.nearest_all(k, SelfNeighbor::Excluded);
            let each = index.nearest_each(points.view(), k);
            prop_assert_eq!(counted.k(), k.min(n));
            prop_assert_eq!(left_out.k(), k.min(n - 1));
            prop_assert_eq!(&each, &counted);
            for (i, row) in points.rows().into_iter().enumerate() {
                let mut expected = ranked(points.view(), row.as_slice().unwrap());
                prop_assert_eq!(counted.row(i), &expected[..k.min(n)]);
                expected.retain(|neighbor| neighbor.index != i);
                prop_assert_eq!(left_out.row(i), &expected[..k.min(n - 1)]);
            }
        }
    }

    #[test]
    fn within_is_every_point_at_most_that_far_by_index(
        points in points(), radius in prop_oneof![Just(0.0), Just(1.0), 0.0..3.0f64],
    ) {
        let query = points.row(points.nrows() / 2).to_vec();
        let mut expected = ranked(points.view(), &query);
        expected.retain(|neighbor| neighbor.dist_sq <= radius * radius);
        expected.sort_by_key(|neighbor| neighbor.index);
        for index in both(points.view()) {
            prop_assert_eq!(&index.within(&query, radius), &expected);
        }
    }
}

#[test]
fn ten_thousand_equal_points_are_found_by_index() {
    let few = Array2::from_elem((10_000, 2), 0.25);
    let many = Array2::from_elem((10_000, 64), 0.25);
    for index in
        [Neighbors::tree(few.view()), Neighbors::scan(few.view()), Neighbors::tree(many.view())]
    {
        let table = index.nearest_all(3, SelfNeighbor::Excluded);
        let indices = |i: usize| table.row(i).iter().map(|n| n.index).collect::<Vec<_>>();
        assert_eq!(indices(0), [1, 2, 3]);
        assert_eq!(indices(1), [0, 2, 3]);
        assert_eq!(indices(9_999), [0, 1, 2]);
        assert_eq!(index.within(&vec![0.25; index.dims()], 0.0).len(), 10_000);
    }
}

#[test]
fn the_route_is_chosen_by_the_dimension() {
    for (dims, is_tree) in [(1, true), (16, true), (17, false)] {
        let index = Neighbors::new(Array2::zeros((3, dims)).view());
        assert_eq!(matches!(index.index, super::SearchIndex::Tree(_)), is_tree);
    }
}

#[test]
fn equal_values_on_one_axis_do_not_unbalance_the_search() {
    let points = Array2::from_shape_fn((10_000, 2), |(i, k)| if k == 0 { 7.0 } else { i as f64 });
    let index = Neighbors::tree(points.view());
    let near = index.nearest(&[7.0, 5_000.4], 3);
    assert_eq!(near.iter().map(|n| n.index).collect::<Vec<_>>(), [5_000, 5_001, 4_999]);
}

#[test]
fn a_radius_that_is_no_distance_finds_nothing() {
    let points = Array2::zeros((5, 3));
    for index in both(points.view()) {
        assert!(index.within(&[0.0; 3], -1.0).is_empty());
        assert!(index.within(&[0.0; 3], f64::NAN).is_empty());
    }
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_threads() {
    let points =
        Array2::from_shape_fn((40_000, 3), |(i, k)| ((i * (k + 3) * 7_919) % 1_000) as f64);
    let table = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Neighbors::new(points.view()).nearest_all(8, SelfNeighbor::Excluded))
    };
    assert_eq!(table(1), table(3));
}
