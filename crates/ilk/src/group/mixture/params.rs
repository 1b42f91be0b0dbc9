//! The parameters of Gaussian mixtures.

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::parameter::{ParameterInfo, Range, check_numbers};

/// The shape that a component may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum CovarianceType {
    /// Any ellipsoid: a covariance matrix each.
    #[default]
    Full,
    /// An ellipsoid along the axes: a variance for every coordinate.
    Diag,
    /// A ball: one variance.
    Spherical,
}

impl CovarianceType {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["full", "diag", "spherical"];
}

/// Where expectation maximisation starts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum MixtureStart {
    /// The clusters of [k-means](crate::group::kmeans), drawn anew for every start.
    #[default]
    Kmeans,
    /// What is given of these, and for the rest the clusters of k-means.
    Components(GivenComponents),
}

impl MixtureStart {
    /// The names of those that are not given, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["kmeans"];
}

/// Components to start from, or a part of what makes them. They keep their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub struct GivenComponents {
    /// The share of each component.
    pub weights: Option<Vec<f64>>,
    /// One row a component.
    pub means: Option<Vec<Vec<f64>>>,
    /// One row a component: its covariance matrix row by row, its variances, or its one variance.
    pub covariances: Option<Vec<Vec<f64>>>,
}

/// A Gaussian mixture: the density of points is
///
/// ```text
/// p(x) = Σ_c π_c N(x; μ_c, Σ_c),   N(x; μ, Σ) = exp(-(x - μ)ᵀ Σ⁻¹ (x - μ) / 2) / sqrt(det 2πΣ)
/// ```
///
/// and the shares π, means μ and covariances Σ are those that make the points most likely, as far as
/// expectation maximisation finds them (Dempster, Laird and Rubin 1977):
///
/// 1. Expectation: how much of each point belongs to each component,
///    r_ic = π_c N(x_i; μ_c, Σ_c) / p(x_i), by logarithms, so that nothing under- or overflows.
/// 2. Maximisation: π_c, μ_c and Σ_c are share, mean and covariance of the points that r weighs so,
///    with `reg_covar` added to all variances.
///
/// The likelihood never falls, but for what `reg_covar` takes. A run ends when the mean log-likelihood
/// of a point changes by less than `tol`; of `n_init` runs from different starts the likeliest is
/// returned. A point belongs to the cluster of the component with the largest share of it. A component
/// that is largest for no point is kept in the density and is no cluster.
///
/// Components that shrink to a point or to a plane are held by `reg_covar`. Where that is too little
/// for the numbers at hand (it is 0, or the data are in the millions), as much more is added as makes
/// the covariance invertible. A component that loses all its points stays where it was with no share.
/// There may be fewer points than dimensions.
///
/// Use it where clusters are ellipsoids of different sizes that overlap, and where it matters how sure
/// a label is. A step costs O(n k d²), or O(n k d) with `diag` and `spherical`, which also need far
/// fewer points for a good estimate. Where all clusters are balls of one size,
/// [k-means](crate::group::kmeans) does as well, faster.
///
/// ```
/// use ilk::group::mixture::GaussianMixture;
/// use ilk::ndarray::array;
/// use ilk::observe::Silent;
///
/// let points = array![[0.0], [0.2], [0.1], [5.0], [5.9]];
/// let params = GaussianMixture { n_clusters: 2, ..GaussianMixture::default() };
/// let (grouping, model) = params.fit(points.view(), None, &Silent)?;
/// assert_eq!(grouping.labels, [0, 0, 0, 1, 1].map(Some));
/// let sure = model.probabilities(array![[0.5], [5.0]].view())?;
/// assert!(sure[[1, 1]] > 0.99);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GaussianMixture {
    /// Number of components.
    pub n_clusters: usize,
    /// The shape of the components.
    pub covariance_type: CovarianceType,
    /// Added to all variances.
    pub reg_covar: f64,
    /// Where runs start.
    pub init: MixtureStart,
    /// Runs from different starts, of which the likeliest is kept.
    pub n_init: usize,
    /// At most this many steps a run.
    pub max_iter: usize,
    /// A run ends when the mean log-likelihood of a point changes by less than this.
    pub tol: f64,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for GaussianMixture {
    fn default() -> Self {
        Self {
            n_clusters: 1,
            covariance_type: CovarianceType::Full,
            reg_covar: 1e-6,
            init: MixtureStart::Kmeans,
            n_init: 1,
            max_iter: 100,
            tol: 1e-3,
            seed: 0,
        }
    }
}

const COUNT: Range = Range::Integer {
    min: 1,
    max: u64::MAX,
};

const NOT_NEGATIVE: Range = Range::Number {
    min: 0.0,
    inclusive: true,
    max: f64::INFINITY,
};

impl GaussianMixture {
    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &[
        ParameterInfo {
            name: "n_clusters",
            doc: "Number of components.",
            range: COUNT,
            default: "1",
        },
        ParameterInfo {
            name: "covariance_type",
            doc: "The shape of the components: any ellipsoids, ellipsoids along the axes, or balls.",
            range: Range::Choice(CovarianceType::NAMES),
            default: "full",
        },
        ParameterInfo {
            name: "reg_covar",
            doc: "Added to all variances.",
            range: NOT_NEGATIVE,
            default: "0.000001",
        },
        ParameterInfo {
            name: "init",
            doc: "Where runs start.",
            range: Range::Choice(MixtureStart::NAMES),
            default: "kmeans",
        },
        ParameterInfo {
            name: "n_init",
            doc: "Runs from different starts, of which the likeliest is kept.",
            range: COUNT,
            default: "1",
        },
        ParameterInfo {
            name: "max_iter",
            doc: "At most this many steps a run.",
            range: COUNT,
            default: "100",
        },
        ParameterInfo {
            name: "tol",
            doc: "A run ends when the mean log-likelihood of a point changes by less than this.",
            range: NOT_NEGATIVE,
            default: "0.001",
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
                ("reg_covar", self.reg_covar),
                ("n_init", self.n_init as f64),
                ("max_iter", self.max_iter as f64),
                ("tol", self.tol),
            ],
        )
    }
}
