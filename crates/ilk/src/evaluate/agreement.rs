//! How far a clustering agrees with what was said: what chooses a parameter by the answers.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::group::Label;
use crate::problem::{Constraints, Triplet};

/// Above this ratio of squared distances a third point is the odd one, ρ of SKLR.
const ODD_RATIO: f64 = 2.0;

/// What was said against what was found, added up over as many trials as there are.
///
/// Pairs are judged by labels ([`of`](Self::of)), comparisons by distances
/// ([`comparing`](Self::comparing)) or, where there are none, by labels
/// ([`comparing_labels`](Self::comparing_labels)). Every answer counts by its weight. Tallies of
/// several trials are added with `+=`, and [`score`](Self::score) is that of all of them together.
///
/// ```
/// use ilk::evaluate::Tally;
/// use ilk::problem::Constraints;
///
/// let mut said = Constraints::new(4);
/// said.must_link(0, 1)?.cannot_link(1, 2)?.closer(0, 1, 3)?;
/// let labels = [Some(0), Some(0), Some(1), Some(1)];
/// let mut tally = Tally::of(&labels, &said);
/// assert_eq!(tally.score(), 1.0);
///
/// let place = [0.0_f64, 2.0, 5.0, 1.0];
/// tally += Tally::comparing(|a, b| (place[a] - place[b]).powi(2), &said);
/// // Two pairs that are right and a comparison that is wrong.
/// assert_eq!(tally.score(), (2.0 * 1.0 + 1.0 * -1.0) / 3.0);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    /// Pairs said to be together.
    pub together: Share,
    /// Pairs said to be apart.
    pub apart: Share,
    /// Comparisons of three points.
    pub compared: Share,
}

/// The weight of what was said of one kind, and how much of it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Share {
    /// What was said.
    pub said: f64,
    /// What is kept of it.
    pub kept: f64,
}

impl Tally {
    /// Whether there are pairs that labels can agree with: a single label has nothing to differ
    /// from.
    pub fn can_be_judged(said: &Constraints) -> bool {
        !said.must_links().is_empty() || !said.cannot_links().is_empty() || said.labels().len() > 1
    }

    /// How far `labels` agree with the pairs and labels that were said.
    ///
    /// Two labelled points are a pair as well, together if their labels are the same, and its
    /// weight is the product of theirs. A point without a cluster shares none.
    ///
    /// # Panics
    /// Where `labels` are fewer than the points of `said`.
    pub fn of(labels: &[Label], said: &Constraints) -> Self {
        let same = |[a, b]: [usize; 2]| share_a_cluster(labels, a, b);
        let (mut together, mut apart) = (Share::default(), Share::default());
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
            if let Some(cluster) = labels[labelled.point] {
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

        Self {
            together,
            apart,
            compared: Share::default(),
        }
    }

    /// How far squared distances agree with the comparisons that were said.
    ///
    /// An odd-one-out (a, b | c) is two statements, d(a, b) < d(a, c) and d(a, b) < d(b, c), each
    /// worth half of it; closer (a: b, c) is d(a, b) < d(a, c). Two equal distances say neither yes
    /// nor no and count half. About-equal holds unless one of the three is odd by the ratio that
    /// kernel learning asks for: twice the smallest squared distance is below the next one.
    pub fn comparing(dist_sq: impl Fn(usize, usize) -> f64, said: &Constraints) -> Self {
        let nearer = |a_sq: f64, b_sq: f64| match a_sq.partial_cmp(&b_sq) {
            Some(std::cmp::Ordering::Less) => 1.0,
            Some(std::cmp::Ordering::Equal) => 0.5,
            _ => 0.0,
        };
        let mut compared = Share::default();
        let mut judge = |list: &[Triplet], holds: &dyn Fn([usize; 3]) -> f64| {
            for triplet in list {
                compared.add(triplet.weight * holds(triplet.points), triplet.weight);
            }
        };
        judge(said.odd_one_outs(), &|[a, b, odd]| {
            let pair_sq = dist_sq(a, b);
            f64::midpoint(
                nearer(pair_sq, dist_sq(a, odd)),
                nearer(pair_sq, dist_sq(b, odd)),
            )
        });
        judge(said.about_equals(), &|[a, b, c]| {
            let mut sides_sq = [dist_sq(a, b), dist_sq(a, c), dist_sq(b, c)];
            sides_sq.sort_unstable_by(f64::total_cmp);
            f64::from(u8::from(ODD_RATIO * sides_sq[0] >= sides_sq[1]))
        });
        judge(said.closers(), &|[anchor, near, far]| {
            nearer(dist_sq(anchor, near), dist_sq(anchor, far))
        });
        Self {
            compared,
            ..Self::default()
        }
    }

    /// How far `labels` alone agree with the comparisons that were said: the distances are 0 within
    /// a cluster and 1 between. A partition is silent on many comparisons, which then count half.
    ///
    /// # Panics
    /// Where `labels` are fewer than the points of `said`.
    pub fn comparing_labels(labels: &[Label], said: &Constraints) -> Self {
        let dist_sq = |a, b| f64::from(u8::from(!share_a_cluster(labels, a, b)));
        Self::comparing(dist_sq, said)
    }

    /// Whether pairs of both kinds were said.
    pub fn has_both(&self) -> bool {
        self.together.said > 0.0 && self.apart.said > 0.0
    }

    /// From 1, all kept, over 0, no better than chance, to -1; 0 where nothing was said.
    ///
    /// For pairs it is the Matthews correlation of "said to be together" and "found together":
    /// with t and f the kept and broken must-links, u and g the kept and broken cannot-links,
    ///
    /// ```text
    /// (t u - f g) / sqrt((t + f) (u + g) (t + g) (u + f)),
    /// ```
    ///
    /// and 0 where all or nothing was found together. With pairs of one kind alone it is the share
    /// kept, which says less: it bounds a clustering on one side only. For comparisons it is the
    /// share kept less the share broken. Where there are both, the two are averaged by the weight
    /// of what was said.
    ///
    /// A mean of the two kept shares would do for answers that are all true. But where most pairs
    /// are apart, wrong answers fall mostly among the must-links, and may be as many as the true
    /// ones; the correlation sees that a coarse partition which keeps a few of them joins much
    /// else. The plain share of what is kept, at the other end, is best where nothing is ever
    /// joined.
    pub fn score(&self) -> f64 {
        let pairs = self.together.said + self.apart.said;
        if self.compared.said <= 0.0 {
            return self.pair_score();
        }
        let compared = self.compared.kept - self.compared.broken();
        (pairs * self.pair_score() + compared) / (pairs + self.compared.said)
    }

    fn pair_score(&self) -> f64 {
        let Self {
            together, apart, ..
        } = self;
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

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        let add = |into: &mut Share, from: Share| into.add(from.kept, from.said);
        add(&mut self.together, other.together);
        add(&mut self.apart, other.apart);
        add(&mut self.compared, other.compared);
    }
}

impl Share {
    fn add(&mut self, kept: f64, said: f64) {
        self.kept += kept;
        self.said += said;
    }

    fn broken(self) -> f64 {
        (self.said - self.kept).max(0.0)
    }
}

fn share_a_cluster(labels: &[Label], a: usize, b: usize) -> bool {
    labels[a].is_some() && labels[a] == labels[b]
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
