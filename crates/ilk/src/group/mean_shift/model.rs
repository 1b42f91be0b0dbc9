//! A fitted mean shift.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::group::Label;
use crate::problem::Points;
use crate::{Error, Result};

/// What a fit keeps to place new points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeanShiftModel {
    modes: Array2<f64>,
}

impl MeanShiftModel {
    pub(super) fn new(modes: Array2<f64>) -> Self {
        Self { modes }
    }

    /// One row a cluster.
    pub fn modes(&self) -> &Array2<f64> {
        &self.modes
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.modes.nrows()
    }

    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.modes.ncols()
    }

    /// The clusters of new points.
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        if points.dims() != self.dims() {
            return Err(Error::WrongDimensions {
                found: points.dims(),
                expected: self.dims(),
            });
        }
        let label = |row: &[f64]| {
            let dist = |mode: ndarray::ArrayView1<'_, f64>| -> f64 {
                mode.iter().zip(row).map(|(a, b)| (a - b).powi(2)).sum()
            };
            (0..self.n_clusters())
                .min_by(|&a, &b| dist(self.modes.row(a)).total_cmp(&dist(self.modes.row(b))))
        };
        Ok((0..points.len()).map(|i| label(points.row(i))).collect())
    }
}
