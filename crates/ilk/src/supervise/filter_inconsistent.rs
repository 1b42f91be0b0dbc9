//! Pairs that most other pairs contradict.

mod groups;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use groups::ConsistentGroups;

use crate::{Result, problem::ConstraintKind, problem::Constraints};

/// The constraints that are kept, and the pairs that are not.
#[derive(Debug, Clone, PartialEq)]
pub struct InconsistencyFilter {
    /// The constraints that are kept; comparisons and labels are all among them.
    pub constraints: Constraints,
    /// The must-links that are left out, as positions in the list they came from.
    pub must_links: Vec<usize>,
    /// The cannot-links that are left out.
    pub cannot_links: Vec<usize>,
}

/// Times that the pairs are compared with those still kept.
const ROUNDS: usize = 5;

/// Where more than this share of the pairs would be left out, all are kept: the remaining ones would be no
/// better.
const MAX_REMOVED: f64 = 1.0 / 3.0;

/// Leaves out pairs that the other pairs contradict by majority.
///
/// Where a and b both have a pair with some c, the two pairs imply something about a and b: two must-links
/// a must-link, a must-link and a cannot-link a cannot-link, two cannot-links nothing. With s = 1 for a
/// must-link and -1 for a cannot-link, the support of a pair is
///
/// ```text
/// s(a, b) Σ_c s(a, c) s(c, b),   two cannot-links left out,
/// ```
///
/// each pair with its weight. A pair is left out where its support is below 0 and, in some triangle that
/// contradicts it, lower than that of both other sides: three pairs that contradict each other and nothing
/// else do not show which is wrong. This is repeated a few times with the pairs that are still kept.
///
/// Where any pair is left out, the others form groups (correlation clustering): groups with the largest
/// positive weight between them are merged, then every point moves to the group that its pairs support
/// most. A pair is kept if it agrees with the groups, provided that the pairs of both its points support
/// one group more than any other.
///
/// Pairs without a contradiction are all kept, and so are pairs in no triangle: random pairs of many points
/// stay as they are. All pairs are kept where more than a third would be left out.
///
/// ```
/// use ilk::problem::Constraints;
/// use ilk::supervise::filter_inconsistent::filter_inconsistent;
///
/// let mut constraints = Constraints::new(6);
/// for (a, b) in [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)] {
///     constraints.must_link(a, b)?;
/// }
/// constraints.cannot_link(0, 3)?.cannot_link(1, 3)?.cannot_link(2, 4)?;
/// // The must-link of 2 and 3 contradicts the pairs of 0, 1 and 4.
/// assert_eq!(filter_inconsistent(&constraints)?.must_links, [6]);
/// # Ok::<(), ilk::Error>(())
/// ```
pub fn filter_inconsistent(constraints: &Constraints) -> Result<InconsistencyFilter> {
    let pairs: Vec<SignedPair> = constraints.signed_pairs().collect();
    let mut is_kept = vec![true; pairs.len()];
    for _ in 0..ROUNDS {
        let next = supported(&pairs, &is_kept, constraints.n());
        if next == is_kept {
            break;
        }
        is_kept = next;
    }
    if let Some(groups) = ConsistentGroups::of(&pairs, &is_kept, constraints.n()) {
        for (pair, is_kept) in pairs.iter().zip(&mut is_kept) {
            *is_kept = groups.agree(pair).unwrap_or(*is_kept);
        }
    }
    let n_removed = is_kept.iter().filter(|&&kept| !kept).count();
    if n_removed as f64 > MAX_REMOVED * pairs.len() as f64 {
        is_kept.fill(true);
    }

    let (must, cannot) = is_kept.split_at(constraints.must_links().len());
    let removed =
        |kept: &[bool]| -> Vec<usize> { (0..kept.len()).filter(|&at| !kept[at]).collect() };
    let (must_links, cannot_links) = (removed(must), removed(cannot));
    Ok(InconsistencyFilter {
        constraints: constraints.without(&[
            (ConstraintKind::MustLink, &must_links),
            (ConstraintKind::CannotLink, &cannot_links),
        ])?,
        must_links,
        cannot_links,
    })
}

/// A pair and its weight, which is negative for a cannot-link.
type SignedPair = ([usize; 2], f64);

/// Which pairs to keep, by the support of those that are kept so far.
fn supported(pairs: &[SignedPair], is_kept: &[bool], n: usize) -> Vec<bool> {
    let kept = pairs.iter().zip(is_kept);
    let table = PairTable::new(kept.filter(|(_, yes)| **yes).map(|(pair, _)| pair), n);
    let supports = pairs.iter().map(|pair| (pair.0, table.support(pair)));
    let supports: BTreeMap<[usize; 2], f64> = supports.collect();
    let support = |a: usize, b: usize| supports.get(&[a.min(b), a.max(b)]).copied();
    let is_lowest = |&([a, b], value): &SignedPair, own: f64| {
        let mut contradicting = table.thirds(a, b).filter(|(_, implied)| value * implied < 0.0);
        contradicting.any(|(c, _)| {
            let sides = [support(a, c), support(c, b)];
            sides.iter().flatten().all(|&side| own < side)
        })
    };
    let is_kept = |pair: &SignedPair| {
        let own = table.support(pair);
        own >= 0.0 || !is_lowest(pair, own)
    };
    pairs.iter().map(is_kept).collect()
}

/// The pairs of every point: the other point and the signed weight.
struct PairTable(Vec<BTreeMap<usize, f64>>);

impl PairTable {
    fn new<'a>(pairs: impl Iterator<Item = &'a SignedPair>, n: usize) -> Self {
        let mut about: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); n];
        for &([a, b], value) in pairs {
            *about[a].entry(b).or_default() += value;
            *about[b].entry(a).or_default() += value;
        }
        Self(about)
    }

    /// The points that both have a pair with, and what those pairs imply about the two.
    fn thirds(&self, a: usize, b: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (few, many) = if self.0[a].len() <= self.0[b].len() { (a, b) } else { (b, a) };
        self.0[few].iter().filter_map(move |(&third, &one)| {
            let &other = self.0[many].get(&third)?;
            (one > 0.0 || other > 0.0).then_some((third, one * other))
        })
    }

    fn support(&self, &([a, b], value): &SignedPair) -> f64 {
        value.signum() * self.thirds(a, b).map(|(_, implied)| implied).sum::<f64>()
    }
}
