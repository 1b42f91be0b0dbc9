//! Points given by their kernel values alone.

use std::ops::Range;

use ndarray::ArrayView2;
use rayon::prelude::*;

use super::means::Means;
use super::space::{Geometry, changes};
use crate::{group::seeding::WeightedPoints, numerics::distinct_rows::DistinctRows};

/// Distinct points of a kernel matrix, with weights.
pub(super) struct KernelSpace<'a> {
    /// Row by row, n values each.
    values: &'a [f64],
    weights: Vec<f64>,
}

/// Sums of kernel values over the points of every cluster.
#[derive(Clone)]
pub(super) struct KernelMeans {
    masses: Vec<f64>,
    /// Σ_{j in c} w_j K_ij, cluster by cluster, n values each.
    with_points: Vec<f64>,
    /// |m_c|² = Σ_{i,j in c} w_i w_j K_ij / W_c².
    squares: Vec<f64>,
}

impl<'a> KernelSpace<'a> {
    /// Takes the values of a square matrix row by row.
    pub(super) fn new(values: &'a [f64], weights: Vec<f64>) -> Self {
        Self { values, weights }
    }

    fn row(&self, i: usize) -> &[f64] {
        let n = self.weights.len();
        &self.values[i * n..(i + 1) * n]
    }

    /// Adds a point's row to the sums of a cluster.
    fn add(&self, sums: &mut [f64], i: usize, weight: f64) {
        for (sum, value) in sums.iter_mut().zip(self.row(i)) {
            *sum += weight * value;
        }
    }

    /// |m_c|² from the sums of the cluster.
    fn square(&self, sums: &[f64], members: &[usize], mass: f64) -> f64 {
        let total: f64 = members.iter().map(|&i| self.weights[i] * sums[i]).sum();
        total / (mass * mass)
    }

    fn sums_of(&self, members: &[usize], sums: &mut [f64]) {
        sums.fill(0.0);
        for &i in members {
            self.add(sums, i, self.weights[i]);
        }
    }

    /// The means of `clusters`, of which `update` brings the sums up to date and returns the members.
    fn means_of<'c, C: Sync>(
        &self,
        mut with_points: Vec<f64>,
        clusters: &'c [C],
        update: impl Fn(&'c C, &mut [f64]) -> &'c [usize] + Sync,
    ) -> KernelMeans {
        let (masses, squares) = with_points
            .par_chunks_mut(self.len())
            .zip(clusters)
            .map(|(sums, cluster)| {
                let members = update(cluster, sums);
                let mass = members.iter().map(|&i| self.weights[i]).sum();
                (mass, self.square(sums, members, mass))
            })
            .unzip();
        KernelMeans { masses, with_points, squares }
    }
}

/// The score of a point φ and a mean m, |φ - m|² - |φ|², from the cluster's sum of kernel values with
/// the point.
pub(super) fn score(sum: f64, mass: f64, square: f64) -> f64 {
    square - 2.0 * sum / mass
}

impl WeightedPoints for KernelSpace<'_> {
    fn weights(&self) -> &[f64] {
        &self.weights
    }

    fn dist_sq(&self, from: &[usize], to: Range<usize>, out: &mut [f64]) {
        for (&i, out) in from.iter().zip(out.chunks_exact_mut(to.len().max(1))) {
            let row = self.row(i);
            for (j, out) in to.clone().zip(out) {
                // An indefinite kernel has points at a negative squared distance.
                *out = (row[i] + self.offset(j) - 2.0 * row[j]).max(0.0);
            }
        }
    }
}

impl Geometry for KernelSpace<'_> {
    type Means = KernelMeans;

    fn offset(&self, i: usize) -> f64 {
        self.row(i)[i]
    }

    fn means(&self, members: &[Vec<usize>]) -> KernelMeans {
        let sums = vec![0.0; members.len() * self.len()];
        self.means_of(sums, members, |members, sums| {
            self.sums_of(members, sums);
            members
        })
    }

    fn updated(&self, means: &KernelMeans, before: &[usize], after: &[usize]) -> KernelMeans {
        let changes = changes(before, after, means.masses.len());
        self.means_of(means.with_points.clone(), &changes, |changed, sums| {
            if changed.is_slight() {
                for (i, weight) in changed.signed(&self.weights) {
                    self.add(sums, i, weight);
                }
            } else {
                self.sums_of(&changed.members, sums);
            }
            &changed.members
        })
    }

    fn shift(&self, means: &mut KernelMeans, i: usize, from: usize, to: usize) {
        let n = self.len();
        let own = self.offset(i);
        for (cluster, weight) in [(from, -self.weights[i]), (to, self.weights[i])] {
            let sums = &mut means.with_points[cluster * n..(cluster + 1) * n];
            let mass = means.masses[cluster];
            let total = means.squares[cluster] * mass * mass;
            let total = total + 2.0 * weight * sums[i] + weight * weight * own;
            self.add(sums, i, weight);
            let mass = mass + weight;
            means.masses[cluster] = mass;
            means.squares[cluster] = total / (mass * mass);
        }
    }

    fn masses<'a>(&self, means: &'a KernelMeans) -> &'a [f64] {
        &means.masses
    }

    fn scores(&self, means: &KernelMeans, points: Range<usize>, out: &mut [f64]) {
        let n = self.len();
        for (cluster, out) in out.chunks_exact_mut(points.len().max(1)).enumerate() {
            let mass = means.masses[cluster];
            if mass == 0.0 {
                out.fill(f64::INFINITY);
                continue;
            }
            let sums = &means.with_points[cluster * n..(cluster + 1) * n][points.clone()];
            for (out, &sum) in out.iter_mut().zip(sums) {
                *out = score(sum, mass, means.squares[cluster]);
            }
        }
    }

    fn keep(&self, means: KernelMeans, labels: &[usize], distinct: &DistinctRows) -> Means {
        let (masses, squares) = (&means.masses, &means.squares);
        Means::by_members(&self.weights, masses, squares, labels, distinct)
    }
}

/// The rows and columns `rows` of a symmetric matrix.
pub(super) fn restricted(matrix: ArrayView2<'_, f64>, rows: &[usize]) -> Vec<f64> {
    let mut values = Vec::with_capacity(rows.len() * rows.len());
    for &i in rows {
        let row = matrix.row(i);
        values.extend(rows.iter().map(|&j| row[j]));
    }
    values
}
