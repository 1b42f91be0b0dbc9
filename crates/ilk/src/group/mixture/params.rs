//! The parameters of Gaussian mixtures.

use serde::{Deserialize, Serialize};

use crate::parameter::{AutoOr, ParameterValue, Range};

crate::choice! {
    /// The shape that a component may have.
    #[derive(Default)]
    pub enum CovarianceType {
        /// Any ellipsoid: a covariance matrix each.
        #[default]
        Full = "full",
        /// An ellipsoid along the axes: a variance for every coordinate.
        Diag = "diag",
        /// A ball: one variance.
        Spherical = "spherical",
    }
}

/// Where expectation maximisation starts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum MixtureInit {
    /// The clusters of [k-means](crate::group::kmeans), drawn anew for every start.
    #[default]
    Kmeans,
    /// What is given of these, and for the rest the clusters of k-means.
    Components(InitialComponents),
}

impl ParameterValue for MixtureInit {
    // Those that are given as arrays have no text.
    const RANGE: Range = Range::Choice(&["kmeans"]);

    fn text(&self) -> String {
        match self {
            Self::Kmeans => "kmeans".to_owned(),
            Self::Components(_) => "components".to_owned(),
        }
    }

    fn is_in(&self, _: &Range) -> bool {
        true
    }
}

/// Components to start from, or a part of what makes them. They keep their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub struct InitialComponents {
    /// The share of each component.
    pub weights: Option<Vec<f64>>,
    /// One row a component.
    pub means: Option<Vec<Vec<f64>>>,
    /// One row a component: its covariance matrix row by row, its variances, or its one variance.
    pub covariances: Option<Vec<Vec<f64>>>,
}

impl InitialComponents {
    /// How many components are given; none where nothing of them is.
    pub(crate) fn count(&self) -> Option<usize> {
        let rows = self.means.as_ref().or(self.covariances.as_ref()).map(Vec::len);
        rows.or_else(|| self.weights.as_ref().map(Vec::len))
    }
}

crate::parameters! {
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
    /// for the numbers at hand (it is 0, say), as much more is added as makes
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
    /// use ilk::group::GroupingAlgorithm;
    /// use ilk::observe::Silent;
    /// use ilk::parameter::AutoOr;
    ///
    /// let points = array![[0.0], [0.2], [0.1], [5.0], [5.9]];
    /// let params = GaussianMixture { n_clusters: AutoOr::Fixed(2), ..GaussianMixture::default() };
    /// let (grouping, model) = params.group(points.view(), &Silent)?;
    /// assert_eq!(grouping.labels, [0, 0, 0, 1, 1].map(Some));
    /// let sure = model.probabilities(array![[0.5], [5.0]].view())?;
    /// assert!(sure[[1, 1]] > 0.99);
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct GaussianMixture {
        /// Number of components. auto: chosen from the data.
        pub n_clusters: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// The shape of the components: any ellipsoids, ellipsoids along the axes, or balls.
        pub covariance_type: CovarianceType = CovarianceType::Full;
        /// Added to all variances. auto: a millionth of the variance of each column.
        pub reg_covar: AutoOr<f64> = AutoOr::Auto, in Range::NOT_NEGATIVE;
        /// Where runs start.
        pub init: MixtureInit = MixtureInit::Kmeans;
        /// Runs from different starts, of which the likeliest is kept.
        pub n_init: usize = 1, in Range::RUNS;
        /// At most this many steps a run.
        pub max_iter: usize = 100, in Range::COUNT;
        /// A run ends when the mean log-likelihood of a point changes by less than this.
        pub tol: f64 = 1e-3, in Range::NOT_NEGATIVE;
        /// Seed of everything random.
        pub seed: u64 = 0;
    }
}
