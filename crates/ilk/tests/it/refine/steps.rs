//! What each step does, on problems made by hand.

use ilk::group::Label;
use ilk::problem::{ConstraintKind, Constraints};
use ilk::refine::{MustLinkPolicy, Refine};

use super::case::{case, line, refine, small, some, three_heaps};

#[test]
fn answers_join_the_halves_of_a_group() {
    let space = line(&[0.0, 1.0, 2.0, 50.0, 51.0, 52.0, 90.0, 91.0, 92.0]);
    let labels = some(&[0, 0, 0, 1, 1, 1, 2, 2, 2]);
    let mut constraints = Constraints::new(9);
    constraints.must_link(0, 3).unwrap().must_link(1, 4).unwrap();
    constraints.cannot_link(2, 5).unwrap().cannot_link(0, 6).unwrap();
    let params = Refine { neighbors: 2, must_links: MustLinkPolicy::Hard, ..Refine::default() };
    let refined = refine(&params, &space, &labels, &constraints);
    assert_eq!(refined.labels, some(&[0, 0, 0, 0, 0, 0, 1, 1, 1]));
    assert_eq!(refined.joined, 1);

    let without = Refine { majority: false, ..params };
    assert_eq!(refine(&without, &space, &labels, &constraints).joined, 0);
}

#[test]
fn as_many_answers_against_as_for_join_nothing() {
    let space = line(&[0.0, 1.0, 2.0, 50.0, 51.0, 52.0]);
    let labels = some(&[0, 0, 0, 1, 1, 1]);
    let mut constraints = Constraints::new(6);
    constraints.must_link(0, 3).unwrap().cannot_link(1, 4).unwrap();
    let refined = refine(&small(), &space, &labels, &constraints);
    assert_eq!(refined.joined, 0);

    // A weight tips it.
    constraints.add(ConstraintKind::MustLink, &[0, 3], 1.5, None).unwrap();
    let refined = refine(&small(), &space, &labels, &constraints);
    assert_eq!((refined.joined, refined.n_clusters), (1, 1));
}

#[test]
fn a_cluster_of_separated_points_is_divided_among_them() {
    let space = line(&[0.0, 1.0, 2.0, 3.0, 20.0, 21.0, 22.0, 23.0, 40.0, 41.0, 42.0, 43.0]);
    let labels = some(&[5; 12]);
    let mut constraints = Constraints::new(12);
    constraints.must_link(0, 1).unwrap().must_link(4, 5).unwrap();
    constraints.cannot_link(1, 4).unwrap().cannot_link(0, 8).unwrap();
    constraints.cannot_link(5, 8).unwrap();
    assert_eq!(refine(&small(), &space, &labels, &constraints).n_clusters, 1);
    let divided = Refine { divide: true, ..small() };
    let refined = refine(&divided, &space, &labels, &constraints);
    assert_eq!(refined.labels, some(&[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]));

    // The right cluster of a component with a contradiction is unknown.
    constraints.cannot_link(4, 5).unwrap();
    let refined = refine(&divided, &space, &labels, &constraints);
    assert_eq!(refined.n_clusters, 2);
    assert_ne!(refined.labels[0], refined.labels[8]);
}

#[test]
fn a_fragment_dissolves_into_what_surrounds_it() {
    let (space, truth) = three_heaps();
    let mut given = truth.clone();
    for i in 25..30 {
        given[i] = 7;
    }
    let constraints = Constraints::new(60);
    let kept = Refine { dissolve: false, ..small() };
    assert_eq!(refine(&kept, &space, &some(&given), &constraints).n_clusters, 4);
    let refined = refine(&small(), &space, &some(&given), &constraints);
    assert_eq!(refined.labels, some(&truth));
    assert_eq!((refined.dissolved, refined.moved), (1, 5));
}

#[test]
fn a_small_group_stays_where_answers_speak_for_it() {
    let (space, truth) = three_heaps();
    let mut given = truth;
    for i in 25..30 {
        given[i] = 3;
    }
    let mut constraints = Constraints::new(60);
    for i in 25..30 {
        for j in [21, 31, 33] {
            constraints.cannot_link(i, j).unwrap();
        }
    }
    let refined = refine(&small(), &space, &some(&given), &constraints);
    assert_eq!(refined.dissolved, 0);
    assert_eq!(refined.n_clusters, 4);
    assert!((26..29).all(|i| refined.labels[i] == refined.labels[27]));
    assert!([20, 35, 39].iter().all(|&i| refined.labels[i] != refined.labels[27]));
}

#[test]
fn a_small_group_that_nothing_touches_stays() {
    let mut xs: Vec<f64> =
        (0..40).map(|i| 10.0 * f64::from(i / 20) + 0.1 * f64::from(i % 20)).collect();
    xs.extend([90.0, 90.1, 90.2, 90.3, 90.4]);
    let labels: Vec<Label> = (0..45).map(|i| Some(i / 20)).collect();
    let constraints = Constraints::new(45);
    let refined = refine(&small(), &line(&xs), &labels, &constraints);
    assert_eq!((refined.n_clusters, refined.dissolved), (3, 0));
}

#[test]
fn the_last_two_clusters_do_not_dissolve() {
    let xs: Vec<f64> = (0..40).map(f64::from).collect();
    let labels: Vec<Label> = (0..40).map(|i| Some(usize::from(i < 5))).collect();
    let constraints = Constraints::new(40);
    let refined = refine(&small(), &line(&xs), &labels, &constraints);
    assert_eq!((refined.n_clusters, refined.dissolved), (2, 0));
}

#[test]
fn contradictions_are_reported_and_the_run_goes_on() {
    let (space, truth) = three_heaps();
    let mut constraints = Constraints::new(60);
    constraints.cannot_link(0, 59).unwrap();
    constraints.must_link(0, 1).unwrap().must_link(1, 25).unwrap();
    constraints.cannot_link(0, 25).unwrap().must_link(0, 25).unwrap();
    for must_links in [MustLinkPolicy::Hard, MustLinkPolicy::Uncontradicted, MustLinkPolicy::Soft] {
        let params = Refine { must_links, majority: false, penalty: 0.05, ..small() };
        let refined = refine(&params, &space, &some(&truth), &constraints);
        assert_eq!(refined.conflicts, [1]);
        let together = refined.labels[0] == refined.labels[25];
        assert_eq!(together, must_links == MustLinkPolicy::Hard);
    }
}

#[test]
fn a_wrong_must_link_gives_way_only_where_it_is_contradicted_or_soft() {
    let (space, truth) = three_heaps();
    let mut constraints = Constraints::new(60);
    constraints.must_link(5, 45).unwrap();
    // One constraint on 60 points counts 60 times.
    let params = Refine { majority: false, penalty: 0.01, ..small() };
    let are_separated = |params: &Refine, constraints: &Constraints| {
        let refined = refine(params, &space, &some(&truth), constraints);
        refined.labels[5] != refined.labels[45]
    };
    let soft = Refine { must_links: MustLinkPolicy::Soft, ..params.clone() };
    let default = Refine { must_links: MustLinkPolicy::Uncontradicted, ..params };
    assert!(!are_separated(&default, &constraints));
    assert!(are_separated(&soft, &constraints));
    constraints.must_link(45, 46).unwrap().cannot_link(46, 5).unwrap();
    assert!(are_separated(&default, &constraints));
}

#[test]
fn labels_join_fragments_and_separate_classes() {
    let (space, truth) = three_heaps();
    // Every heap in two fragments, the first two heaps in one cluster.
    let given: Vec<Label> = (0..60).map(|i| Some(if i < 40 { 0 } else { 1 + i % 2 })).collect();
    let mut constraints = Constraints::new(60);
    for i in [3, 9, 15] {
        constraints.label(i, "a").unwrap().label(20 + i, "b").unwrap();
        constraints.label(40 + i, "c").unwrap().label(41 + i, "c").unwrap();
    }
    let refined = refine(&Refine::default(), &space, &given, &constraints);
    assert_eq!(refined.labels[40..], vec![refined.labels[40]; 20]);
    assert_ne!(refined.labels[0], refined.labels[40]);
    assert_eq!(refined.joined, 1);

    // Labels alone make groups of points that have none.
    let refined = refine(&Refine::default(), &space, &[None; 60], &constraints);
    assert_eq!(refined.labels, some(&truth));
}

#[test]
fn points_without_a_cluster_take_that_of_their_neighbours() {
    let (space, truth) = three_heaps();
    let mut given = some(&truth);
    for label in &mut given[..60] {
        if *label == Some(1) {
            *label = None;
        }
    }
    given[3] = None;
    let constraints = Constraints::new(60);
    let refined = refine(&small(), &space, &given, &constraints);
    assert_eq!(refined.labels[3], refined.labels[4]);
    assert!(refined.labels[20..40].iter().all(Option::is_none), "no neighbour has a label");
    assert_eq!(refined.n_clusters, 2);
}

#[test]
fn must_linked_points_without_a_cluster_become_one() {
    let mut constraints = Constraints::new(3);
    constraints.must_link(0, 2).unwrap();
    let refined = refine(&small(), &line(&[0.0, 5.0, 9.0]), &[None; 3], &constraints);
    assert_eq!(refined.labels, some(&[0, 0, 0]));
}

#[test]
fn the_smallest_problems_are_refined() {
    let nothing = |n| Constraints::new(n);
    let params = Refine::default();
    let one = refine(&params, &line(&[1.0]), &[Some(9)], &nothing(1));
    assert_eq!((one.labels, one.n_clusters), (some(&[0]), 1));
    let noise = refine(&params, &line(&[1.0]), &[None], &nothing(1));
    assert_eq!((noise.labels, noise.n_clusters), (vec![None], 0));
    let all_noise = refine(&params, &line(&[1.0, 2.0, 4.0]), &[None; 3], &nothing(3));
    assert_eq!(all_noise.labels, [None; 3]);
    let together = refine(&params, &line(&[1.0, 2.0, 4.0]), &[Some(2); 3], &nothing(3));
    assert_eq!((together.labels, together.moved), (some(&[0; 3]), 0));
}

#[test]
fn coincident_points_are_refined_without_nan() {
    let n = 30;
    let space = line(&vec![4.0; n]);
    let labels: Vec<Label> = (0..n).map(|i| Some(usize::from(i >= 20))).collect();
    let refined = refine(&Refine::default(), &space, &labels, &Constraints::new(n));
    assert!(refined.energies.iter().all(|energy| energy.is_finite()));
    assert!(refined.labels.iter().all(Option::is_some));

    let far = line(&[-1e300, 1e300, 0.0, -1e300, 1e300]);
    let labels = some(&[0, 1, 0, 1, 0]);
    let refined = refine(&Refine::default(), &far, &labels, &Constraints::new(5));
    assert!(refined.energies.iter().all(|energy| energy.is_finite()));
}

#[test]
fn answers_of_any_weight_leave_energies_finite() {
    let (space, truth) = three_heaps();
    let mut constraints = Constraints::new(60);
    for (kind, points) in [
        (ConstraintKind::CannotLink, [0, 1]),
        (ConstraintKind::CannotLink, [0, 2]),
        (ConstraintKind::MustLink, [2, 3]),
    ] {
        constraints.add(kind, &points, f64::MAX, None).unwrap();
    }
    for (point, name) in [(5, "a"), (25, "b"), (45, "a")] {
        constraints.add_label(point, name, f64::MAX, None).unwrap();
    }
    let params = Refine { penalty: 1e6, ..small() };
    let refined = refine(&params, &space, &some(&truth), &constraints);
    assert!(refined.energies.iter().all(|energy| energy.is_finite()));
    assert_eq!(refined.labels[2], refined.labels[3]);
    assert_eq!(refined.labels[5], refined.labels[45]);
}

#[test]
fn refinement_repairs_labels_with_errors() {
    let mut better = 0;
    for seed in 0..10 {
        let case = case(300, 6, 300, 0.0, seed);
        let refined = refine(&Refine::default(), &case.space, &case.labels, &case.constraints);
        let truth = some(&case.truth);
        let agreement = |labels: &[Label]| agreeing_pairs(labels, &truth);
        assert!(agreement(&refined.labels) > agreement(&case.labels));
        better += usize::from(agreement(&refined.labels) > 0.9);
    }
    assert!(better >= 8, "{better} of 10");
}

/// The share of pairs on which two labellings agree.
fn agreeing_pairs(a: &[Label], b: &[Label]) -> f64 {
    let n = a.len();
    let same = |labels: &[Label], i: usize, j: usize| labels[i].is_some() && labels[i] == labels[j];
    let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
    let agree = pairs.filter(|&(i, j)| same(a, i, j) == same(b, i, j)).count();
    agree as f64 / (n * (n - 1) / 2) as f64
}
