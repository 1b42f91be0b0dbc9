use ndarray::{Array3, array};
use proptest::prelude::*;

use super::*;
use crate::select::ConstraintAgreement;

const N: usize = 24;

/// Constraints of every kind about 24 points, in a random order.
fn anything() -> impl Strategy<Value = Vec<(ConstraintKind, [usize; 3], f64)>> {
    let kind = prop::sample::select(ConstraintKind::ALL.to_vec());
    let three = [0usize..N, 0usize..N, 0usize..N];
    prop::collection::vec((kind, three, 0.5..2.0f64), 0..60)
}

/// Entries that name a point twice, or a labelled point again, are left out.
fn constraints(entries: &[(ConstraintKind, [usize; 3], f64)]) -> Constraints {
    let mut constraints = Constraints::new(N);
    for &(kind, points, weight) in entries {
        if kind == ConstraintKind::Label {
            let name = (points[1] % 3).to_string();
            let _ = constraints.add_label(points[0], &name, weight, Some("ann"));
        } else {
            let _ = constraints.add(kind, &points[..kind.arity()], weight, Some("ann"));
        }
    }
    constraints
}

/// Every entry but labels as text, sorted.
fn entries(constraints: &Constraints) -> Vec<String> {
    let mut all = Vec::new();
    for list in [constraints.must_links(), constraints.cannot_links()] {
        all.push("next kind".to_owned());
        all.extend(list.iter().map(|entry| format!("{entry:?}")));
    }
    for list in [constraints.odd_one_outs(), constraints.about_equals(), constraints.closers()] {
        all.push("next kind".to_owned());
        all.extend(list.iter().map(|entry| format!("{entry:?}")));
    }
    all.sort();
    all
}

fn without_labels(entries: &[(ConstraintKind, [usize; 3], f64)]) -> Constraints {
    let rest: Vec<_> =
        entries.iter().copied().filter(|entry| entry.0 != ConstraintKind::Label).collect();
    constraints(&rest)
}

proptest! {
    #[test]
    fn training_implies_nothing_that_is_tested(
        entries in anything(), folds in 2usize..5, seed: u64,
    ) {
        let constraints = constraints(&entries);
        for split in Folds::new(&constraints, folds, 2, seed)?.splits() {
            let closure = split.train.closure();
            let tested = split.test.must_links().iter().chain(split.test.cannot_links());
            for [a, b] in tested.map(|pair| pair.points) {
                prop_assert!(!closure.are_linked(a, b), "{a} and {b} are linked in training");
                prop_assert!(!closure.are_separated(a, b), "{a} and {b} are apart in training");
            }
            // A comparison is implied by others only through a chain of distances, and each of its
            // chains would have to pass through a distance of an item held out.
            let known = split.train.constrained_points();
            for kind in ConstraintKind::ALL {
                for entry in 0..split.test.count(kind) {
                    let points = split.test.points_of(kind, entry).unwrap();
                    prop_assert!(points.iter().any(|point| known.binary_search(point).is_err()));
                }
            }
        }
    }

    #[test]
    fn every_answer_is_on_exactly_one_side(entries in anything(), seed: u64) {
        let plain = without_labels(&entries);
        let whole = self::entries(&plain);
        for split in Folds::new(&plain, 3, 2, seed)?.splits() {
            let mut both = self::entries(&split.train);
            both.extend(self::entries(&split.test).into_iter().filter(|e| e != "next kind"));
            both.sort();
            prop_assert_eq!(&both, &whole);
        }
    }

    #[test]
    fn every_item_is_held_out_once_a_repeat_in_folds_of_even_size(
        entries in anything(), folds in 2usize..5, seed: u64,
    ) {
        let constraints = constraints(&entries);
        let items = constraints.constrained_points();
        let all = Folds::new(&constraints, folds, 3, seed)?;
        let expected = if items.len() < 2 { 0 } else { folds.min(items.len()) };
        prop_assert_eq!(all.splits().len(), 3 * expected);
        for repeat in all.splits().chunks(expected.max(1)) {
            let sizes = repeat.iter().map(|split| split.held_out.len());
            prop_assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1);
            let mut out: Vec<usize> = repeat.iter().flat_map(|s| s.held_out.clone()).collect();
            out.sort_unstable();
            prop_assert_eq!(&out, &items);
        }
    }

    #[test]
    fn labels_are_withheld_in_training_and_every_pair_of_them_is_tested(
        entries in anything(), seed: u64,
    ) {
        let constraints = constraints(&entries);
        let only_labels: Vec<_> =
            entries.iter().copied().filter(|entry| entry.0 == ConstraintKind::Label).collect();
        let labelled = self::constraints(&only_labels);
        for split in Folds::new(&labelled, 3, 1, seed)?.splits() {
            let out = |point: usize| split.held_out.contains(&point);
            let (mut together, mut apart) = (0, 0);
            for (i, a) in labelled.labels().iter().enumerate() {
                for b in &labelled.labels()[..i] {
                    let tested = usize::from(out(a.point) || out(b.point));
                    if a.label == b.label { together += tested } else { apart += tested }
                }
            }
            prop_assert_eq!(split.test.must_links().len(), together);
            prop_assert_eq!(split.test.cannot_links().len(), apart);
            for pair in split.test.must_links() {
                let [a, b] = pair.points;
                prop_assert_eq!(labelled.label_of(a), labelled.label_of(b));
            }
        }
        for split in Folds::new(&constraints, 3, 1, seed)?.splits() {
            prop_assert!(split.test.labels().is_empty());
            for label in constraints.labels() {
                let name = split.train.label_of(label.point).map(|l| &split.train.label_names()[l]);
                let expected = (!split.held_out.contains(&label.point))
                    .then(|| &constraints.label_names()[label.label]);
                prop_assert_eq!(name, expected);
            }
        }
    }

    #[test]
    fn splits_repeat_with_the_seed_whatever_the_order_of_constraints(
        (entries, shuffled) in anything()
            .prop_flat_map(|constraints| (Just(constraints.clone()), Just(constraints).prop_shuffle())),
        seed: u64,
    ) {
        // Of two labels on one point the first stands, and so does the first order of three points
        // that are about equal: there the order does matter.
        let rest = |list: &[(ConstraintKind, [usize; 3], f64)]| {
            let mut list = list.to_vec();
            for entry in &mut list {
                if entry.0 == ConstraintKind::Label {
                    entry.1[1] = entry.1[0] % 3;
                    entry.2 = 1.0;
                }
                if entry.0 == ConstraintKind::AboutEqual {
                    entry.1.sort_unstable();
                }
            }
            constraints(&list)
        };
        let (first, second) = (rest(&entries), rest(&shuffled));
        let folds = Folds::new(&first, 3, 2, seed)?;
        prop_assert_eq!(&folds, &Folds::new(&first, 3, 2, seed)?);
        let other = Folds::new(&second, 3, 2, seed)?;
        prop_assert_eq!(folds.splits().len(), other.splits().len());
        for (a, b) in folds.splits().iter().zip(other.splits()) {
            prop_assert_eq!(&a.held_out, &b.held_out);
            prop_assert_eq!(self::entries(&a.train), self::entries(&b.train));
            prop_assert_eq!(self::entries(&a.test), self::entries(&b.test));
        }
    }
}

#[test]
fn repeats_and_seeds_split_differently() {
    let mut constraints = Constraints::new(40);
    for i in 0..20 {
        constraints.must_link(i, i + 20).expect("in range");
    }
    let held_out = |seed| {
        let folds = Folds::new(&constraints, 3, 2, seed).expect("good parameters");
        let lists: Vec<Vec<usize>> = folds.splits().iter().map(|s| s.held_out.clone()).collect();
        lists
    };
    assert_ne!(held_out(0)[..3], held_out(0)[3..]);
    assert_ne!(held_out(0), held_out(1));
}

#[test]
fn of_many_pairs_of_labels_a_fair_sample_is_tested() {
    let mut constraints = Constraints::new(600);
    for point in 0..600 {
        let name = if point % 4 == 0 { "a" } else { "b" };
        constraints.label(point, name).expect("in range");
    }
    let folds = Folds::new(&constraints, 3, 1, 7).expect("good parameters");
    for split in folds.splits() {
        let (must, cannot) = (split.test.must_links(), split.test.cannot_links());
        assert_eq!(must.len() + cannot.len(), LABEL_PAIRS, "no pair is drawn twice");
        let out = |point: &usize| split.held_out.binary_search(point).is_ok();
        let pairs = || must.iter().chain(cannot).map(|pair| pair.points);
        assert!(pairs().all(|pair| pair.iter().any(out)));
        // 150 of one label, 450 of the other: 62% of all pairs share theirs; four standard errors.
        let share = must.len() as f64 / LABEL_PAIRS as f64;
        assert!((share - 0.6244).abs() < 0.031, "{share}");
        // 200 held out: of the pairs with an end out, 20% have both there.
        let both = pairs().filter(|pair| pair.iter().all(out)).count() as f64;
        assert!((both / LABEL_PAIRS as f64 - 0.1992).abs() < 0.025, "{both}");
    }
}

#[test]
fn weights_of_pairs_of_labels_are_those_of_the_agreement() {
    let mut constraints = Constraints::new(4);
    for (point, (name, weight)) in
        [("a", 0.5), ("a", 3.0), ("b", 2.0), ("b", 1e-300)].into_iter().enumerate()
    {
        constraints.add_label(point, name, weight, None).expect("in range");
    }
    let labels = [Some(0), Some(0), Some(0), Some(1)];
    let folds = Folds::new(&constraints, 4, 1, 0).expect("good parameters");
    let mut agreement = ConstraintAgreement::default();
    for split in folds.splits() {
        agreement += ConstraintAgreement::of(&labels, &split.test);
    }
    // With one item a fold every pair is tested twice.
    let whole = ConstraintAgreement::of(&labels, &constraints);
    assert!((agreement.must_links.constraints - 2.0 * whole.must_links.constraints).abs() < 1e-12);
    assert!((agreement.must_links.kept - 2.0 * whole.must_links.kept).abs() < 1e-12);
    assert!(
        (agreement.cannot_links.constraints - 2.0 * whole.cannot_links.constraints).abs() < 1e-12
    );
    assert!((agreement.score() - whole.score()).abs() < 1e-12);
}

#[test]
fn weights_whose_product_is_too_small_or_too_large_are_no_error() {
    let mut constraints = Constraints::new(4);
    for (point, weight) in [1e-300, 1e-300, 1e300, 1e300].into_iter().enumerate() {
        constraints.add_label(point, "a", weight, None).expect("in range");
    }
    let folds = Folds::new(&constraints, 2, 1, 0).expect("weights are brought into range");
    assert_eq!(folds.splits().len(), 2);
}

#[test]
fn too_few_folds_or_repeats_are_refused() {
    let constraints = Constraints::new(3);
    let message = |folds, repeats| {
        let refused = Folds::new(&constraints, folds, repeats, 0).expect_err("too few");
        refused.to_string()
    };
    assert_eq!(message(1, 2), "folds = 1 is out of range: it must be at least 2");
    assert_eq!(message(3, 0), "repeats = 0 is out of range: it must be at least 1");
}

#[test]
fn one_item_or_none_cannot_be_split() {
    let mut constraints = Constraints::new(3);
    assert!(Folds::new(&constraints, 3, 2, 0).expect("no constraint yet").splits().is_empty());
    constraints.label(1, "a").expect("in range");
    assert!(Folds::new(&constraints, 3, 2, 0).expect("one item").splits().is_empty());
}

#[test]
fn smoothing_averages_by_1_2_1_and_by_2_1_at_the_ends() {
    let scores = array![[1.0, 5.0, 0.0, 2.0]];
    let expected = [7.0 / 3.0, 11.0 / 4.0, 7.0 / 4.0, 4.0 / 3.0];
    assert_eq!(smooth(&scores, Axis(1)).row(0).to_vec(), expected);
    assert_eq!(smooth(&scores, Axis(0)), scores, "an axis of one is left alone");
}

#[test]
fn smoothing_a_spike_along_two_axes_of_three_gives_the_product_of_both_weights() {
    let mut scores = Array3::zeros((5, 2, 5));
    scores[[2, 1, 2]] = 16.0;
    let smoothed = smooth(&smooth(&scores, Axis(0)), Axis(2));
    let weights = [0.0, 1.0, 2.0, 1.0, 0.0];
    for ((i, j, k), &value) in smoothed.indexed_iter() {
        let expected = if j == 1 { weights[i] * weights[k] } else { 0.0 };
        assert_eq!(value, expected, "at {i}, {j}, {k}");
    }
    assert_eq!(smooth(&smooth(&scores, Axis(2)), Axis(0)), smoothed);
}

#[test]
fn there_are_enough_from_thirty_constraints_with_pairs_of_both_kinds() {
    let pairs = |must: usize, cannot: usize| {
        let mut constraints = Constraints::new(200);
        for i in 0..must {
            constraints.must_link(i, i + 100).expect("in range");
        }
        for i in 0..cannot {
            constraints.cannot_link(i, i + 101).expect("in range");
        }
        constraints
    };
    assert!(has_enough_constraints(&pairs(15, 15)));
    assert!(has_enough_constraints(&pairs(3, 27)));
    assert!(!has_enough_constraints(&pairs(15, 14)));
    assert!(!has_enough_constraints(&pairs(2, 60)), "two must-links say nothing");
    assert!(!has_enough_constraints(&pairs(60, 0)));
    let mut compared = pairs(60, 0);
    for i in 0..30 {
        compared.odd_one_out(i, i + 1, i + 2).expect("in range");
    }
    assert_eq!(effective_count(&compared), 30);
    assert!(has_enough_constraints(&compared));
}

#[test]
fn a_labelled_point_counts_as_two_pairs_at_most() {
    let labels = |count: usize, names: usize| {
        let mut constraints = Constraints::new(100);
        for i in 0..count {
            constraints.label(i, &(i % names).to_string()).expect("in range");
        }
        effective_count(&constraints)
    };
    assert_eq!(labels(15, 3), 30);
    assert_eq!(labels(4, 2), 0, "two pairs that share a label are too few");
    assert_eq!(labels(5, 2), 10);
    assert_eq!(labels(40, 1), 0, "one label parts nothing");
    assert_eq!(labels(40, 40), 0, "labels of one point each join nothing");
}
