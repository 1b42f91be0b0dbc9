//! Mean shift spectral clustering as a method.
//!
//! | file | what it holds |
//! |---|---|
//! | `partitions` | from points to partitions |
//! | `divide` | partitions that hold separated points are divided |
//! | `spectral` | from partitions to clusters |
//! | `bandwidth` | the bandwidth of affinities and the embedding, where they are left open |
//! | `fit` | all of it |

mod bandwidth;
mod divide;
mod fit;
mod partitions;
mod spectral;

use super::MethodInfo;
use crate::embed::SpectralEmbedding;
use crate::parameter::{AutoOr, Range};
use crate::problem::{ConstraintKind, InputKind};
use crate::refine::Refinement;

pub use partitions::BandwidthScan;

crate::choice! {
    /// How points become partitions.
    #[derive(Default)]
    pub enum FirstStage {
        /// Points that climb to one mode are a partition.
        #[default]
        MeanShift = "mean_shift",
        /// k-means with many more centres than clusters.
        KMeans = "kmeans",
        /// A Gaussian mixture with many more components than clusters.
        Mixture = "mixture",
    }
}

crate::choice! {
    /// By which coordinates partitions are grouped.
    #[derive(Default)]
    pub enum PartitionEmbedding {
        /// Keca, or laplacian where its clusters have a much smaller cut among neighbours.
        #[default]
        Auto = "auto",
        /// The axes of most entropy.
        Keca = "keca",
        /// The axes of most variance.
        Kpca = "kpca",
        /// The smallest eigenvectors of the Laplacian.
        Laplacian = "laplacian",
    }
}

impl PartitionEmbedding {
    /// The embedding, unless it is to be chosen.
    fn fixed(self) -> Option<SpectralEmbedding> {
        match self {
            Self::Auto => None,
            Self::Keca => Some(SpectralEmbedding::Keca),
            Self::Kpca => Some(SpectralEmbedding::Kpca),
            Self::Laplacian => Some(SpectralEmbedding::Laplacian),
        }
    }
}

impl From<SpectralEmbedding> for PartitionEmbedding {
    fn from(embedding: SpectralEmbedding) -> Self {
        match embedding {
            SpectralEmbedding::Keca => Self::Keca,
            SpectralEmbedding::Kpca => Self::Kpca,
            SpectralEmbedding::Laplacian => Self::Laplacian,
        }
    }
}

crate::choice! {
    /// How the coordinates of partitions are compared.
    #[derive(Default)]
    pub enum RowDistance {
        /// As suits the embedding: KECA by angle, KPCA by distance, the Laplacian by distance of rows of length 1.
        #[default]
        Auto = "auto",
        /// By distance.
        Euclidean = "euclidean",
        /// By angle.
        Cosine = "cosine",
    }
}

crate::parameters! {
    /// Mean shift spectral clustering (MSSC): points are first put into partitions, many more than there are
    /// clusters and far fewer than points; then the partitions are clustered by the spectrum of their
    /// affinities. This makes spectral clustering possible for as many points as an image has pixels.
    ///
    /// 1. **Partitions.** Blurring mean shift with a small bandwidth; what ends in one place is a partition.
    ///    Above `pool` points k-means pools them first, and the centres are shifted with their weights.
    /// 2. **Affinities** of partitions: the cosine of the angle between their densities
    ///    ([`CauchySchwarzAffinity`](crate::similarity::CauchySchwarzAffinity)), with a bandwidth of its own. Left open, eight
    ///    are tried, from a tenth of the median distance to all of it, and that is taken whose clusters
    ///    have the smallest normalized cut in the graph of nearest neighbours.
    /// 3. **Clusters** of partitions, by their coordinates along the axes of most entropy or variance
    ///    ([`KernelAxes`](crate::embed::KernelAxes)), or in the Laplacian of their affinities. Left open, axes of
    ///    entropy are taken, or the Laplacian where its clusters have a much smaller cut among neighbours. A
    ///    partition counts as its points do, in the axes and in k-means; `weighted = false` is the
    ///    thesis's way, in which a partition of one point counts as much as one of a thousand.
    ///
    /// **Constraints.** A partition that holds separated points is divided first, so that none does (unless must-links
    /// contradict it). Constraints are then aggregated to the partitions of their points, propagated to the partitions
    /// near them as in [`E2cp`](super::E2cp), and raise or lower affinities. Points of one partition always share a
    /// cluster; partitions with must-linked points share one too, where no constraint contradicts it. Cannot-links
    /// between partitions are used, not guaranteed; the report lists what is violated.
    ///
    /// With no more partitions than clusters, these are the clusters. New points are shifted as the others
    /// were, to a partition and its cluster; where there are constraints, their neighbours assign them.
    ///
    /// Use it for many points of few dimensions: images, and groups that are not round. Time is that of the
    /// shift, which is quadratic in the points that are within some bandwidths of each other.
    ///
    /// ```
    /// use ilk::method::{Method, Mssc};
    /// use ilk::observe::Silent;
    /// use ilk::problem::{Points, Problem};
    ///
    /// let points = Points::from_rows(&[[0.0], [0.2], [0.1], [5.0], [5.2], [4.8]].map(Vec::from))?;
    /// let params = Mssc { n_clusters: 2.into(), ..Mssc::default() };
    /// let fit = params.fit(&Problem::unsupervised(points), &Silent)?;
    /// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1, 1].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct Mssc {
        /// Number of clusters. auto: chosen from the constraints and the data.
        pub n_clusters: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// By which coordinates partitions are grouped: axes of entropy, axes of variance, or a Laplacian. auto: axes of
        /// entropy, or a Laplacian where its clusters cut less than 0.7 as much among neighbours.
        pub embedding: PartitionEmbedding = PartitionEmbedding::Auto;
        /// In the Laplacian a partition has affinity with this many others, those of largest affinity. 0: with all, as in the
        /// thesis.
        pub n_neighbors: usize = 10, in Range::at_least(0);
        /// Bandwidth of the shift. auto: 0.3 of Silverman's; wider where that gives more than 2,500
        /// partitions, narrower where fewer than three a cluster.
        pub bandwidth: AutoOr<f64> = AutoOr::Auto, in Range::POSITIVE;
        /// Bandwidth of the affinities. auto: of eight, the one whose clusters cut least among
        /// neighbours.
        pub spectral_bandwidth: AutoOr<f64> = AutoOr::Auto, in Range::POSITIVE;
        /// How points become partitions.
        pub first_stage: FirstStage = FirstStage::MeanShift;
        /// Whether the data move along with the centres.
        pub blurring: bool = true;
        /// Number of partitions, for kmeans and mixture, at most 8000 (none: twice the root of the
        /// number of points, at least ten a cluster).
        pub n_partitions: Option<usize> = None, in Range::COUNT;
        /// At most this many steps of the shift.
        pub max_iter: usize = 50, in Range::COUNT;
        /// While blurring, centres that share a grid cell of this many bandwidths become one. Cells from 0.01 on grow
        /// while more than 100,000 centres are left after a step.
        pub cell: f64 = 1e-4, in Range::between(1e-12, 1.0);
        /// More points than this are pooled by k-means first, into a hundredth of this. In more than 8 dimensions and
        /// without a given bandwidth, pooling starts at fewer points: where a shift of all would take minutes.
        pub pool: usize = 500_000, in Range::at_least(100);
        /// Whether a partition counts as its points do.
        pub weighted: bool = true;
        /// How the coordinates of partitions are compared. auto: by angle for keca, by distance for the
        /// others.
        pub distance: RowDistance = RowDistance::Auto;
        /// Partitions of fewer points, whatever these weigh, do not count for the axes and are assigned
        /// afterwards.
        pub min_size: usize = 1, in Range::COUNT;
        /// How far labels are refined by the neighbours and the constraints: not at all, or up to this step. auto: held-out
        /// constraints decide, also whether partitions are clustered by the constraints.
        pub refine: Refinement = Refinement::Auto;
        /// How far pairs are propagated: the share of a value that comes from the neighbours.
        pub alpha: f64 = 0.6, in Range::between(0.0, 0.999);
        /// Descents from different starts, of which the best is kept.
        pub n_init: usize = 10, in Range::RUNS;
        /// Seed of everything random.
        pub seed: u64 = 0;
    }
}

impl Mssc {
    /// What mean shift spectral clustering takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "mssc",
        class: "MSSC",
        summary: "Points collapse into many small partitions, whose densities' affinities are clustered by their spectrum.",
        paper: "Agersborg, Mean shift spectral clustering, 2013; after Ozertem, Erdogmus and Jenssen, 2008",
        version: 7,
        inputs: &[InputKind::Points],
        supervision: &[ConstraintKind::MustLink, ConstraintKind::CannotLink, ConstraintKind::Label],
        takes_clusters: true,
        predicts: &[InputKind::Points],
        supports_weights: &[InputKind::Points],
        parameters: Self::PARAMETERS,
    };

    /// The thesis's settings: partitions count alike, whatever their size.
    pub fn paper() -> Self {
        Self {
            embedding: PartitionEmbedding::Keca,
            n_neighbors: 0,
            weighted: false,
            refine: Refinement::Off,
            cell: 1e-10,
            ..Self::default()
        }
    }

    /// Settings for images in which black and white are 1 apart: the thesis's bandwidth for its photographs, and
    /// cells that are large, which makes it several times as fast and moves few pixels (docs/benchmarks.md has both).
    pub fn for_images() -> Self {
        Self {
            embedding: PartitionEmbedding::Keca,
            bandwidth: AutoOr::Fixed(0.04),
            cell: 0.1,
            refine: Refinement::Off,
            ..Self::default()
        }
    }
}
