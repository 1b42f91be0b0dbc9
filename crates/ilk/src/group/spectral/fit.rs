//! From affinities to clusters.

use ndarray::{ArrayView2, Axis};

use super::params::Spectral;
use super::{Affinity, CLUSTERING, embedding};
use crate::group::kernel_kmeans::Space;
use crate::group::{Grouping, Label, StopReason};
use crate::numerics::linalg::product;
use crate::observe::Observer;
use crate::similarity::MAX_BYTES;
use crate::{Error, Result};

impl Spectral {
    /// Finds the clusters of points with these affinities.
    ///
    /// # Errors
    /// Those of [`embedding`] and of k-means.
    pub fn fit<'a>(
        &self,
        affinity: impl Into<Affinity<'a>>,
        observer: &dyn Observer,
    ) -> Result<Grouping> {
        // What k-means would refuse is refused before the eigenvectors are sought.
        self.kmeans(usize::MAX).check()?;
        let rows = embedding(affinity, self.n_clusters, self.normalisation, CLUSTERING)?;
        let n = rows.nrows();
        let placed: Vec<usize> = (0..n)
            .filter(|&i| rows.row(i).iter().any(|&x| x != 0.0))
            .collect();
        if placed.is_empty() {
            return Ok(nothing(n));
        }
        let rows = rows.select(Axis(0), &placed);
        let (grouping, _) =
            self.kmeans(placed.len())
                .fit(Space::Features(rows.view()), None, observer)?;
        let mut labels: Vec<Label> = vec![None; n];
        for (&i, label) in placed.iter().zip(grouping.labels) {
            labels[i] = label;
        }
        Ok(Grouping {
            labels,
            centers: None,
            ..grouping
        })
    }

    /// As [`fit`](Self::fit), with the dot products of features as affinities, negative ones as 0.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where their matrix is above [`MAX_BYTES`].
    pub fn fit_features(
        &self,
        features: ArrayView2<'_, f64>,
        observer: &dyn Observer,
    ) -> Result<Grouping> {
        let bytes = 8 * (features.nrows() as u128).pow(2);
        if bytes > MAX_BYTES {
            return Err(Error::TooLarge {
                what: "the matrix of affinities",
                bytes,
                instead: "group the features by k-means, or sample the points",
            });
        }
        self.fit(product(features, features.t()).view(), observer)
    }
}

/// The outcome where no point has affinity to any, itself included.
fn nothing(n: usize) -> Grouping {
    Grouping {
        labels: vec![None; n],
        n_clusters: 0,
        centers: None,
        rest: None,
        bandwidth: None,
        iterations: 0,
        stop: StopReason::Converged,
        trace: Vec::new(),
        history: Vec::new(),
    }
}
