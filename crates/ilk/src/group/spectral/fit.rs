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
        Ok(self.fit_and_from(affinity, &[], observer)?.0)
    }

    /// As [`fit`](Self::fit), and beside it what comes of one descent from a start, a cluster for some of the
    /// points; nothing where it has none for any.
    ///
    /// # Errors
    /// Besides those of [`fit`](Self::fit), those of
    /// [`KernelKMeans::fit_from`](crate::group::kernel_kmeans::KernelKMeans::fit_from).
    pub fn fit_and_from<'a>(
        &self,
        affinity: impl Into<Affinity<'a>>,
        start: &[Label],
        observer: &dyn Observer,
    ) -> Result<(Grouping, Option<Grouping>)> {
        // What k-means would refuse is refused before the eigenvectors are sought.
        self.kmeans(usize::MAX).check()?;
        let rows = embedding(affinity, self.n_clusters, self.normalisation, CLUSTERING)?;
        let n = rows.nrows();
        let placed: Vec<usize> = (0..n)
            .filter(|&i| rows.row(i).iter().any(|&x| x != 0.0))
            .collect();
        if placed.is_empty() {
            return Ok((nothing(n), None));
        }
        if !start.is_empty() && start.len() != n {
            return Err(Error::WrongLength {
                what: "the start",
                found: start.len(),
                expected: n,
            });
        }
        let rows = rows.select(Axis(0), &placed);
        let (kmeans, space) = (self.kmeans(placed.len()), Space::Features(rows.view()));
        let of_all = |grouping: Grouping| {
            let mut labels: Vec<Label> = vec![None; n];
            for (&i, label) in placed.iter().zip(grouping.labels) {
                labels[i] = label;
            }
            Grouping {
                labels,
                centers: None,
                ..grouping
            }
        };
        let (best, _) = kmeans.fit(space, None, observer)?;
        let start: Vec<Label> = placed
            .iter()
            .map_while(|&i| start.get(i).copied())
            .collect();
        // Fewer rows than clusters leave no room for a start of more.
        let is_start = start
            .iter()
            .flatten()
            .all(|&cluster| cluster < kmeans.n_clusters);
        let from = if is_start && start.iter().any(Option::is_some) {
            Some(kmeans.fit_from(space, None, &start, observer)?.0)
        } else {
            None
        };
        Ok((of_all(best), from.map(of_all)))
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
