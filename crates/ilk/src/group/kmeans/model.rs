//! A fitted k-means, for new points.

use ndarray::{Array2, ArrayView2};

use super::{data::nearest, params::Distance};
use crate::error::stored::{checked_on_read, ensure, ensure_finite};
use crate::{Result, error::check_dims, group::Label, numerics::rows_of, problem::Points};

checked_on_read! {
    /// The centres of the clusters: a point belongs to the nearest, the first of equally near ones.
    pub struct KMeansModel {
        centers: Array2<f64>,
        distance: Distance,
    }
}

impl KMeansModel {
    fn checked(self) -> Result<Self> {
        ensure(self.dims() > 0, || "its centres have no dimensions".to_owned())?;
        ensure_finite("a coordinate of a centre", &self.centers)?;
        Ok(self)
    }

    pub(super) fn new(centers: Array2<f64>, distance: Distance) -> Self {
        Self { centers, distance }
    }

    /// The centres, one row a cluster; of length 1 for the cosine distance.
    pub fn centers(&self) -> &Array2<f64> {
        &self.centers
    }

    /// The distance by which the nearest centre is found.
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

    /// The clusters of new points. Under the cosine distance, a point at the origin belongs to none.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`](crate::Error::WrongDimensions).
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        self.assign(points.view())
    }

    /// As [`predict`](Self::predict), for rows of finite numbers.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`](crate::Error::WrongDimensions).
    pub fn assign(&self, rows: ArrayView2<'_, f64>) -> Result<Vec<Label>> {
        check_dims(rows.ncols(), self.dims())?;
        if self.n_clusters() == 0 {
            return Ok(vec![None; rows.nrows()]);
        }
        let rows = self.distance.standard_rows(rows);
        let labels = nearest(rows_of(&rows), self.centers.view()).into_iter();
        let label = |(label, row)| self.distance.applies_to(row).then_some(label);
        Ok(labels.zip(rows.rows()).map(label).collect())
    }
}
