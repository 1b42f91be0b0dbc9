//! From affinities to clusters.

use ndarray::ArrayView2;

use super::cluster_rows::{ComparableRows, RowComparison};
use super::params::Spectral;
use crate::embed::{Affinity, CLUSTERING_TOLERANCE, spectral_rows_observed};
use crate::error::{check_length, check_memory, matrix_bytes};
use crate::group::{Grouping, GroupingAlgorithm, Label, StopReason, kernel_kmeans::Space};
use crate::{Result, numerics::linalg::product, observe::Observer};

impl GroupingAlgorithm for Spectral {
    type Input<'a> = Affinity<'a>;
    type Model = ();

    /// Finds the clusters of points with these affinities.
    fn group<'a>(
        &self,
        affinity: impl Into<Affinity<'a>>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, ())> {
        Ok((self.fit_with_init_labels(affinity, &[], observer)?.0, ()))
    }
}

impl Spectral {
    /// As [`group`](GroupingAlgorithm::group), and the result of one more descent that starts from labels of some of
    /// the points; `None` where no point has one.
    ///
    /// # Errors
    /// Besides those of [`group`](GroupingAlgorithm::group), those of
    /// [`WeightedKernelKMeans::group_from`](crate::group::kernel_kmeans::WeightedKernelKMeans::group_from).
    pub fn fit_with_init_labels<'a>(
        &self,
        affinity: impl Into<Affinity<'a>>,
        init_labels: &[Label],
        observer: &dyn Observer,
    ) -> Result<(Grouping, Option<Grouping>)> {
        // Bad parameters are refused before the eigenvectors are computed.
        self.kmeans(usize::MAX).check()?;
        let (laplacian, k) = (self.laplacian, self.n_clusters);
        let affinity = affinity.into();
        let rows = spectral_rows_observed(affinity, laplacian, k, CLUSTERING_TOLERANCE, observer)?;
        let n = rows.nrows();
        if !init_labels.is_empty() {
            check_length("the list of initial labels", init_labels.len(), n)?;
        }
        let comparable = ComparableRows::new(rows.view(), RowComparison::UnitDistance);
        if comparable.kept.is_empty() {
            // No point has affinity to any, itself included.
            let none = Grouping::new(vec![None; n], 0, StopReason::Converged, Vec::new());
            return Ok((none, None));
        }
        let over_all =
            |grouping: Grouping| Grouping { centers: None, ..comparable.over_all(grouping) };
        let kmeans = self.kmeans(comparable.kept.len());
        let space = Space::Features(comparable.rows.view());
        let (best, _) = kmeans.group(space, observer)?;
        let kept = comparable.kept.iter();
        let init_labels: Vec<Label> = kept.map_while(|&i| init_labels.get(i).copied()).collect();
        // With fewer rows than clusters, labels may name clusters that cannot exist.
        let mut clusters = init_labels.iter().flatten();
        let can_start = clusters.all(|&cluster| cluster < kmeans.n_clusters);
        let mut from_labels = None;
        if can_start && init_labels.iter().any(Option::is_some) {
            let (grouping, _) = kmeans.group_from(space, &[init_labels], observer)?;
            from_labels = Some(over_all(grouping));
        }
        Ok((over_all(best), from_labels))
    }

    /// As [`group`](GroupingAlgorithm::group), with the dot products of features as affinities.
    ///
    /// # Errors
    /// [`Error::TooLarge`](crate::Error::TooLarge) where their matrix is above [`MAX_BYTES`](crate::error::MAX_BYTES).
    pub fn fit_features(
        &self,
        features: ArrayView2<'_, f64>,
        observer: &dyn Observer,
    ) -> Result<Grouping> {
        check_memory(
            "the matrix of affinities",
            matrix_bytes(features.nrows(), features.nrows()),
            "group the features by k-means, or sample the points",
        )?;
        let (grouping, ()) = self.group(product(features, features.t()).view(), observer)?;
        Ok(grouping)
    }
}
