//! Which constraints a labelling keeps and which it breaks.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;

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
/// point that belongs to no cluster shares none. A label is kept where the point lies in the cluster
/// that holds most points of its label and that label is the most common one there.
///
/// A partition says nothing about distances, so a comparison is judged by what a partition can show:
/// an odd-one-out is broken when the odd one shares a cluster with one of the two while those two
/// are apart; closer when the far point shares the anchor's cluster and the near one does not;
/// about-equal when exactly two of the three share one.
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

/// A labelled point is kept when its cluster is the one that holds most points of its label, and its
/// label is the one most common in that cluster. Ties go to the smaller number.
fn label_verdicts(constraints: &Constraints, labels: &[Label]) -> Vec<bool> {
    let mut by_label: Vec<BTreeMap<usize, usize>> =
        vec![BTreeMap::new(); constraints.label_names().len()];
    let mut by_cluster: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
    for said in constraints.labels() {
        if let Some(cluster) = labels[said.point] {
            *by_label[said.label].entry(cluster).or_default() += 1;
            *by_cluster
                .entry(cluster)
                .or_default()
                .entry(said.label)
                .or_default() += 1;
        }
    }
    let most_common = |votes: &BTreeMap<usize, usize>| {
        votes
            .iter()
            .max_by_key(|&(&which, &count)| (count, Reverse(which)))
            .map(|(&which, _)| which)
    };
    constraints
        .labels()
        .iter()
        .map(|said| {
            labels[said.point].is_some_and(|cluster| {
                most_common(&by_label[said.label]) == Some(cluster)
                    && by_cluster.get(&cluster).and_then(most_common) == Some(said.label)
            })
        })
        .collect()
}
