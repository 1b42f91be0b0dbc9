//! The parts against plain versions of themselves.

use proptest::prelude::*;

use super::majority::join;
use super::params::MustLinks;
use super::units::{Kind, Units};
use super::weights::weigh;
use crate::group::Label;
use crate::numerics::neighbors::Neighbor;
use crate::problem::{ConstraintKind, Constraints};

/// Joins by a matrix that is searched anew every time. Labels are points that stand for them, each
/// in a cluster of its own.
fn plain_join(labels: &[Label], n_clusters: usize, said: &Constraints) -> Vec<usize> {
    let places = said.label_names().len();
    let mut set: Vec<usize> = (0..n_clusters + places).collect();
    let mut answers: Vec<(usize, usize, f64)> = Vec::new();
    for (pairs, sign) in [(said.must_links(), 1.0), (said.cannot_links(), -1.0)] {
        for pair in pairs {
            if let [Some(a), Some(b)] = pair.points.map(|point| labels[point]) {
                answers.push((a, b, sign * pair.weight));
            }
        }
    }
    for labelled in said.labels() {
        if let Some(cluster) = labels[labelled.point] {
            for place in 0..places {
                let sign = if place == labelled.label { 1.0 } else { -1.0 };
                answers.push((cluster, n_clusters + place, sign * labelled.weight));
            }
        }
    }
    loop {
        let mut best: Option<(f64, usize, usize)> = None;
        for a in 0..set.len() {
            for b in 0..a {
                let holds = |s: usize| (n_clusters..set.len()).any(|place| set[place] == s);
                if set[a] != a || set[b] != b || (holds(a) && holds(b)) {
                    continue;
                }
                let between = |&&(x, y, _): &&(usize, usize, f64)| {
                    (set[x] == a && set[y] == b) || (set[x] == b && set[y] == a)
                };
                let speaks_for: f64 = answers.iter().filter(between).map(|&(.., w)| w).sum();
                if speaks_for > 1e-9 && best.is_none_or(|(most, ..)| speaks_for > most) {
                    best = Some((speaks_for, a, b));
                }
            }
        }
        let Some((_, a, b)) = best else {
            set.truncate(n_clusters);
            return set;
        };
        for s in &mut set {
            if *s == a {
                *s = b;
            }
        }
    }
}

proptest! {
    #[test]
    fn clusters_join_as_by_a_plain_search(
        n_clusters in 1_usize..7,
        marks in prop::collection::vec((0_usize..8, 0_usize..5), 12),
        pairs in prop::collection::vec((0_usize..12, 0_usize..12, any::<bool>(), 0.1..2.0), 0..25),
        weights in prop::collection::vec(0.1..2.0, 12),
    ) {
        let labels: Vec<Label> = marks
            .iter()
            .map(|&(cluster, _)| Some(cluster).filter(|&c| c < n_clusters))
            .collect();
        let mut said = Constraints::new(12);
        for (a, b, together, weight) in pairs {
            let kind = if together { ConstraintKind::MustLink } else { ConstraintKind::CannotLink };
            if a != b {
                said.add(kind, &[a, b], weight, None).unwrap();
            }
        }
        for (point, &(_, mark)) in marks.iter().enumerate() {
            if mark < 3 {
                said.add_label(point, &mark.to_string(), weights[point], None).unwrap();
            }
        }
        prop_assert_eq!(join(&labels, n_clusters, &said), plain_join(&labels, n_clusters, &said));
    }
}

#[test]
fn weights_sum_to_one_and_fall_with_distance() {
    let row = |dist_sq: &[f64]| -> Vec<f64> {
        let neighbor = |(index, &dist_sq): (usize, &f64)| Neighbor { index, dist_sq };
        let row: Vec<Neighbor> = dist_sq.iter().enumerate().map(neighbor).collect();
        weigh(&row).collect()
    };
    let weights = row(&[0.0, 1.0, 4.0]);
    let total = 1.0 + (-0.25_f64).exp() + (-1.0_f64).exp();
    assert!((weights[0] - 1.0 / total).abs() < 1e-15);
    assert!((weights[1] - (-0.25_f64).exp() / total).abs() < 1e-15);
    assert!((weights[2] - (-1.0_f64).exp() / total).abs() < 1e-15);
    assert_eq!(row(&[0.0; 4]), [0.25; 4]);
    assert_eq!(row(&[f64::INFINITY; 2]), [0.5; 2]);
    assert!(row(&[]).is_empty());
}

#[test]
fn units_are_components_and_their_answers_are_counted_once() {
    let mut said = Constraints::new(7);
    said.must_link(0, 3).unwrap().must_link(1, 2).unwrap();
    said.cannot_link(0, 1).unwrap();
    said.add(ConstraintKind::CannotLink, &[2, 3], 4.0, None)
        .unwrap();
    said.cannot_link(0, 3).unwrap();
    let units = Units::new(&said, MustLinks::Hard);
    assert_eq!(units.len(), 5);
    assert_eq!(units.members(0), [0, 3]);
    let ties: Vec<_> = units
        .ties(0)
        .iter()
        .map(|t| (t.other, t.weight, t.kind))
        .collect();
    assert_eq!(ties, [(1, 4.0, Kind::Apart)]);

    // The contradiction makes its component, and no other, soft.
    let units = Units::new(&said, MustLinks::Uncontradicted);
    assert_eq!(units.len(), 6);
    assert_eq!(units.members(units.of(1)), [1, 2]);
    let ties: Vec<_> = units
        .ties(units.of(0))
        .iter()
        .map(|t| (units.members(t.other)[0], t.weight, t.kind))
        .collect();
    assert_eq!(
        ties,
        [
            (3, 1.0, Kind::Together),
            (1, 1.0, Kind::Apart),
            (3, 1.0, Kind::Apart)
        ]
    );
    assert_eq!(units.into_conflicts(), [2]);
}

#[test]
fn labels_keep_apart_what_cannot_links_keep_apart_once() {
    let mut said = Constraints::new(4);
    said.add_label(0, "a", 2.0, None).unwrap();
    said.add_label(1, "b", 0.5, None).unwrap();
    said.label(2, "a").unwrap();
    said.cannot_link(0, 1).unwrap().cannot_link(2, 3).unwrap();
    let units = Units::new(&said, MustLinks::Hard);
    assert_eq!(units.labelled(), [0, 1]);
    assert_eq!((units.label_weight(0), units.label_weight(1)), (2.0, 0.5));
    let others: Vec<usize> = units.ties(0).iter().map(|tie| tie.other).collect();
    assert_eq!(others, [2], "the labels say as much as the cannot-link");
}
