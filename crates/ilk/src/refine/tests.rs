//! The parts against plain versions of themselves.

use proptest::prelude::*;

use super::majority::merge_by_majority;
use crate::group::Label;
use crate::problem::{ConstraintKind, Constraints};

/// Joins by a matrix that is searched anew every time. Labels are points that stand for them, each
/// in a cluster of its own.
fn plain_join(labels: &[Label], n_clusters: usize, constraints: &Constraints) -> Vec<usize> {
    let places = constraints.label_names().len();
    let mut set: Vec<usize> = (0..n_clusters + places).collect();
    let mut links: Vec<(usize, usize, f64)> = Vec::new();
    for (points, weight) in constraints.signed_pairs() {
        if let [Some(a), Some(b)] = points.map(|point| labels[point]) {
            links.push((a, b, weight));
        }
    }
    for labelled in constraints.labels() {
        if let Some(cluster) = labels[labelled.point] {
            for place in 0..places {
                let sign = if place == labelled.label { 1.0 } else { -1.0 };
                links.push((cluster, n_clusters + place, sign * labelled.weight));
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
                let net_weight: f64 = links.iter().filter(between).map(|&(.., w)| w).sum();
                if net_weight > 1e-9 && best.is_none_or(|(most, ..)| net_weight > most) {
                    best = Some((net_weight, a, b));
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
        let mut constraints = Constraints::new(12);
        for (a, b, together, weight) in pairs {
            let kind = if together { ConstraintKind::MustLink } else { ConstraintKind::CannotLink };
            if a != b {
                constraints.add(kind, &[a, b], weight, None).unwrap();
            }
        }
        for (point, &(_, mark)) in marks.iter().enumerate() {
            if mark < 3 {
                constraints.add_label(point, &mark.to_string(), weights[point], None).unwrap();
            }
        }
        prop_assert_eq!(merge_by_majority(&labels, n_clusters, &constraints), plain_join(&labels, n_clusters, &constraints));
    }
}
