//! Initial points of all kinds of k-means, one per cluster.

use std::ops::Range;

use rayon::prelude::*;

use crate::numerics::extrema::{argmax, argmin};
use crate::numerics::rng::Rng;
use crate::{Result, observe::Progress};

/// Points whose distances are computed together.
const BLOCK: usize = 1024;

/// Points with weights at distances from each other.
pub(super) trait WeightedPoints: Sync {
    fn weights(&self) -> &[f64];

    /// Squared distances between the points `from` and those of a range, row by row.
    fn dist_sq(&self, from: &[usize], to: Range<usize>, out: &mut [f64]);

    fn len(&self) -> usize {
        self.weights().len()
    }

    fn weight(&self, i: usize) -> f64 {
        self.weights()[i]
    }
}

/// A point drawn with probability proportional to its weight; none if there are no points.
pub(super) fn draw_by_weight(space: &impl WeightedPoints, rng: &mut Rng) -> Vec<usize> {
    let cumulative = CumulativeWeights::new(space.weights().iter().copied());
    cumulative.draw(rng).into_iter().collect()
}

/// Greedy k-means++: `k` different points, at most as many as there are. Of a few points drawn by
/// weight times squared distance to the nearest chosen one, the one that lowers the sum of those
/// most is next (Arthur and Vassilvitskii 2007), with 2 + ln k draws as in scikit-learn.
pub(super) fn kmeans_plus_plus(
    space: &impl WeightedPoints,
    k: usize,
    rng: &mut Rng,
    progress: &Progress<'_>,
) -> Result<Vec<usize>> {
    let draws = 2 + (k as f64).ln() as usize;
    let first = draw_by_weight(space, rng);
    chosen(space, k, first, progress, |nearest_sq| {
        let weighted = space.weights().iter().zip(nearest_sq);
        let cumulative = CumulativeWeights::new(weighted.map(|(weight, dist_sq)| weight * dist_sq));
        (0..draws).filter_map(|_| cumulative.draw(rng)).collect()
    })
}

/// `k` different points, at most as many as there are: some that are given, then always the one
/// farthest from all chosen.
pub(super) fn farthest_first(
    space: &impl WeightedPoints,
    k: usize,
    given: Vec<usize>,
    progress: &Progress<'_>,
) -> Result<Vec<usize>> {
    chosen(space, k, given, progress, |nearest_sq| argmax(nearest_sq).into_iter().collect())
}

/// Adds the best of the proposed points until there are `k`. Many points for many clusters take long, so it asks after
/// each whether it is cancelled.
fn chosen(
    space: &impl WeightedPoints,
    k: usize,
    given: Vec<usize>,
    progress: &Progress<'_>,
    mut propose: impl FnMut(&[f64]) -> Vec<usize>,
) -> Result<Vec<usize>> {
    let mut is_chosen = vec![false; space.len()];
    let mut nearest_sq = vec![f64::INFINITY; space.len()];
    for &point in &given {
        progress.ask(0)?;
        is_chosen[point] = true;
        nearest_sq = Trial::best(space, &[point], &nearest_sq).nearest_sq;
    }
    let mut chosen = given;
    while !chosen.is_empty() && chosen.len() < k {
        progress.ask(0)?;
        let proposed = propose(&nearest_sq);
        let best = (!proposed.is_empty()).then(|| Trial::best(space, &proposed, &nearest_sq));
        // All other points coincide with chosen ones, up to rounding: take any.
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
    Ok(chosen)
}

/// Points that empty clusters take over, as (point, its cluster, the empty cluster): for each empty
/// cluster, in order, the next point farthest from its centre among clusters of several points.
/// `dist_sq` are the squared distances to the centres by which the points were assigned, so each
/// move lowers the objective. Updates the sizes.
pub(super) fn fill_empty_clusters(
    labels: impl Fn(usize) -> Option<usize>,
    sizes: &mut [usize],
    dist_sq: &[f64],
) -> Vec<(usize, usize, usize)> {
    let mut farthest: Vec<usize> = (0..dist_sq.len()).collect();
    farthest.sort_by(|&i, &j| dist_sq[j].total_cmp(&dist_sq[i]));
    let mut farthest = farthest.into_iter();
    let mut moves = Vec::new();
    for to in 0..sizes.len() {
        if sizes[to] > 0 {
            continue;
        }
        let next = farthest.find_map(|i| Some((i, labels(i).filter(|&c| sizes[c] > 1)?)));
        let Some((point, from)) = next else {
            break;
        };
        sizes[from] -= 1;
        sizes[to] = 1;
        moves.push((point, from, to));
    }
    moves
}

/// The distances after a point is chosen.
struct Trial {
    point: usize,
    /// The squared distance of every point to the nearest chosen one.
    nearest_sq: Vec<f64>,
}

impl Trial {
    /// Of some points, at least one, that after which the weighted sum of squared distances is
    /// smallest; the first of equally good ones. All of them are compared with a block of points together, so
    /// that its rows are read once.
    fn best(space: &impl WeightedPoints, points: &[usize], before_sq: &[f64]) -> Self {
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
        let best = argmin(&potentials).unwrap_or(0);
        let mut nearest_sq = Vec::with_capacity(before_sq.len());
        for (potentials, block) in &blocks {
            let width = block.len() / potentials.len();
            nearest_sq.extend_from_slice(&block[best * width..][..width]);
        }
        Self { point: points[best], nearest_sq }
    }
}

/// Cumulative sums, to draw positions from.
pub(super) struct CumulativeWeights(Vec<f64>);

impl CumulativeWeights {
    pub(super) fn new(values: impl Iterator<Item = f64>) -> Self {
        let mut total = 0.0;
        let sums = values.map(|value| {
            total += value;
            total
        });
        Self(sums.collect())
    }

    /// A position, drawn with probability proportional to its value; none if all values are 0.
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<usize> {
        let total = self.0.last().copied().filter(|&total| total > 0.0)?;
        let target = rng.uniform() * total;
        let at = self.0.partition_point(|&sum| sum <= target);
        Some(at.min(self.0.len() - 1))
    }
}
