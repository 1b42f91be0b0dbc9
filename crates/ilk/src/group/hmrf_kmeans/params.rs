//! The parameters of k-means with penalties.

use crate::parameter::{AutoOr, Range};
use crate::supervise::penalty::Penalty;

crate::parameters! {
    /// k-means with penalties (HMRF-KMeans, after the hidden Markov random field that it maximises): k
    /// clusters with the smallest
    ///
    /// ```text
    /// Σ_i v_i |x_i - m_{l_i}|²  +  Σ_{(i,j) in M, l_i ≠ l_j} w_ij  +  Σ_{(i,j) in C, l_i = l_j} w_ij
    /// ```
    ///
    /// with m the means, l the labels, M the must-links, C the cannot-links, v the weights of the points
    /// and w those of the pairs times the `penalty` (Basu, Bilenko and Mooney 2004; equation (2) of Kulis,
    /// Basu, Dhillon and Mooney 2009).
    ///
    /// First means are those of must-link components, a large one and then always the farthest by size times
    /// squared distance; where there are fewer than clusters, single points are added as in k-means++. Then
    /// two steps alternate until no label changes:
    ///
    /// 1. Points, in random order and again until all stay, take the label of least cost, given the means and
    ///    the labels of those with which they are paired (iterated conditional modes).
    /// 2. Means follow.
    ///
    /// Neither raises the sum. The last point of a cluster stays in it. Of `n_init` runs from different
    /// starts the one with the lowest sum is returned.
    ///
    /// Use it where clusters are round in the space of the points and constraints may be wrong. Pairs move the
    /// points that they name and, through the means, little else.
    ///
    /// ```
    /// use ilk::group::hmrf_kmeans::HmrfKMeans;
    /// use ilk::group::{GroupingAlgorithm, GroupingInput};
    /// use ilk::observe::Silent;
    /// use ilk::parameter::AutoOr;
    /// use ilk::problem::{Constraints, Points};
    ///
    /// let points = Points::from_rows(&[[0.0], [0.2], [2.0], [5.0], [5.2]].map(Vec::from))?;
    /// let mut constraints = Constraints::new(5);
    /// constraints.must_link(2, 3)?;
    /// let params = HmrfKMeans { n_clusters: AutoOr::Fixed(2), ..HmrfKMeans::default() };
    /// let (grouping, means) = params.group(GroupingInput::new(&points).with_constraints(&constraints), &Silent)?;
    /// assert_eq!(grouping.labels, [0, 0, 1, 1, 1].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct HmrfKMeans {
        /// Number of clusters. auto: chosen from the constraints and the data.
        pub n_clusters: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// What a broken pair costs, in squared distance. auto: all pairs together about as much as the
        /// distances.
        pub penalty: Penalty = Penalty::Auto;
        /// Descents from different starts, of which the best is kept.
        pub n_init: usize = 10, in Range::RUNS;
        /// At most this many steps a descent.
        pub max_iter: usize = 300, in Range::COUNT;
        /// Seed of everything random.
        pub seed: u64 = 0;
    }
}
