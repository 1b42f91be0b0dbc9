//! The number of neighbours that sets the bandwidths of mean shift (SKMS 6.3).

#[cfg(test)]
mod tests;

use ndarray::ArrayView2;
use rayon::prelude::*;

use crate::{Result, numerics::distances::Panels, numerics::rows_of, problem::Constraints};

/// Doublings of k that [`nearby`] goes from the estimate, both ways.
const DOUBLINGS: i32 = 2;

/// Steps of [`nearby`] a doubling of k.
const STEPS: i32 = 4;

/// The k of the bandwidths h_i, the distance of each point to its k-th neighbour, estimated from
/// must-links.
///
/// The bandwidth of a point should include its must-linked partners. From one end of a must-link the
/// other is the k_j-th nearest of all points in the learned space; k is the median over all
/// must-links, both ways, rounded up. Only must-links that hold in that space count, since those that
/// learning could not satisfy do not measure a neighbourhood; where none holds, all count. Weights
/// are ignored.
///
/// The median may be too small (SKMS Fig. 6a); [`stability`] shows whether it is.
#[derive(Debug, Clone, PartialEq)]
pub struct NeighborhoodSize {
    /// k: from 1 to n - 1.
    pub neighbors: usize,
    /// The ranks that it is the median of, two a must-link, in the order of the must-links.
    pub ranks: Vec<usize>,
    /// Must-links that hold.
    pub held: usize,
}

impl NeighborhoodSize {
    /// The estimate in a space given by explicit features, one row a point. `limit_sq` is the squared
    /// distance up to which a must-link holds: its target, and what slack adds to it. `None`
    /// without must-links; labels are ignored. O(c n r) for c points with a must-link.
    ///
    /// # Panics
    /// Where `constraints` is about more points than there are rows.
    pub fn new(
        features: ArrayView2<'_, f64>,
        constraints: &Constraints,
        limit_sq: f64,
    ) -> Option<Self> {
        let panels = Panels::new(features);
        let features = features.as_standard_layout();
        let (n, dims) = features.dim();
        let flat = rows_of(&features);
        let distances_sq = |point: usize, out: &mut [f64]| {
            // Without dimensions all points coincide, and the distances stay 0.
            if dims > 0 {
                panels.dist_sq(&flat[point * dims..(point + 1) * dims], 0..n, out);
            }
        };

        // A point, its partner, and the place of this direction of their must-link.
        let links = constraints.must_links().iter().enumerate();
        let mut directions: Vec<(usize, usize, usize)> = links
            .flat_map(|(link, pair)| {
                let [a, b] = pair.points;
                [(a, b, 2 * link), (b, a, 2 * link + 1)]
            })
            .collect();
        directions.sort_unstable();
        let by_point: Vec<&[_]> = directions.chunk_by(|x, y| x.0 == y.0).collect();
        let ranked: Vec<Vec<(usize, f64, usize)>> = by_point
            .into_par_iter()
            .map_init(
                || vec![0.0; n],
                |out, same| {
                    distances_sq(same[0].0, out);
                    let ranked = same.iter();
                    ranked
                        .map(|&(point, partner, at)| (at, out[partner], rank(point, partner, out)))
                        .collect()
                },
            )
            .collect();
        let mut ends = vec![(0.0, 0); directions.len()];
        for (at, dist_sq, rank) in ranked.concat() {
            ends[at] = (dist_sq, rank);
        }

        let holds = |ends: &[(f64, usize)]| ends.iter().any(|end| end.0 <= limit_sq);
        let both_ends = || ends.chunks_exact(2);
        let held = both_ends().filter(|ends| holds(ends)).count();
        let ranks: Vec<usize> = both_ends()
            .filter(|ends| held == 0 || holds(ends))
            .flat_map(|ends| ends.iter().map(|end| end.1))
            .collect();
        Some(Self { neighbors: median_rounded_up(&ranks)?, ranks, held })
    }
}

/// The rank of the partner among all others: one more than there are nearer. Others at the same
/// distance do not count, so that the order of the points does not matter.
fn rank(point: usize, partner: usize, distances_sq: &[f64]) -> usize {
    let dist_sq = distances_sq[partner];
    let nearer = |range: &[f64]| range.iter().filter(|&&other| other < dist_sq).count();
    1 + nearer(&distances_sq[..point]) + nearer(&distances_sq[point + 1..])
}

fn median_rounded_up(ranks: &[usize]) -> Option<usize> {
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    let (low, high) = (sorted.get((ranks.len().max(1) - 1) / 2)?, sorted[ranks.len() / 2]);
    Some((low + high).div_ceil(2))
}

/// The ks around an estimate at which clusterings are compared: from a quarter of it to four
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
    let clusters = neighbors.iter().copied().map(count).collect::<Result<_>>();
    Ok(Stability { clusters: clusters?, neighbors })
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
