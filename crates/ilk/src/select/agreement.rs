//! How far a clustering agrees with constraints.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::group::Label;
use crate::problem::{Constraints, Triplet};

/// Above this ratio of squared distances a third point is the odd one, ρ of SKLR.
const ODD_RATIO: f64 = 2.0;

/// The weight of the constraints of each kind, and how much of it a clustering keeps.
///
/// Pairs are judged by labels ([`of`](Self::of)), comparisons by distances
/// ([`of_distances`](Self::of_distances)). A constraint counts by its weight. Agreements of several trials are
/// added with `+=`, and [`score`](Self::score) is that of all of them together.
///
/// ```
/// use ilk::select::ConstraintAgreement;
/// use ilk::problem::Constraints;
///
/// let mut constraints = Constraints::new(4);
/// constraints.must_link(0, 1)?.cannot_link(1, 2)?.closer(0, 1, 3)?;
/// let labels = [Some(0), Some(0), Some(1), Some(1)];
/// let mut agreement = ConstraintAgreement::of(&labels, &constraints);
/// assert_eq!(agreement.score(), 1.0);
///
/// let place = [0.0_f64, 2.0, 5.0, 1.0];
/// agreement += ConstraintAgreement::of_distances(|a, b| (place[a] - place[b]).powi(2), &constraints);
/// // Two pairs are kept and a comparison is broken.
/// assert_eq!(agreement.score(), (2.0 * 1.0 + 1.0 * -1.0) / 3.0);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ConstraintAgreement {
    /// Must-links, and pairs of points with the same label.
    pub must_links: KeptWeight,
    /// Cannot-links, and pairs of points with different labels.
    pub cannot_links: KeptWeight,
    /// Comparisons of three points.
    pub comparisons: KeptWeight,
}

/// The weight of the constraints of one kind, and how much of it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct KeptWeight {
    /// The weight of all.
    pub constraints: f64,
    /// The weight of those that are kept.
    pub kept: f64,
}

impl ConstraintAgreement {
    /// Whether there are pairs that labels can agree with; a single label makes none.
    pub fn has_pairs(constraints: &Constraints) -> bool {
        !constraints.must_links().is_empty()
            || !constraints.cannot_links().is_empty()
            || constraints.labels().len() > 1
    }

    /// How far `labels` agree with must-links, cannot-links and labels.
    ///
    /// Two labelled points are a pair as well, must-linked if their labels are the same, and its weight is the
    /// product of theirs. A point without a cluster shares none.
    ///
    /// # Panics
    /// Where `labels` are fewer than the points of `constraints`.
    pub fn of(labels: &[Label], constraints: &Constraints) -> Self {
        let same = |[a, b]: [usize; 2]| share_a_cluster(labels, a, b);
        let (mut must_links, mut cannot_links) = (KeptWeight::default(), KeptWeight::default());
        for pair in constraints.must_links() {
            let kept = if same(pair.points) { pair.weight } else { 0.0 };
            must_links.add(kept, pair.weight);
        }
        for pair in constraints.cannot_links() {
            let kept = if same(pair.points) { 0.0 } else { pair.weight };
            cannot_links.add(kept, pair.weight);
        }

        let mut by_label = vec![Mass::default(); constraints.label_names().len()];
        let mut by_cluster: BTreeMap<usize, BTreeMap<usize, Mass>> = BTreeMap::new();
        for labelled in constraints.labels() {
            by_label[labelled.label].add(labelled.weight);
            if let Some(cluster) = labels[labelled.point] {
                let labels = by_cluster.entry(cluster).or_default();
                let here = labels.entry(labelled.label).or_default();
                here.add(labelled.weight);
            }
        }
        let cells = || by_cluster.values().flat_map(BTreeMap::values);
        let kept: f64 = cells().map(|mass| mass.pairs).sum();
        must_links.add(kept, by_label.iter().map(|mass| mass.pairs).sum());
        let different = Mass::between(&by_label);
        let joined: f64 = by_cluster.values().map(|l| Mass::between(l.values())).sum();
        cannot_links.add((different - joined).max(0.0), different);

        Self { must_links, cannot_links, comparisons: KeptWeight::default() }
    }

    /// How far squared distances agree with comparisons.
    ///
    /// An odd-one-out (a, b | c) is two statements, d(a, b) < d(a, c) and d(a, b) < d(b, c), each
    /// worth half of it; closer (a: b, c) is d(a, b) < d(a, c). Two equal distances count half. About-equal
    /// holds unless one of the three is odd by the ratio that kernel learning asks for: twice the smallest
    /// squared distance is below the next one.
    pub fn of_distances(dist_sq: impl Fn(usize, usize) -> f64, constraints: &Constraints) -> Self {
        let nearer = |a_sq: f64, b_sq: f64| match a_sq.partial_cmp(&b_sq) {
            Some(std::cmp::Ordering::Less) => 1.0,
            Some(std::cmp::Ordering::Equal) => 0.5,
            _ => 0.0,
        };
        let mut comparisons = KeptWeight::default();
        let mut judge = |list: &[Triplet], holds: &dyn Fn([usize; 3]) -> f64| {
            for triplet in list {
                comparisons.add(triplet.weight * holds(triplet.points), triplet.weight);
            }
        };
        judge(constraints.odd_one_outs(), &|[a, b, odd]| {
            let pair_sq = dist_sq(a, b);
            f64::midpoint(nearer(pair_sq, dist_sq(a, odd)), nearer(pair_sq, dist_sq(b, odd)))
        });
        judge(constraints.about_equals(), &|[a, b, c]| {
            let mut sides_sq = [dist_sq(a, b), dist_sq(a, c), dist_sq(b, c)];
            sides_sq.sort_unstable_by(f64::total_cmp);
            f64::from(u8::from(ODD_RATIO * sides_sq[0] >= sides_sq[1]))
        });
        judge(constraints.closers(), &|[anchor, near, far]| {
            nearer(dist_sq(anchor, near), dist_sq(anchor, far))
        });
        Self { comparisons, ..Self::default() }
    }

    /// Whether there are pairs of both kinds.
    pub fn has_both_kinds(&self) -> bool {
        self.must_links.constraints > 0.0 && self.cannot_links.constraints > 0.0
    }

    /// From 1, all kept, over 0, no better than chance, to -1; 0 without constraints.
    ///
    /// For pairs it is Cohen's kappa of "must-linked" and "in one cluster": with t and f the weights of kept and broken
    /// must-links, u and g those of kept and broken cannot-links,
    ///
    /// ```text
    /// 2 (t u - f g) / ((t + f) (f + u) + (t + g) (g + u)),
    /// ```
    ///
    /// and 0 where all pairs are in one cluster, or none is. Over all pairs of points this is the adjusted Rand index
    /// (Warrens 2008), so for random constraints it estimates that of the clustering. With pairs of one kind alone it is
    /// the share kept, which bounds a clustering on one side only. For comparisons it is the share kept minus the share
    /// broken. Where there are both, it is their mean weighted by the constraints.
    ///
    /// The mean of the two kept shares is worse for noisy constraints: where most pairs are of different
    /// clusters, wrong constraints are mostly must-links, and may be as many as the true ones; kappa
    /// is low for a coarse partition that keeps these and joins much else. The plain share
    /// kept is largest where nothing is joined.
    pub fn score(&self) -> f64 {
        let pairs = self.must_links.constraints + self.cannot_links.constraints;
        if self.comparisons.constraints <= 0.0 {
            return self.pair_score();
        }
        let compared = self.comparisons.kept - self.comparisons.broken();
        (pairs * self.pair_score() + compared) / (pairs + self.comparisons.constraints)
    }

    fn pair_score(&self) -> f64 {
        let Self { must_links, cannot_links, .. } = self;
        if !self.has_both_kinds() {
            let constraints = must_links.constraints + cannot_links.constraints;
            return (must_links.kept + cannot_links.kept) / constraints.max(f64::MIN_POSITIVE);
        }
        let joined = must_links.kept + cannot_links.broken();
        let parted = cannot_links.kept + must_links.broken();
        if joined <= 0.0 || parted <= 0.0 {
            return 0.0;
        }
        // Shares first: the products of weights may overflow or underflow.
        let total = must_links.constraints + cannot_links.constraints;
        let share = |weight: f64| weight / total;
        let difference = share(must_links.kept) * share(cannot_links.kept)
            - share(must_links.broken()) * share(cannot_links.broken());
        let must = share(must_links.constraints) * share(parted);
        let cannot = share(cannot_links.constraints) * share(joined);
        2.0 * difference / (must + cannot)
    }
}

impl AddAssign for ConstraintAgreement {
    fn add_assign(&mut self, other: Self) {
        let add = |into: &mut KeptWeight, from: KeptWeight| into.add(from.kept, from.constraints);
        add(&mut self.must_links, other.must_links);
        add(&mut self.cannot_links, other.cannot_links);
        add(&mut self.comparisons, other.comparisons);
    }
}

impl KeptWeight {
    fn add(&mut self, kept: f64, constraints: f64) {
        self.kept += kept;
        self.constraints += constraints;
    }

    fn broken(self) -> f64 {
        (self.constraints - self.kept).max(0.0)
    }
}

fn share_a_cluster(labels: &[Label], a: usize, b: usize) -> bool {
    labels[a].is_some() && labels[a] == labels[b]
}

/// The sum of weights, and of the products of every two of them. Products are added one by one: as a
/// difference of large sums, a single weight would have pairs by rounding.
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
