use ndarray::Array2;
use proptest::prelude::*;

use super::*;
use crate::Error;

/// Points on a line.
fn line(places: &[f64]) -> Array2<f64> {
    Array2::from_shape_vec((places.len(), 1), places.to_vec()).expect("a column")
}

fn links(n: usize, pairs: &[[usize; 2]]) -> Constraints {
    let mut constraints = Constraints::new(n);
    for &[a, b] in pairs {
        constraints.must_link(a, b).expect("in range");
    }
    constraints
}

/// As section 6.3 says it: sort all others by distance, look the partner up.
fn ranks_by_sorting(features: &Array2<f64>, pairs: &[[usize; 2]]) -> Vec<usize> {
    let dist_sq = |a: usize, b: usize| {
        let gaps = &features.row(a) - &features.row(b);
        gaps.iter().map(|gap| gap * gap).sum::<f64>()
    };
    let rank = |from: usize, to: usize| {
        let mut others: Vec<usize> = (0..features.nrows()).filter(|&i| i != from).collect();
        others.sort_by(|&a, &b| dist_sq(from, a).total_cmp(&dist_sq(from, b)));
        let place = others.iter().position(|&other| dist_sq(from, other) == dist_sq(from, to));
        place.expect("the partner is among them") + 1
    };
    pairs.iter().flat_map(|&[a, b]| [rank(a, b), rank(b, a)]).collect()
}

proptest! {
    #[test]
    fn ranks_are_those_of_the_sorted_list_and_k_is_their_median_rounded_up(
        coordinates in prop::collection::vec((-4i8..5).prop_map(f64::from), 3 * 17),
        pairs in prop::collection::btree_set((0usize..17, 0usize..17), 1..12),
    ) {
        let features = Array2::from_shape_vec((17, 3), coordinates).unwrap();
        let pairs: Vec<[usize; 2]> = pairs.into_iter()
            .filter(|(a, b)| a < b).map(|(a, b)| [a, b]).collect();
        prop_assume!(!pairs.is_empty());
        let constraints = links(17, &pairs);
        let size = NeighborhoodSize::new(features.view(), &constraints, f64::INFINITY).unwrap();
        let expected = ranks_by_sorting(&features, &pairs);
        prop_assert_eq!(&size.ranks, &expected);
        prop_assert_eq!(size.held, pairs.len());

        let mut sorted = expected;
        sorted.sort_unstable();
        // An even number of ranks: two a link.
        let middle = sorted.len() / 2;
        let median = (sorted[middle - 1] + sorted[middle]) as f64 / 2.0;
        prop_assert_eq!(size.neighbors, median.ceil() as usize);
        prop_assert!((1..=16).contains(&size.neighbors));
    }
}

#[test]
fn the_two_ends_of_a_must_link_may_see_each_other_at_different_ranks() {
    // The end at 3 has one more neighbour, beyond it, that is nearer.
    let features = line(&[0.0, 1.0, 2.0, 3.0, 3.5]);
    let size = NeighborhoodSize::new(features.view(), &links(5, &[[0, 3]]), 100.0).expect("a link");
    assert_eq!(size.ranks, [3, 4]);
    assert_eq!(size.neighbors, 4);
}

#[test]
fn only_must_links_that_hold_count_unless_none_does() {
    let features = line(&[0.0, 0.1, 0.3, 0.6, 1.0, 5.0]);
    let constraints = links(6, &[[0, 1], [0, 5], [1, 5]]);
    let size = NeighborhoodSize::new(features.view(), &constraints, 0.05).expect("links");
    assert_eq!((size.held, size.ranks.as_slice()), (1, &[1, 1][..]));
    assert_eq!(size.neighbors, 1);
    let none = NeighborhoodSize::new(features.view(), &constraints, 0.001).expect("links");
    assert_eq!(none.held, 0);
    assert_eq!(none.ranks, [1, 1, 5, 5, 5, 4]);
    assert_eq!(none.neighbors, 5);
}

#[test]
fn without_must_links_there_is_no_size() {
    let mut constraints = Constraints::new(3);
    constraints.cannot_link(0, 1).expect("in range");
    assert_eq!(NeighborhoodSize::new(line(&[0.0, 1.0, 2.0]).view(), &constraints, 1.0), None);
}

#[test]
fn features_without_dimensions_put_every_partner_first() {
    let features = Array2::zeros((4, 0));
    let size = NeighborhoodSize::new(features.view(), &links(4, &[[1, 3]]), 0.0).expect("a link");
    assert_eq!((size.neighbors, size.held), (1, 1));
}

#[test]
fn columns_stored_one_after_the_other_are_read_as_rows() {
    let rows = Array2::from_shape_fn((9, 2), |(i, j)| ((i * 7 + j * 3) % 11) as f64);
    let columns = rows.t().as_standard_layout().into_owned().reversed_axes();
    assert!(!columns.is_standard_layout());
    let constraints = links(9, &[[0, 5], [2, 8]]);
    assert_eq!(
        NeighborhoodSize::new(rows.view(), &constraints, 1.0),
        NeighborhoodSize::new(columns.view(), &constraints, 1.0)
    );
}

#[test]
fn the_ks_to_try_surround_the_estimate() {
    assert_eq!(nearby(6, 1500), [2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24]);
    assert_eq!(nearby(1, 100), [1, 2, 3, 4]);
    assert_eq!(nearby(5, 7).last(), Some(&6));
    assert_eq!(nearby(50, 1), [1]);
    for estimate in 1..300 {
        let ks = nearby(estimate, 10_000);
        assert!(ks.contains(&estimate));
        assert!(ks.is_sorted_by(|a, b| a < b), "{ks:?}");
    }
}

#[test]
fn the_plateau_is_the_longest_stretch_of_one_number_of_clusters() {
    // The shape of SKMS Fig. 6a: many clusters at the estimate of 6, five from 10 to 23.
    let clusters = |k| match k {
        0..=3 => 40,
        4..=5 => 12,
        6..=9 => 8,
        10..=23 => 5,
        _ => 1,
    };
    let curve = stability(6, 1500, |k| Ok(clusters(k))).expect("counts");
    assert_eq!(curve.neighbors, nearby(6, 1500));
    assert_eq!(curve.clusters.last(), Some(&1));
    assert_eq!(curve.plateau(), Some((10, 20)));

    let one = stability(6, 1500, |_| Ok(1)).expect("counts");
    assert_eq!(one.plateau(), None);
    let cancelled = Error::Cancelled { iterations: 3 };
    let refused = stability(6, 1500, |_| Err(cancelled.clone()));
    assert_eq!(refused, Err(cancelled));
}
