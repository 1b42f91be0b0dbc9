//! How many neighbours make a neighbourhood (SKMS 6.3).

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use ndarray::ArrayView2;
use rayon::prelude::*;

use crate::Result;
use crate::numerics::distances::Panels;
use crate::problem::{Constraints, Pair};

/// Doublings of k that [`nearby`] goes from the estimate, both ways.
const DOUBLINGS: i32 = 2;

/// Steps of [`nearby`] a doubling of k.
const STEPS: i32 = 4;

/// The k of the bandwidths h_i, the distance of each point to its k-th neighbour, as must-links
/// suggest it.
///
/// Who was said to belong together should be within reach. Seen from one end of a must-link the
/// other is the k_j-th nearest of all points in the learned space; k is the median over all
/// must-links, both ways, rounded up. Only must-links that hold there count: what learning could
/// not bring together is no measure of a neighbourhood. Where none holds, all count. Weights are
/// not looked at.
///
/// The median may be too small (SKMS Fig. 6a); [`stability`] shows whether it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Reach {
    /// k: from 1 to n - 1.
    pub neighbors: usize,
    /// The ranks that it is the median of, two a must-link, in the order of the must-links.
    pub ranks: Vec<usize>,
    /// Must-links that hold.
    pub held: usize,
}

impl Reach {
    /// The reach in a space given by explicit features, one row a point. `limit_sq` is the squared
    /// distance up to which a must-link holds: its target, and what slack adds to it. `None`
    /// without must-links; labels are not looked at. O(c n r) for c points with a must-link.
    ///
    /// # Panics
    /// Where `said` is about more points than there are rows.
    pub fn new(features: ArrayView2<'_, f64>, said: &Constraints, limit_sq: f64) -> Option<Self> {
        let panels = Panels::new(features);
        let features = features.as_standard_layout();
        let (n, dims) = features.dim();
        let flat = features.as_slice().unwrap_or(&[]);
        Self::by_rows(n, said, limit_sq, |point, out| {
            if dims == 0 {
                // Without dimensions all points coincide.
                out.fill(0.0);
                return;
            }
            panels.dist_sq(&flat[point * dims..(point + 1) * dims], 0..n, out);
        })
    }

    /// As [`new`](Self::new), where `dist_sq(point, out)` writes the squared distances from a point
    /// to all `n`, itself included. It is called in parallel, once a point with a must-link.
    pub fn by_rows(
        n: usize,
        said: &Constraints,
        limit_sq: f64,
        dist_sq: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Option<Self> {
        let links = said.must_links();
        let seen: Vec<Seen> = both_ways(links)
            .into_par_iter()
            .map_init(
                || vec![0.0; n],
                |out, (point, partners)| {
                    dist_sq(point, out);
                    partners
                        .into_iter()
                        .map(|way| way.look(point, out))
                        .collect()
                },
            )
            .collect::<Vec<Vec<Seen>>>()
            .concat();

        let mut ways = vec![[Seen::default(); 2]; links.len()];
        for way in seen {
            ways[way.link][way.end] = way;
        }
        let holds = |way: &[Seen; 2]| way.iter().any(|seen| seen.dist_sq <= limit_sq);
        let held = ways.iter().filter(|way| holds(way)).count();
        let ranks: Vec<usize> = ways
            .iter()
            .filter(|way| held == 0 || holds(way))
            .flat_map(|way| way.map(|seen| seen.rank))
            .collect();
        Some(Self {
            neighbors: median_rounded_up(&ranks)?,
            ranks,
            held,
        })
    }
}

/// A must-link seen from one end.
struct Way {
    link: usize,
    end: usize,
    partner: usize,
}

/// What was seen.
#[derive(Clone, Copy, Default)]
struct Seen {
    link: usize,
    end: usize,
    dist_sq: f64,
    rank: usize,
}

impl Way {
    /// The rank of the partner among all others: one more than there are nearer. Others at the same
    /// distance do not count, so that the order of the points does not matter.
    fn look(&self, point: usize, distances_sq: &[f64]) -> Seen {
        let dist_sq = distances_sq[self.partner];
        let nearer = |range: &[f64]| range.iter().filter(|&&other| other < dist_sq).count();
        Seen {
            link: self.link,
            end: self.end,
            dist_sq,
            rank: 1 + nearer(&distances_sq[..point]) + nearer(&distances_sq[point + 1..]),
        }
    }
}

/// For every point with a must-link, those that it has.
fn both_ways(links: &[Pair]) -> BTreeMap<usize, Vec<Way>> {
    let mut ways: BTreeMap<usize, Vec<Way>> = BTreeMap::new();
    for (link, pair) in links.iter().enumerate() {
        let [a, b] = pair.points;
        for (end, point, partner) in [(0, a, b), (1, b, a)] {
            ways.entry(point)
                .or_default()
                .push(Way { link, end, partner });
        }
    }
    ways
}

fn median_rounded_up(ranks: &[usize]) -> Option<usize> {
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    let (low, high) = (
        sorted.get((ranks.len().max(1) - 1) / 2)?,
        sorted[ranks.len() / 2],
    );
    Some((low + high).div_ceil(2))
}

/// The ks around an estimate at which a clustering is worth a look: from a quarter of it to four
/// times as much, in ratios of 2^(1/4) as far as whole numbers allow, at most n - 1. Rising, the
/// estimate among them (if it is below `n`). SKMS Fig. 6a has k = 6 for an estimate and 10 to 23
/// for good values.
pub fn nearby(estimate: usize, n: usize) -> Vec<usize> {
    let most = n.saturating_sub(1).max(1);
    let estimate = estimate.clamp(1, most);
    let steps = DOUBLINGS * STEPS;
    let mut ks: Vec<usize> = (-steps..=steps)
        .map(|step| estimate as f64 * (f64::from(step) / f64::from(STEPS)).exp2())
        .map(|k| (k.round() as usize).clamp(1, most))
        .collect();
    ks.dedup();
    ks
}

/// How many clusters there are for ks around the estimate (SKMS Fig. 6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stability {
    /// The ks that were tried, rising.
    pub neighbors: Vec<usize>,
    /// How many clusters each gave.
    pub clusters: Vec<usize>,
}

/// Counts the clusters for every k of [`nearby`]. For a good k their number does not change with k.
///
/// # Errors
/// The first that `count` returns.
pub fn stability(
    estimate: usize,
    n: usize,
    count: impl FnMut(usize) -> Result<usize>,
) -> Result<Stability> {
    let neighbors = nearby(estimate, n);
    let clusters = neighbors
        .iter()
        .copied()
        .map(count)
        .collect::<Result<_>>()?;
    Ok(Stability {
        neighbors,
        clusters,
    })
}

impl Stability {
    /// The first and the last k of the longest stretch, as a ratio of its ends, over which the
    /// number of clusters stays the same and is above 1; the first of equally long ones. `None`
    /// where there is never more than one cluster.
    pub fn plateau(&self) -> Option<(usize, usize)> {
        let mut longest: Option<(usize, usize)> = None;
        let mut start = 0;
        for run in self.clusters.chunk_by(|a, b| a == b) {
            let (first, last) = (self.neighbors[start], self.neighbors[start + run.len() - 1]);
            start += run.len();
            // last/first > b/a, without division.
            let is_longer = longest.is_none_or(|(a, b)| last * a > b * first);
            if run[0] > 1 && is_longer {
                longest = Some((first, last));
            }
        }
        longest
    }
}
