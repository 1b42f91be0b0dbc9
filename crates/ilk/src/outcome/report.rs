//! Which constraints a labelling satisfies and which it violates.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::group::Label;
use crate::problem::{ConstraintKind, Constraints, Labelled};

/// Which constraints of one kind are satisfied.
#[derive(Debug, Clone, PartialEq)]
pub struct KindReport {
    /// The kind.
    pub kind: ConstraintKind,
    /// Entries (positions in the list of that kind in [`Constraints`]) that the labels satisfy.
    pub kept: Vec<usize>,
    /// Entries that the labels violate.
    pub broken: Vec<usize>,
}

/// Which constraints a labelling satisfies.
///
/// A must-link is satisfied if both points have the same cluster, a cannot-link if they do not. A point
/// that belongs to no cluster shares its cluster with no other. A label is satisfied if the point lies in
/// the cluster that holds most points of its label, and that label is the most common one there.
///
/// A partition has no distances, so a comparison counts as violated only where the partition contradicts
/// it: an odd-one-out if the odd point shares a cluster with one of the other two while those two do not
/// share one; a closer if the far point shares the anchor's cluster and the near one does not; an
/// about-equal if exactly two of the three points share a cluster.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConstraintReport {
    /// One report a kind, for the kinds that were given, in the order of [`ConstraintKind::ALL`].
    pub kinds: Vec<KindReport>,
}

impl ConstraintReport {
    /// The report on `constraints` for these `labels`.
    pub fn new(constraints: &Constraints, labels: &[Label]) -> Self {
        let kinds = ConstraintKind::ALL
            .into_iter()
            .filter(|&kind| constraints.count(kind) > 0)
            .map(|kind| KindReport::new(kind, &satisfied(constraints, kind, labels)))
            .collect();
        Self { kinds }
    }

    /// The report of a kind, if any constraint of it was given.
    pub fn kind(&self, kind: ConstraintKind) -> Option<&KindReport> {
        self.kinds.iter().find(|report| report.kind == kind)
    }

    /// Number of satisfied constraints of all kinds.
    pub fn kept(&self) -> usize {
        self.kinds.iter().map(|report| report.kept.len()).sum()
    }

    /// Number of violated constraints of all kinds.
    pub fn broken(&self) -> usize {
        self.kinds.iter().map(|report| report.broken.len()).sum()
    }
}

impl KindReport {
    fn new(kind: ConstraintKind, satisfied: &[bool]) -> Self {
        let (kept, broken) = (0..satisfied.len()).partition(|&entry| satisfied[entry]);
        Self { kind, kept, broken }
    }
}

/// For every entry of `kind`, whether it is satisfied.
fn satisfied(constraints: &Constraints, kind: ConstraintKind, labels: &[Label]) -> Vec<bool> {
    if kind == ConstraintKind::Label {
        return satisfied_labels(constraints, labels);
    }
    let same = |a: usize, b: usize| labels[a].is_some() && labels[a] == labels[b];
    let holds = |points: &[usize]| match (kind, points) {
        (ConstraintKind::CannotLink, &[a, b]) => !same(a, b),
        (ConstraintKind::OddOneOut, &[a, b, odd]) => same(a, b) || !(same(a, odd) || same(b, odd)),
        (ConstraintKind::AboutEqual, &[a, b, c]) => {
            let shared = [same(a, b), same(a, c), same(b, c)];
            shared.iter().filter(|&&s| s).count() != 1
        }
        (ConstraintKind::Closer, &[anchor, near, far]) => same(anchor, near) || !same(anchor, far),
        (_, points) => same(points[0], points[1]),
    };
    (0..constraints.count(kind))
        .filter_map(|entry| constraints.points_of(kind, entry))
        .map(holds)
        .collect()
}

/// For every label, whether the point's cluster is the one that holds most points of the label, and the
/// label is the most common one in that cluster. Ties go to the smaller number.
fn satisfied_labels(constraints: &Constraints, labels: &[Label]) -> Vec<bool> {
    type Counts = BTreeMap<usize, BTreeMap<usize, usize>>;
    let (mut by_label, mut by_cluster) = (Counts::new(), Counts::new());
    for given in constraints.labels() {
        if let Some(cluster) = labels[given.point] {
            for (counts, of, which) in
                [(&mut by_label, given.label, cluster), (&mut by_cluster, cluster, given.label)]
            {
                *counts.entry(of).or_default().entry(which).or_default() += 1;
            }
        }
    }
    let most_common = |counts: &Counts, of: usize| {
        let counts = counts.get(&of)?.iter();
        let most = counts.max_by_key(|&(&which, &count)| (count, Reverse(which)));
        most.map(|(&which, _)| which)
    };
    let holds = |given: &Labelled| {
        labels[given.point].is_some_and(|cluster| {
            most_common(&by_label, given.label) == Some(cluster)
                && most_common(&by_cluster, cluster) == Some(given.label)
        })
    };
    constraints.labels().iter().map(holds).collect()
}
