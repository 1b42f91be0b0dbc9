//! The parameters of spectral clustering.

use crate::{embed::Laplacian, group::kernel_kmeans::WeightedKernelKMeans, parameter::Range};

crate::parameters! {
    /// Normalised spectral clustering: the rows of the k leading eigenvectors of the normalised affinities, by
    /// default D^-½ A D^-½ with A the affinities and D their row sums, are brought to unit length and grouped
    /// by k-means ([`spectral_rows`](crate::embed::spectral_rows)).
    ///
    /// Affinities are symmetric; negative ones, which a learned kernel may have, count as 0. A point whose row
    /// is 0 has no direction and belongs to no cluster: it has no affinity at all, or, where the graph has
    /// more than k connected components, is in none of the k largest.
    ///
    /// Use it where clusters are connected rather than round, and their number is known. Affinities are a
    /// matrix or, for many points, sparse: then memory is that of the entries and of about 8 k numbers a
    /// point. It cannot predict the clusters of new points.
    ///
    /// ```
    /// use ilk::group::GroupingAlgorithm;
    /// use ilk::group::spectral::Spectral;
    /// use ilk::ndarray::array;
    /// use ilk::observe::Silent;
    ///
    /// let affinity = array![
    ///     [1.0, 0.9, 0.0, 0.1],
    ///     [0.9, 1.0, 0.1, 0.0],
    ///     [0.0, 0.1, 1.0, 0.8],
    ///     [0.1, 0.0, 0.8, 1.0],
    /// ];
    /// let params = Spectral { n_clusters: 2, ..Spectral::default() };
    /// assert_eq!(params.group(affinity.view(), &Silent)?.0.labels, [0, 0, 1, 1].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct Spectral {
        /// Number of clusters, and of eigenvectors.
        pub n_clusters: usize = 8, in Range::COUNT;
        /// The Laplacian whose smallest eigenvectors are those of the normalised affinities.
        pub laplacian: Laplacian = Laplacian::default();
        /// Descents of k-means from different starts, of which the best is kept.
        pub n_init: usize = 10, in Range::RUNS;
        /// Iterations of a descent, at most.
        pub max_iter: usize = 300, in Range::COUNT;
        /// Seed of everything random.
        pub seed: u64 = 0;
    }
}

impl Spectral {
    /// The k-means that groups the rows, into at most as many clusters as there are rows.
    pub(super) fn kmeans(&self, rows: usize) -> WeightedKernelKMeans {
        WeightedKernelKMeans {
            n_clusters: self.n_clusters.min(rows),
            n_init: self.n_init,
            max_iter: self.max_iter,
            seed: self.seed,
            ..WeightedKernelKMeans::default()
        }
    }
}
