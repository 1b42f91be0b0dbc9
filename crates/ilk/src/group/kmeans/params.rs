//! The parameters of k-means.

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::parameter::{ParameterInfo, Range, check_numbers};

/// What it means to be near a centre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Distance {
    /// The squared distance |x - c|².
    #[default]
    Euclidean,
    /// 1 - cos∠(x, c): points and centres count by their direction alone. A point at the origin has
    /// none and belongs to no cluster.
    Cosine,
}

impl Distance {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["euclidean", "cosine"];
}

/// Where the first descent starts. The others start from [`Start::PlusPlus`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// Greedy k-means++: a few points are drawn by weight times squared distance to the nearest
    /// chosen one, and of them the one that lowers the sum of those most is chosen (Arthur and
    /// Vassilvitskii 2007).
    #[default]
    PlusPlus,
    /// The two points that are farthest from each other, then always the one farthest from all
    /// chosen. It looks at all pairs of points.
    MaxMin,
    /// The two points with the largest angle between them, then always the one with the smallest sum
    /// of cosines to those chosen ((4.17) of the thesis on spectral mean shift). It looks at all pairs
    /// of points.
    Angular,
    /// These centres, one row a cluster. There is one descent, and the clusters keep the order of
    /// their centres; those that end without points are left out.
    Centers(Vec<Vec<f64>>),
}

impl Start {
    /// The names of those that are not given, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["plus_plus", "max_min", "angular"];
}

/// k-means: k centres with the smallest
///
/// ```text
/// Σ_i w_i min_c |x_i - m_c|²          (Euclidean)
/// Σ_i w_i min_c (1 - cos∠(x_i, m_c))  (cosine)
/// ```
///
/// From a start, all points go to the nearest centre, then every centre goes to the mean of its
/// points (for the cosine: of their directions, scaled to length 1), until nothing changes (Lloyd
/// 1982). The sum never rises on the way. A cluster that loses all its points gets the point that is
/// farthest from its centre. Of `n_init` descents from different starts the one with the lowest sum
/// is returned.
///
/// A step does not look at all distances: a point that is nearer to its centre than half the way to
/// the next centre, or than centres can have moved since it was looked at, stays (Hamerly 2010). The
/// distances that are looked at are found in single precision, sixteen centres an instruction, and
/// again in double where that leaves a doubt. The labels are those of the plain loop.
///
/// Points that are the same count as one with their weights added up, and weights may be 0: such
/// points get a label and move nothing. More clusters than points are refused; more clusters than
/// different points with a weight give as many as there are of those.
///
/// Use it where the number of clusters is known and they are round and of similar size, or, with the
/// cosine, where only directions matter, as with rows of eigenvectors or word counts.
/// [`kernel_kmeans`](crate::group::kernel_kmeans) on
/// [features](crate::group::kernel_kmeans::Space::Features) minimises the Euclidean sum too and goes
/// on with moves of single points: it ends in a lower sum from the same start, and takes many times
/// as long. Take it for few thousands of points, and k-means with some restarts for more.
///
/// ```
/// use ilk::group::kmeans::{Distance, KMeans};
/// use ilk::ndarray::array;
/// use ilk::observe::Silent;
///
/// let points = array![[0.0, 1.0], [0.0, 3.0], [1.0, 0.1], [7.0, 0.0], [0.0, 0.0]];
/// let params = KMeans { n_clusters: 2, ..KMeans::default() };
/// let (grouping, model) = params.fit(points.view(), None, &Silent)?;
/// assert_eq!(grouping.labels, [0, 0, 0, 1, 0].map(Some));
/// assert_eq!(model.assign(array![[5.0, 5.0]].view())?, [Some(1)]);
///
/// let params = KMeans { distance: Distance::Cosine, ..params };
/// let (grouping, _) = params.fit(points.view(), None, &Silent)?;
/// assert_eq!(grouping.labels, [Some(0), Some(0), Some(1), Some(1), None]);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KMeans {
    /// Number of clusters.
    pub n_clusters: usize,
    /// What it means to be near a centre.
    pub distance: Distance,
    /// Where the first descent starts.
    pub init: Start,
    /// Descents from different starts, of which the best is kept.
    pub n_init: usize,
    /// At most this many steps a descent.
    pub max_iter: usize,
    /// A descent ends when the squared movements of all centres add up to at most this share of the
    /// mean variance of the coordinates; 0 to go on until nothing changes.
    pub tol: f64,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for KMeans {
    fn default() -> Self {
        Self {
            n_clusters: 8,
            distance: Distance::Euclidean,
            init: Start::PlusPlus,
            n_init: 10,
            max_iter: 300,
            tol: 1e-4,
            seed: 0,
        }
    }
}

const COUNT: Range = Range::Integer {
    min: 1,
    max: u64::MAX,
};

impl KMeans {
    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &[
        ParameterInfo {
            name: "n_clusters",
            doc: "Number of clusters.",
            range: COUNT,
            default: "8",
        },
        ParameterInfo {
            name: "distance",
            doc: "What it means to be near a centre. cosine: by direction alone.",
            range: Range::Choice(Distance::NAMES),
            default: "euclidean",
        },
        ParameterInfo {
            name: "init",
            doc: "Where the first descent starts; the others start from plus_plus.",
            range: Range::Choice(Start::NAMES),
            default: "plus_plus",
        },
        ParameterInfo {
            name: "n_init",
            doc: "Descents from different starts, of which the best is kept.",
            range: COUNT,
            default: "10",
        },
        ParameterInfo {
            name: "max_iter",
            doc: "At most this many steps a descent.",
            range: COUNT,
            default: "300",
        },
        ParameterInfo {
            name: "tol",
            doc: "A descent ends when the squared movements of all centres add up to at most this share of the mean variance of the coordinates.",
            range: Range::Number {
                min: 0.0,
                inclusive: true,
                max: f64::INFINITY,
            },
            default: "0.0001",
        },
        ParameterInfo {
            name: "seed",
            doc: "Seed of everything random.",
            range: Range::Integer {
                min: 0,
                max: u64::MAX,
            },
            default: "0",
        },
    ];

    /// Refuses values out of range.
    pub(crate) fn check(&self) -> Result<()> {
        check_numbers(
            Self::PARAMETERS,
            &[
                ("n_clusters", self.n_clusters as f64),
                ("n_init", self.n_init as f64),
                ("max_iter", self.max_iter as f64),
                ("tol", self.tol),
            ],
        )
    }
}
