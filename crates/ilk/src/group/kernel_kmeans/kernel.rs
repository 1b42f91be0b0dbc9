//! Points known by their kernel values alone.

use std::ops::Range;

use ndarray::ArrayView2;
use rayon::prelude::*;

use super::space::{Geometry, changes};
use crate::group::seeds::Spread;

/// Distinct points of a kernel matrix, with weights.
pub(super) struct Kernel<'a> {
    /// Row by row, n values each.
    values: &'a [f64],
    weights: Vec<f64>,
}

/// Sums of kernel values over the points of every cluster.
#[derive(Clone)]
pub(super) struct Sums {
    masses: Vec<f64>,
    /// Σ_{j in c} w_j K_ij, cluster by cluster, n values each.
    with_points: Vec<f64>,
    /// |m_c|² = Σ_{i,j in c} w_i w_j K_ij / W_c².
    squares: Vec<f64>,
}

impl<'a> Kernel<'a> {
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

    fn mass(&self, members: &[usize]) -> f64 {
        members.iter().map(|&i| self.weights[i]).sum()
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
}

impl Sums {
    /// |m_c|² of every cluster.
    pub(super) fn squares(&self) -> &[f64] {
        &self.squares
    }
}

/// What a cluster's sum of kernel values with a point says of their distance: |φ - m|² - |φ|².
pub(super) fn score(sum: f64, mass: f64, square: f64) -> f64 {
    square - 2.0 * sum / mass
}

impl Spread for Kernel<'_> {
    fn len(&self) -> usize {
        self.weights.len()
    }

    fn weight(&self, i: usize) -> f64 {
        self.weights[i]
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

impl Geometry for Kernel<'_> {
    type Means = Sums;

    fn offset(&self, i: usize) -> f64 {
        self.row(i)[i]
    }

    fn means(&self, members: &[Vec<usize>]) -> Sums {
        let n = self.len();
        let mut sums = vec![0.0; members.len() * n];
        let (masses, squares) = sums
            .par_chunks_mut(n)
            .zip(members)
            .map(|(sums, members)| {
                self.sums_of(members, sums);
                let mass = self.mass(members);
                (mass, self.square(sums, members, mass))
            })
            .unzip();
        Sums {
            masses,
            with_points: sums,
            squares,
        }
    }

    fn updated(&self, means: &Sums, before: &[usize], after: &[usize]) -> Sums {
        let changes = changes(before, after, means.masses.len());
        let mut sums = means.with_points.clone();
        let (masses, squares) = sums
            .par_chunks_mut(self.len())
            .zip(&changes)
            .map(|(sums, changed)| {
                let members = &changed.members;
                if changed.is_slight() {
                    for &i in &changed.came {
                        self.add(sums, i, self.weights[i]);
                    }
                    for &i in &changed.left {
                        self.add(sums, i, -self.weights[i]);
                    }
                } else {
                    self.sums_of(members, sums);
                }
                let mass = self.mass(members);
                (mass, self.square(sums, members, mass))
            })
            .unzip();
        Sums {
            masses,
            with_points: sums,
            squares,
        }
    }

    fn shift(&self, means: &mut Sums, i: usize, from: usize, to: usize) {
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

    fn masses<'a>(&self, means: &'a Sums) -> &'a [f64] {
        &means.masses
    }

    fn scores(&self, means: &Sums, points: Range<usize>, out: &mut [f64]) {
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
}

/// A symmetric matrix restricted to some of its rows, if not all.
pub(super) fn restricted(matrix: ArrayView2<'_, f64>, rows: &[usize]) -> Vec<f64> {
    let mut values = Vec::with_capacity(rows.len() * rows.len());
    for &i in rows {
        let row = matrix.row(i);
        values.extend(rows.iter().map(|&j| row[j]));
    }
    values
}
