use super::{ConstraintReport, KindReport};
use crate::group::Label;
use crate::problem::{ConstraintKind, Constraints};

const NOISE: Label = None;
const A: Label = Some(0);
const B: Label = Some(1);
const C: Label = Some(2);

/// Whether `kind`, stated about points 0, 1 (and 2), is kept by these labels.
fn is_kept(kind: ConstraintKind, labels: &[Label]) -> bool {
    let mut constraints = Constraints::new(labels.len());
    let points: Vec<usize> = (0..kind.arity()).collect();
    constraints.add(kind, &points, 1.0, None).expect("in range");
    let report = ConstraintReport::new(&constraints, labels);
    let of_kind = report.kind(kind).expect("it was given");
    assert_eq!((report.kept(), report.broken()), (of_kind.kept.len(), of_kind.broken.len()));
    match (of_kind.kept.as_slice(), of_kind.broken.as_slice()) {
        ([0], []) => true,
        ([], [0]) => false,
        other => panic!("one entry, one verdict: {other:?}"),
    }
}

#[test]
fn a_must_link_is_kept_in_one_cluster_and_a_cannot_link_everywhere_else() {
    for (labels, together) in [
        ([A, A], true),
        ([A, B], false),
        ([A, NOISE], false),
        ([NOISE, A], false),
        ([NOISE, NOISE], false),
    ] {
        assert_eq!(is_kept(ConstraintKind::MustLink, &labels), together, "{labels:?}");
        assert_eq!(is_kept(ConstraintKind::CannotLink, &labels), !together, "{labels:?}");
    }
}

#[test]
fn comparisons_are_judged_by_this_table() {
    // The odd one is the last; closer is anchor, near, far.
    for (labels, odd_one_out, about_equal, closer) in [
        ([A, A, A], true, true, true),
        ([A, A, B], true, false, true),
        ([A, B, A], false, false, false),
        ([A, B, B], false, false, true),
        ([A, B, C], true, true, true),
        ([A, A, NOISE], true, false, true),
        ([A, NOISE, A], false, false, false),
        ([NOISE, A, A], false, false, true),
        ([A, B, NOISE], true, true, true),
        ([A, NOISE, NOISE], true, true, true),
        ([NOISE, A, NOISE], true, true, true),
        ([NOISE, NOISE, NOISE], true, true, true),
    ] {
        let verdicts = [
            (ConstraintKind::OddOneOut, odd_one_out),
            (ConstraintKind::AboutEqual, about_equal),
            (ConstraintKind::Closer, closer),
        ];
        for (kind, expected) in verdicts {
            assert_eq!(is_kept(kind, &labels), expected, "{kind} {labels:?}");
        }
    }
}

/// Points 0, 1, ... with these names ("" for none), and the entries that `labels` break.
fn broken_labels(names: &[&str], labels: &[Label]) -> Vec<usize> {
    let mut constraints = Constraints::new(names.len());
    for (point, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        constraints.label(point, name).expect("in range");
    }
    let report = ConstraintReport::new(&constraints, labels);
    let of_kind = report.kind(ConstraintKind::Label).expect("labels were given");
    assert_eq!(of_kind.kept.len() + of_kind.broken.len(), constraints.labels().len());
    of_kind.broken.clone()
}

#[test]
fn of_two_labels_in_one_cluster_the_rarer_is_broken() {
    assert_eq!(broken_labels(&["x", "x", "y"], &[A, A, A]), [2]);
    assert_eq!(broken_labels(&["y", "x", "x"], &[A, A, A]), [0]);
}

#[test]
fn a_label_split_over_clusters_is_broken_where_fewer_are() {
    assert_eq!(broken_labels(&["x", "x", "x"], &[A, B, B]), [0]);
    // The lone x in B is broken although nothing else is labelled there.
    assert_eq!(broken_labels(&["x", "x", "x", "y", "y"], &[A, A, B, C, C]), [2]);
}

#[test]
fn a_label_that_is_a_minority_in_its_own_largest_cluster_is_broken_everywhere() {
    let names = ["x", "x", "y", "y", "y", "x"];
    assert_eq!(broken_labels(&names, &[A, A, A, A, A, B]), [0, 1, 5]);
}

#[test]
fn ties_go_to_the_label_given_first_and_to_the_smaller_cluster() {
    assert_eq!(broken_labels(&["y", "x"], &[A, A]), [1]);
    assert_eq!(broken_labels(&["x", "x"], &[B, A]), [0]);
}

#[test]
fn a_labelled_point_without_a_cluster_is_broken_and_has_no_say() {
    assert_eq!(broken_labels(&["x", "x", "x"], &[NOISE, NOISE, A]), [0, 1]);
    assert_eq!(broken_labels(&["x"], &[NOISE]), [0]);
}

#[test]
fn entries_are_positions_in_the_labels_not_points() {
    assert_eq!(broken_labels(&["", "x", "", "x", "y"], &[A, A, A, A, A]), [2]);
}

#[test]
fn kinds_that_were_not_given_are_not_in_the_report_and_the_others_keep_their_order() {
    let mut constraints = Constraints::new(3);
    constraints
        .label(0, "x")
        .and_then(|constraints| constraints.cannot_link(0, 1))
        .and_then(|constraints| constraints.must_link(1, 2))
        .expect("in range");
    let report = ConstraintReport::new(&constraints, &[A, A, A]);
    let expected = [
        (ConstraintKind::MustLink, vec![0], vec![]),
        (ConstraintKind::CannotLink, vec![], vec![0]),
        (ConstraintKind::Label, vec![0], vec![]),
    ]
    .map(|(kind, kept, broken)| KindReport { kind, kept, broken });
    assert_eq!(report.kinds, expected);
    assert_eq!(report.kind(ConstraintKind::Closer), None);
    assert_eq!((report.kept(), report.broken()), (2, 1));
    assert_eq!(ConstraintReport::new(&Constraints::new(3), &[A, A, A]).kinds, []);
}
