//! Starts from constraints in a space with means: clusters begin as must-link components.

use rayon::prelude::*;

use super::descent::{in_blocks, nearest};
use super::space::{Geometry, Space};
use super::{
    features::FeatureSpace, graph_init::GraphInit, kernel::KernelSpace,
    params::WeightedKernelKMeans,
};
use crate::Result;
use crate::group::{Label, must_link_seeds::MustLinkSeeds};
use crate::numerics::rng::{Rng, rng_stream};
use crate::numerics::rows_of;
use crate::problem::{Closure, Constraints};

impl WeightedKernelKMeans {
    /// `n_init` starts that use the constraints (Algorithm 3 of Kulis et al.): `n_clusters` must-link
    /// components that are far from each other, and every other point with the nearest of them.
    ///
    /// Components with a label are chosen first, since labels are known to differ; then components
    /// with constraints; then single points. The first start takes the heaviest component, and then
    /// always the one farthest from all chosen ones. The other starts draw components: the first by
    /// mass, the next by mass times squared distance to the nearest chosen one, as k-means++ does with
    /// points. The distance of two components is that of their means; in a graph it is the least
    /// number of edges between them, and clusters grow along edges. A component goes to a cluster
    /// without components that it cannot be linked with, if there is one. Every third start is drawn
    /// without constraints.
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
        let n = space.len();
        let weights = weights.map_or_else(|| vec![1.0; n], <[f64]>::to_vec);
        let none = Constraints::new(n).closure();
        match space {
            Space::Features(rows) => {
                let rows = rows.as_standard_layout();
                self.starts_in(&FeatureSpace::new(&rows, weights), [closure, &none])
            }
            Space::Kernel(rows) => {
                let rows = rows.as_standard_layout();
                let space = KernelSpace::new(rows_of(&rows), weights);
                self.starts_in(&space, [closure, &none])
            }
            Space::Graph(links) => {
                let inits = [closure, &none].map(|c| GraphInit::new(links, &weights, c));
                starts(self, inits, |init, rng, seed| init.start(self.n_clusters, rng, seed))
            }
        }
    }

    fn starts_in(&self, space: &impl Geometry, closures: [&Closure; 2]) -> Result<Vec<Vec<Label>>> {
        let inits = closures.map(|closure| MeansInit::new(space, closure));
        starts(self, inits, |init, rng, _| Ok(init.start(self.n_clusters, rng)))
    }
}

/// `n_init` starts, `start(init, random numbers, seed)` each; the first has no random numbers. Every
/// third does not use the constraints: where constraints are wrong, or their penalties make poor local
/// optima, all other starts may lead to the same poor partition.
fn starts<I: Sync>(
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

/// Must-link components and the squared norms of their means.
struct MeansInit<'a, G> {
    space: &'a G,
    seeds: MustLinkSeeds<'a>,
    /// |m|² of every component's mean m.
    squares: Vec<f64>,
}

impl<'a, G: Geometry> MeansInit<'a, G> {
    fn new(space: &'a G, closure: &'a Closure) -> Self {
        let squares = (0..closure.n_components())
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
        Self { space, seeds: MustLinkSeeds::new(closure, |i| space.weight(i)), squares }
    }

    /// A cluster for every point, from at most `k` components that are chosen at random or, without
    /// random numbers, far from each other.
    fn start(&self, k: usize, rng: Option<&mut Rng>) -> Vec<Label> {
        let lower = |chosen: usize, nearest_sq: &mut [f64]| self.lower(chosen, nearest_sq);
        self.assign(&self.seeds.choose_constrained(k, rng, |mass| mass, lower))
    }

    /// Lowers the squared distances of all components to those from a chosen one:
    /// |m_a - m_b|² is |m_a|² plus the mean score of the points of a with m_b.
    fn lower(&self, chosen: usize, nearest_sq: &mut [f64]) {
        let closure = self.seeds.closure;
        let means = self.space.means(&[closure.members(chosen).to_vec()]);
        let scores = in_blocks(self.space, &means, |_, scores| scores.to_vec()).concat();
        for (component, nearest_sq) in nearest_sq.iter_mut().enumerate() {
            let members = closure.members(component).iter();
            let sum: f64 = members.map(|&i| self.space.weight(i) * scores[i]).sum();
            let dist_sq = self.squares[component] + sum / self.seeds.masses[component];
            *nearest_sq = nearest_sq.min(dist_sq.max(0.0));
        }
    }

    /// Every point in the cluster of the nearest chosen component.
    fn assign(&self, chosen: &[usize]) -> Vec<Label> {
        let members = |&c: &usize| self.seeds.closure.members(c).to_vec();
        let chosen_members: Vec<Vec<usize>> = chosen.iter().map(members).collect();
        let means = self.space.means(&chosen_members);
        let nearest = nearest(self.space, &means).cluster;
        let mut labels: Vec<Label> = nearest.into_iter().map(Some).collect();
        let mut cluster_of = vec![None; self.seeds.closure.n_components()];
        for (cluster, &component) in chosen.iter().enumerate() {
            cluster_of[component] = Some(cluster);
        }
        let mut scores = vec![0.0; chosen.len()];
        for &component in self.seeds.constrained.iter().chain(chosen) {
            let members = self.seeds.closure.members(component);
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
        labels
    }

    /// The nearest cluster without a component that this one cannot be linked with; the nearest of
    /// all where there is none.
    fn nearest_allowed(&self, component: usize, scores: &[f64], cluster_of: &[Label]) -> usize {
        let mut is_taken = vec![false; scores.len()];
        for other in self.seeds.closure.separated_from(component) {
            if let Some(cluster) = cluster_of[other] {
                is_taken[cluster] = true;
            }
        }
        let nearest = |or_taken: bool| {
            let allowed = (0..scores.len()).filter(|&c| or_taken || !is_taken[c]);
            allowed.min_by(|&a, &b| scores[a].total_cmp(&scores[b]))
        };
        nearest(false).or_else(|| nearest(true)).unwrap_or(0)
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
