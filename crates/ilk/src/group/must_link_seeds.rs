//! Choosing the must-link components from which clusters start.

use crate::group::seeding::CumulativeWeights;
use crate::numerics::extrema::argmax;
use crate::numerics::rng::Rng;
use crate::problem::Closure;

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

    /// At most `k` components that are far from each other: those of the first list, then those of the next.
    ///
    /// `pick` gets the components of a list that are not chosen yet and the squared distance of every component to the
    /// nearest chosen one, infinite before the first choice. It returns a position in the list, or none where no
    /// other is to be chosen from it. `lower` gets the component that was chosen and lowers the squared distances.
    pub(super) fn choose<'l>(
        &self,
        k: usize,
        lists: impl IntoIterator<Item = &'l [usize]>,
        mut pick: impl FnMut(&[usize], &[f64]) -> Option<usize>,
        mut lower: impl FnMut(usize, &mut [f64]),
    ) -> Vec<usize> {
        let n = self.closure.n_components();
        let mut is_chosen = vec![false; n];
        let mut chosen = Vec::with_capacity(k);
        let mut nearest_sq = vec![f64::INFINITY; n];
        for list in lists {
            let mut candidates = list.to_vec();
            while chosen.len() < k {
                candidates.retain(|&c| !is_chosen[c]);
                let Some(at) = pick(&candidates, &nearest_sq) else {
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

    /// At most `k` components: those with a label first, then those with constraints, then all
    /// others. Each is drawn by mass times squared distance to the nearest chosen one or, without
    /// random numbers, the farthest; the first is then that of the largest `first_score` of its mass.
    pub(super) fn choose_constrained(
        &self,
        k: usize,
        mut rng: Option<&mut Rng>,
        first_score: impl Fn(f64) -> f64,
        lower: impl FnMut(usize, &mut [f64]),
    ) -> Vec<usize> {
        let pick = |candidates: &[usize], nearest_sq: &[f64]| {
            // None before the first choice.
            let dist_sq = |c: usize| Some(nearest_sq[c]).filter(|dist_sq| dist_sq.is_finite());
            let by_mass = |&c: &usize| self.masses[c] * dist_sq(c).unwrap_or(1.0);
            let score = |&c: &usize| dist_sq(c).unwrap_or_else(|| first_score(self.masses[c]));
            let drawn = rng
                .as_deref_mut()
                .and_then(|rng| CumulativeWeights::new(candidates.iter().map(by_mass)).draw(rng));
            drawn.or_else(|| argmax(&candidates.iter().map(score).collect::<Vec<_>>()))
        };
        let all: Vec<usize> = (0..self.masses.len()).collect();
        let lists = [self.closure.labelled_components(), &self.constrained, &all];
        self.choose(k, lists, pick, lower)
    }
}
