//! Initial clusters, from must-link components.

use ndarray::{Array2, ArrayView1, ArrayView2, Axis};

use crate::group::{must_link_seeds::MustLinkSeeds, seeding::CumulativeWeights};
use crate::numerics::{extrema::argmax, rng::Rng};
use crate::problem::Closure;

/// Components of at least two points, with their means.
pub(super) struct LinkedComponents<'a> {
    points: ArrayView2<'a, f64>,
    weights: &'a [f64],
    seeds: MustLinkSeeds<'a>,
    linked: Vec<usize>,
    means: Array2<f64>,
}

impl<'a> LinkedComponents<'a> {
    pub(super) fn new(
        points: ArrayView2<'a, f64>,
        weights: &'a [f64],
        closure: &'a Closure,
    ) -> Self {
        let seeds = MustLinkSeeds::new(closure, |i| weights[i]);
        let components = 0..closure.n_components();
        let linked: Vec<usize> = components.filter(|&c| closure.members(c).len() > 1).collect();
        let mut means = Array2::zeros((linked.len(), points.ncols()));
        for (&component, mut mean) in linked.iter().zip(means.rows_mut()) {
            for &i in closure.members(component) {
                mean.scaled_add(weights[i] / seeds.masses[component], &points.row(i));
            }
        }
        Self { points, weights, seeds, linked, means }
    }

    /// Some points, at least one, of each of `k` initial clusters, at most as many as there are
    /// distinct points: components by mass times squared distance to the nearest chosen one, then
    /// points as in k-means++. The first component is the heaviest if `first` is none, and drawn by
    /// mass otherwise.
    pub(super) fn choose(
        &self,
        k: usize,
        first: Option<&mut Rng>,
        rng: &mut Rng,
    ) -> Vec<Vec<usize>> {
        let mut nearest_sq = vec![f64::INFINITY; self.points.nrows()];
        let masses = &self.seeds.masses;
        let mut first = Some(first);
        let pick = |candidates: &[usize], component_sq: &[f64]| match first.take() {
            Some(Some(rng)) => {
                CumulativeWeights::new(candidates.iter().map(|&c| masses[c])).draw(rng)
            }
            Some(None) => argmax(&candidates.iter().map(|&c| masses[c]).collect::<Vec<_>>()),
            None => {
                let score = |&c: &usize| component_sq[c] * masses[c];
                let scores: Vec<f64> = candidates.iter().map(score).collect();
                argmax(&scores).filter(|&at| scores[at] > 0.0)
            }
        };
        let lower_all = |chosen: usize, component_sq: &mut [f64]| {
            let at = self.linked.partition_point(|&c| c < chosen);
            let mean = self.means.row(at);
            lower(&mut nearest_sq, self.points, mean);
            for (&component, other) in self.linked.iter().zip(self.means.rows()) {
                component_sq[component] = component_sq[component].min(dist_sq(other, mean));
            }
        };
        let chosen = self.seeds.choose(k, [&*self.linked], pick, lower_all);
        let mut clusters: Vec<Vec<usize>> =
            chosen.iter().map(|&c| self.seeds.closure.members(c).to_vec()).collect();
        let mut cluster_of = vec![None; self.points.nrows()];
        for (cluster, members) in clusters.iter().enumerate() {
            for &i in members {
                cluster_of[i] = Some(cluster);
            }
        }
        while clusters.len() < k {
            let is_free = |i: usize| {
                let own: Option<usize> = cluster_of[i];
                own.is_none_or(|cluster| clusters[cluster].len() > 1)
            };
            let scores = (0..nearest_sq.len()).map(|i| match nearest_sq[i] {
                _ if !is_free(i) => 0.0,
                f64::INFINITY => self.weights[i],
                dist_sq => self.weights[i] * dist_sq,
            });
            let any = || (0..nearest_sq.len()).find(|&i| is_free(i));
            let Some(seed) = CumulativeWeights::new(scores).draw(rng).or_else(any) else {
                break;
            };
            if let Some(cluster) = cluster_of[seed].replace(clusters.len()) {
                clusters[cluster].retain(|&i| i != seed);
            }
            clusters.push(vec![seed]);
            lower(&mut nearest_sq, self.points, self.points.row(seed));
        }
        clusters
    }
}

/// Lowers the squared distances of points to those from another centre.
fn lower(nearest_sq: &mut [f64], points: ArrayView2<'_, f64>, center: ArrayView1<'_, f64>) {
    for (nearest_sq, point) in nearest_sq.iter_mut().zip(points.axis_iter(Axis(0))) {
        *nearest_sq = nearest_sq.min(dist_sq(point, center));
    }
}

fn dist_sq(x: ArrayView1<'_, f64>, y: ArrayView1<'_, f64>) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum()
}
