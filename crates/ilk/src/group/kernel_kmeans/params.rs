//! The parameters of kernel k-means.

use crate::parameter::Range;

crate::choice! {
    /// How the first means are chosen.
    #[derive(Default)]
    pub enum KernelKMeansInit {
        /// Greedy k-means++: a few points are drawn by weight times squared distance to the nearest
        /// chosen one, and of them the one that lowers the sum of those most is chosen (Arthur and
        /// Vassilvitskii 2007), with 2 + ln k draws as in scikit-learn.
        #[default]
        PlusPlus = "plus_plus",
        /// A point drawn by weight, then always the one farthest from all chosen.
        FarthestFirst = "farthest_first",
    }
}

crate::parameters! {
    /// Weighted kernel k-means: k clusters c with the smallest
    ///
    /// ```text
    /// Σ_c Σ_{i in c} w_i |φ_i - m_c|²,   m_c = Σ_{i in c} w_i φ_i / W_c,   W_c = Σ_{i in c} w_i
    /// ```
    ///
    /// where φ_i are [features](super::Space::Features), and then this is plain k-means, or are known
    /// through a [kernel matrix](super::Space::Kernel) K_ij = φ_i·φ_j alone:
    ///
    /// ```text
    /// |φ_i - m_c|² = K_ii - 2 Σ_{j in c} w_j K_ij / W_c + Σ_{j,l in c} w_j w_l K_jl / W_c²
    /// ```
    ///
    /// (Dhillon, Guan and Kulis 2004). A descent from a start alternates these steps until none helps:
    ///
    /// 1. Batch: all points go to the nearest mean, then the means follow (Lloyd 1982). A cluster that
    ///    loses all its points gets the point that is farthest from its mean.
    /// 2. Moves: single points move where that lowers the sum, means following at once. Moving point i
    ///    from a to b changes it by w_i (W_b / (W_b + w_i) d²(i, b) - W_a / (W_a - w_i) d²(i, a)), so
    ///    points move that a batch would leave where they are, and poor optima are left (Hartigan and
    ///    Wong 1979; for kernels Dhillon et al.).
    /// 3. Chains, up to `chain` moves: the best move, then the best of another point, and so on, though each
    ///    alone may make things worse; of them the first so many that lower the sum most together
    ///    (Kernighan and Lin 1970). Every move looks at all points, so chains are off unless asked for.
    ///
    /// Of `n_init` descents from different starts the one with the lowest sum is returned. The sum never
    /// rises on the way: a batch step that would raise it, possible only where the kernel is not
    /// positive semi-definite, is not taken. Where no move helps, every point is nearest to its own mean
    /// as well, since W_b / (W_b + w_i) < 1 < W_a / (W_a - w_i): the means place the points of the fit
    /// where the fit did. With an indefinite kernel squared distances may be negative, and then the two
    /// can differ.
    ///
    /// Points that are the same (equal features; equal rows of the kernel matrix, if no squared distance
    /// from them is negative) count as one point with their weights added up. More clusters than points are refused; more clusters than distinct
    /// points give as many as there are distinct points, as in scikit-learn.
    ///
    /// A step costs O(n k r) on features of r dimensions. On a kernel matrix it costs O(n) for every
    /// point that changes its cluster, and O(n k) otherwise.
    ///
    /// Use it where the number of clusters is known and they are round in the space of the kernel. With
    /// a Gaussian kernel clusters may be curved as long as they are apart. For features of many points
    /// [`kmeans`](crate::group::kmeans), without the moves, is many times as fast.
    ///
    /// ```
    /// use ilk::group::kernel_kmeans::{WeightedKernelKMeans, Space};
    /// use ilk::ndarray::array;
    /// use ilk::group::GroupingAlgorithm;
    /// use ilk::observe::Silent;
    ///
    /// let points = array![[0.0], [0.2], [0.1], [5.0], [5.2]];
    /// let params = WeightedKernelKMeans { n_clusters: 2, ..WeightedKernelKMeans::default() };
    /// let (grouping, means) = params.group(Space::Features(points.view()), &Silent)?;
    /// assert_eq!(grouping.labels, [0, 0, 0, 1, 1].map(Some));
    /// assert_eq!(means.assign(array![[4.0]].view())?, [Some(1)]);
    ///
    /// let kernel = points.dot(&points.t());
    /// let (same, _) = params.group(Space::Kernel(kernel.view()), &Silent)?;
    /// assert_eq!(same.labels, grouping.labels);
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct WeightedKernelKMeans {
        /// Number of clusters.
        pub n_clusters: usize = 8, in Range::COUNT;
        /// Descents from different starts, of which the best is kept.
        pub n_init: usize = 10, in Range::RUNS;
        /// How the first means are chosen.
        pub init: KernelKMeansInit = KernelKMeansInit::PlusPlus;
        /// At most this many steps a descent.
        pub max_iter: usize = 300, in Range::COUNT;
        /// Whether single points are moved after the batch steps, out of poor optima.
        pub local_search: bool = true;
        /// At most this many moves in a row that need help only together.
        pub chain: usize = 0;
        /// Seed of everything random.
        pub seed: u64 = 0;
    }
}
