//! Points with features: plain k-means.

use std::ops::Range;

use ndarray::{Array2, ArrayRef2, ArrayViewMut1, Axis};
use rayon::prelude::*;

use super::space::{Changed, Geometry, changes};
use crate::group::seeds::Spread;
use crate::numerics::distances::Panels;

/// Distinct rows of features with weights.
pub(super) struct Features<'a> {
    /// One after the other.
    rows: &'a [f64],
    /// The same, laid out to meet many points an instruction.
    panels: Panels,
    weights: Vec<f64>,
}

/// Means as rows.
#[derive(Clone)]
pub(super) struct Centers {
    masses: Vec<f64>,
    pub(super) rows: Array2<f64>,
}

impl<'a> Features<'a> {
    /// Takes rows that are stored one after the other.
    pub(super) fn new(rows: &'a ArrayRef2<f64>, weights: Vec<f64>) -> Self {
        Self {
            rows: rows.as_slice().unwrap_or(&[]),
            panels: Panels::new(rows.view()),
            weights,
        }
    }

    fn row(&self, i: usize) -> &[f64] {
        let dims = self.panels.dims();
        &self.rows[i * dims..(i + 1) * dims]
    }

    /// Writes the mean of some points and returns their mass. The mean is the first of them plus the
    /// mean difference from it, so that a single point is its own mean to the bit, and digits are
    /// kept far from 0.
    fn renew(&self, mut mean: ArrayViewMut1<'_, f64>, members: &[usize]) -> f64 {
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

    /// The mean follows a point that comes, or leaves with a negative weight; the mass after that.
    fn pull(&self, mut mean: ArrayViewMut1<'_, f64>, mass: f64, i: usize, weight: f64) -> f64 {
        let mass = mass + weight;
        let share = weight / mass;
        for (mean, x) in mean.iter_mut().zip(self.row(i)) {
            *mean += share * (x - *mean);
        }
        mass
    }

    /// The mean follows all who came and left, in this order so that the mass is never small.
    fn follow(&self, mut mean: ArrayViewMut1<'_, f64>, mut mass: f64, changed: &Changed) -> f64 {
        for &i in &changed.came {
            mass = self.pull(mean.view_mut(), mass, i, self.weights[i]);
        }
        for &i in &changed.left {
            mass = self.pull(mean.view_mut(), mass, i, -self.weights[i]);
        }
        mass
    }
}

impl Spread for Features<'_> {
    fn len(&self) -> usize {
        self.weights.len()
    }

    fn weight(&self, i: usize) -> f64 {
        self.weights[i]
    }

    fn dist_sq(&self, from: &[usize], to: Range<usize>, out: &mut [f64]) {
        let queries: Vec<f64> = from
            .iter()
            .flat_map(|&i| self.row(i).iter().copied())
            .collect();
        self.panels.dist_sq(&queries, to, out);
    }
}

impl Geometry for Features<'_> {
    type Means = Centers;

    fn offset(&self, _: usize) -> f64 {
        0.0
    }

    fn means(&self, members: &[Vec<usize>]) -> Centers {
        let mut rows = Array2::zeros((members.len(), self.panels.dims()));
        let masses = rows
            .axis_iter_mut(Axis(0))
            .into_par_iter()
            .zip(members)
            .map(|(row, members)| self.renew(row, members))
            .collect();
        Centers { masses, rows }
    }

    fn updated(&self, means: &Centers, before: &[usize], after: &[usize]) -> Centers {
        let changes = changes(before, after, means.masses.len());
        let mut centers = means.clone();
        let rows = centers.rows.axis_iter_mut(Axis(0)).into_par_iter();
        centers.masses = rows
            .zip(&changes)
            .zip(&means.masses)
            .map(|((row, changed), &mass)| {
                if changed.is_slight() {
                    self.follow(row, mass, changed)
                } else {
                    self.renew(row, &changed.members)
                }
            })
            .collect();
        centers
    }

    fn shift(&self, means: &mut Centers, i: usize, from: usize, to: usize) {
        for (cluster, weight) in [(from, -self.weights[i]), (to, self.weights[i])] {
            let mass = &mut means.masses[cluster];
            *mass = self.pull(means.rows.row_mut(cluster), *mass, i, weight);
        }
    }

    fn masses<'a>(&self, means: &'a Centers) -> &'a [f64] {
        &means.masses
    }

    fn scores(&self, means: &Centers, points: Range<usize>, out: &mut [f64]) {
        let centers = means.rows.as_slice().unwrap_or(&[]);
        self.panels.dist_sq(centers, points, out);
    }
}
