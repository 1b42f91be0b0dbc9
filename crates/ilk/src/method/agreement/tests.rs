use proptest::prelude::*;

use super::{Agreement, Tally};
use crate::group::Label;
use crate::problem::{ConstraintKind, Constraints};

/// Every pair by itself, labels spelled out as pairs.
fn brute(clusters: &[Label], said: &Constraints) -> Agreement {
    let mut together = Vec::new();
    let mut apart = Vec::new();
    let same = |a: usize, b: usize| clusters[a].is_some() && clusters[a] == clusters[b];
    for pair in said.must_links() {
        together.push((same(pair.points[0], pair.points[1]), pair.weight));
    }
    for pair in said.cannot_links() {
        apart.push((!same(pair.points[0], pair.points[1]), pair.weight));
    }
    for (i, a) in said.labels().iter().enumerate() {
        for b in &said.labels()[..i] {
            let weight = a.weight * b.weight;
            if a.label == b.label {
                together.push((same(a.point, b.point), weight));
            } else {
                apart.push((!same(a.point, b.point), weight));
            }
        }
    }
    let tally = |tests: &[(bool, f64)]| Tally {
        said: tests.iter().map(|test| test.1).sum(),
        kept: tests.iter().filter(|test| test.0).map(|test| test.1).sum(),
    };
    Agreement {
        together: tally(&together),
        apart: tally(&apart),
    }
}

proptest! {
    #[test]
    fn shares_are_those_of_every_pair_spelled_out(
        clusters in prop::collection::vec(prop::option::weighted(0.9, 0usize..4), 12),
        pairs in prop::collection::vec((0usize..12, 0usize..12, any::<bool>(), 0.1..5.0f64), 0..20),
        labels in prop::collection::vec((0usize..12, 0usize..3, 0.1..5.0f64), 0..12),
    ) {
        let mut said = Constraints::new(12);
        for (a, b, together, weight) in pairs {
            let kind = if together { ConstraintKind::MustLink } else { ConstraintKind::CannotLink };
            if a != b {
                said.add(kind, &[a, b], weight, None)?;
            }
        }
        for (point, label, weight) in labels {
            if said.label_of(point).is_none() {
                said.add_label(point, &label.to_string(), weight, None)?;
            }
        }
        let (found, expected) = (Agreement::of(&clusters, &said), brute(&clusters, &said));
        for (found, expected) in [
            (found.together, expected.together),
            (found.apart, expected.apart),
        ] {
            let gap = (found.said - expected.said).abs() + (found.kept - expected.kept).abs();
            prop_assert!(gap < 1e-11, "{:?} against {:?}", found, expected);
        }
        let judged = expected.together.said + expected.apart.said > 0.0;
        prop_assert_eq!(Agreement::can_be_judged(&said), judged);
        let score = found.score();
        prop_assert!((-1.0 - 1e-12..=1.0 + 1e-12).contains(&score), "{}", score);
    }
}

/// Five points said to be together, the sixth apart from the first.
fn five_and_one() -> Constraints {
    let mut said = Constraints::new(6);
    for i in 1..5 {
        said.must_link(0, i).expect("in range");
    }
    said.cannot_link(0, 5).expect("in range");
    said
}

#[test]
fn a_partition_that_joins_all_or_nothing_scores_no_better_than_chance() {
    let said = five_and_one();
    assert_eq!(Agreement::of(&[Some(0); 6], &said).score(), 0.0);
    let all_alone: Vec<Label> = (0..6).map(Some).collect();
    assert_eq!(Agreement::of(&all_alone, &said).score(), 0.0);
    assert_eq!(Agreement::of(&[None; 6], &said).score(), 0.0);
}

#[test]
fn a_partition_that_keeps_all_scores_1_and_one_that_breaks_all_minus_1() {
    let said = five_and_one();
    let kept = [Some(0), Some(0), Some(0), Some(0), Some(0), Some(1)];
    assert_eq!(Agreement::of(&kept, &said).score(), 1.0);
    let broken = [Some(0), Some(1), Some(2), Some(3), Some(4), Some(0)];
    assert_eq!(Agreement::of(&broken, &said).score(), -1.0);
}

#[test]
fn the_score_is_the_correlation_coefficient_of_the_two_by_two_table() {
    // 11 of 22 must-links kept, 97 of 98 cannot-links: scikit-learn's matthews_corrcoef.
    let agreement = Agreement {
        together: Tally {
            said: 22.0,
            kept: 11.0,
        },
        apart: Tally {
            said: 98.0,
            kept: 97.0,
        },
    };
    assert!(
        (agreement.score() - 0.631_738_055_305_790_5).abs() < 1e-12,
        "{}",
        agreement.score()
    );
}

#[test]
fn things_of_one_kind_alone_score_by_the_share_kept() {
    let mut said = Constraints::new(4);
    said.must_link(0, 1)
        .and_then(|said| said.must_link(2, 3))
        .expect("in range");
    let half = [Some(0), Some(0), Some(1), Some(2)];
    assert_eq!(Agreement::of(&half, &said).score(), 0.5);
}
