use proptest::prelude::*;

use super::{ConstraintAgreement, KeptWeight};
use crate::Result;
use crate::evaluate::adjusted_rand;
use crate::group::Label;
use crate::numerics::rng::rng;
use crate::problem::{ConstraintKind, Constraints};

/// Every pair by itself, labels spelled out as pairs.
fn brute(clusters: &[Label], constraints: &Constraints) -> ConstraintAgreement {
    let mut together = Vec::new();
    let mut apart = Vec::new();
    let same = |a: usize, b: usize| clusters[a].is_some() && clusters[a] == clusters[b];
    for pair in constraints.must_links() {
        together.push((same(pair.points[0], pair.points[1]), pair.weight));
    }
    for pair in constraints.cannot_links() {
        apart.push((!same(pair.points[0], pair.points[1]), pair.weight));
    }
    for (i, a) in constraints.labels().iter().enumerate() {
        for b in &constraints.labels()[..i] {
            let weight = a.weight * b.weight;
            if a.label == b.label {
                together.push((same(a.point, b.point), weight));
            } else {
                apart.push((!same(a.point, b.point), weight));
            }
        }
    }
    let share = |tests: &[(bool, f64)]| KeptWeight {
        constraints: tests.iter().map(|test| test.1).sum(),
        kept: tests.iter().filter(|test| test.0).map(|test| test.1).sum(),
    };
    ConstraintAgreement {
        must_links: share(&together),
        cannot_links: share(&apart),
        ..ConstraintAgreement::default()
    }
}

proptest! {
    #[test]
    fn shares_are_those_of_every_pair_spelled_out(
        clusters in prop::collection::vec(prop::option::weighted(0.9, 0usize..4), 12),
        pairs in prop::collection::vec((0usize..12, 0usize..12, any::<bool>(), 0.1..5.0f64), 0..20),
        labels in prop::collection::vec((0usize..12, 0usize..3, 0.1..5.0f64), 0..12),
    ) {
        let mut constraints = Constraints::new(12);
        for (a, b, together, weight) in pairs {
            let kind = if together { ConstraintKind::MustLink } else { ConstraintKind::CannotLink };
            if a != b {
                constraints.add(kind, &[a, b], weight, None)?;
            }
        }
        for (point, label, weight) in labels {
            if constraints.label_of(point).is_none() {
                constraints.add_label(point, &label.to_string(), weight, None)?;
            }
        }
        let (found, expected) = (ConstraintAgreement::of(&clusters, &constraints), brute(&clusters, &constraints));
        for (found, expected) in [
            (found.must_links, expected.must_links),
            (found.cannot_links, expected.cannot_links),
        ] {
            let gap = (found.constraints - expected.constraints).abs() + (found.kept - expected.kept).abs();
            prop_assert!(gap < 1e-11, "{:?} against {:?}", found, expected);
        }
        let judged = expected.must_links.constraints + expected.cannot_links.constraints > 0.0;
        prop_assert_eq!(ConstraintAgreement::has_pairs(&constraints), judged);
        let score = found.score();
        prop_assert!((-1.0 - 1e-12..=1.0 + 1e-12).contains(&score), "{}", score);
    }
}

/// Five points must-linked, the sixth cannot-linked to the first.
fn five_and_one() -> Constraints {
    let mut constraints = Constraints::new(6);
    for i in 1..5 {
        constraints.must_link(0, i).expect("in range");
    }
    constraints.cannot_link(0, 5).expect("in range");
    constraints
}

#[test]
fn a_partition_that_joins_all_or_nothing_scores_no_better_than_chance() {
    let constraints = five_and_one();
    assert_eq!(ConstraintAgreement::of(&[Some(0); 6], &constraints).score(), 0.0);
    let all_alone: Vec<Label> = (0..6).map(Some).collect();
    assert_eq!(ConstraintAgreement::of(&all_alone, &constraints).score(), 0.0);
    assert_eq!(ConstraintAgreement::of(&[None; 6], &constraints).score(), 0.0);
}

#[test]
fn a_partition_that_keeps_all_scores_1_and_one_that_breaks_all_is_below_chance() {
    let constraints = five_and_one();
    let kept = [Some(0), Some(0), Some(0), Some(0), Some(0), Some(1)];
    assert_eq!(ConstraintAgreement::of(&kept, &constraints).score(), 1.0);
    let broken = [Some(0), Some(1), Some(2), Some(3), Some(4), Some(0)];
    // scikit-learn's cohen_kappa_score of 1 1 1 1 0 and 0 0 0 0 1.
    let score = ConstraintAgreement::of(&broken, &constraints).score();
    assert!((score - -0.470_588_235_294_117_53).abs() < 1e-15, "{score}");
}

#[test]
fn the_score_of_all_pairs_is_the_adjusted_rand_index() -> Result<()> {
    let mut rng = rng(5);
    for _ in 0..20 {
        let (n, k) = (2 + rng.below(30), 1 + rng.below(5));
        let mut draw = |k: usize| (0..n).map(|_| Some(rng.below(k))).collect::<Vec<Label>>();
        let (truth, labels) = (draw(k + 1), draw(k));
        let mut constraints = Constraints::new(n);
        for (a, b) in (0..n).flat_map(|a| (0..a).map(move |b| (a, b))) {
            if truth[a] == truth[b] {
                constraints.must_link(a, b)?;
            } else {
                constraints.cannot_link(a, b)?;
            }
        }
        let agreement = ConstraintAgreement::of(&labels, &constraints);
        if agreement.has_both_kinds() {
            let expected = adjusted_rand(&truth, &labels)?;
            assert!((agreement.score() - expected).abs() < 1e-12, "{expected}");
        }
    }
    Ok(())
}

#[test]
fn the_score_of_pairs_is_scikit_learns_cohen_kappa_score_of_the_two_by_two_table() {
    // Must-links kept and broken, cannot-links kept and broken; scikit-learn 1.9 on random tables.
    let tables = [
        ([11.0, 11.0, 97.0, 1.0], 0.594_594_594_594_594_6),
        ([3.0, 4.0, 4.0, 2.0], 0.093_023_255_813_953_43),
        ([47.0, 48.0, 48.0, 4.0], 0.350_662_589_194_699_3),
        ([1360.0, 1822.0, 849.0, 1129.0], -0.134_461_857_836_667_42),
        ([3.0, 4.0, 2.0, 0.0], 0.25),
        ([33.0, 43.0, 10.0, 27.0], -0.266_005_121_638_924_54),
        ([1014.0, 2706.0, 181.0, 1431.0], -0.502_521_221_335_360_5),
        ([4.0, 2.0, 0.0, 3.0], -0.363_636_363_636_363_56),
        ([48.0, 49.0, 46.0, 18.0], 0.197_336_111_317_806_37),
        ([2198.0, 2906.0, 1720.0, 2787.0], -0.187_439_352_136_882_9),
        ([0.0, 35.0, 20.0, 0.0], 0.0),
        ([623.0, 0.0, 0.0, 400.0], 0.0),
    ];
    for ([joined, split, parted, mixed], expected) in tables {
        let share = |kept: f64, broken: f64| KeptWeight { constraints: kept + broken, kept };
        let agreement = ConstraintAgreement {
            must_links: share(joined, split),
            cannot_links: share(parted, mixed),
            ..ConstraintAgreement::default()
        };
        let gap = (agreement.score() - expected).abs();
        assert!(gap < 1e-14, "{} against {expected}", agreement.score());
    }
}

#[test]
fn things_of_one_kind_alone_score_by_the_share_kept() {
    let mut constraints = Constraints::new(4);
    constraints
        .must_link(0, 1)
        .and_then(|constraints| constraints.must_link(2, 3))
        .expect("in range");
    let half = [Some(0), Some(0), Some(1), Some(2)];
    assert_eq!(ConstraintAgreement::of(&half, &constraints).score(), 0.5);
}

/// Three corners of a triangle with unequal sides, and a point far off.
fn corners(a: usize, b: usize) -> f64 {
    let places: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [30.0, 0.0]];
    (places[a][0] - places[b][0]).powi(2) + (places[a][1] - places[b][1]).powi(2)
}

fn compared(kind: ConstraintKind, points: [usize; 3]) -> KeptWeight {
    let mut constraints = Constraints::new(4);
    constraints.add(kind, &points, 2.0, None).expect("in range");
    ConstraintAgreement::of_distances(corners, &constraints).comparisons
}

#[test]
fn comparisons_are_judged_by_each_distance_that_they_speak_of() {
    use ConstraintKind::{AboutEqual, Closer, OddOneOut};
    let kept = |kind, points| compared(kind, points).kept;
    // Squared: 0 to 1 is 1, 0 to 2 is 4, 1 to 2 is 5, 3 is far from all.
    assert_eq!(kept(OddOneOut, [0, 1, 2]), 2.0);
    assert_eq!(kept(OddOneOut, [0, 2, 1]), 1.0, "one of its two statements");
    assert_eq!(kept(OddOneOut, [1, 2, 0]), 0.0);
    assert_eq!(kept(Closer, [0, 1, 2]), 2.0);
    assert_eq!(kept(Closer, [0, 2, 1]), 0.0);
    assert_eq!(kept(AboutEqual, [0, 1, 2]), 0.0, "2 is odd: 2 * 1 < 4");
    assert_eq!(kept(AboutEqual, [0, 1, 3]), 0.0);
    assert_eq!(compared(AboutEqual, [0, 1, 3]).constraints, 2.0);
}

#[test]
fn about_equal_holds_while_no_squared_distance_is_half_of_the_next() {
    let mut constraints = Constraints::new(3);
    constraints.about_equal(0, 1, 2).expect("in range");
    let held = |sides: [f64; 3]| {
        ConstraintAgreement::of_distances(|a, b| sides[a + b - 1], &constraints).comparisons.kept
    };
    assert_eq!(held([1.0, 1.0, 1.0]), 1.0);
    assert_eq!(held([1.0, 1.9, 3.0]), 1.0);
    assert_eq!(held([2.1, 3.0, 1.0]), 0.0);
    assert_eq!(held([0.0, 0.0, 0.0]), 1.0);
}

#[test]
fn equal_distances_keep_a_comparison_by_half() {
    let mut constraints = Constraints::new(3);
    constraints.closer(0, 1, 2).expect("in range");
    constraints.odd_one_out(0, 1, 2).expect("in range");
    let agreement = ConstraintAgreement::of_distances(|_, _| 1.0, &constraints);
    assert_eq!((agreement.comparisons.kept, agreement.comparisons.constraints), (1.0, 2.0));
    assert_eq!(agreement.score(), 0.0);
}

#[test]
fn the_score_of_pairs_and_comparisons_is_their_mean_by_weight() {
    let mut constraints = five_and_one();
    let kept = [Some(0), Some(0), Some(0), Some(0), Some(0), Some(1)];
    let mut agreement = ConstraintAgreement::of(&kept, &constraints);
    constraints.closer(0, 1, 5).expect("in range");
    constraints.closer(0, 5, 1).expect("in range");
    constraints.closer(5, 1, 0).expect("in range");
    agreement += ConstraintAgreement::of_distances(|a, b| a.abs_diff(b) as f64, &constraints);
    // Five pairs that hold, one comparison that does and one that does not, one that does again.
    assert_eq!(agreement.comparisons, KeptWeight { constraints: 3.0, kept: 2.0 });
    assert_eq!(agreement.score(), (5.0 + (2.0 - 1.0)) / 8.0);
    let mut twice = agreement;
    twice += agreement;
    assert_eq!(twice.score(), agreement.score());
    assert_eq!(ConstraintAgreement::default().score(), 0.0);
}
