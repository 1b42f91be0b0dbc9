//! Mean shift spectral clustering as a method.
//!
//! | file | what it holds |
//! |---|---|
//! | `first` | from points to partitions |
//! | `lift` | what was said of points, said of partitions |
//! | `second` | from partitions to clusters |
//! | `width` | the bandwidth of affinities, where it is left open |
//! | `fit` | all of it |

mod first;
mod fit;
mod lift;
mod second;
mod width;

use serde::{Deserialize, Serialize};

use super::kernel_kmeans::KernelWidth;
use super::learned_groups::{N_CLUSTERS, N_INIT};
use super::{MethodInfo, SEED, SpectralEmbedding};
use crate::Result;
use crate::parameter::{ParameterInfo, Range, check_numbers};
use crate::problem::{ConstraintKind, InputKind};

pub use first::Sweep;

/// What mean shift spectral clustering takes and offers.
pub(super) static INFO: MethodInfo = MethodInfo {
    name: "mssc",
    class: "MSSC",
    summary: "Points collapse into many small partitions, whose densities' affinities are clustered by their spectrum.",
    paper: "Agersborg, Mean shift spectral clustering, 2013; after Ozertem, Erdogmus and Jenssen, 2008",
    inputs: &[InputKind::Points],
    supervision: &[
        ConstraintKind::MustLink,
        ConstraintKind::CannotLink,
        ConstraintKind::Label,
    ],
    needs_clusters: true,
    predicts: true,
    weighs: true,
    parameters: Mssc::PARAMETERS,
};

/// How points become partitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum FirstStage {
    /// Points that climb to one mode are a partition.
    #[default]
    MeanShift,
    /// k-means with many more centres than clusters.
    #[serde(rename = "kmeans")]
    KMeans,
    /// A Gaussian mixture with many more components than clusters.
    Mixture,
}

impl FirstStage {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["mean_shift", "kmeans", "mixture"];
}

/// How the coordinates of partitions are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum RowDistance {
    /// As suits the embedding: KECA by angle, KPCA by distance, the Laplacian by distance of rows of length 1.
    #[default]
    Auto,
    /// By distance.
    Euclidean,
    /// By angle.
    Cosine,
}

impl RowDistance {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["auto", "euclidean", "cosine"];
}

/// Mean shift spectral clustering (MSSC): points are first put into partitions, many more than there are
/// clusters and far fewer than points; then the partitions are clustered by the spectrum of their
/// affinities. So spectral clustering is there for as many points as a picture has pixels.
///
/// 1. **Partitions.** Blurring mean shift with a small bandwidth; what ends in one place is a partition.
///    Above `pool` points k-means pools them first, and the centres are shifted with their weights.
/// 2. **Affinities** of partitions: the cosine of the angle between their densities
///    ([`GroupAffinity`](crate::similarity::GroupAffinity)), with a bandwidth of its own. Left open, eight
///    are tried, from a tenth of the median distance to all of it, and that is taken whose clusters
///    have the smallest normalized cut in the graph of nearest neighbours.
/// 3. **Clusters** of partitions, by their coordinates along the axes of most entropy or variance
///    ([`GroupAxes`](crate::group::spectral::GroupAxes)), or in the Laplacian of their affinities. A
///    partition counts as its points do, in the axes and in k-means; `weighted = false` is the
///    thesis's way, in which a partition of one point counts as much as one of a thousand.
///
/// **What was said.** A partition that holds points that must be apart is divided first, so that none
/// does (unless must-links say the opposite). Pairs and labels then hold for the partitions of their
/// points, are carried to the partitions near them as in [`E2cp`](super::E2cp), and raise or lower
/// affinities. Guaranteed is: points of one partition share a cluster; partitions with must-linked points
/// share one too, where nothing that was said contradicts it. Cannot-links between partitions are
/// heeded, not guaranteed; the report tells what was broken.
///
/// With no more partitions than clusters, these are the clusters. New points are shifted as the others
/// were, to a partition and its cluster; where something was said, their neighbours vote.
///
/// Use it for many points of few dimensions: pictures, and groups that are not round. Time is that of the
/// shift, which is quadratic in the points that are within some bandwidths of each other.
///
/// ```
/// use ilk::method::{Method, Mssc};
/// use ilk::observe::Silent;
/// use ilk::problem::{Points, Problem};
///
/// let points = Points::from_rows(&[[0.0], [0.2], [0.1], [5.0], [5.2], [4.8]].map(Vec::from))?;
/// let params = Mssc { n_clusters: 2, ..Mssc::default() };
/// let fit = Method::Mssc(params).fit(&Problem::unsupervised(points), &Silent)?;
/// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1, 1].map(Some));
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mssc {
    /// Number of clusters.
    pub n_clusters: usize,
    /// By which coordinates partitions are grouped.
    pub embedding: SpectralEmbedding,
    /// The bandwidth of the shift.
    pub bandwidth: KernelWidth,
    /// The bandwidth of the affinities.
    pub spectral_bandwidth: KernelWidth,
    /// How points become partitions.
    pub first_stage: FirstStage,
    /// Whether the data move along with the centres.
    pub blurring: bool,
    /// Number of partitions, for k-means and the mixture, at most 8,000; none: twice the root of the number
    /// of points, but ten for each cluster.
    pub n_partitions: Option<usize>,
    /// At most this many steps of the shift.
    pub max_iter: usize,
    /// While blurring, centres that share a grid cell of this many bandwidths become one.
    pub cell: f64,
    /// More points than this are pooled by k-means before they are shifted, into a hundredth of this.
    pub pool: usize,
    /// Whether a partition counts as its points do.
    pub weighted: bool,
    /// How the coordinates of partitions are compared.
    pub distance: RowDistance,
    /// Partitions of fewer points, whatever these weigh, have no say in the axes and are placed afterwards.
    pub min_size: usize,
    /// How far pairs are carried: the share of a value that comes from the neighbours.
    pub alpha: f64,
    /// Descents of k-means from different starts, of which the best is kept.
    pub n_init: usize,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for Mssc {
    fn default() -> Self {
        Self {
            n_clusters: 8,
            embedding: SpectralEmbedding::Keca,
            bandwidth: KernelWidth::Auto,
            spectral_bandwidth: KernelWidth::Auto,
            first_stage: FirstStage::MeanShift,
            blurring: true,
            n_partitions: None,
            max_iter: 50,
            cell: 1e-4,
            pool: 500_000,
            weighted: true,
            distance: RowDistance::Auto,
            min_size: 1,
            alpha: 0.6,
            n_init: 10,
            seed: 0,
        }
    }
}

impl Mssc {
    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &[
        N_CLUSTERS,
        ParameterInfo {
            name: "embedding",
            doc: "By which coordinates partitions are grouped: axes of entropy, axes of variance, or a Laplacian.",
            range: Range::Choice(SpectralEmbedding::NAMES),
            default: "keca",
        },
        ParameterInfo {
            name: "bandwidth",
            doc: "Bandwidth of the shift. auto: 0.3 of Silverman's; wider where that gives more than 2,500 partitions, narrower where fewer than three a cluster.",
            range: Range::Text("a number above 0, or auto"),
            default: "auto",
        },
        ParameterInfo {
            name: "spectral_bandwidth",
            doc: "Bandwidth of the affinities. auto: of eight, the one whose clusters cut least among neighbours.",
            range: Range::Text("a number above 0, or auto"),
            default: "auto",
        },
        ParameterInfo {
            name: "first_stage",
            doc: "How points become partitions.",
            range: Range::Choice(FirstStage::NAMES),
            default: "mean_shift",
        },
        ParameterInfo {
            name: "blurring",
            doc: "Whether the data move along with the centres.",
            range: Range::Flag,
            default: "true",
        },
        ParameterInfo {
            name: "n_partitions",
            doc: "Number of partitions, for kmeans and mixture, at most 8000 (none: twice the root of the number of points, at least ten a cluster).",
            range: Range::Integer {
                min: 1,
                max: u64::MAX,
            },
            default: "none",
        },
        ParameterInfo {
            name: "max_iter",
            doc: "At most this many steps of the shift.",
            range: Range::Integer {
                min: 1,
                max: u64::MAX,
            },
            default: "50",
        },
        ParameterInfo {
            name: "cell",
            doc: "While blurring, centres that share a grid cell of this many bandwidths become one.",
            range: Range::Number {
                min: 1e-12,
                inclusive: true,
                max: 1.0,
            },
            default: "1e-4",
        },
        ParameterInfo {
            name: "pool",
            doc: "More points than this are pooled by k-means first, into a hundredth of this.",
            range: Range::Integer {
                min: 100,
                max: u64::MAX,
            },
            default: "500000",
        },
        ParameterInfo {
            name: "weighted",
            doc: "Whether a partition counts as its points do.",
            range: Range::Flag,
            default: "true",
        },
        ParameterInfo {
            name: "distance",
            doc: "How the coordinates of partitions are compared. auto: by angle for keca, by distance for the others.",
            range: Range::Choice(RowDistance::NAMES),
            default: "auto",
        },
        ParameterInfo {
            name: "min_size",
            doc: "Partitions of fewer points, whatever these weigh, have no say in the axes and are placed afterwards.",
            range: Range::Integer {
                min: 1,
                max: u64::MAX,
            },
            default: "1",
        },
        ParameterInfo {
            name: "alpha",
            doc: "How far pairs are carried: the share of a value that comes from the neighbours.",
            range: Range::Number {
                min: 0.0,
                inclusive: true,
                max: 0.999,
            },
            default: "0.6",
        },
        N_INIT,
        SEED,
    ];

    /// The thesis's settings: partitions count alike, whatever their size.
    pub fn paper() -> Self {
        Self {
            weighted: false,
            cell: 1e-10,
            ..Self::default()
        }
    }

    /// Settings for pictures in which black and white are 1 apart: the thesis's bandwidth for its photographs, and
    /// cells that are large, which makes it twice as fast and moves few pixels (docs/benchmarks.md has both).
    pub fn for_pictures() -> Self {
        Self {
            bandwidth: KernelWidth::Fixed(0.04),
            cell: 0.01,
            ..Self::default()
        }
    }

    fn check(&self) -> Result<()> {
        check_numbers(
            Self::PARAMETERS,
            &[
                ("n_clusters", self.n_clusters as f64),
                ("n_partitions", self.n_partitions.unwrap_or(1) as f64),
                ("max_iter", self.max_iter as f64),
                ("cell", self.cell),
                ("pool", self.pool as f64),
                ("min_size", self.min_size as f64),
                ("alpha", self.alpha),
                ("n_init", self.n_init as f64),
            ],
        )?;
        self.bandwidth.check_as("bandwidth")?;
        self.spectral_bandwidth.check_as("spectral_bandwidth")
    }
}
