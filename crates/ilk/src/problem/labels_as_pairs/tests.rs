use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// Points 0, 1, ... with the labels of `classes`.
fn labelled(classes: &[usize]) -> Constraints {
    let mut constraints = Constraints::new(classes.len());
    for (point, class) in classes.iter().enumerate() {
        constraints.label(point, &class.to_string()).expect("in range");
    }
    constraints
}

fn points(pairs: &[crate::problem::Pair]) -> BTreeSet<[usize; 2]> {
    pairs.iter().map(|pair| pair.points).collect()
}

/// Every pair i < j by whether the classes are the same.
fn all_pairs(classes: &[usize], same: bool) -> BTreeSet<[usize; 2]> {
    let n = classes.len();
    (0..n)
        .flat_map(|i| (i + 1..n).map(move |j| [i, j]))
        .filter(|&[i, j]| (classes[i] == classes[j]) == same)
        .collect()
}

proptest! {
    #[test]
    fn small_classes_are_spelled_out_and_parted_as_often_as_they_are_joined(
        classes in prop::collection::vec(0usize..6, 0..30), seed: u64,
    ) {
        let largest = (0..6).map(|c| classes.iter().filter(|&&x| x == c).count()).max();
        prop_assume!(largest <= Some(9));
        let pairs = with_labels_as_pairs(&labelled(&classes), seed)?;
        let (together, apart) = (all_pairs(&classes, true), all_pairs(&classes, false));
        prop_assert_eq!(points(pairs.must_links()), together.clone());

        let made = points(pairs.cannot_links());
        prop_assert!(made.is_subset(&apart));
        let labels: BTreeSet<BTreeSet<usize>> =
            apart.iter().map(|pair| pair.map(|p| classes[p]).into()).collect();
        prop_assert_eq!(made.len(), together.len().max(labels.len()).min(apart.len()));
        let met: BTreeSet<BTreeSet<usize>> =
            made.iter().map(|pair| pair.map(|p| classes[p]).into()).collect();
        prop_assert_eq!(met, labels);
    }

    #[test]
    fn in_a_large_class_every_point_has_8_links_and_all_are_connected(
        size in 10usize..120, seed: u64,
    ) {
        let pairs = with_labels_as_pairs(&labelled(&vec![0; size]), seed)?;
        prop_assert_eq!(pairs.must_links().len(), 4 * size);
        let mut degree = vec![0; size];
        for [a, b] in pairs.must_links().iter().map(|pair| pair.points) {
            degree[a] += 1;
            degree[b] += 1;
        }
        prop_assert_eq!(degree, vec![8; size]);
        prop_assert_eq!(pairs.closure().n_components(), 1);
        prop_assert!(pairs.cannot_links().is_empty());
    }

    #[test]
    fn the_order_of_saying_changes_nothing(
        order in Just((0..40usize).collect::<Vec<_>>()).prop_shuffle(), seed: u64,
    ) {
        let class = |point: usize| if point.is_multiple_of(8) { point } else { 0 };
        let classes: Vec<usize> = (0..40).map(class).collect();
        let mut shuffled = Constraints::new(40);
        for &point in &order {
            shuffled.label(point, &class(point).to_string())?;
        }
        let pairs = with_labels_as_pairs(&labelled(&classes), seed)?;
        prop_assert_eq!(pairs, with_labels_as_pairs(&shuffled, seed)?);
    }

    #[test]
    fn stepping_over_taken_numbers_counts_the_free_ones(
        taken in prop::collection::btree_set(0usize..30, 0..20),
    ) {
        let taken: Vec<usize> = taken.into_iter().collect();
        let free: Vec<usize> = (0..30).filter(|number| !taken.contains(number)).collect();
        let mut numbers: Vec<usize> = (0..free.len()).collect();
        skip_taken(&taken, &mut numbers);
        prop_assert_eq!(numbers, free);
    }
}

#[test]
fn another_seed_draws_other_pairs() {
    let classes: Vec<usize> = (0..90).map(|point| point % 3).collect();
    let drawn = |seed| with_labels_as_pairs(&labelled(&classes), seed).expect("valid");
    let (first, second) = (drawn(0), drawn(1));
    assert_ne!(points(first.must_links()), points(second.must_links()));
    assert_ne!(points(first.cannot_links()), points(second.cannot_links()));
}

#[test]
fn every_two_points_of_different_labels_are_as_likely_to_be_parted() {
    // Ten classes of two: one pair of four for every two labels. Two classes of eight: 56 pairs of
    // 64, as there are 56 links. Counts over 400 seeds lie within five standard deviations.
    for (labels, size, share) in [(10, 2, 0.25), (2, 8, 0.875_f64)] {
        let classes: Vec<usize> = (0..labels * size).map(|point| point % labels).collect();
        let mut drawn = BTreeMap::new();
        for seed in 0..400 {
            let pairs = with_labels_as_pairs(&labelled(&classes), seed).expect("valid");
            for pair in points(pairs.cannot_links()) {
                *drawn.entry(pair).or_insert(0.0) += 1.0;
            }
        }
        let bound = 5.0 * (400.0 * share * (1.0 - share)).sqrt();
        assert_eq!(drawn.len(), all_pairs(&classes, false).len());
        for (pair, count) in drawn {
            assert!((count - 400.0 * share).abs() < bound, "{pair:?} {count} times");
        }
    }
}

#[test]
fn labels_of_one_point_each_make_a_bounded_number_of_pairs() {
    let classes: Vec<usize> = (0..3000).collect();
    let pairs = with_labels_as_pairs(&labelled(&classes), 0).expect("valid");
    assert!(pairs.must_links().is_empty());
    assert_eq!(pairs.cannot_links().len(), 4 * 3000);
}

#[test]
fn weights_are_the_smaller_of_two_and_sources_stay_where_both_are_the_same() {
    let mut constraints = Constraints::new(4);
    constraints
        .add_label(0, "a", 0.5, Some("ann"))
        .and_then(|constraints| constraints.add_label(1, "a", 2.0, Some("ann")))
        .and_then(|constraints| constraints.add_label(2, "b", 1.0, Some("bob")))
        .expect("in range");
    let pairs = with_labels_as_pairs(&constraints, 3).expect("valid");
    let link = &pairs.must_links()[0];
    assert_eq!((link.points, link.weight), ([0, 1], 0.5));
    assert_eq!(link.source.as_deref(), Some("ann"));
    let part = &pairs.cannot_links()[0];
    assert_eq!(part.weight, if part.points == [0, 2] { 0.5 } else { 1.0 });
    assert_eq!(part.source, None);
}

#[test]
fn other_constraints_stay_in_their_place() {
    let mut constraints = Constraints::with_ids(["p", "q", "r", "s"]).expect("unique");
    constraints
        .must_link(2, 3)
        .and_then(|constraints| constraints.label(3, "a"))
        .and_then(|constraints| constraints.cannot_link(0, 1))
        .and_then(|constraints| constraints.odd_one_out(0, 1, 2))
        .and_then(|constraints| constraints.about_equal(1, 2, 3))
        .and_then(|constraints| constraints.closer(3, 1, 0))
        .and_then(|constraints| constraints.label(2, "a"))
        .and_then(|constraints| constraints.label(0, "a"))
        .expect("in range");
    let pairs = with_labels_as_pairs(&constraints, 0).expect("valid");
    assert_eq!(pairs.ids(), constraints.ids());
    assert_eq!(pairs.must_links()[0], constraints.must_links()[0]);
    assert_eq!(points(pairs.must_links()), [[2, 3], [0, 2], [0, 3]].into());
    assert_eq!(pairs.must_links().len(), 3, "a given pair is not added twice");
    assert_eq!(pairs.cannot_links(), constraints.cannot_links());
    assert_eq!(pairs.odd_one_outs(), constraints.odd_one_outs());
    assert_eq!(pairs.about_equals(), constraints.about_equals());
    assert_eq!(pairs.closers(), constraints.closers());
    assert!(pairs.labels().is_empty() && pairs.label_names().is_empty());
}

#[test]
fn of_many_labels_some_are_drawn_and_of_every_class_two() {
    let classes: Vec<usize> = (0..900).map(|i| if i < 20 { i / 2 + 1 } else { 0 }).collect();
    let pairs = with_some_labels_as_pairs(&labelled(&classes), 60, 5).unwrap();
    let named: BTreeSet<usize> = pairs.must_links().iter().flat_map(|pair| pair.points).collect();
    assert_eq!(named.len(), 60);
    assert!((0..20).all(|point| named.contains(&point)), "{named:?}");
    for pair in pairs.must_links() {
        assert_eq!(classes[pair.points[0]], classes[pair.points[1]]);
    }
    for pair in pairs.cannot_links() {
        assert_ne!(classes[pair.points[0]], classes[pair.points[1]]);
    }
    let few = labelled(&classes[..60]);
    let all = with_labels_as_pairs(&few, 5).unwrap();
    let same = with_some_labels_as_pairs(&few, 60, 5).unwrap();
    assert_eq!(points(same.must_links()), points(all.must_links()));
    assert_eq!(points(same.cannot_links()), points(all.cannot_links()));
}
