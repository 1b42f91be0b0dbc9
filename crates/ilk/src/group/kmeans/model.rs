//! A fitted k-means, for new points.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::cloud::{directions, nearest};
use super::params::Distance;
use crate::group::Label;
use crate::problem::Points;
use crate::{Error, Result};

/// The centres: a point belongs to the nearest, the first of equally near ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KMeansModel {
    centers: Array2<f64>,
    distance: Distance,
}

impl KMeansModel {
    pub(super) fn new(centers: Array2<f64>, distance: Distance) -> Self {
        Self { centers, distance }
    }

    /// One row a cluster; of length 1 for the cosine.
    pub fn centers(&self) -> ArrayView2<'_, f64> {
        self.centers.view()
    }

    /// What it means to be near a centre.
    pub fn distance(&self) -> Distance {
        self.distance
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.centers.nrows()
    }

    /// Number of columns that new points must have.
    pub fn dims(&self) -> usize {
        self.centers.ncols()
    }

    /// The clusters of new points; none for those that have no direction, where directions count.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        self.assign(points.view())
    }

    /// As [`predict`](Self::predict), for rows of finite numbers.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn assign(&self, rows: ArrayView2<'_, f64>) -> Result<Vec<Label>> {
        if rows.ncols() != self.dims() {
            return Err(Error::WrongDimensions {
                found: rows.ncols(),
                expected: self.dims(),
            });
        }
        if self.n_clusters() == 0 {
            return Ok(vec![None; rows.nrows()]);
        }
        match self.distance {
            Distance::Euclidean => {
                let rows = rows.as_standard_layout();
                let labels = nearest(rows.as_slice().unwrap_or(&[]), self.centers.view());
                Ok(labels.into_iter().map(Some).collect())
            }
            Distance::Cosine => {
                let rows = directions(rows);
                let labels = nearest(rows.as_slice().unwrap_or(&[]), self.centers.view());
                let has_place = rows
                    .rows()
                    .into_iter()
                    .map(|row| row.iter().any(|&x| x != 0.0));
                let placed = labels.into_iter().zip(has_place);
                Ok(placed
                    .map(|(label, has_place)| has_place.then_some(label))
                    .collect())
            }
        }
    }
}
