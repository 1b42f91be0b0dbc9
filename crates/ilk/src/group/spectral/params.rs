//! The parameters of spectral clustering.

use serde::{Deserialize, Serialize};

use crate::group::kernel_kmeans::KernelKMeans;

/// How affinities A are normalised, with D their row sums and d the largest of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Normalisation {
    /// D^-1/2 A D^-1/2 (Ng, Jordan and Weiss 2002).
    #[default]
    Symmetric,
    /// (A + d I - D) / d (Kamvar, Klein and Manning 2003), whose rows sum to 1 without any affinity
    /// being divided by that of its own point. On a large sparse graph its eigenvalues lie close
    /// together, and finding them takes long.
    Additive,
}

/// Normalised spectral clustering: the rows of the top k eigenvectors of the
/// [normalised](Normalisation) affinities, usually
///
/// ```text
/// D^-1/2 A D^-1/2
/// ```
///
/// with A the affinities and D their row sums, are brought to unit length and grouped by k-means.
///
/// Affinities are symmetric; negative ones, which a learned kernel may have, count as 0. A point
/// whose row of the eigenvectors is 0 has no direction and belongs to no cluster: it has no affinity
/// at all, or lies in a part of the graph that none of the eigenvectors reaches. That may happen
/// where the graph falls into more parts than clusters are asked for; which of them share a cluster
/// is then not determined.
///
/// Use it where clusters are connected rather than round, and their number is known. Affinities are
/// a matrix or, for many points, sparse: then memory is that of the entries and of about 8 k numbers
/// a point. It does not place new points.
///
/// ```
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
/// assert_eq!(params.fit(affinity.view(), &Silent)?.labels, [0, 0, 1, 1].map(Some));
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Spectral {
    /// Number of clusters, and of eigenvectors.
    pub n_clusters: usize,
    /// How affinities are normalised.
    pub normalisation: Normalisation,
    /// Descents of k-means from different starts, of which the best is kept.
    pub n_init: usize,
    /// At most this many steps a descent.
    pub max_iter: usize,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for Spectral {
    fn default() -> Self {
        let KernelKMeans {
            n_clusters,
            n_init,
            max_iter,
            seed,
            ..
        } = KernelKMeans::default();
        Self {
            n_clusters,
            normalisation: Normalisation::default(),
            n_init,
            max_iter,
            seed,
        }
    }
}

impl Spectral {
    /// The k-means that groups the rows, into at most as many clusters as there are rows.
    pub(super) fn kmeans(&self, rows: usize) -> KernelKMeans {
        KernelKMeans {
            n_clusters: self.n_clusters.min(rows),
            n_init: self.n_init,
            max_iter: self.max_iter,
            seed: self.seed,
            ..KernelKMeans::default()
        }
    }
}
