//! Which constraints a labelling keeps and which it breaks.

use crate::group::Label;
use crate::problem::{ConstraintKind, Constraints};

/// What became of the constraints of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct KindReport {
    /// The kind.
    pub kind: ConstraintKind,
    /// Entries (positions in the list of that kind in [`Constraints`]) that the labels keep.
    pub kept: Vec<usize>,
    /// Entries that the labels break.
    pub broken: Vec<usize>,
}

/// What became of every constraint.
///
/// A must-link is kept when both points have the same cluster, a cannot-link when they have not. A
/// point that belongs to no cluster shares none. Labels are kept where a point has the cluster that
/// most of its label's points have. Labels of points say nothing about distances, so a comparison
/// is judged by what a partition can show: an odd-one-out is broken when the odd one shares a
/// cluster with one of the two while those two are apart; closer when the far point shares the
/// anchor's cluster and the near one does not; about-equal when exactly two of the three share one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConstraintReport {
    /// One report a kind, for the kinds that were given, in the order of [`ConstraintKind::ALL`].
    pub kinds: Vec<KindReport>,
}

impl ConstraintReport {
    /// Judges `labels` by `constraints`.
    pub fn new(constraints: &Constraints, labels: &[Label]) -> Self {
        let kinds = ConstraintKind::ALL
            .into_iter()
            .filter(|&kind| constraints.count(kind) > 0)
            .map(|kind| KindReport::new(kind, &verdicts(constraints, kind, labels)))
            .collect();
        Self { kinds }
    }

    /// The report of a kind, if any constraint of it was given.
    pub fn kind(&self, kind: ConstraintKind) -> Option<&KindReport> {
        self.kinds.iter().find(|report| report.kind == kind)
    }

    /// Constraints kept, of all kinds.
    pub fn kept(&self) -> usize {
        self.kinds.iter().map(|report| report.kept.len()).sum()
    }

    /// Constraints broken, of all kinds.
    pub fn broken(&self) -> usize {
        self.kinds.iter().map(|report| report.broken.len()).sum()
    }
}

impl KindReport {
    fn new(kind: ConstraintKind, verdicts: &[bool]) -> Self {
        let (kept, broken) = (0..verdicts.len()).partition(|&entry| verdicts[entry]);
        Self { kind, kept, broken }
    }
}

/// For every entry of `kind`: is it kept?
fn verdicts(constraints: &Constraints, kind: ConstraintKind, labels: &[Label]) -> Vec<bool> {
    let same = |a: usize, b: usize| labels[a].is_some() && labels[a] == labels[b];
    match kind {
        ConstraintKind::MustLink => constraints
            .must_links()
            .iter()
            .map(|pair| same(pair.points[0], pair.points[1]))
            .collect(),
        ConstraintKind::CannotLink => constraints
            .cannot_links()
            .iter()
            .map(|pair| !same(pair.points[0], pair.points[1]))
            .collect(),
        ConstraintKind::OddOneOut => constraints
            .odd_one_outs()
            .iter()
            .map(|triplet| {
                let [a, b, odd] = triplet.points;
                same(a, b) || !(same(a, odd) || same(b, odd))
            })
            .collect(),
        ConstraintKind::AboutEqual => constraints
            .about_equals()
            .iter()
            .map(|triplet| {
                let [a, b, c] = triplet.points;
                let shared = [same(a, b), same(a, c), same(b, c)];
                shared.iter().filter(|&&s| s).count() != 1
            })
            .collect(),
        ConstraintKind::Closer => constraints
            .closers()
            .iter()
            .map(|triplet| {
                let [anchor, near, far] = triplet.points;
                same(anchor, near) || !same(anchor, far)
            })
            .collect(),
        ConstraintKind::Label => label_verdicts(constraints, labels),
    }
}

/// A labelled point is kept when it lies in the cluster that most points of its label lie in. Ties
/// go to the cluster with the smaller number.
fn label_verdicts(constraints: &Constraints, labels: &[Label]) -> Vec<bool> {
    let mut votes: Vec<std::collections::BTreeMap<usize, usize>> =
        vec![Default::default(); constraints.label_names().len()];
    for said in constraints.labels() {
        if let Some(cluster) = labels[said.point] {
            *votes[said.label].entry(cluster).or_default() += 1;
        }
    }
    let home: Vec<Label> = votes
        .iter()
        .map(|votes| {
            votes
                .iter()
                .max_by_key(|&(&cluster, &count)| (count, usize::MAX - cluster))
                .map(|(&c, _)| c)
        })
        .collect();
    constraints
        .labels()
        .iter()
        .map(|said| labels[said.point].is_some() && labels[said.point] == home[said.label])
        .collect()
}
