//! The parameters of multilevel clustering.

use crate::parameter::Range;

crate::choice! {
    /// Which nodes of a level become one in the next.
    ///
    /// Neither finds better clusters than the other on all graphs; region growing takes less time on most.
    #[derive(Default)]
    pub enum Coarsening {
        /// Parts of limited mass grow from nodes drawn at random, a sixteenth of the nodes or fewer at once.
        #[default]
        RegionGrowing = "region_growing",
        /// Heavy-edge matching: nodes become one two by two, with the neighbour that M_ij / α_i + M_ij / α_j is
        /// largest for (Dhillon, Guan and Kulis 2007), over and over. Finds smaller cuts where a few nodes have
        /// very many links.
        HeavyEdgeMatching = "heavy_edge_matching",
    }
}

crate::choice! {
    /// What the clusters of a graph are to be like.
    #[derive(Default)]
    pub enum Criterion {
        /// The most links over the mass of the cluster, as in weighted kernel k-means.
        #[default]
        Density = "density",
        /// The most links beyond those that nodes of these masses would have by chance: modularity (Newman and Girvan
        /// 2004), where the masses are degrees.
        Modularity = "modularity",
        /// The most likely groups, each with a density of its own, where nodes have as many links as their masses: the
        /// degree-corrected block model (Karrer and Newman 2011) with one density between all groups.
        Likelihood = "likelihood",
    }
}

crate::parameters! {
    /// Weighted kernel k-means on a sparse graph: k clusters c with the largest
    ///
    /// ```text
    /// Σ_c z_c' M z_c / Σ_{i in c} α_i
    /// ```
    ///
    /// where z_c is 1 for the nodes of c and 0 elsewhere, M are links between nodes and α > 0 their masses.
    /// With A the edges of a graph and D its degrees, this is
    ///
    /// | objective | M | α | |
    /// |---|---|---|---|
    /// | normalized cut | A | degrees | the smallest cut is k less the sum |
    /// | ratio cut | A - D | 1 | the smallest cut is minus the sum |
    /// | ratio association | A | 1 | |
    ///
    /// Rewards for must-links and penalties for cannot-links are added to M, which may have negative entries
    /// and a diagonal (Kulis, Basu, Dhillon and Mooney 2009). The objective is that of kernel k-means with
    /// K_ij = M_ij / (α_i α_j) and weights α (Dhillon, Guan and Kulis 2007), but no kernel matrix is made.
    ///
    /// With [`Criterion::Modularity`] the sum is that of (z_c' M z_c - γ W_c² / T) / T instead, where W_c is the mass of c
    /// and T that of all nodes. It is modularity with resolution γ where M are the edges and α the degrees. With the right
    /// γ its maximum is the most likely partition of a graph with planted groups, whatever the degrees (Newman 2016).
    ///
    /// 1. Must-link components become one node each, with their links added up.
    /// 2. Nodes become one with others that they have strong links with, cannot-links respected, until
    ///    about 20 for every cluster are left ([`Coarsening`]).
    /// 3. These are joined two by two as in Ward's method, and the clusters improved by splitting some and
    ///    joining others.
    /// 4. On every level on the way back single nodes move where that raises the sum, by its exact change,
    ///    for as long as any does.
    /// 5. Where the graph was coarsened, clusters that are far heavier than the mean are divided by a search of
    ///    their own, and as many others joined. Then the graph is coarsened again, now within the clusters, which finds groups of nodes
    ///    that should move and clusters that should be split or joined; then 4, as long as this helps.
    ///
    /// Nodes whose clusters are given keep them, and where every cluster has such nodes, clusters that grow
    /// from these compete with those that were found. Of `n_init` searches the best is kept; on graphs that
    /// are too small for levels all but the first grow clusters from random nodes instead of 3. From 3 on the
    /// sum never falls; the trace holds its negative after every round.
    ///
    /// A small normalized cut is not the same as balanced clusters. Where most links go between clusters, nodes
    /// that have as many links outside their cluster as inside raise the density of every cluster that they leave, and
    /// one large loose cluster of all of them costs no more than its own density: its normalized cut may be smaller
    /// than that of the planted clusters. Labels for a few nodes of every cluster prevent it.
    ///
    /// Time and memory are linear in the links, up to the work on the coarsest level. Use it for graphs of
    /// any size with a known number of clusters. The result is a local optimum; on a few thousand nodes
    /// [spectral clustering](crate::group::spectral) is an alternative that sees the whole graph at once.
    ///
    /// ```
    /// use ilk::group::multilevel::{Multilevel, NodeConstraints};
    /// use ilk::group::{GroupingAlgorithm, GroupingInput};
    /// use ilk::numerics::sparse::Sparse;
    /// use ilk::observe::Silent;
    ///
    /// // Two triangles with a link between them.
    /// let edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)];
    /// let links = Sparse::from_entries(6, edges.map(|(i, j)| (i, j, 1.0)));
    /// let params = Multilevel { n_clusters: 2, ..Multilevel::default() };
    /// let (degrees, constraints) = (links.row_sums(), NodeConstraints::default());
    /// let input = GroupingInput::new(&links).with_weights(Some(&degrees));
    /// let (found, ()) = params.group(input.with_constraints(&constraints), &Silent)?;
    /// assert_eq!(found.labels, [0, 0, 0, 1, 1, 1].map(Some));
    /// // The normalized cut: one of seven links leaves either triangle.
    /// let sum = -found.trace.last().and_then(|step| step.objective).unwrap();
    /// assert!((2.0 - sum - 2.0 / 7.0).abs() < 1e-12);
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct Multilevel {
        /// Number of clusters.
        pub n_clusters: usize = 8, in Range::COUNT;
        /// Searches with different chances, of which the best is kept.
        pub n_init: usize = 1, in Range::RUNS;
        /// What the clusters are to be like.
        pub criterion: Criterion = Criterion::Density;
        /// Resolution γ of modularity; the larger, the more alike the masses of the clusters.
        pub resolution: f64 = 1.0, in Range::POSITIVE;
        /// Density of the links between groups, for the likelihood: their number over that which the masses let expect.
        pub between: f64 = 0.5, in Range::POSITIVE;
        /// Which nodes become one on the way to fewer.
        pub coarsening: Coarsening = Coarsening::RegionGrowing;
        /// At most this many rounds of moves a level.
        pub max_iter: usize = 50, in Range::COUNT;
        /// Seed of everything random.
        pub seed: u64 = 0;
    }
}
