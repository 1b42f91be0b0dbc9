use proptest::prelude::*;

use crate::problem::Constraints;
use crate::problem::brute_force::pairs_and_labels;

/// Every pair of different points that the closure says must be together, or separated.
fn pairs_where(n: usize, holds: impl Fn(usize, usize) -> bool) -> Vec<[usize; 2]> {
    (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b])).filter(|&[a, b]| holds(a, b)).collect()
}

fn sorted(pairs: impl Iterator<Item = [usize; 2]>) -> Vec<[usize; 2]> {
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn a_must_link_chain_of_a_million_is_one_component() {
    let n = 1_000_000;
    let mut given = Constraints::new(n);
    for point in (1..n).rev() {
        given.must_link(point, point - 1).unwrap();
    }
    let closure = given.closure();
    assert_eq!(closure.n_components(), 1);
    assert_eq!(closure.members(0).len(), n);
    assert!(closure.are_linked(0, n - 1));
    assert_eq!(closure.n_must_link_pairs(), 499_999_500_000);
    assert_eq!(closure.must_link_pairs().next(), Some([0, 1]));
}

#[test]
fn as_many_labels_as_points_are_kept_apart_without_being_expanded() {
    let n = 100_000;
    let mut given = Constraints::new(n);
    for point in 0..n {
        given.label(point, &point.to_string()).unwrap();
    }
    let closure = given.closure();
    assert!(closure.are_separated(0, n - 1));
    assert_eq!(closure.n_cannot_link_pairs(), 4_999_950_000);
    assert_eq!(closure.cannot_link_components().nth(2), Some((0, 3)));
}

#[test]
fn without_constraints_every_point_is_a_component() {
    let closure = Constraints::new(3).closure();
    assert_eq!(closure.components(), [0, 1, 2]);
    assert_eq!(closure.must_link_pairs().count(), 0);
    assert_eq!(closure.cannot_link_components().count(), 0);
    assert_eq!(Constraints::new(0).closure().n_components(), 0);
}

#[test]
fn a_cannot_link_inside_a_component_separates_nothing() {
    let mut given = Constraints::new(3);
    given.must_link(0, 1).unwrap().cannot_link(1, 0).unwrap();
    let closure = given.closure();
    assert!(!closure.are_separated(0, 1));
    assert_eq!(closure.cannot_link_components().count(), 0);
}

#[test]
fn a_label_links_across_must_links_and_keeps_the_others_away() {
    let mut given = Constraints::new(6);
    given.must_link(4, 5).unwrap();
    given.label(0, "x").unwrap().label(4, "x").unwrap();
    given.label(2, "y").unwrap();
    let closure = given.closure();
    assert_eq!(closure.members(0), [0, 4, 5]);
    assert_eq!(closure.labelled_components(), [0, 2]);
    assert!(closure.are_separated(5, 2));
    assert!(!closure.are_separated(5, 1));
}

proptest! {
    #[test]
    fn the_closure_is_the_transitive_closure_of_the_matrix(given in pairs_and_labels(8)) {
        let constraints = given.constraints();
        let closure = constraints.closure();
        let linked = given.linked();
        let separated = given.separated(&linked);
        for a in 0..given.n {
            for b in 0..given.n {
                prop_assert_eq!(closure.are_linked(a, b), linked[a][b]);
                prop_assert_eq!(closure.are_separated(a, b), separated[a][b]);
            }
            let members: Vec<usize> = (0..given.n).filter(|&b| linked[a][b]).collect();
            prop_assert_eq!(closure.members(closure.component_of(a)), members);
        }
    }

    #[test]
    fn components_are_numbered_by_their_smallest_member(given in pairs_and_labels(8)) {
        let closure = given.constraints().closure();
        let firsts: Vec<usize> =
            (0..closure.n_components()).map(|component| closure.members(component)[0]).collect();
        prop_assert!(firsts.is_sorted());
        for (component, &first) in firsts.iter().enumerate() {
            prop_assert_eq!(closure.component_of(first), component);
        }
    }

    #[test]
    fn the_iterators_yield_each_implied_pair_once_and_their_counts_agree(
        given in pairs_and_labels(8),
    ) {
        let closure = given.constraints().closure();
        let linked = pairs_where(given.n, |a, b| closure.are_linked(a, b));
        let separated = pairs_where(given.n, |a, b| closure.are_separated(a, b));
        prop_assert_eq!(closure.n_must_link_pairs(), linked.len() as u128);
        prop_assert_eq!(closure.n_cannot_link_pairs(), separated.len() as u128);
        prop_assert_eq!(sorted(closure.must_link_pairs()), linked);
        prop_assert_eq!(sorted(closure.cannot_link_pairs()), separated);

        let components: Vec<(usize, usize)> = closure.cannot_link_components().collect();
        prop_assert!(components.is_sorted_by(|left, right| left < right));
        for a in 0..closure.n_components() {
            for b in a + 1..closure.n_components() {
                let are_separated = closure.are_components_separated(a, b);
                prop_assert_eq!(components.contains(&(a, b)), are_separated);
                prop_assert_eq!(closure.separated_from(b).any(|other| other == a), are_separated);
            }
        }
    }

    #[test]
    fn the_order_of_saying_does_not_matter(
        (given, shuffled) in pairs_and_labels(8).prop_flat_map(|given| {
            let shuffled = given.shuffled();
            (Just(given), shuffled)
        }),
    ) {
        prop_assert_eq!(given.constraints().closure(), shuffled.constraints().closure());
    }

    #[test]
    fn permuting_the_points_permutes_the_closure(
        (given, permutation) in pairs_and_labels(8).prop_flat_map(|given| {
            let permutation = Just((0..given.n).collect::<Vec<_>>()).prop_shuffle();
            (Just(given), permutation)
        }),
    ) {
        let before = given.constraints().closure();
        let after = given.permuted(&permutation).constraints().closure();
        for a in 0..given.n {
            for b in 0..given.n {
                let (c, d) = (permutation[a], permutation[b]);
                prop_assert_eq!(before.are_linked(a, b), after.are_linked(c, d));
                prop_assert_eq!(before.are_separated(a, b), after.are_separated(c, d));
            }
        }
    }
}
