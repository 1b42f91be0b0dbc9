//! Semi-supervised kernel k-means: constraints are added to a kernel or a graph.

mod descents;
mod fit;
mod on_levels;
mod partitioning;

use fit::check_kernel_size;

use super::MethodInfo;
use crate::group::kernel_kmeans::{DiagonalShift, Objective};
use crate::group::multilevel::Coarsening;
use crate::parameter::{AutoOr, Range};
use crate::problem::{ConstraintKind, Input, InputKind, MustLinkPolicy};
use crate::refine::Refinement;
use crate::similarity::KernelName;
use crate::supervise::penalty::Penalty;

crate::choice! {
    /// How hard the best value of the objective is sought.
    ///
    /// The partition with the best value is not always the one that a person means: it may put constrained
    /// points into small clusters of their own, since rewards count over the size of a cluster. Batch steps from
    /// a start that follows the constraints end near that start: mostly with better clusters where there are many
    /// constraints, and with worse ones where there are few.
    #[derive(Default)]
    pub enum SearchEffort {
        /// Descents from many starts, with moves of single points and without; the one that violates fewest
        /// constraints is kept, and among equals the one with the best value.
        #[default]
        Auto = "auto",
        /// Batch steps from the one start that follows the constraints best, as in the paper.
        Near = "near",
        /// Descents from many starts with moves of single points, alone and in chains; the best value is
        /// kept.
        Thorough = "thorough",
    }
}

crate::choice! {
    /// What clusters should be like: one of the [`Objective`]s, or the usual one for the input.
    #[derive(Default)]
    pub enum ObjectiveChoice {
        /// The likelihood for a graph, also one of neighbours, the ratio association for points and kernel matrices.
        #[default]
        Auto = "auto",
        /// [`Objective::RatioAssociation`].
        RatioAssociation = "ratio_association",
        /// [`Objective::RatioCut`].
        RatioCut = "ratio_cut",
        /// [`Objective::NormalizedCut`].
        NormalizedCut = "normalized_cut",
        /// [`Objective::Hmrf`].
        Hmrf = "hmrf",
        /// [`Objective::Modularity`].
        Modularity = "modularity",
        /// [`Objective::Likelihood`].
        Likelihood = "likelihood",
    }
}

impl ObjectiveChoice {
    /// The objective for a graph, or for points and kernel matrices.
    fn for_graph(self, is_graph: bool) -> Objective {
        match self {
            Self::Auto if is_graph => Objective::Likelihood,
            Self::Auto | Self::RatioAssociation => Objective::RatioAssociation,
            Self::RatioCut => Objective::RatioCut,
            Self::NormalizedCut => Objective::NormalizedCut,
            Self::Hmrf => Objective::Hmrf,
            Self::Modularity => Objective::Modularity,
            Self::Likelihood => Objective::Likelihood,
        }
    }
}

impl From<Objective> for ObjectiveChoice {
    fn from(objective: Objective) -> Self {
        match objective {
            Objective::RatioAssociation => Self::RatioAssociation,
            Objective::RatioCut => Self::RatioCut,
            Objective::NormalizedCut => Self::NormalizedCut,
            Objective::Hmrf => Self::Hmrf,
            Objective::Modularity => Self::Modularity,
            Objective::Likelihood => Self::Likelihood,
        }
    }
}

crate::choice! {
    /// Between which points there is affinity.
    #[derive(Default)]
    pub enum AffinityRange {
        /// All or neighbors, by held-out constraints; neighbors where there are too few of them, or too many points for
        /// a kernel matrix; all where a kernel, its width or an objective is given.
        #[default]
        Auto = "auto",
        /// Every two points.
        All = "all",
        /// Each point and its 10 nearest neighbours: the points are a graph, with self-tuning weights.
        Neighbors = "neighbors",
    }
}

crate::choice! {
    /// Whether a graph is coarsened first.
    #[derive(Default)]
    pub enum UseMultilevel {
        /// Where it has more than 5,000 nodes, or constraints that are enforced.
        #[default]
        Auto = "auto",
        /// Whatever its size.
        On = "on",
        /// Never.
        Off = "off",
    }
}

crate::parameters! {
    /// Semi-supervised kernel k-means (Kulis, Basu, Dhillon and Mooney 2009): clusters of a graph or of
    /// points with a kernel, where every must-link within a cluster is a reward and every cannot-link a
    /// penalty, over the size of the cluster.
    ///
    /// With A the affinities (the kernel between points, the weights of edges) and W the matrix of the constraints
    /// ([`Penalty::matrix`]), the [`Objective`] is that of weighted kernel k-means on a kernel made
    /// of A + W ([`WeightedKernelKMeans`](crate::group::kernel_kmeans::WeightedKernelKMeans)), from starts that follow
    /// the constraints, chosen on A. Labels are turned into pairs.
    ///
    /// Unless must-links are soft, points that they join are one point with the sums of their affinities, which changes the
    /// value of no partition that keeps them together. In a graph cannot-links are then kept by the moves of nodes
    /// ([`Multilevel`](crate::group::multilevel::Multilevel)): none may violate more of them, whatever it is worth. A
    /// penalty in W would not do: it counts over the size of the cluster, and nodes would all move into one that violates a
    /// cannot-link, because that makes the violation cheaper.
    ///
    /// [`Objective::Likelihood`], the default for graphs, and [`Objective::Modularity`] have planted groups as their optimum,
    /// whatever the degrees. The normalized cut is smaller where it cuts off a small piece that few edges connect to the rest.
    ///
    /// A point that is given twice counts twice, and both get the same label. A node without edges and without
    /// constraints belongs to no cluster.
    ///
    /// Large graphs are coarsened first ([`Multilevel`](crate::group::multilevel::Multilevel)): must-links then
    /// always hold, and where there are no more labels than clusters, every label is a cluster and
    /// labelled nodes stay in theirs.
    ///
    /// Points need their n x n kernel; a graph is never made dense. New points are assigned by their nearest
    /// neighbours; for a kernel matrix or a graph a new point is the row of its affinities with all points
    /// of the fit, and goes to the nearest mean.
    ///
    /// ```
    /// use ilk::method::{Method, SsKernelKMeans};
    /// use ilk::observe::Silent;
    /// use ilk::problem::{Constraints, Graph, Problem};
    ///
    /// // Two triangles, and a node between them that belongs with the second.
    /// let edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 6), (6, 3)];
    /// let graph = Graph::from_edges(7, edges.map(|(u, v)| (u, v, 1.0)))?;
    /// let mut constraints = Constraints::new(7);
    /// constraints.must_link(6, 5)?;
    /// let problem = Problem::new(graph, constraints)?;
    /// let params = SsKernelKMeans { n_clusters: 2.into(), ..SsKernelKMeans::default() };
    /// let fit = params.fit(&problem, &Silent)?;
    /// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1, 1, 1].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct SsKernelKMeans {
        /// Number of clusters. auto: chosen from the constraints and the data.
        pub n_clusters: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// What clusters should be like. auto: the likelihood for a graph, also one of neighbours, the ratio association for
        /// kernels. hmrf: near their means, whatever the kernel says. modularity: more links within than
        /// chance. likelihood: the most likely groups of the degree-corrected block model.
        pub objective: ObjectiveChoice = ObjectiveChoice::Auto;
        /// How alike two points are. precomputed: the rows given are those of a kernel matrix.
        pub kernel: KernelName = KernelName::Gaussian;
        /// Between which points there is affinity. all: every two; neighbors: each point and its 10 nearest ones, as in a
        /// graph of neighbours. auto: held-out constraints choose, or, where there are too few, neighbors; all where
        /// kernel, sigma or objective is given.
        pub affinity: AffinityRange = AffinityRange::Auto;
        /// Width of the Gaussian kernel, or of the weights between neighbours. auto: held-out constraints choose, or, where
        /// there are too few, it is 0.7 times the median distance; between neighbours each point has its own.
        pub sigma: AutoOr<f64> = AutoOr::Auto, in Range::POSITIVE;
        /// In the self-tuning kernel a point is as wide as the distance to this neighbour (the last, if there are
        /// fewer).
        pub n_neighbors: usize = 7, in Range::COUNT;
        /// Whether must-links always hold. hard: points that they join move as one. uncontradicted: but for those
        /// that a cannot-link or two labels contradict. soft: breaking one has its price. auto: as uncontradicted; labels are
        /// refined as soft where the neighbours contradict many.
        pub must_links: MustLinkPolicy = MustLinkPolicy::Auto;
        /// What a broken constraint costs. auto: in graphs the mean links of a node, and no move may break more
        /// cannot-links; elsewhere as paper. paper: points over clusters over constraints.
        pub penalty: Penalty = Penalty::Auto;
        /// Resolution of modularity; the larger, the more even the clusters. auto: that of the most likely planted groups.
        pub resolution: AutoOr<f64> = AutoOr::Auto, in Range::POSITIVE;
        /// What is added to the diagonal to make the kernel definite.
        pub shift: DiagonalShift = DiagonalShift::Off;
        /// What is kept of descents from many starts. auto: what violates fewest constraints, then the best value. thorough:
        /// the best value. near: one start that follows the constraints, and batch steps alone.
        pub search: SearchEffort = SearchEffort::Auto;
        /// Whether a graph is coarsened first. auto: one of more than 5,000 nodes, or with constraints that are enforced.
        pub multilevel: UseMultilevel = UseMultilevel::Auto;
        /// Which nodes become one when a graph is coarsened.
        pub coarsening: Coarsening = Coarsening::RegionGrowing;
        /// How far labels are refined by the neighbours and the constraints: not at all, or up to this step. auto: held-out
        /// constraints decide, also whether the kernel is changed by the constraints.
        pub refine: Refinement = Refinement::Auto;
        /// Starts from which descents go; near has one.
        pub n_init: usize = 10, in Range::RUNS;
        /// At most this many steps a descent.
        pub max_iter: usize = 300, in Range::COUNT;
        /// Seed of everything random.
        pub seed: u64 = 0;
    }
}

impl SsKernelKMeans {
    /// What semi-supervised kernel k-means takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "ss-kernel-kmeans",
        class: "SSKernelKMeans",
        summary: "Constraints become rewards and penalties that are added to a kernel or a graph, which kernel k-means then divides; for points, kernels and graphs.",
        paper: "Kulis, Basu, Dhillon and Mooney, Semi-supervised graph clustering: a kernel approach, 2009",
        version: 8,
        inputs: &[InputKind::Points, InputKind::Kernel, InputKind::Graph],
        supervision: &[ConstraintKind::MustLink, ConstraintKind::CannotLink, ConstraintKind::Label],
        takes_clusters: true,
        predicts: &[InputKind::Points, InputKind::Kernel, InputKind::Graph],
        supports_weights: &[InputKind::Points, InputKind::Kernel, InputKind::Graph],
        parameters: Self::PARAMETERS,
    };

    /// The paper's own procedure: one start, Algorithm 3, and batch steps alone.
    pub fn paper() -> Self {
        Self {
            affinity: AffinityRange::All,
            search: SearchEffort::Near,
            refine: Refinement::Off,
            penalty: Penalty::Paper,
            must_links: MustLinkPolicy::Soft,
            ..Self::default()
        }
    }

    /// The same with the objective and the range of affinities decided, as far as they do not depend on constraints.
    fn for_input(&self, input: &Input) -> Self {
        let is_open = self.objective == ObjectiveChoice::Auto
            && self.kernel == KernelName::Gaussian
            && self.sigma == AutoOr::Auto;
        let affinity = match (input, self.affinity) {
            (Input::Points(points), AffinityRange::Auto) if is_open => {
                match check_kernel_size(points.len()) {
                    Ok(()) => AffinityRange::Auto,
                    Err(_) => AffinityRange::Neighbors,
                }
            }
            (Input::Points(_), AffinityRange::Neighbors) => AffinityRange::Neighbors,
            _ => AffinityRange::All,
        };
        let is_graph = matches!(input, Input::Graph(_)) || affinity == AffinityRange::Neighbors;
        let objective = self.objective.for_graph(is_graph).into();
        Self { objective, affinity, ..self.clone() }
    }

    /// The kernel between points that the objective asks for: HMRF needs points as they are.
    fn kernel_of_objective(&self) -> KernelName {
        match (self.objective.for_graph(false), self.kernel) {
            (Objective::Hmrf, KernelName::Gaussian | KernelName::SelfTuning) => KernelName::Linear,
            (_, kernel) => kernel,
        }
    }
}
