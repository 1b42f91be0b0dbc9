//! The points from which a descent starts, one a cluster.

use rayon::prelude::*;

use super::params::Init;
use super::space::Geometry;
use crate::numerics::rng::Rng;

/// Points whose distances are found together.
const BLOCK: usize = 1024;

/// Chooses `k` different points, at most as many as there are.
pub(super) fn seeds(space: &impl Geometry, k: usize, init: Init, rng: &mut Rng) -> Vec<usize> {
    let weights: Vec<f64> = (0..space.len()).map(|i| space.weight(i)).collect();
    let Some(first) = Cumulative::new(weights.into_iter()).draw(rng) else {
        return Vec::new();
    };
    let mut chosen = vec![first];
    let mut is_chosen = vec![false; space.len()];
    is_chosen[first] = true;
    let mut nearest_sq = Trial::new(space, first, None).nearest_sq;
    while chosen.len() < k {
        let next = match init {
            Init::PlusPlus => plus_plus(space, &nearest_sq, 2 + (k as f64).ln() as usize, rng),
            Init::FarthestFirst => {
                let point = farthest(&nearest_sq);
                Some(Trial::new(space, point, Some(&nearest_sq)))
            }
        };
        // Nothing is away from what was chosen, as far as the rounding shows: any other point does.
        let next = next.filter(|trial| !is_chosen[trial.point]).or_else(|| {
            let other = is_chosen.iter().position(|&is_chosen| !is_chosen)?;
            Some(Trial::new(space, other, Some(&nearest_sq)))
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

/// The best of a few points drawn by weight times squared distance to the nearest chosen one.
fn plus_plus(
    space: &impl Geometry,
    nearest_sq: &[f64],
    draws: usize,
    rng: &mut Rng,
) -> Option<Trial> {
    let weighted = nearest_sq.iter().enumerate();
    let cumulative = Cumulative::new(weighted.map(|(i, dist_sq)| space.weight(i) * dist_sq));
    let drawn: Option<Vec<usize>> = (0..draws).map(|_| cumulative.draw(rng)).collect();
    drawn?
        .into_iter()
        .map(|point| Trial::new(space, point, Some(nearest_sq)))
        .reduce(|best, trial| {
            if trial.potential < best.potential {
                trial
            } else {
                best
            }
        })
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
    /// The weighted sum of those.
    potential: f64,
}

impl Trial {
    fn new(space: &impl Geometry, point: usize, before_sq: Option<&[f64]>) -> Self {
        let mut nearest_sq = vec![0.0; space.len()];
        let sums: Vec<f64> = nearest_sq
            .par_chunks_mut(BLOCK)
            .enumerate()
            .map(|(block, out)| {
                let range = block * BLOCK..block * BLOCK + out.len();
                space.dist_sq(&[point], range.clone(), out);
                let mut potential = 0.0;
                for (i, dist_sq) in range.zip(out) {
                    if let Some(before_sq) = before_sq {
                        *dist_sq = dist_sq.min(before_sq[i]);
                    }
                    potential += space.weight(i) * *dist_sq;
                }
                potential
            })
            .collect();
        Self {
            point,
            nearest_sq,
            potential: sums.iter().sum(),
        }
    }
}

/// Numbers to draw by.
pub(in crate::group) struct Cumulative(Vec<f64>);

impl Cumulative {
    pub(in crate::group) fn new(values: impl Iterator<Item = f64>) -> Self {
        let mut total = 0.0;
        let sums = values.map(|value| {
            total += value;
            total
        });
        Self(sums.collect())
    }

    /// A position, as likely as its value is large; none where all values are 0.
    pub(in crate::group) fn draw(&self, rng: &mut Rng) -> Option<usize> {
        let total = self.0.last().copied().filter(|&total| total > 0.0)?;
        let target = rng.uniform() * total;
        let at = self.0.partition_point(|&sum| sum <= target);
        Some(at.min(self.0.len() - 1))
    }
}
