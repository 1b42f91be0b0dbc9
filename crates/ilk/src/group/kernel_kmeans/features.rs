//! Points given by their features: plain k-means.

use std::ops::Range;

use ndarray::{Array2, ArrayRef2, ArrayViewMut1, Axis};
use rayon::prelude::*;

use super::means::Means;
use super::space::{Geometry, changes};
use crate::group::seeding::WeightedPoints;
use crate::numerics::{distances::Panels, distinct_rows::DistinctRows, rows_of};

/// Distinct rows of features with weights.
pub(super) struct FeatureSpace<'a> {
    /// In standard layout.
    rows: &'a [f64],
    /// The same in the layout of the SIMD distances.
    panels: Panels,
    weights: Vec<f64>,
}

/// Means as rows.
#[derive(Clone)]
pub(super) struct FeatureMeans {
    masses: Vec<f64>,
    rows: Array2<f64>,
}

impl<'a> FeatureSpace<'a> {
    /// Takes rows in standard layout.
    pub(super) fn new(rows: &'a ArrayRef2<f64>, weights: Vec<f64>) -> Self {
        Self { rows: rows_of(rows), panels: Panels::new(rows.view()), weights }
    }

    fn row(&self, i: usize) -> &[f64] {
        let dims = self.panels.dims();
        &self.rows[i * dims..(i + 1) * dims]
    }

    /// Writes the mean of some points and returns their mass. The mean is the first of them plus the
    /// mean difference from it, so that a single point is its own mean to the bit, and digits are
    /// kept far from 0.
    fn compute_mean(&self, mut mean: ArrayViewMut1<'_, f64>, members: &[usize]) -> f64 {
        let Some(&first) = members.first() else {
            mean.fill(f64::INFINITY);
            return 0.0;
        };
        let first = self.row(first);
        let mut sums = vec![0.0; first.len()];
        let mut mass = 0.0;
        for &i in members {
            let weight = self.weights[i];
            mass += weight;
            for ((sum, x), first) in sums.iter_mut().zip(self.row(i)).zip(first) {
                *sum += weight * (x - first);
            }
        }
        for ((mean, sum), first) in mean.iter_mut().zip(sums).zip(first) {
            *mean = first + sum / mass;
        }
        mass
    }

    /// Updates a mean by a point that joins, or leaves with a negative weight. Returns the new mass.
    fn add_to_mean(
        &self,
        mut mean: ArrayViewMut1<'_, f64>,
        mass: f64,
        i: usize,
        weight: f64,
    ) -> f64 {
        let mass = mass + weight;
        let share = weight / mass;
        for (mean, x) in mean.iter_mut().zip(self.row(i)) {
            *mean += share * (x - *mean);
        }
        mass
    }
}

impl WeightedPoints for FeatureSpace<'_> {
    fn weights(&self) -> &[f64] {
        &self.weights
    }

    fn dist_sq(&self, from: &[usize], to: Range<usize>, out: &mut [f64]) {
        let queries: Vec<f64> = from.iter().flat_map(|&i| self.row(i).iter().copied()).collect();
        self.panels.dist_sq(&queries, to, out);
    }
}

impl Geometry for FeatureSpace<'_> {
    type Means = FeatureMeans;

    fn offset(&self, _: usize) -> f64 {
        0.0
    }

    fn means(&self, members: &[Vec<usize>]) -> FeatureMeans {
        let mut rows = Array2::zeros((members.len(), self.panels.dims()));
        let masses = rows
            .axis_iter_mut(Axis(0))
            .into_par_iter()
            .zip(members)
            .map(|(row, members)| self.compute_mean(row, members))
            .collect();
        FeatureMeans { masses, rows }
    }

    fn updated(&self, means: &FeatureMeans, before: &[usize], after: &[usize]) -> FeatureMeans {
        let changes = changes(before, after, means.masses.len());
        let mut centers = means.clone();
        let rows = centers.rows.axis_iter_mut(Axis(0)).into_par_iter();
        centers.masses = rows
            .zip(&changes)
            .zip(&means.masses)
            .map(|((mut row, changed), &mass)| {
                if !changed.is_slight() {
                    return self.compute_mean(row, &changed.members);
                }
                changed.signed(&self.weights).fold(mass, |mass, (i, weight)| {
                    self.add_to_mean(row.view_mut(), mass, i, weight)
                })
            })
            .collect();
        centers
    }

    fn shift(&self, means: &mut FeatureMeans, i: usize, from: usize, to: usize) {
        for (cluster, weight) in [(from, -self.weights[i]), (to, self.weights[i])] {
            let mass = &mut means.masses[cluster];
            *mass = self.add_to_mean(means.rows.row_mut(cluster), *mass, i, weight);
        }
    }

    fn masses<'a>(&self, means: &'a FeatureMeans) -> &'a [f64] {
        &means.masses
    }

    fn scores(&self, means: &FeatureMeans, points: Range<usize>, out: &mut [f64]) {
        let centers = rows_of(&means.rows);
        self.panels.dist_sq(centers, points, out);
    }

    fn keep(&self, means: FeatureMeans, _: &[usize], _: &DistinctRows) -> Means {
        let centers = means.rows;
        Means::Features { centers }
    }
}
