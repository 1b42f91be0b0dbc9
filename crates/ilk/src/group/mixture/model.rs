//! A fitted mixture, for new points.

use ndarray::{Array1, Array2, ArrayView2};

use super::components::{Components, Densities};
use crate::error::stored::{checked_on_read, ensure};
use crate::numerics::{cached::Cached, rows_of};
use crate::{Result, error::check_dims, group::Label, problem::Points};

checked_on_read! {
    /// The components of the mixture: a point belongs to the cluster whose component has the largest
    /// share of it, the first of equal ones.
    pub struct MixtureModel {
        components: Components,
        n_clusters: usize,
    }
    at first use, densities: Cached<Densities>;
}

impl MixtureModel {
    fn checked(self) -> Result<Self> {
        self.components.check()?;
        let (n_clusters, k) = (self.n_clusters, self.components.len());
        ensure(n_clusters <= k, || format!("it has {n_clusters} clusters, but {k} components"))?;
        self.prepared()?;
        Ok(self)
    }

    pub(super) fn new(components: Components, n_clusters: usize) -> Self {
        Self { components, n_clusters, densities: Cached::default() }
    }

    fn prepared(&self) -> Result<&Densities> {
        self.densities.try_get(|| Densities::new(&self.components))
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
    /// [`Error::WrongDimensions`](crate::Error::WrongDimensions).
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        let shares = self.probabilities(points.view())?;
        let clusters = |row: ndarray::ArrayView1<'_, f64>| {
            let better = |best: usize, c: usize| if row[c] > row[best] { c } else { best };
            (0..self.n_clusters).reduce(better)
        };
        Ok(shares.rows().into_iter().map(clusters).collect())
    }

    /// The share of every component in each of some rows of finite numbers; rows add up to 1.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`](crate::Error::WrongDimensions).
    pub fn probabilities(&self, rows: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        self.densities(rows).map(|(shares, _)| shares)
    }

    /// The share of every component in each of some rows of finite numbers, and log p(x) of each row.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`](crate::Error::WrongDimensions).
    pub fn densities(&self, rows: ArrayView2<'_, f64>) -> Result<(Array2<f64>, Array1<f64>)> {
        check_dims(rows.ncols(), self.dims())?;
        let rows = rows.as_standard_layout();
        let (shares, logs) = self.prepared()?.shares(rows_of(&rows));
        Ok((shares, logs.into()))
    }
}
