//! What holds for any problem.

use ilk::group::Label;
use ilk::numerics::rng::rng;
use ilk::problem::{ConstraintKind, Constraints};
use ilk::settle::{MustLinks, Settle, Vote};
use proptest::prelude::*;

use crate::case::{arbitrary_case, case, points, settle, small};
use crate::plain::{Plain, same_partition};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn one_sweep_is_what_its_definition_says(
        n in 2_usize..14, fragments in 1_usize..5, answers in 0_usize..8, seed: u64,
    ) {
        let mut case = case(n, fragments, answers, 0.0, seed);
        // Singles: the labels to begin with are those given.
        let mut said = Constraints::new(n);
        for pair in case.said.cannot_links() {
            let [a, b] = pair.points;
            said.add(ConstraintKind::CannotLink, &[a, b], pair.weight, None).unwrap();
        }
        case.said = said;
        let params = Settle { max_sweeps: 1, majority: false, dissolve: false, ..small() };
        let plain = Plain::new(&case, &params);
        let settled = settle(&params, &case.space, &case.labels, &case.said);
        prop_assert!(same_partition(&settled.labels, &plain.sweep(&case.labels)));
        prop_assert!((settled.energies[0] - plain.energy(&case.labels)).abs() < 1e-9);
    }

    #[test]
    fn the_energy_never_rises_and_is_what_its_definition_says(case in arbitrary_case(0.1)) {
        let params = small();
        let settled = settle(&params, &case.space, &case.labels, &case.said);
        for pair in settled.energies.windows(2) {
            prop_assert!(pair[1] <= pair[0] + 1e-9, "{:?}", settled.energies);
        }
        let plain = Plain::new(&case, &params).energy(&settled.labels);
        prop_assert!((settled.energies.last().unwrap() - plain).abs() < 1e-8);
        prop_assert_eq!(settled.energies.len(), 1 + settled.sweeps + settled.dissolved);
    }

    #[test]
    fn no_unit_gains_by_another_label_once_settled(case in arbitrary_case(0.0)) {
        let params = Settle { max_sweeps: 1000, ..small() };
        let settled = settle(&params, &case.space, &case.labels, &case.said);
        let plain = Plain::new(&case, &params);
        for unit in 0..case.said.closure().n_components() {
            prop_assert_eq!(plain.best(&settled.labels, unit), None);
        }
    }

    #[test]
    fn must_links_always_hold_where_they_are_hard(case in arbitrary_case(0.2)) {
        let settled = settle(&small(), &case.space, &case.labels, &case.said);
        for pair in case.said.must_links() {
            let [a, b] = pair.points.map(|point| settled.labels[point]);
            prop_assert!(a.is_some() && a == b);
        }
    }

    #[test]
    fn must_links_hold_by_default_where_nothing_contradicts_them(case in arbitrary_case(0.0)) {
        let settled = settle(&Settle::default(), &case.space, &case.labels, &case.said);
        prop_assert!(settled.conflicts.is_empty());
        for pair in case.said.must_links() {
            let [a, b] = pair.points.map(|point| settled.labels[point]);
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
        let mut said = Constraints::new(n);
        for (kind, pairs) in [
            (ConstraintKind::MustLink, case.said.must_links()),
            (ConstraintKind::CannotLink, case.said.cannot_links()),
        ] {
            for pair in pairs {
                said.add(kind, &pair.points.map(|p| to[p]), pair.weight, None).unwrap();
            }
        }
        for labelled in case.said.labels() {
            let name = &case.said.label_names()[labelled.label];
            said.add_label(to[labelled.point], name, labelled.weight, None).unwrap();
        }
        let labels: Vec<Label> = from.iter().map(|&old| case.labels[old]).collect();
        let hard = Settle { must_links: MustLinks::Hard, ..Settle::default() };
        for params in [hard, small()] {
            let straight = settle(&params, &case.space, &case.labels, &case.said);
            let shuffled = settle(&params, &case.space.select(&from), &labels, &said);
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
        let params = Settle::default();
        let one = settle(&params, &case.space, &case.labels, &case.said);
        let other = settle(&params, &case.space, &renamed, &case.said);
        prop_assert_eq!(one, other);
    }

    #[test]
    fn labels_are_numbered_by_first_appearance(case in arbitrary_case(0.1)) {
        let settled = settle(&Settle::default(), &case.space, &case.labels, &case.said);
        let mut next = 0;
        for label in settled.labels.iter().flatten() {
            prop_assert!(*label <= next);
            next = next.max(label + 1);
        }
        prop_assert_eq!(next, settled.n_clusters);
    }

    #[test]
    fn training_points_get_back_their_settled_labels(case in arbitrary_case(0.1)) {
        let params = Settle::default();
        let settled = settle(&params, &case.space, &case.labels, &case.said);
        let vote = Vote::new(&case.space, &settled.labels, params.neighbors).unwrap();
        prop_assert_eq!(vote.predict(&case.space).unwrap(), settled.labels);
    }

    #[test]
    fn a_vote_is_the_plain_vote_of_the_nearest(case in arbitrary_case(0.1), x in -3.0..8.0, y in -3.0..8.0) {
        let vote = Vote::new(&case.space, &case.labels, 5).unwrap();
        let found = vote.predict(&points(&[&[x, y]])).unwrap()[0];
        let dist = |j: usize| (case.space.row(j)[0] - x).hypot(case.space.row(j)[1] - y);
        let mut nearest: Vec<usize> = (0..case.space.len()).collect();
        nearest.sort_by(|&a, &b| dist(a).total_cmp(&dist(b)));
        nearest.truncate(5);
        let reach = dist(*nearest.last().unwrap());
        let votes = |label: Label| -> f64 {
            let mine = nearest.iter().filter(|&&j| case.labels[j] == label);
            mine.map(|&j| (-(dist(j) / reach).powi(2)).exp()).sum()
        };
        let best = (0..9).map(|c| votes(Some(c))).fold(0.0, f64::max);
        if found.is_some() {
            prop_assert!(votes(found) > best - 1e-12);
        } else {
            prop_assert_eq!(best, 0.0);
        }
    }
}
