//! Choosing the must-link components from which clusters start.

use rayon::prelude::*;

use super::params::WeightedKernelKMeans;
use crate::group::{Label, seeding::CumulativeWeights};
use crate::numerics::rng::{Rng, rng_stream};
use crate::{Result, numerics::extrema::argmax, problem::Closure};

/// `n_init` starts, `start(init, random numbers, seed)` each; the first has no random numbers. Every
/// third does not use the constraints: where constraints are wrong, or their penalties make poor local
/// optima, all other starts may lead to the same poor partition.
pub(super) fn starts<I: Sync>(
    params: &WeightedKernelKMeans,
    [constrained, unconstrained]: [I; 2],
    start: impl Fn(&I, Option<&mut Rng>, u64) -> Result<Vec<Label>> + Sync,
) -> Result<Vec<Vec<Label>>> {
    (0..params.n_init)
        .into_par_iter()
        .map(|run| {
            let uses_constraints = run % 3 != 2;
            let init = if uses_constraints { &constrained } else { &unconstrained };
            let mut rng = (run > 0).then(|| rng_stream(params.seed, run as u64));
            start(init, rng.as_mut(), params.seed ^ run as u64)
        })
        .collect()
}

/// The must-link components of a problem, from which initial clusters are chosen.
pub(super) struct MustLinkSeeds<'a> {
    pub(super) closure: &'a Closure,
    /// The weight of every component.
    pub(super) masses: Vec<f64>,
    /// The components with constraints, the heaviest first.
    pub(super) constrained: Vec<usize>,
}

impl<'a> MustLinkSeeds<'a> {
    pub(super) fn new(closure: &'a Closure, weight: impl Fn(usize) -> f64) -> Self {
        let all = || 0..closure.n_components();
        let masses: Vec<f64> =
            all().map(|c| closure.members(c).iter().map(|&i| weight(i)).sum()).collect();
        let mut constrained: Vec<usize> = all().filter(|&c| closure.is_constrained(c)).collect();
        constrained.sort_by(|&a, &b| masses[b].total_cmp(&masses[a]));
        Self { closure, masses, constrained }
    }

    /// At most `k` components: those with a label first, then those with constraints, then all
    /// others. Each is drawn by mass times squared distance to the nearest chosen one or, without
    /// random numbers, the farthest; the first is then that of the largest `first_score` of its mass.
    ///
    /// `lower` gets a chosen component and the squared distances of all to those chosen before it.
    pub(super) fn choose(
        &self,
        k: usize,
        mut rng: Option<&mut Rng>,
        first_score: impl Fn(f64) -> f64,
        mut lower: impl FnMut(usize, &mut [f64]),
    ) -> Vec<usize> {
        let n = self.closure.n_components();
        let mut is_chosen = vec![false; n];
        let mut chosen = Vec::with_capacity(k);
        let mut nearest_sq = vec![f64::INFINITY; n];
        let labelled = self.closure.labelled_components().to_vec();
        for mut candidates in [labelled, self.constrained.clone(), (0..n).collect()] {
            while chosen.len() < k {
                candidates.retain(|&c| !is_chosen[c]);
                // None before the first choice.
                let dist_sq = |c: usize| Some(nearest_sq[c]).filter(|dist_sq| dist_sq.is_finite());
                let by_mass = |&c: &usize| self.masses[c] * dist_sq(c).unwrap_or(1.0);
                let score = |&c: &usize| dist_sq(c).unwrap_or_else(|| first_score(self.masses[c]));
                let drawn = rng.as_deref_mut().and_then(|rng| {
                    CumulativeWeights::new(candidates.iter().map(by_mass)).draw(rng)
                });
                let farthest = || argmax(&candidates.iter().map(score).collect::<Vec<_>>());
                let Some(at) = drawn.or_else(farthest) else {
                    break;
                };
                let next = candidates[at];
                is_chosen[next] = true;
                chosen.push(next);
                lower(next, &mut nearest_sq);
            }
        }
        chosen
    }
}
