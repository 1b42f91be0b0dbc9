//! Models of fits that cannot place new points.

use serde::{Deserialize, Serialize};

use crate::{Error, Result, group::Label, observe::Observer, problem::Points};

/// The model of clusters that were found in a graph or in affinities: it cannot place a new point, of
/// which neither tells anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransductiveModel {
    n_clusters: usize,
    n: usize,
}

impl TransductiveModel {
    /// A model of `n_clusters` clusters among `n` points.
    pub fn new(n_clusters: usize, n: usize) -> Self {
        Self { n_clusters, n }
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.n_clusters
    }

    /// Number of points of the fit: the columns that a row of affinities would have.
    pub fn dims(&self) -> usize {
        self.n
    }

    /// Always fails.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    pub fn predict_observed(&self, _: &Points, _: &dyn Observer) -> Result<Vec<Label>> {
        Err(Error::unsupported(
            "a model of a graph or of affinities",
            "new points",
            "fit the points themselves",
        ))
    }
}
