//! Semi-supervised kernel k-means: what was said is added to a kernel or a graph.

mod fit;

pub(super) use fit::fit;

use serde::{Deserialize, Serialize};

use super::kernel_kmeans::{KernelKMeans, KernelWidth};
use super::{MethodInfo, SEED};
use crate::group::kernel_kmeans::{self as group, Objective, Shift};
use crate::parameter::{ParameterInfo, Range};
use crate::problem::{ConstraintKind, InputKind};
use crate::similarity::KernelName;
use crate::supervise::penalty::{PENALTY_FORMS, Penalty};

/// What semi-supervised kernel k-means takes and offers.
pub(super) static INFO: MethodInfo = MethodInfo {
    name: "ss-kernel-kmeans",
    class: "SSKernelKMeans",
    summary: "Answers become rewards and penalties that are added to a kernel or a graph, which kernel k-means then divides; for points, kernels and graphs.",
    paper: "Kulis, Basu, Dhillon and Mooney, Semi-supervised graph clustering: a kernel approach, 2009",
    inputs: &[InputKind::Points, InputKind::Kernel, InputKind::Graph],
    supervision: &[
        ConstraintKind::MustLink,
        ConstraintKind::CannotLink,
        ConstraintKind::Label,
    ],
    needs_clusters: true,
    predicts: true,
    weighs: true,
    parameters: SsKernelKMeans::PARAMETERS,
};

/// How hard the best value of the objective is sought.
///
/// The partition with the best value is not always the one that a person means: it may put what was
/// said into small clusters of its own, since rewards count over the size of a cluster. Batch steps from
/// a start that knows what was said end near that start, mostly with better clusters where much was
/// said, and with worse ones where little was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Search {
    /// Descents from many starts, with moves of single points and without; the one that breaks least of
    /// what was said is kept, and among equals the one with the best value.
    #[default]
    Auto,
    /// Batch steps from the one start that knows what was said best, as in the paper.
    Near,
    /// Descents from many starts with moves of single points, alone and in chains; the best value is
    /// kept.
    Thorough,
}

impl Search {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["auto", "near", "thorough"];
}

/// Whether a graph is coarsened first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Levels {
    /// Where it has more than 5,000 nodes.
    #[default]
    Auto,
    /// Whatever its size.
    On,
    /// Never.
    Off,
}

impl Levels {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["auto", "on", "off"];
}

/// Semi-supervised kernel k-means (Kulis, Basu, Dhillon and Mooney 2009): clusters of a graph or of
/// points with a kernel, where every must-link that a cluster holds is a reward and every cannot-link a
/// penalty, over the size of the cluster.
///
/// With A the affinities (the kernel between points, the weights of edges) and W the matrix of what
/// was said ([`Penalty::matrix`]), the [`Objective`] is that of weighted kernel k-means on a kernel made
/// of A + W, and what is done is [`group::KernelKMeans`], from starts that know what was said
/// ([`group::KernelKMeans::starts`]), chosen on A. Answers may be broken where the affinities speak against
/// them. Labels are turned into pairs.
///
/// A point that is given twice counts twice, and both have the same label. A node without edges about which nothing was said belongs to no cluster.
///
/// Large graphs are coarsened first ([`Multilevel`](crate::group::multilevel::Multilevel)): must-links then
/// hold, whatever the edges say, and where there are no more labels than clusters, every label is a cluster and
/// labelled nodes stay in theirs.
///
/// Points need their n x n kernel; a graph is never made dense. New points are placed by a vote of
/// their neighbours; for a kernel matrix or a graph a new point is the row of its affinities with all points
/// of the fit, and goes to the nearest mean.
///
/// ```
/// use ilk::method::{Method, SsKernelKMeans};
/// use ilk::observe::Silent;
/// use ilk::problem::{Constraints, Graph, Problem};
///
/// // Two triangles, and a node between them that is said to belong with the second.
/// let edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 6), (6, 3)];
/// let graph = Graph::from_edges(7, edges.map(|(u, v)| (u, v, 1.0)))?;
/// let mut said = Constraints::new(7);
/// said.must_link(6, 5)?;
/// let problem = Problem::new(graph, said)?;
/// let params = SsKernelKMeans { n_clusters: 2, ..SsKernelKMeans::default() };
/// let fit = Method::SsKernelKMeans(params).fit(&problem, &Silent)?;
/// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1, 1, 1].map(Some));
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SsKernelKMeans {
    /// Number of clusters.
    pub n_clusters: usize,
    /// What clusters should be like.
    pub objective: Objective,
    /// The kernel between points.
    pub kernel: KernelName,
    /// The width of the Gaussian kernel. `Auto`: held-out answers choose, or, where there are too few,
    /// it is a third of the median distance.
    pub sigma: KernelWidth,
    /// The neighbour whose distance is a point's width in the self-tuning kernel.
    pub n_neighbors: usize,
    /// What a broken answer costs.
    pub penalty: Penalty,
    /// How much is added to the diagonal.
    pub shift: Shift,
    /// How hard the best value of the objective is sought.
    pub search: Search,
    /// Whether a graph is coarsened first.
    pub multilevel: Levels,
    /// Starts of the descents.
    pub n_init: usize,
    /// At most this many steps a descent.
    pub max_iter: usize,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for SsKernelKMeans {
    fn default() -> Self {
        let KernelKMeans {
            n_clusters,
            kernel,
            sigma,
            n_neighbors,
            n_init,
            max_iter,
            seed,
            ..
        } = KernelKMeans::default();
        Self {
            n_clusters,
            objective: Objective::default(),
            kernel,
            sigma,
            n_neighbors,
            penalty: Penalty::Auto,
            shift: Shift::Off,
            search: Search::Auto,
            multilevel: Levels::Auto,
            n_init,
            max_iter,
            seed,
        }
    }
}

impl SsKernelKMeans {
    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &[
        group::KernelKMeans::PARAMETERS[0],
        ParameterInfo {
            name: "objective",
            doc: "What clusters should be like. hmrf: near their means, whatever the kernel says.",
            range: Range::Choice(Objective::NAMES),
            default: "ratio_association",
        },
        KernelKMeans::PARAMETERS[1],
        ParameterInfo {
            doc: "Width of the Gaussian kernel. auto: held-out answers choose, or, where there are too few, a third of the median distance.",
            ..KernelKMeans::PARAMETERS[2]
        },
        KernelKMeans::PARAMETERS[3],
        ParameterInfo {
            name: "penalty",
            doc: "What a broken answer costs. auto: points over clusters over answers.",
            range: Range::Text(PENALTY_FORMS),
            default: "auto",
        },
        ParameterInfo {
            name: "shift",
            doc: "What is added to the diagonal to make the kernel definite.",
            range: Range::Choice(Shift::NAMES),
            default: "off",
        },
        ParameterInfo {
            name: "search",
            doc: "What is kept of descents from many starts. auto: what breaks least of what was said, then the best value. thorough: the best value. near: one start that knows what was said, and batch steps alone.",
            range: Range::Choice(Search::NAMES),
            default: "auto",
        },
        ParameterInfo {
            name: "multilevel",
            doc: "Whether a graph is coarsened first. auto: one of more than 5,000 nodes.",
            range: Range::Choice(Levels::NAMES),
            default: "auto",
        },
        ParameterInfo {
            doc: "Starts from which descents go; near has one.",
            ..group::KernelKMeans::PARAMETERS[1]
        },
        group::KernelKMeans::PARAMETERS[3],
        SEED,
    ];

    /// The paper's own procedure: one start, Algorithm 3, and batch steps alone.
    pub fn paper() -> Self {
        Self {
            search: Search::Near,
            ..Self::default()
        }
    }

    /// The same kernel without what was said.
    fn unsupervised(&self) -> KernelKMeans {
        let kernel = match (self.objective, self.kernel) {
            (Objective::Hmrf, KernelName::Gaussian | KernelName::SelfTuning) => KernelName::Linear,
            (_, kernel) => kernel,
        };
        KernelKMeans {
            n_clusters: self.n_clusters,
            kernel,
            sigma: self.sigma,
            n_neighbors: self.n_neighbors,
            n_init: self.n_init,
            max_iter: self.max_iter,
            seed: self.seed,
            ..KernelKMeans::default()
        }
    }
}
