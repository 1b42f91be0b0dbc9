use ndarray::Array2;
use proptest::prelude::*;

use super::{F32Distances, F32Scores, Panels, dist_sq, dot};

/// A few rows of coordinates, some of them equal, some far from the origin.
fn rows(max: usize, dims: usize) -> impl Strategy<Value = Array2<f64>> {
    let coordinate = prop_oneof![
        3 => -1e3..1e3f64,
        1 => (-3i8..3).prop_map(f64::from),
        1 => Just(1e9),
    ];
    (1..=max).prop_flat_map(move |n| {
        prop::collection::vec(coordinate.clone(), n * dims)
            .prop_map(move |v| Array2::from_shape_vec((n, dims), v).unwrap())
    })
}

fn two_sets() -> impl Strategy<Value = (Array2<f64>, Array2<f64>)> {
    (1usize..20).prop_flat_map(|dims| (rows(30, dims), rows(11, dims)))
}

proptest! {
    #[test]
    fn every_block_has_the_bits_of_the_plain_double_loop(
        (points, queries) in two_sets(), cut in 0.0..1.0f64,
    ) {
        let panels = Panels::new(points.view());
        let flat = queries.as_slice().unwrap();
        let start = (cut * points.nrows() as f64) as usize;
        let width = points.nrows() - start;
        let mut squares = vec![f64::NAN; queries.nrows() * width];
        let mut products = squares.clone();
        panels.dist_sq(flat, start..points.nrows(), &mut squares);
        panels.dot(flat, start..points.nrows(), &mut products);
        for (i, q) in queries.rows().into_iter().enumerate() {
            for j in 0..width {
                let x = points.row(start + j);
                let (mut square, mut product) = (0.0, 0.0);
                for k in 0..points.ncols() {
                    square += (x[k] - q[k]) * (x[k] - q[k]);
                    product += x[k] * q[k];
                }
                prop_assert_eq!(squares[i * width + j].to_bits(), square.to_bits());
                prop_assert_eq!(products[i * width + j].to_bits(), product.to_bits());
                let (q, x) = (q.as_slice().unwrap(), x.as_slice().unwrap());
                prop_assert_eq!(dist_sq(q, x).to_bits(), square.to_bits());
                prop_assert_eq!(dist_sq(x, q).to_bits(), square.to_bits());
                prop_assert_eq!(dot(q, x).to_bits(), product.to_bits());
            }
        }
    }

    #[test]
    fn mapped_blocks_cover_every_row_once_and_in_order((points, queries) in two_sets()) {
        let panels = Panels::new(points.view());
        let blocks = panels.map_dist_sq(queries.as_slice().unwrap(), |rows, block| {
            (rows, block.to_vec())
        });
        let rows: Vec<usize> = blocks.iter().flat_map(|(rows, _)| rows.clone()).collect();
        prop_assert_eq!(rows, (0..queries.nrows()).collect::<Vec<_>>());
        let mut all = vec![0.0; queries.nrows() * points.nrows()];
        panels.dist_sq(queries.as_slice().unwrap(), 0..points.nrows(), &mut all);
        let visited: Vec<f64> = blocks.into_iter().flat_map(|(_, block)| block).collect();
        prop_assert_eq!(visited, all);
    }
}

proptest! {
    #[test]
    fn the_nearest_place_is_that_of_the_plain_loop_and_the_bounds_hold(
        (points, places) in two_sets(), copies in 1usize..5,
    ) {
        // Some places are points, so that there are distances of 0 and ties.
        let mut places = places;
        for c in 0..copies.min(places.nrows()).min(points.nrows()) {
            places.row_mut(c).assign(&points.row(points.nrows() - 1 - c));
        }
        let flat = points.as_slice().unwrap();
        let f32_distances = F32Distances::new(flat, points.ncols());
        let laid = f32_distances.f32_centers(places.view());
        let numbers: Vec<usize> = (0..points.nrows()).rev().collect();
        let mut scan = F32Scores::default();
        f32_distances.scan(&numbers, &laid, &mut scan);
        let exact = |i: usize, c: usize| {
            dist_sq(points.row(i).as_slice().unwrap(), places.row(c).as_slice().unwrap())
        };
        let k = places.nrows();
        let mut far = vec![0.0; k * points.nrows()];
        f32_distances.dist_sq(0..points.nrows(), &laid, &mut F32Scores::default(), exact, &mut far);
        for (at, &i) in numbers.iter().enumerate() {
            let row = points.row(i);
            let found = f32_distances.nearest(i, &laid, &scan, at, row.as_slice().unwrap(), places.view());
            let nearest = (0..k).fold(0, |best, c| if exact(i, c) < exact(i, best) { c } else { best });
            prop_assert_eq!(found.center, nearest);
            let slack = 1.0 + 1e-12;
            let distance = |c: usize| exact(i, c).sqrt() / f32_distances.scale();
            prop_assert!(distance(nearest) <= found.upper * slack);
            for c in 0..k {
                prop_assert!(c == nearest || found.lower <= distance(c) * slack);
                prop_assert!(distance(c) <= f32_distances.upper(i, &laid, c) * slack);
                let off = (far[c * points.nrows() + i] - exact(i, c)).abs();
                prop_assert!(off <= 2e-3 * exact(i, c), "{off} of {}", exact(i, c));
            }
        }
    }
}

#[test]
fn close_points_far_from_the_origin_keep_their_digits() {
    let (a, b) = ([1e8, 1e8], [1e8 + 1e-6, 1e8]);
    let gap = b[0] - a[0];
    assert_eq!(dist_sq(&a, &b), gap * gap);
    // What the dot-product form makes of the same pair.
    assert_eq!(dot(&a, &a) + dot(&b, &b) - 2.0 * dot(&a, &b), 0.0);
}
