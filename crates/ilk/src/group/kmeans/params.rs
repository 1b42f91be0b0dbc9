//! The parameters of k-means.

use serde::{Deserialize, Serialize};

use crate::parameter::{AutoOr, ParameterValue, Range};

crate::choice! {
    /// What it means to be near a centre.
    #[derive(Default)]
    pub enum Distance {
        /// The squared distance |x - c|².
        #[default]
        Euclidean = "euclidean",
        /// 1 - cos∠(x, c): points and centres count by their direction alone. A point at the origin has
        /// none and belongs to no cluster.
        Cosine = "cosine",
    }
}

/// Where the first descent starts. The others start from [`KMeansInit::PlusPlus`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum KMeansInit {
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

impl ParameterValue for KMeansInit {
    // Those that are given as arrays have no text.
    const RANGE: Range = Range::Choice(&["plus_plus", "max_min", "angular"]);

    fn text(&self) -> String {
        match self {
            Self::PlusPlus => "plus_plus".to_owned(),
            Self::MaxMin => "max_min".to_owned(),
            Self::Angular => "angular".to_owned(),
            Self::Centers(_) => "centers".to_owned(),
        }
    }

    fn is_in(&self, _: &Range) -> bool {
        true
    }
}

crate::parameters! {
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
    /// again in double precision where the two nearest lie too close to decide. The labels are those of the plain loop.
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
    /// use ilk::group::GroupingAlgorithm;
    /// use ilk::observe::Silent;
    /// use ilk::parameter::AutoOr;
    ///
    /// let points = array![[0.0, 1.0], [0.0, 3.0], [1.0, 0.1], [7.0, 0.0], [0.0, 0.0]];
    /// let params = KMeans { n_clusters: AutoOr::Fixed(2), ..KMeans::default() };
    /// let (grouping, model) = params.group(points.view(), &Silent)?;
    /// assert_eq!(grouping.labels, [0, 0, 0, 1, 0].map(Some));
    /// assert_eq!(model.assign(array![[5.0, 5.0]].view())?, [Some(1)]);
    ///
    /// let params = KMeans { distance: Distance::Cosine, ..params };
    /// let (grouping, _) = params.group(points.view(), &Silent)?;
    /// assert_eq!(grouping.labels, [Some(0), Some(0), Some(1), Some(1), None]);
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct KMeans {
        /// Number of clusters. auto: chosen from the data.
        pub n_clusters: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// What it means to be near a centre. cosine: by direction alone.
        pub distance: Distance = Distance::Euclidean;
        /// Where the first descent starts; the others start from plus_plus.
        pub init: KMeansInit = KMeansInit::PlusPlus;
        /// Descents from different starts, of which the best is kept.
        pub n_init: usize = 10, in Range::RUNS;
        /// At most this many steps a descent.
        pub max_iter: usize = 300, in Range::COUNT;
        /// A descent ends when the squared movements of all centres add up to at most this share of the
        /// mean variance of the coordinates.
        pub tol: f64 = 1e-4, in Range::NOT_NEGATIVE;
        /// Seed of everything random.
        pub seed: u64 = 0;
    }
}
