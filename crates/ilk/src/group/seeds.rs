//! The points from which k-means of any kind starts, one a cluster.

use std::ops::Range;

use rayon::prelude::*;

use crate::numerics::rng::Rng;

/// Points whose distances are found together.
const BLOCK: usize = 1024;

/// Points with weights at distances from each other.
pub(super) trait Spread: Sync {
    /// Number of points.
    fn len(&self) -> usize;

    /// The weight of a point.
    fn weight(&self, i: usize) -> f64;

    /// Squared distances between the points `from` and those of a range, row by row.
    fn dist_sq(&self, from: &[usize], to: Range<usize>, out: &mut [f64]);
}

/// A point, as likely as it is heavy; none where there are none.
pub(super) fn by_weight(space: &impl Spread, rng: &mut Rng) -> Vec<usize> {
    let weights = (0..space.len()).map(|i| space.weight(i));
    Cumulative::new(weights).draw(rng).into_iter().collect()
}

/// Greedy k-means++: `k` different points, at most as many as there are. Of a few points drawn by
/// weight times squared distance to the nearest chosen one, the one that lowers the sum of those
/// most is next (Arthur and Vassilvitskii 2007), with 2 + ln k draws as in scikit-learn.
pub(super) fn plus_plus(space: &impl Spread, k: usize, rng: &mut Rng) -> Vec<usize> {
    let draws = 2 + (k as f64).ln() as usize;
    let first = by_weight(space, rng);
    chosen(space, k, first, |nearest_sq| {
        let weighted = nearest_sq.iter().enumerate();
        let cumulative = Cumulative::new(weighted.map(|(i, dist_sq)| space.weight(i) * dist_sq));
        (0..draws).filter_map(|_| cumulative.draw(rng)).collect()
    })
}

/// `k` different points, at most as many as there are: some that are given, then always the one
/// farthest from all chosen.
pub(super) fn farthest_first(space: &impl Spread, k: usize, given: Vec<usize>) -> Vec<usize> {
    chosen(space, k, given, |nearest_sq| vec![farthest(nearest_sq)])
}

/// Goes on from the points given, always with the best of those that are proposed.
fn chosen(
    space: &impl Spread,
    k: usize,
    given: Vec<usize>,
    mut propose: impl FnMut(&[f64]) -> Vec<usize>,
) -> Vec<usize> {
    let mut is_chosen = vec![false; space.len()];
    let mut nearest_sq = vec![f64::INFINITY; space.len()];
    for &point in &given {
        is_chosen[point] = true;
        nearest_sq = Trial::best(space, &[point], &nearest_sq).nearest_sq;
    }
    let mut chosen = given;
    while !chosen.is_empty() && chosen.len() < k {
        let proposed = propose(&nearest_sq);
        let best = (!proposed.is_empty()).then(|| Trial::best(space, &proposed, &nearest_sq));
        // Nothing is away from what was chosen, as far as the rounding shows: any other point does.
        let next = best.filter(|trial| !is_chosen[trial.point]).or_else(|| {
            let other = is_chosen.iter().position(|&is_chosen| !is_chosen)?;
            Some(Trial::best(space, &[other], &nearest_sq))
        });
        let Some(trial) = next else {
            break;
        };
        is_chosen[trial.point] = true;
        chosen.push(trial.point);
        nearest_sq = trial.nearest_sq;
    }
    chosen
}

/// The first of the largest: the point farthest from all chosen.
pub(super) fn farthest(nearest_sq: &[f64]) -> usize {
    let farther = |best: usize, i: usize| {
        if nearest_sq[i] > nearest_sq[best] {
            i
        } else {
            best
        }
    };
    (0..nearest_sq.len()).fold(0, farther)
}

/// What choosing a point would lead to.
struct Trial {
    point: usize,
    /// The squared distance of every point to the nearest chosen one.
    nearest_sq: Vec<f64>,
}

impl Trial {
    /// Of some points, at least one, that after which the weighted sum of squared distances is
    /// smallest; the first of equally good ones. All of them meet a block of points together, so
    /// that its rows are read once.
    fn best(space: &impl Spread, points: &[usize], before_sq: &[f64]) -> Self {
        let blocks: Vec<(Vec<f64>, Vec<f64>)> = before_sq
            .par_chunks(BLOCK)
            .enumerate()
            .map(|(block, before_sq)| {
                let range = block * BLOCK..block * BLOCK + before_sq.len();
                let mut nearest_sq = vec![0.0; points.len() * range.len()];
                space.dist_sq(points, range.clone(), &mut nearest_sq);
                let potentials = nearest_sq.chunks_exact_mut(range.len()).map(|trial| {
                    let mut potential = 0.0;
                    for ((i, dist_sq), before_sq) in range.clone().zip(trial).zip(before_sq) {
                        *dist_sq = dist_sq.min(*before_sq);
                        potential += space.weight(i) * *dist_sq;
                    }
                    potential
                });
                (potentials.collect(), nearest_sq)
            })
            .collect();
        let potential = |trial: usize| blocks.iter().map(|(sums, _)| sums[trial]).sum::<f64>();
        let potentials: Vec<f64> = (0..points.len()).map(potential).collect();
        let smaller = |best: usize, i: usize| {
            if potentials[i] < potentials[best] {
                i
            } else {
                best
            }
        };
        let best = (0..points.len()).fold(0, smaller);
        let mut nearest_sq = Vec::with_capacity(before_sq.len());
        for (potentials, block) in &blocks {
            let width = block.len() / potentials.len();
            nearest_sq.extend_from_slice(&block[best * width..][..width]);
        }
        Self {
            point: points[best],
            nearest_sq,
        }
    }
}

/// Numbers to draw by.
pub(super) struct Cumulative(Vec<f64>);

impl Cumulative {
    pub(super) fn new(values: impl Iterator<Item = f64>) -> Self {
        let mut total = 0.0;
        let sums = values.map(|value| {
            total += value;
            total
        });
        Self(sums.collect())
    }

    /// A position, as likely as its value is large; none where all values are 0.
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<usize> {
        let total = self.0.last().copied().filter(|&total| total > 0.0)?;
        let target = rng.uniform() * total;
        let at = self.0.partition_point(|&sum| sum <= target);
        Some(at.min(self.0.len() - 1))
    }
}
