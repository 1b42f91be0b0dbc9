//! Starts from what was said: clusters begin as components of must-links.

use rayon::prelude::*;

use super::descent::nearest;
use super::features::Features;
use super::grow::grown;
use super::kernel::Kernel;
use super::params::KernelKMeans;
use super::space::{Geometry, Space};
use crate::Result;
use crate::group::Label;
use crate::group::seeds::{Cumulative, farthest};
use crate::numerics::rng::{Rng, rng_stream};
use crate::problem::{Closure, Constraints};

/// Points whose distances are found together.
const BLOCK: usize = 1024;

impl KernelKMeans {
    /// `n_init` starts that know what was said (Algorithm 3 of Kulis et al.): k components of
    /// must-links, far from each other, and all others with the nearest of them.
    ///
    /// Components that carry a label come first, since they are known to differ; then those that
    /// something was said about; then points. The first start takes the largest component, and then
    /// always the one farthest from all that were taken. The others draw theirs, the first by its
    /// mass and the next by mass times squared distance to the nearest one taken, as k-means++ does with points.
    /// The distance of two components is that of their means; in a graph it is the least number of
    /// edges between them, and clusters grow along edges. A component goes where no other is that
    /// must be apart from it, if there is such a cluster. Every third start is drawn as if nothing had been
    /// said.
    ///
    /// # Errors
    /// Those of arrays and weights that do not fit each other.
    pub fn starts(
        &self,
        space: Space<'_>,
        weights: Option<&[f64]>,
        closure: &Closure,
    ) -> Result<Vec<Vec<Label>>> {
        self.check()?;
        space.check(weights)?;
        let weights = weights.map_or_else(|| vec![1.0; space.len()], <[f64]>::to_vec);
        Ok(match space {
            Space::Features(rows) => {
                let rows = rows.as_standard_layout();
                self.starts_in(&Features::new(&rows, weights), closure)
            }
            Space::Kernel(rows) => {
                let rows = rows.as_standard_layout();
                let values = rows.as_slice().unwrap_or(&[]);
                self.starts_in(&Kernel::new(values, weights), closure)
            }
            Space::Graph(links) => grown(links, &weights, closure, self),
        })
    }

    fn starts_in(&self, space: &impl Geometry, closure: &Closure) -> Vec<Vec<Label>> {
        let nothing = Constraints::new(space.len()).closure();
        let said = Components::new(space, closure);
        let unsaid = Components::new(space, &nothing);
        (0..self.n_init)
            .into_par_iter()
            .map(|run| {
                let components = if listens(run) { &said } else { &unsaid };
                let mut rng = (run > 0).then(|| rng_stream(self.seed, run as u64));
                let chosen = components.chosen(self.n_clusters, rng.as_mut());
                components.placed(&chosen)
            })
            .collect()
    }
}

/// Whether a start knows what was said. Every third does not: where answers are wrong, or penalties
/// make poor optima, what comes of the others is all alike.
pub(super) fn listens(run: usize) -> bool {
    run % 3 != 2
}

/// The components of must-links in a space.
struct Components<'a, G> {
    space: &'a G,
    closure: &'a Closure,
    masses: Vec<f64>,
    /// |m|² of every component's mean m.
    squares: Vec<f64>,
    /// Those about which something was said, the heaviest first.
    named: Vec<usize>,
}

impl<'a, G: Geometry> Components<'a, G> {
    fn new(space: &'a G, closure: &'a Closure) -> Self {
        let all = || 0..closure.n_components();
        let masses: Vec<f64> = all()
            .map(|c| closure.members(c).iter().map(|&i| space.weight(i)).sum())
            .collect();
        let squares = all()
            .into_par_iter()
            .map(|c| match closure.members(c) {
                &[point] => space.offset(point),
                members => {
                    // The mean score of the points of a mean m with m itself is |m|² - 2 |m|².
                    let means = space.means(&[members.to_vec()]);
                    -mean_score(space, &means, members)
                }
            })
            .collect();
        let mut named: Vec<usize> = all().filter(|&c| closure.is_named(c)).collect();
        named.sort_by(|&a, &b| masses[b].total_cmp(&masses[a]));
        Self {
            space,
            closure,
            masses,
            squares,
            named,
        }
    }

    /// At most `k` components, drawn or, without a source of random numbers, the farthest ones.
    fn chosen(&self, k: usize, mut rng: Option<&mut Rng>) -> Vec<usize> {
        let n = self.closure.n_components();
        let mut is_chosen = vec![false; n];
        let mut nearest_sq = vec![f64::INFINITY; n];
        let mut chosen = Vec::with_capacity(k);
        let labelled = self.closure.labelled_components().to_vec();
        let others = (0..n).collect();
        for kind in [labelled, self.named.clone(), others] {
            let mut left: Vec<usize> = kind;
            while chosen.len() < k {
                left.retain(|&c| !is_chosen[c]);
                if left.is_empty() {
                    break;
                }
                let next = left[self.next(&left, &nearest_sq, rng.as_deref_mut())];
                is_chosen[next] = true;
                chosen.push(next);
                self.see(next, &mut nearest_sq);
            }
        }
        chosen
    }

    /// Which of these to choose next.
    fn next(&self, of: &[usize], nearest_sq: &[f64], rng: Option<&mut Rng>) -> usize {
        // Before the first choice all are infinitely far: then it is the mass that counts.
        let far = |c: usize| Some(nearest_sq[c]).filter(|dist_sq| dist_sq.is_finite());
        let by_mass = |&c: &usize| self.masses[c] * far(c).unwrap_or(1.0);
        let drawn = rng.and_then(|rng| Cumulative::new(of.iter().map(by_mass)).draw(rng));
        drawn.unwrap_or_else(|| {
            let values: Vec<f64> = of
                .iter()
                .map(|&c| far(c).unwrap_or(self.masses[c]))
                .collect();
            farthest(&values)
        })
    }

    /// A component was chosen: all others are at most as far as it is.
    fn see(&self, chosen: usize, nearest_sq: &mut [f64]) {
        let means = self.space.means(&[self.closure.members(chosen).to_vec()]);
        let n = self.space.len();
        let mut scores = vec![0.0; n];
        scores
            .par_chunks_mut(BLOCK)
            .enumerate()
            .for_each(|(block, out)| {
                let points = block * BLOCK..block * BLOCK + out.len();
                self.space.scores(&means, points, out);
            });
        for (component, nearest_sq) in nearest_sq.iter_mut().enumerate() {
            let members = self.closure.members(component);
            let sum: f64 = members
                .iter()
                .map(|&i| self.space.weight(i) * scores[i])
                .sum();
            let dist_sq = self.squares[component] + sum / self.masses[component];
            *nearest_sq = nearest_sq.min(dist_sq.max(0.0));
        }
    }

    /// Every point in the cluster of the nearest chosen component.
    fn placed(&self, chosen: &[usize]) -> Vec<Label> {
        let members = |&c: &usize| self.closure.members(c).to_vec();
        let means = self
            .space
            .means(&chosen.iter().map(members).collect::<Vec<_>>());
        let mut labels: Vec<Label> = nearest(self.space, &means)
            .cluster
            .into_iter()
            .map(Some)
            .collect();
        let mut cluster_of = vec![None; self.closure.n_components()];
        for (cluster, &component) in chosen.iter().enumerate() {
            cluster_of[component] = Some(cluster);
        }
        let mut scores = vec![0.0; chosen.len()];
        for &component in &self.named {
            let members = self.closure.members(component);
            let cluster = cluster_of[component].unwrap_or_else(|| {
                let mut sums = vec![0.0; chosen.len()];
                for &i in members {
                    self.space.scores(&means, i..i + 1, &mut scores);
                    for (sum, score) in sums.iter_mut().zip(&scores) {
                        *sum += self.space.weight(i) * score;
                    }
                }
                self.nearest_allowed(component, &sums, &cluster_of)
            });
            cluster_of[component] = Some(cluster);
            for &i in members {
                labels[i] = Some(cluster);
            }
        }
        for (cluster, component) in chosen.iter().enumerate() {
            for &i in self.closure.members(*component) {
                labels[i] = Some(cluster);
            }
        }
        labels
    }

    /// The nearest cluster without a component that must be apart from this one; the nearest of all
    /// where there is none.
    fn nearest_allowed(&self, component: usize, scores: &[f64], cluster_of: &[Label]) -> usize {
        let mut is_taken = vec![false; scores.len()];
        for other in self.closure.separated_from(component) {
            if let Some(cluster) = cluster_of[other] {
                is_taken[cluster] = true;
            }
        }
        let nearest = |is_allowed: &dyn Fn(usize) -> bool| {
            let allowed = (0..scores.len()).filter(|&c| is_allowed(c));
            allowed.min_by(|&a, &b| scores[a].total_cmp(&scores[b]))
        };
        nearest(&|c| !is_taken[c])
            .or_else(|| nearest(&|_| true))
            .unwrap_or(0)
    }
}

/// The weighted mean over points of their score with the one mean there is.
fn mean_score<G: Geometry>(space: &G, means: &G::Means, points: &[usize]) -> f64 {
    let mut score = [0.0];
    let (mut sum, mut mass) = (0.0, 0.0);
    for &i in points {
        space.scores(means, i..i + 1, &mut score);
        sum += space.weight(i) * score[0];
        mass += space.weight(i);
    }
    sum / mass
}
