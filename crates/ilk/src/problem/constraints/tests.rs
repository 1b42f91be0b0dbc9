use proptest::prelude::*;

use super::*;
use crate::Error;

const PAIRS: [ConstraintKind; 2] = [ConstraintKind::MustLink, ConstraintKind::CannotLink];
const TRIPLETS: [ConstraintKind; 3] =
    [ConstraintKind::OddOneOut, ConstraintKind::AboutEqual, ConstraintKind::Closer];

#[test]
fn entries_keep_the_order_of_their_first_insertion() {
    let mut constraints = Constraints::new(9);
    constraints.must_link(8, 7).unwrap();
    constraints.must_link(0, 1).unwrap();
    constraints.must_link(7, 8).unwrap();
    constraints.must_link(3, 2).unwrap();
    let points: Vec<[usize; 2]> = constraints.must_links().iter().map(|pair| pair.points).collect();
    assert_eq!(points, [[7, 8], [0, 1], [2, 3]]);
}

#[test]
fn a_must_link_is_not_folded_into_a_cannot_link() {
    let mut constraints = Constraints::new(2);
    constraints.must_link(0, 1).unwrap().cannot_link(0, 1).unwrap();
    assert_eq!(constraints.count(ConstraintKind::MustLink), 1);
    assert_eq!(constraints.count(ConstraintKind::CannotLink), 1);
}

#[test]
fn an_odd_one_out_is_folded_over_the_order_of_the_two_but_not_over_the_odd_one() {
    let mut constraints = Constraints::new(3);
    constraints.odd_one_out(1, 0, 2).unwrap();
    constraints.odd_one_out(0, 1, 2).unwrap();
    constraints.odd_one_out(0, 2, 1).unwrap();
    let points: Vec<_> = constraints.odd_one_outs().iter().map(|t| t.points).collect();
    assert_eq!(points, [[0, 1, 2], [0, 2, 1]]);
}

#[test]
fn about_equal_is_folded_over_every_order_and_closer_over_none() {
    let mut constraints = Constraints::new(3);
    for [a, b, c] in [[2, 1, 0], [2, 0, 1], [1, 2, 0], [1, 0, 2], [0, 1, 2], [0, 2, 1]] {
        constraints.about_equal(a, b, c).unwrap().closer(a, b, c).unwrap();
    }
    assert_eq!(constraints.about_equals().len(), 1);
    assert_eq!(constraints.about_equals()[0].points, [2, 1, 0]);
    assert_eq!(constraints.closers().len(), 6);
    assert_eq!(constraints.closers()[0].points, [2, 1, 0]);
}

#[test]
fn folding_keeps_the_largest_weight_and_the_first_source_that_was_named() {
    let mut constraints = Constraints::new(4);
    for (weight, source) in [(2.0, None), (5.0, Some("ann")), (1.0, Some("bob")), (3.0, None)] {
        constraints.add(ConstraintKind::CannotLink, &[3, 1], weight, source).unwrap();
        constraints.add_label(2, "cat", weight, source).unwrap();
    }
    assert_eq!(constraints.cannot_links().len(), 1);
    assert_eq!(constraints.cannot_links()[0].weight, 5.0);
    assert_eq!(constraints.cannot_links()[0].source.as_deref(), Some("ann"));
    assert_eq!(constraints.labels().len(), 1);
    assert_eq!(constraints.labels()[0].weight, 5.0);
    assert_eq!(constraints.labels()[0].source.as_deref(), Some("ann"));
}

#[test]
fn a_source_named_often_is_held_once() {
    let mut constraints = Constraints::new(4);
    for pair in [[0, 1], [1, 2]] {
        constraints.add(ConstraintKind::MustLink, &pair, 1.0, Some("ann")).unwrap();
    }
    let source = |entry: usize| constraints.must_links()[entry].source.clone().unwrap();
    assert!(Arc::ptr_eq(&source(0), &source(1)));
}

#[test]
fn an_index_out_of_range_is_refused_with_its_kind_and_entry() {
    for kind in PAIRS.into_iter().chain(TRIPLETS) {
        let mut constraints = Constraints::new(4);
        let good = &[0, 1, 2][..kind.arity()];
        let bad = &[0, 4, 2][..kind.arity()];
        constraints.add(kind, good, 1.0, None).unwrap();
        let refused = constraints.add(kind, bad, 1.0, None).unwrap_err();
        let expected = Error::OutOfRange { kind, entry: 1, point: 4, n: 4 };
        assert_eq!(refused, expected);
        assert_eq!(
            refused.to_string(),
            format!("{kind} 1 names point 4, but there are only 4 points (0 to 3)")
        );
    }
    let refused = Constraints::new(4).label(9, "cat").unwrap_err();
    assert_eq!(refused.to_string(), "label 0 names point 9, but there are only 4 points (0 to 3)");
}

#[test]
fn a_point_named_twice_is_refused_wherever_it_stands() {
    for kind in PAIRS {
        let mut constraints = Constraints::new(4);
        let refused = constraints.add(kind, &[2, 2], 1.0, None);
        assert_eq!(
            refused.unwrap_err().to_string(),
            format!("{kind} 0 names point 2 twice; a point cannot be compared with itself")
        );
    }
    for kind in TRIPLETS {
        for points in [[2, 2, 1], [2, 1, 2], [1, 2, 2], [2, 2, 2]] {
            let mut constraints = Constraints::with_ids(["a", "b", "c"]).unwrap();
            let expected = Error::SelfPair { kind, entry: 0, point: "c".to_owned() };
            assert_eq!(constraints.add(kind, &points, 1.0, None).unwrap_err(), expected);
        }
    }
}

#[test]
fn a_weight_that_is_not_positive_and_finite_is_refused() {
    for kind in ConstraintKind::ALL {
        for weight in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut constraints = Constraints::new(3);
            let refused = match kind {
                ConstraintKind::Label => constraints.add_label(0, "cat", weight, None),
                _ => constraints.add(kind, &[0, 1, 2][..kind.arity()], weight, None),
            };
            assert_eq!(
                refused.unwrap_err().to_string(),
                format!("{kind} 0 has weight {weight}; weights must be positive and finite")
            );
            assert!(constraints.is_empty());
        }
    }
}

#[test]
fn a_wrong_number_of_points_is_refused() {
    for kind in PAIRS.into_iter().chain(TRIPLETS) {
        for found in (0..5).filter(|&found| found != kind.arity()) {
            let mut constraints = Constraints::new(9);
            let refused = constraints.add(kind, &[0, 1, 2, 3][..found], 1.0, None);
            let expected = Error::WrongArity { kind, entry: 0, found, expected: kind.arity() };
            assert_eq!(refused.unwrap_err(), expected);
        }
    }
}

#[test]
fn a_label_without_a_name_is_refused() {
    let mut constraints = Constraints::new(3);
    let refused = constraints.add(ConstraintKind::Label, &[1], 1.0, None);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "label 0 has no name; add labels with a call that takes one"
    );
}

#[test]
fn a_second_label_on_a_point_is_refused_and_leaves_no_trace() {
    let mut constraints = Constraints::with_ids(["rex", "tom"]).unwrap();
    constraints.label(0, "dog").unwrap();
    let before = constraints.clone();
    let refused = constraints.label_by_id("rex", "cat", 1.0, None).unwrap_err();
    assert_eq!(refused.to_string(), "point rex is labelled \"dog\" and \"cat\"; keep one");
    assert_eq!(constraints, before);
    assert_eq!(constraints.label_names(), ["dog"]);
}

#[test]
fn entries_are_numbered_over_all_that_was_offered() {
    let mut constraints = Constraints::new(3);
    constraints.must_link(0, 1).unwrap();
    constraints.must_link(1, 0).unwrap();
    constraints.must_link(1, 1).unwrap_err();
    constraints.cannot_link(0, 1).unwrap();
    let refused = constraints.must_link(0, 3).unwrap_err();
    assert!(matches!(refused, Error::OutOfRange { entry: 3, .. }));
    let refused = constraints.cannot_link(2, 2).unwrap_err();
    assert!(matches!(refused, Error::SelfPair { entry: 1, .. }));
}

#[test]
fn an_unknown_id_is_refused_with_its_kind_and_entry() {
    let mut constraints = Constraints::with_ids(["a", "b"]).unwrap();
    let refused = constraints.add_by_id(ConstraintKind::MustLink, &["a", "0"], 1.0, None);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "must-link 0 names id \"0\", which is not in the data"
    );
    let refused = constraints.label_by_id("z", "cat", 1.0, None);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "label 0 names id \"z\", which is not in the data"
    );
}

#[test]
fn a_repeated_id_is_refused_with_both_rows() {
    let refused = Constraints::with_ids(["a", "b", "c", "b"]).unwrap_err();
    assert_eq!(refused.to_string(), "id \"b\" stands in rows 1 and 3; ids must be unique");
}

#[test]
fn names_and_indices_lead_to_each_other_with_and_without_ids() {
    let named = Constraints::with_ids(["7", "x"]).unwrap();
    let bare = Constraints::new(3);
    for constraints in [&named, &bare] {
        for point in 0..constraints.n() {
            assert_eq!(constraints.index_of(&constraints.name_of(point)), Some(point));
        }
    }
    assert_eq!(named.index_of("7"), Some(0));
    assert_eq!(named.index_of("1"), None);
    assert_eq!(bare.index_of("3"), None);
    assert_eq!(bare.index_of("-1"), None);
}

#[test]
fn sentences_use_the_names_of_the_points() {
    let mut constraints = Constraints::with_ids(["a", "b", "c"]).unwrap();
    constraints.must_link(1, 0).unwrap().cannot_link(0, 2).unwrap();
    constraints.about_equal(0, 1, 2).unwrap().closer(2, 1, 0).unwrap();
    let sentence = |kind| constraints.describe(kind, 0);
    assert_eq!(sentence(ConstraintKind::MustLink).unwrap(), "a must-link b");
    assert_eq!(sentence(ConstraintKind::CannotLink).unwrap(), "a cannot-link c");
    assert_eq!(
        sentence(ConstraintKind::AboutEqual).unwrap(),
        "a, b and c are about equally different"
    );
    assert_eq!(sentence(ConstraintKind::Closer).unwrap(), "c is closer to b than to a");
    assert_eq!(sentence(ConstraintKind::Label), None);
}

#[test]
fn a_million_entries_fold_to_half_of_them() {
    let n = 500_001;
    let mut constraints = Constraints::new(n);
    for a in 0..n - 1 {
        constraints.must_link(a, a + 1).unwrap();
        constraints.must_link(a + 1, a).unwrap();
    }
    assert_eq!(constraints.must_links().len(), n - 1);
}

proptest! {
    #[test]
    fn what_is_kept_is_what_was_added_without_repetition(
        pairs in prop::collection::vec((0_usize..6, 0_usize..6, 1_u32..9), 0..40),
    ) {
        let mut constraints = Constraints::new(6);
        let mut expected: Vec<([usize; 2], f64)> = Vec::new();
        for (a, b, weight) in pairs {
            let weight = f64::from(weight);
            let accepted = constraints.add(ConstraintKind::MustLink, &[a, b], weight, None).is_ok();
            prop_assert_eq!(accepted, a != b);
            let points = [a.min(b), a.max(b)];
            match expected.iter_mut().find(|known| known.0 == points) {
                Some(known) => known.1 = known.1.max(weight),
                None if a != b => expected.push((points, weight)),
                None => {}
            }
        }
        let kept: Vec<_> = constraints.must_links().iter().map(|p| (p.points, p.weight)).collect();
        let mut points: Vec<usize> = expected.iter().flat_map(|&(points, _)| points).collect();
        points.sort_unstable();
        points.dedup();
        prop_assert_eq!(kept, expected);
        prop_assert_eq!(constraints.constrained_points(), points);
    }
}
