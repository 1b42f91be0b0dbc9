//! How far a partition agrees with pairs and labels: what a method goes by that chooses a parameter
//! by the answers.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::group::Label;
use crate::problem::Constraints;

/// What was said of two points, together or apart, against what a partition makes of them.
///
/// Every pair counts by its weight. Two labelled points are a pair as well, together if the labels
/// are the same, and its weight is the product of theirs. A point without a cluster shares none.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Agreement {
    pub(super) together: Tally,
    pub(super) apart: Tally,
}

/// The weight of what was said of one kind, and how much of it the partition keeps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Tally {
    pub(super) said: f64,
    pub(super) kept: f64,
}

impl Agreement {
    /// Whether there is anything to agree with: a single label has nothing to differ from.
    pub(super) fn can_be_judged(said: &Constraints) -> bool {
        !said.must_links().is_empty() || !said.cannot_links().is_empty() || said.labels().len() > 1
    }

    /// How far `clusters` agrees with what was said.
    pub(super) fn of(clusters: &[Label], said: &Constraints) -> Self {
        let same = |[a, b]: [usize; 2]| clusters[a].is_some() && clusters[a] == clusters[b];
        let Self {
            mut together,
            mut apart,
        } = Self::default();
        for pair in said.must_links() {
            let kept = if same(pair.points) { pair.weight } else { 0.0 };
            together.add(kept, pair.weight);
        }
        for pair in said.cannot_links() {
            let kept = if same(pair.points) { 0.0 } else { pair.weight };
            apart.add(kept, pair.weight);
        }

        let mut by_label = vec![Mass::default(); said.label_names().len()];
        let mut by_cluster: BTreeMap<usize, BTreeMap<usize, Mass>> = BTreeMap::new();
        for labelled in said.labels() {
            by_label[labelled.label].add(labelled.weight);
            if let Some(cluster) = clusters[labelled.point] {
                let labels = by_cluster.entry(cluster).or_default();
                let here = labels.entry(labelled.label).or_default();
                here.add(labelled.weight);
            }
        }
        let cells = || by_cluster.values().flat_map(BTreeMap::values);
        let kept: f64 = cells().map(|mass| mass.pairs).sum();
        together.add(kept, by_label.iter().map(|mass| mass.pairs).sum());
        let different = Mass::between(&by_label);
        let joined: f64 = by_cluster.values().map(|l| Mass::between(l.values())).sum();
        apart.add((different - joined).max(0.0), different);

        Self { together, apart }
    }

    /// Whether things of both kinds were said.
    pub(super) fn has_both(self) -> bool {
        self.together.said > 0.0 && self.apart.said > 0.0
    }

    /// From 1, all kept, over 0, no better than chance, to -1: the correlation of "said to be
    /// together" and "found together" over the pairs. With things of one kind alone, the share kept.
    ///
    /// A mean of the two kept shares would do for answers that are all true. But where most pairs
    /// are apart, wrong answers fall mostly among the must-links, and may be as many as the true
    /// ones; the correlation sees that a coarse partition which keeps a few of them joins much else.
    /// The plain share of what is kept, at the other end, is best where nothing is ever joined.
    pub(super) fn score(self) -> f64 {
        let Self { together, apart } = self;
        if !self.has_both() {
            let said = together.said + apart.said;
            return (together.kept + apart.kept) / said.max(f64::MIN_POSITIVE);
        }
        let joined = together.kept + apart.broken();
        let parted = apart.kept + together.broken();
        if joined <= 0.0 || parted <= 0.0 {
            return 0.0;
        }
        let covariance = together.kept * apart.kept - together.broken() * apart.broken();
        let scale = (together.said * apart.said).sqrt() * (joined * parted).sqrt();
        covariance / scale
    }
}

impl Tally {
    fn add(&mut self, kept: f64, said: f64) {
        self.kept += kept;
        self.said += said;
    }

    fn broken(self) -> f64 {
        (self.said - self.kept).max(0.0)
    }
}

/// Weights, and the products of every two of them, summed as they come: no difference of large
/// sums, so that one weight alone has no pairs at all.
#[derive(Clone, Copy, Default)]
struct Mass {
    total: f64,
    pairs: f64,
}

impl Mass {
    fn add(&mut self, weight: f64) {
        self.pairs += weight * self.total;
        self.total += weight;
    }

    /// The products of every two weights of different groups.
    fn between<'a>(groups: impl IntoIterator<Item = &'a Self>) -> f64 {
        let mut all = Self::default();
        for group in groups {
            all.add(group.total);
        }
        all.pairs
    }
}
