//! Semi-supervised kernel k-means: what was said is added to a kernel or a graph.

use std::collections::BTreeMap;

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use super::distinct::without_copies;
use super::kernel_kmeans::{KernelKMeans, KernelWidth};
use super::settling::Settling;
use super::width::choose_width;
use super::{MethodInfo, SEED};
use crate::group::kernel_kmeans::{
    self as group, KernelKMeansModel, Objective, Shift, Space, weigh_dense, weigh_sparse,
};
use crate::group::{Grouping, Label};
use crate::numerics::sparse::Sparse;
use crate::observe::{Observer, Silent};
use crate::outcome::{Chosen, Clustering, Fit, Model};
use crate::parameter::{ParameterInfo, Range};
use crate::problem::{Closure, ConstraintKind, Input, InputKind, KernelMatrix, Problem};
use crate::settle::{MustLinks, Vote};
use crate::similarity::{Gram, Kernel, KernelName, MAX_BYTES};
use crate::supervise::labels::with_labels_as_pairs;
use crate::supervise::penalty::{PENALTY_FORMS, Penalty};
use crate::{Error, Result};

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
    parameters: SsKernelKMeans::PARAMETERS,
};

/// Moves in a row that need help only together: what must-links join should move together, and
/// penalties make poor optima of anything else.
const CHAIN: usize = 20;

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

/// Finds the groups of a problem.
pub(super) fn fit(
    params: &SsKernelKMeans,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Fit> {
    params.unsupervised().check(problem.len())?;
    params.penalty.check()?;
    let (params, chosen) = &decided(params, problem)?;
    let copies = match problem.input() {
        Input::Points(points) if params.kernel != KernelName::Precomputed => {
            without_copies(points, problem)?
        }
        _ => None,
    };
    let (grouping, model) = match copies {
        None => groups(params, problem, observer)?,
        Some((distinct, place_of)) => {
            let params = SsKernelKMeans {
                n_clusters: params.n_clusters.min(distinct.len()),
                ..params.clone()
            };
            let (mut grouping, model) = groups(&params, &distinct, observer)?;
            let labels = place_of.iter().map(|&place| grouping.labels[place]);
            grouping.labels = labels.collect();
            (grouping, model)
        }
    };
    let mut clustering = Clustering::new(grouping, problem.constraints());
    clustering.chosen.clone_from(chosen);
    Ok(Fit { clustering, model })
}

/// The parameters with the width of the kernel decided, and how it was.
fn decided(params: &SsKernelKMeans, problem: &Problem) -> Result<(SsKernelKMeans, Vec<Chosen>)> {
    let Input::Points(points) = problem.input() else {
        return Ok((params.clone(), Vec::new()));
    };
    if params.unsupervised().kernel != KernelName::Gaussian || params.sigma != KernelWidth::Auto {
        return Ok((params.clone(), Vec::new()));
    }
    let with = |sigma| SsKernelKMeans {
        sigma: KernelWidth::Fixed(sigma),
        ..params.clone()
    };
    let group = |sigma: f64, problem: &Problem| {
        let params = SsKernelKMeans {
            n_clusters: params.n_clusters.min(problem.len()),
            ..with(sigma)
        };
        Ok(groups(&params, problem, &Silent)?.0.labels)
    };
    let (sigma, chosen) = choose_width(points, problem, params.seed, group)?;
    Ok((with(sigma), vec![chosen]))
}

/// Finds the groups of a problem over points that all differ, or over anything else.
fn groups(
    params: &SsKernelKMeans,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<(Grouping, Model)> {
    let unsupervised = params.unsupervised();
    let said = with_labels_as_pairs(problem.constraints(), params.seed)?;
    let task = Task {
        params,
        closure: problem.constraints().closure(),
        penalties: params.penalty.matrix(&said, params.n_clusters),
        counts: match problem.weights() {
            Some(weights) => weights.to_vec(),
            None => vec![1.0; problem.len()],
        },
        observer,
    };
    match problem.input() {
        Input::Graph(graph) => task.of_links(graph.matrix()),
        Input::Kernel(kernel) => task.of_kernel(kernel.view()),
        Input::Points(points) if unsupervised.kernel == KernelName::Precomputed => {
            task.of_kernel(KernelMatrix::new(points.view().to_owned())?.view())
        }
        Input::Points(points) => {
            let bytes = 8 * (points.len() as u128).pow(2);
            if bytes > MAX_BYTES {
                return Err(Error::TooLarge {
                    what: "the kernel matrix",
                    bytes,
                    instead: "cluster the graph of nearest neighbours, or a sample of the points and predict the others",
                });
            }
            let kernel = match unsupervised.kernel {
                KernelName::Linear => Kernel::Linear,
                _ => unsupervised.kernel_of(points, problem)?,
            };
            let gram = Gram::new(&kernel, points, params.seed)?.full()?;
            let grouping = task.divide(Affinity::Dense(gram.view()))?;
            let voters = Settling::Off
                .of(MustLinks::default(), points.len())
                .neighbors;
            let vote = Vote::new(points, &grouping.labels, voters)?;
            Ok((grouping, Model::Vote(vote)))
        }
    }
}

/// Affinities between points.
#[derive(Clone, Copy)]
enum Affinity<'a> {
    Dense(ArrayView2<'a, f64>),
    Sparse(&'a Sparse),
}

/// A fit under way.
struct Task<'a> {
    params: &'a SsKernelKMeans,
    closure: Closure,
    /// What was said, as a matrix.
    penalties: Sparse,
    /// How many points each point counts for.
    counts: Vec<f64>,
    observer: &'a dyn Observer,
}

impl Task<'_> {
    /// Clusters of a kernel matrix, and a model for rows of one.
    fn of_kernel(&self, kernel: ArrayView2<'_, f64>) -> Result<(Grouping, Model)> {
        let grouping = self.divide(Affinity::Dense(kernel))?;
        let model = self.model(&Sparse::of_dense(kernel), &grouping);
        Ok((grouping, model))
    }

    /// Clusters of a graph, and a model for links of new nodes.
    fn of_links(&self, links: &Sparse) -> Result<(Grouping, Model)> {
        let mut grouping = self.divide(Affinity::Sparse(links))?;
        for (i, label) in grouping.labels.iter_mut().enumerate() {
            if links.row(i).0.is_empty() && self.penalties.row(i).0.is_empty() {
                *label = None;
            }
        }
        grouping.n_clusters = number_anew(&mut grouping.labels);
        let model = self.model(links, &grouping);
        Ok((grouping, model))
    }

    /// The best of all descents from starts that know what was said.
    fn divide(&self, affinity: Affinity<'_>) -> Result<Grouping> {
        let Self { params, counts, .. } = self;
        let (objective, shift) = (params.objective, params.shift);
        let kmeans = group::KernelKMeans {
            n_init: match params.search {
                Search::Near => 1,
                _ => params.n_init,
            },
            ..params.unsupervised().group()
        };
        let space = match affinity {
            Affinity::Dense(matrix) => Space::Kernel(matrix),
            Affinity::Sparse(matrix) => Space::Graph(matrix),
        };
        let starts = kmeans.starts(space, Some(counts), &self.closure)?;
        let descend =
            |space: Space<'_>, masses: &[f64]| self.descended(&kmeans, space, masses, &starts);
        let penalties = &self.penalties;
        let (mut grouping, terms) = match affinity {
            Affinity::Dense(matrix) => {
                let weighed = weigh_dense(objective, matrix, penalties, counts, shift)?;
                let space = Space::Kernel(weighed.matrix.view());
                (descend(space, &weighed.masses)?, weighed.terms)
            }
            Affinity::Sparse(matrix) => {
                let weighed = weigh_sparse(objective, matrix, penalties, counts, shift)?;
                let space = Space::Graph(&weighed.matrix);
                (descend(space, &weighed.masses)?, weighed.terms)
            }
        };
        let clusters = grouping.n_clusters;
        for step in &mut grouping.trace {
            step.objective = step
                .objective
                .map(|sum| terms.value(objective, sum, clusters));
        }
        Ok(grouping)
    }

    /// What comes of the starts.
    fn descended(
        &self,
        kmeans: &group::KernelKMeans,
        space: Space<'_>,
        masses: &[f64],
        starts: &[Vec<Label>],
    ) -> Result<Grouping> {
        let near = group::KernelKMeans {
            local_search: false,
            ..kmeans.clone()
        };
        let thorough = group::KernelKMeans {
            chain: CHAIN,
            ..kmeans.clone()
        };
        let all = |kmeans: &group::KernelKMeans| {
            let found = kmeans.fit_from_each(space, Some(masses), starts, self.observer)?;
            Ok::<_, Error>(found.0)
        };
        match self.params.search {
            Search::Near => return all(&near),
            Search::Thorough => return all(&thorough),
            Search::Auto if self.penalties.n_entries() == 0 => return all(&thorough),
            Search::Auto => {}
        }
        let mut best: Option<(f64, Grouping)> = None;
        for start in starts {
            for kmeans in [&near, &thorough] {
                let (found, _) = kmeans.fit_from(space, Some(masses), start, self.observer)?;
                let broken = self.broken(&found.labels);
                let objective =
                    |grouping: &Grouping| grouping.trace.last().and_then(|s| s.objective);
                let is_better = best.as_ref().is_none_or(|(least, before)| {
                    broken < *least || broken == *least && objective(&found) < objective(before)
                });
                if is_better {
                    best = Some((broken, found));
                }
            }
        }
        // There is at least one start.
        best.map_or_else(|| all(&near), |(_, grouping)| Ok(grouping))
    }

    /// The worth of the answers that labels break.
    fn broken(&self, labels: &[Label]) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.penalties.len() {
            for (j, worth) in self.penalties.entries(i).filter(|&(j, _)| j > i) {
                if (worth > 0.0) != (labels[i] == labels[j]) {
                    sum += worth.abs();
                }
            }
        }
        sum
    }

    /// The means of the clusters without what was said, by which new rows of affinities are placed.
    fn model(&self, affinity: &Sparse, grouping: &Grouping) -> Model {
        Model::KernelKMeans(KernelKMeansModel::of_links(
            affinity,
            &self.counts,
            &grouping.labels,
            grouping.n_clusters,
            self.params.objective == Objective::NormalizedCut,
        ))
    }
}

/// Numbers clusters in the order of their first points, and returns how many there are.
fn number_anew(labels: &mut [Label]) -> usize {
    let mut numbers = BTreeMap::new();
    for label in labels.iter_mut().flatten() {
        let next = numbers.len();
        *label = *numbers.entry(*label).or_insert(next);
    }
    numbers.len()
}
