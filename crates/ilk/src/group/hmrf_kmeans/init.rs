//! Initial clusters, from must-link components.

use ndarray::{Array2, ArrayView1, ArrayView2, Axis};

use crate::numerics::{extrema::argmax, rng::Rng};
use crate::{group::seeding::CumulativeWeights, problem::Closure};

/// Components of at least two points, with their means.
pub(super) struct LinkedComponents<'a> {
    points: ArrayView2<'a, f64>,
    weights: &'a [f64],
    members: Vec<&'a [usize]>,
    means: Array2<f64>,
    masses: Vec<f64>,
}

impl<'a> LinkedComponents<'a> {
    pub(super) fn new(
        points: ArrayView2<'a, f64>,
        weights: &'a [f64],
        closure: &'a Closure,
    ) -> Self {
        let members: Vec<&[usize]> = (0..closure.n_components())
            .map(|component| closure.members(component))
            .filter(|members| members.len() > 1)
            .collect();
        let mut means = Array2::zeros((members.len(), points.ncols()));
        let mut masses = Vec::new();
        for (members, mut mean) in members.iter().zip(means.rows_mut()) {
            let mass: f64 = members.iter().map(|&i| weights[i]).sum();
            for &i in *members {
                mean.scaled_add(weights[i] / mass, &points.row(i));
            }
            masses.push(mass);
        }
        Self { points, weights, members, means, masses }
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
        let mut clusters: Vec<Vec<usize>> = Vec::new();
        let mut nearest_sq = vec![f64::INFINITY; self.points.nrows()];
        let mut component_sq = vec![f64::INFINITY; self.members.len()];
        let mut next = match first {
            Some(rng) => CumulativeWeights::new(self.masses.iter().copied()).draw(rng),
            None => argmax(&self.masses),
        };
        while let Some(component) = next.filter(|_| clusters.len() < k) {
            clusters.push(self.members[component].to_vec());
            let mean = self.means.row(component);
            lower(&mut nearest_sq, self.points, mean);
            lower(&mut component_sq, self.means.view(), mean);
            component_sq[component] = 0.0;
            let scores: Vec<f64> = component_sq
                .iter()
                .zip(&self.masses)
                .map(|(dist_sq, mass)| dist_sq * mass)
                .collect();
            next = argmax(&scores).filter(|&component| scores[component] > 0.0);
        }
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
        let terms = point.iter().zip(center).map(|(x, y)| (x - y) * (x - y));
        *nearest_sq = nearest_sq.min(terms.sum());
    }
}
