//! What holds for any problem.

use ilk::group::Label;
use ilk::numerics::rng::rng;
use ilk::outcome::KnnClassifier;
use ilk::problem::{ConstraintKind, Constraints};
use ilk::refine::{MustLinkPolicy, Refine};
use proptest::prelude::*;

use super::case::{arbitrary_case, case, points, refine, small};
use super::plain::{Plain, same_partition};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn one_sweep_is_what_its_definition_says(
        n in 2_usize..14, fragments in 1_usize..5, n_constraints in 0_usize..8, seed: u64,
    ) {
        let mut case = case(n, fragments, n_constraints, 0.0, seed);
        // Singles: the labels to begin with are those given.
        let mut constraints = Constraints::new(n);
        for pair in case.constraints.cannot_links() {
            let [a, b] = pair.points;
            constraints.add(ConstraintKind::CannotLink, &[a, b], pair.weight, None).unwrap();
        }
        case.constraints = constraints;
        let params = Refine { max_sweeps: 1, majority: false, dissolve: false, ..small() };
        let plain = Plain::new(&case, &params);
        let refined = refine(&params, &case.space, &case.labels, &case.constraints);
        prop_assert!(same_partition(&refined.labels, &plain.sweep(&case.labels)));
        prop_assert!((refined.energies[0] - plain.energy(&case.labels)).abs() < 1e-9);
    }

    #[test]
    fn the_energy_never_rises_and_is_what_its_definition_says(case in arbitrary_case(0.1)) {
        let params = small();
        let refined = refine(&params, &case.space, &case.labels, &case.constraints);
        for pair in refined.energies.windows(2) {
            prop_assert!(pair[1] <= pair[0] + 1e-9, "{:?}", refined.energies);
        }
        let plain = Plain::new(&case, &params).energy(&refined.labels);
        prop_assert!((refined.energies.last().unwrap() - plain).abs() < 1e-8);
        prop_assert_eq!(refined.energies.len(), 1 + refined.sweeps + refined.dissolved);
    }

    #[test]
    fn no_set_gains_by_another_label_once_refined(case in arbitrary_case(0.0)) {
        let params = Refine { max_sweeps: 1000, ..small() };
        let refined = refine(&params, &case.space, &case.labels, &case.constraints);
        let plain = Plain::new(&case, &params);
        for unit in 0..case.constraints.closure().n_components() {
            prop_assert_eq!(plain.best(&refined.labels, unit), None);
        }
    }

    #[test]
    fn must_links_always_hold_where_they_are_hard(case in arbitrary_case(0.2)) {
        let refined = refine(&small(), &case.space, &case.labels, &case.constraints);
        for pair in case.constraints.must_links() {
            let [a, b] = pair.points.map(|point| refined.labels[point]);
            prop_assert!(a.is_some() && a == b);
        }
    }

    #[test]
    fn must_links_hold_by_default_where_nothing_contradicts_them(case in arbitrary_case(0.0)) {
        let refined = refine(&Refine::default(), &case.space, &case.labels, &case.constraints);
        prop_assert!(refined.conflicts.is_empty());
        for pair in case.constraints.must_links() {
            let [a, b] = pair.points.map(|point| refined.labels[point]);
            prop_assert!(a.is_some() && a == b);
        }
    }

    #[test]
    fn the_order_of_points_does_not_matter(case in arbitrary_case(0.05), seed: u64) {
        let n = case.space.len();
        // `from[i]` is the old number of the new point i.
        let mut from: Vec<usize> = (0..n).collect();
        rng(seed).shuffle(&mut from);
        let mut to = vec![0; n];
        for (new, &old) in from.iter().enumerate() {
            to[old] = new;
        }
        let mut constraints = Constraints::new(n);
        for (kind, pairs) in [
            (ConstraintKind::MustLink, case.constraints.must_links()),
            (ConstraintKind::CannotLink, case.constraints.cannot_links()),
        ] {
            for pair in pairs {
                constraints.add(kind, &pair.points.map(|p| to[p]), pair.weight, None).unwrap();
            }
        }
        for labelled in case.constraints.labels() {
            let name = &case.constraints.label_names()[labelled.label];
            constraints.add_label(to[labelled.point], name, labelled.weight, None).unwrap();
        }
        let labels: Vec<Label> = from.iter().map(|&old| case.labels[old]).collect();
        let hard = Refine { must_links: MustLinkPolicy::Hard, ..Refine::default() };
        for params in [hard, small()] {
            let straight = refine(&params, &case.space, &case.labels, &case.constraints);
            let shuffled = refine(&params, &case.space.select(&from), &labels, &constraints);
            let back: Vec<Label> = to.iter().map(|&new| shuffled.labels[new]).collect();
            prop_assert!(
                same_partition(&straight.labels, &back),
                "{:?}\n{:?}", straight.labels, back
            );
        }
    }

    #[test]
    fn the_numbers_of_clusters_do_not_matter(case in arbitrary_case(0.1), seed: u64) {
        let mut names: Vec<usize> = (0..9).map(|cluster| 100 + 7 * cluster).collect();
        rng(seed).shuffle(&mut names);
        let renamed: Vec<Label> = case.labels.iter().map(|l| l.map(|c| names[c])).collect();
        let params = Refine::default();
        let one = refine(&params, &case.space, &case.labels, &case.constraints);
        let other = refine(&params, &case.space, &renamed, &case.constraints);
        prop_assert_eq!(one, other);
    }

    #[test]
    fn labels_are_numbered_by_first_appearance(case in arbitrary_case(0.1)) {
        let refined = refine(&Refine::default(), &case.space, &case.labels, &case.constraints);
        let mut next = 0;
        for label in refined.labels.iter().flatten() {
            prop_assert!(*label <= next);
            next = next.max(label + 1);
        }
        prop_assert_eq!(next, refined.n_clusters);
    }

    #[test]
    fn training_points_get_back_their_refined_labels(case in arbitrary_case(0.1)) {
        let params = Refine::default();
        let refined = refine(&params, &case.space, &case.labels, &case.constraints);
        let classifier = KnnClassifier::new(&case.space, &refined.labels, params.neighbors).unwrap();
        prop_assert_eq!(classifier.predict(&case.space).unwrap(), refined.labels);
    }

    #[test]
    fn predictions_are_the_weighted_majority_of_the_nearest(case in arbitrary_case(0.1), x in -3.0..8.0, y in -3.0..8.0) {
        let classifier = KnnClassifier::new(&case.space, &case.labels, 5).unwrap();
        let found = classifier.predict(&points(&[&[x, y]])).unwrap()[0];
        let dist = |j: usize| (case.space.row(j)[0] - x).hypot(case.space.row(j)[1] - y);
        let mut nearest: Vec<usize> = (0..case.space.len()).collect();
        nearest.sort_by(|&a, &b| dist(a).total_cmp(&dist(b)));
        nearest.truncate(5);
        let is_here = |&j: &usize| case.space.row(j) == case.space.row(nearest[0]);
        if nearest.iter().all(|j| is_here(j) || dist(*j) > 10.0 * dist(nearest[0])) {
            let here = (0..case.space.len()).filter(is_here);
            let count = |label: Label| here.clone().filter(|&j| case.labels[j] == label).count();
            prop_assert!(here.clone().all(|j| count(case.labels[j]) <= count(found)));
            return Ok(());
        }
        let radius = dist(*nearest.last().unwrap());
        let weight_of = |label: Label| -> f64 {
            let mine = nearest.iter().filter(|&&j| case.labels[j] == label);
            mine.map(|&j| (-(dist(j) / radius).powi(2)).exp()).sum()
        };
        let best = (0..9).map(|c| weight_of(Some(c))).fold(0.0, f64::max);
        if found.is_some() {
            prop_assert!(weight_of(found) > best - 1e-12);
        } else {
            prop_assert_eq!(best, 0.0);
        }
    }
}
