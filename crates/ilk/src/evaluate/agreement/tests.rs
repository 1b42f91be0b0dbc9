use proptest::prelude::*;

use super::{Share, Tally};
use crate::group::Label;
use crate::outcome::ConstraintReport;
use crate::problem::{ConstraintKind, Constraints};

/// Every pair by itself, labels spelled out as pairs.
fn brute(clusters: &[Label], said: &Constraints) -> Tally {
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
    let share = |tests: &[(bool, f64)]| Share {
        said: tests.iter().map(|test| test.1).sum(),
        kept: tests.iter().filter(|test| test.0).map(|test| test.1).sum(),
    };
    Tally {
        together: share(&together),
        apart: share(&apart),
        ..Tally::default()
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
        let (found, expected) = (Tally::of(&clusters, &said), brute(&clusters, &said));
        for (found, expected) in [
            (found.together, expected.together),
            (found.apart, expected.apart),
        ] {
            let gap = (found.said - expected.said).abs() + (found.kept - expected.kept).abs();
            prop_assert!(gap < 1e-11, "{:?} against {:?}", found, expected);
        }
        let judged = expected.together.said + expected.apart.said > 0.0;
        prop_assert_eq!(Tally::can_be_judged(&said), judged);
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
    assert_eq!(Tally::of(&[Some(0); 6], &said).score(), 0.0);
    let all_alone: Vec<Label> = (0..6).map(Some).collect();
    assert_eq!(Tally::of(&all_alone, &said).score(), 0.0);
    assert_eq!(Tally::of(&[None; 6], &said).score(), 0.0);
}

#[test]
fn a_partition_that_keeps_all_scores_1_and_one_that_breaks_all_minus_1() {
    let said = five_and_one();
    let kept = [Some(0), Some(0), Some(0), Some(0), Some(0), Some(1)];
    assert_eq!(Tally::of(&kept, &said).score(), 1.0);
    let broken = [Some(0), Some(1), Some(2), Some(3), Some(4), Some(0)];
    assert_eq!(Tally::of(&broken, &said).score(), -1.0);
}

#[test]
fn the_score_of_pairs_is_scikit_learns_matthews_corrcoef_of_the_two_by_two_table() {
    // Must-links kept and broken, cannot-links kept and broken; scikit-learn 1.9 on random tables.
    let tables = [
        ([11.0, 11.0, 97.0, 1.0], 0.631_738_055_305_790_5),
        ([3.0, 4.0, 4.0, 2.0], 0.097_590_007_294_853_33),
        ([47.0, 48.0, 48.0, 4.0], 0.419_686_997_079_943_5),
        ([1360.0, 1822.0, 849.0, 1129.0], -0.139_503_627_445_178_16),
        ([3.0, 4.0, 2.0, 0.0], 0.377_964_473_009_227_2),
        ([33.0, 43.0, 10.0, 27.0], -0.277_894_406_689_828_73),
        ([1014.0, 2706.0, 181.0, 1431.0], -0.566_973_349_772_111_9),
        ([4.0, 2.0, 0.0, 3.0], -0.377_964_473_009_227_2),
        ([48.0, 49.0, 46.0, 18.0], 0.212_536_683_559_873_26),
        ([2198.0, 2906.0, 1720.0, 2787.0], -0.187_497_117_290_755_7),
        ([0.0, 35.0, 20.0, 0.0], 0.0),
        ([623.0, 0.0, 0.0, 400.0], 0.0),
    ];
    for ([joined, split, parted, mixed], expected) in tables {
        let share = |kept: f64, broken: f64| Share {
            said: kept + broken,
            kept,
        };
        let tally = Tally {
            together: share(joined, split),
            apart: share(parted, mixed),
            ..Tally::default()
        };
        let gap = (tally.score() - expected).abs();
        assert!(gap < 1e-14, "{} against {expected}", tally.score());
    }
}

#[test]
fn things_of_one_kind_alone_score_by_the_share_kept() {
    let mut said = Constraints::new(4);
    said.must_link(0, 1)
        .and_then(|said| said.must_link(2, 3))
        .expect("in range");
    let half = [Some(0), Some(0), Some(1), Some(2)];
    assert_eq!(Tally::of(&half, &said).score(), 0.5);
}

/// Three corners of a triangle with unequal sides, and a point far off.
fn corners(a: usize, b: usize) -> f64 {
    let places: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [30.0, 0.0]];
    (places[a][0] - places[b][0]).powi(2) + (places[a][1] - places[b][1]).powi(2)
}

fn compared(kind: ConstraintKind, points: [usize; 3]) -> Share {
    let mut said = Constraints::new(4);
    said.add(kind, &points, 2.0, None).expect("in range");
    Tally::comparing(corners, &said).compared
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
    assert_eq!(compared(AboutEqual, [0, 1, 3]).said, 2.0);
}

#[test]
fn about_equal_holds_while_no_squared_distance_is_half_of_the_next() {
    let mut said = Constraints::new(3);
    said.about_equal(0, 1, 2).expect("in range");
    let held = |sides: [f64; 3]| {
        Tally::comparing(|a, b| sides[a + b - 1], &said)
            .compared
            .kept
    };
    assert_eq!(held([1.0, 1.0, 1.0]), 1.0);
    assert_eq!(held([1.0, 1.9, 3.0]), 1.0);
    assert_eq!(held([2.1, 3.0, 1.0]), 0.0);
    assert_eq!(held([0.0, 0.0, 0.0]), 1.0);
}

#[test]
fn equal_distances_keep_a_comparison_by_half() {
    let mut said = Constraints::new(3);
    said.closer(0, 1, 2).expect("in range");
    said.odd_one_out(0, 1, 2).expect("in range");
    let tally = Tally::comparing(|_, _| 1.0, &said);
    assert_eq!((tally.compared.kept, tally.compared.said), (1.0, 2.0));
    assert_eq!(tally.score(), 0.0);
}

proptest! {
    #[test]
    fn labels_keep_and_break_the_comparisons_that_the_report_says(
        labels in prop::collection::vec(prop::option::weighted(0.9, 0usize..3), 3),
        which in 0usize..3,
    ) {
        use ConstraintKind::{AboutEqual, Closer, OddOneOut};
        let kind = [OddOneOut, AboutEqual, Closer][which];
        let mut said = Constraints::new(3);
        said.add(kind, &[0, 1, 2], 1.0, None)?;
        let kept = Tally::comparing_labels(&labels, &said).compared.kept;
        // The report calls broken what the labels contradict; silence is kept there, half here.
        let broken = ConstraintReport::new(&said, &labels).broken() == 1;
        prop_assert_eq!(broken, kept < 0.5);
        let shared = labels[0].is_some() && labels[0] == labels[1];
        let all_or_none = !shared || labels[1] == labels[2];
        prop_assert_eq!(kind != AboutEqual && !broken && all_or_none, kept == 0.5);
    }
}

#[test]
fn the_score_of_pairs_and_comparisons_is_their_mean_by_what_was_said() {
    let mut said = five_and_one();
    let kept = [Some(0), Some(0), Some(0), Some(0), Some(0), Some(1)];
    let mut tally = Tally::of(&kept, &said);
    said.closer(0, 1, 5).expect("in range");
    said.closer(0, 5, 1).expect("in range");
    said.closer(5, 1, 0).expect("in range");
    tally += Tally::comparing(|a, b| a.abs_diff(b) as f64, &said);
    // Five pairs that hold, one comparison that does and one that does not, one that does again.
    assert_eq!(
        tally.compared,
        Share {
            said: 3.0,
            kept: 2.0
        }
    );
    assert_eq!(tally.score(), (5.0 + (2.0 - 1.0)) / 8.0);
    let mut twice = tally;
    twice += tally;
    assert_eq!(twice.score(), tally.score());
    assert_eq!(Tally::default().score(), 0.0);
}
