//! A fitted mixture, for new points.

use ndarray::{Array1, Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::components::{Components, Densities};
use crate::group::Label;
use crate::problem::Points;
use crate::{Error, Result};

/// The components: a point belongs to the cluster whose component has the largest share of it, the
/// first of equal ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MixtureModel {
    components: Components,
    n_clusters: usize,
}

impl MixtureModel {
    pub(super) fn new(components: Components, n_clusters: usize) -> Self {
        Self {
            components,
            n_clusters,
        }
    }

    /// The components. Those of clusters come first, in the order of the clusters; then those that
    /// had the largest share of no point of the fit.
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.n_clusters
    }

    /// Number of columns that new points must have.
    pub fn dims(&self) -> usize {
        self.components.dims()
    }

    /// The clusters of new points.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        let (shares, _) = self.shares(points.view())?;
        let clusters = |row: ndarray::ArrayView1<'_, f64>| {
            let better = |best: usize, c: usize| if row[c] > row[best] { c } else { best };
            (0..self.n_clusters).reduce(better)
        };
        Ok(shares.rows().into_iter().map(clusters).collect())
    }

    /// The share of every component in each of some rows of finite numbers; rows add up to 1.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn probabilities(&self, rows: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        self.shares(rows).map(|(shares, _)| shares)
    }

    /// log p(x) of rows of finite numbers.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn log_densities(&self, rows: ArrayView2<'_, f64>) -> Result<Array1<f64>> {
        self.shares(rows).map(|(_, logs)| logs.into())
    }

    fn shares(&self, rows: ArrayView2<'_, f64>) -> Result<(Array2<f64>, Vec<f64>)> {
        let dims = rows.ncols();
        if dims != self.dims() {
            return Err(Error::WrongDimensions {
                found: dims,
                expected: self.dims(),
            });
        }
        let rows = rows.as_standard_layout();
        Ok(Densities::new(&self.components)?.shares(rows.as_slice().unwrap_or(&[])))
    }
}
