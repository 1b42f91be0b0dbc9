//! From a problem to clusters.

use std::borrow::Cow;

use super::partitioning::Partitioning;
use super::{AffinityRange, ObjectiveChoice, SsKernelKMeans};
use crate::error::{check_memory, matrix_bytes};
use crate::group::kernel_kmeans::KernelKMeansModel;
use crate::group::{Grouping, Label};
use crate::method::{Method, MethodInfo};
use crate::numerics::sparse::Sparse;
use crate::observe::{Observer, Unreported};
use crate::outcome::{AnyModel, Chosen, Fit, KnnClassifier, assign_unlabelled};
use crate::parameter::AutoOr;
use crate::problem::{Input, KernelMatrix, Problem};
use crate::refine::RefinementSpace;
use crate::select::bandwidth::select_bandwidth;
use crate::select::grouped::{GroupModel, Grouped};
use crate::select::n_clusters::ClusterCount;
use crate::select::supervised::{SupervisedFit, SupervisedGrouping};
use crate::similarity::graph::{
    EdgeRule, EdgeWeight, OneSided, neighbor_graph_observed, neighbor_graph_of_affinities,
};
use crate::similarity::{Gram, Kernel, KernelName, kernel_on};
use crate::{Error, Result};

impl Method for SsKernelKMeans {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        let count = ClusterCount {
            given: self.n_clusters,
            is_precomputed: self.kernel == KernelName::Precomputed,
            seed: self.seed,
        };
        if self.affinity == AffinityRange::Neighbors && self.kernel != KernelName::Gaussian {
            let expected = format!("kernel = {} is one of every two points: take all", self.kernel);
            return Err(Error::bad_parameter("affinity", self.affinity, expected));
        }
        let open = self.for_input(problem.input());
        if let (Input::Points(points), AffinityRange::All) = (problem.input(), open.affinity) {
            check_kernel_size(points.len())?;
        }
        count.fit(problem, observer, |n_clusters| {
            let kmeans = Self { n_clusters, ..open.clone() };
            // The learned kernel is the affinity, with rewards and penalties added to it.
            let is_open = self.kernel == KernelName::Gaussian
                && self.sigma == AutoOr::Auto
                && kmeans.affinity != AffinityRange::Neighbors;
            let in_learned_space = is_open.then(|| Self {
                kernel: KernelName::Linear,
                affinity: AffinityRange::All,
                ..kmeans.clone()
            });
            let declared = SupervisedFit {
                in_learned_space,
                must_links: self.must_links,
                ..SupervisedFit::new(kmeans, n_clusters.fixed(), self.refine, self.seed)
            };
            declared.fit(problem, observer)
        })
    }
}

/// Refuses so many points that their kernel, the same with the constraints, and either between must-link components would
/// be too large together.
pub(super) fn check_kernel_size(n_points: usize) -> Result<()> {
    check_memory(
        "the kernel matrix, with and without constraints,",
        3 * matrix_bytes(n_points, n_points),
        "take affinity = neighbors, or cluster a sample of the points and predict the others",
    )
}

/// Neighbours of a point with which it has affinity, or by which labels are refined where they are a kernel matrix.
const NEIGHBORS: usize = 10;

impl SupervisedGrouping for SsKernelKMeans {
    fn with_chosen_settings(
        &self,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<(Self, Vec<Chosen>)> {
        with_chosen_width(self, problem, observer)
    }

    fn group_problem<'a>(
        &self,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let (params, chosen) = with_chosen_width(self, problem, observer)?;
        let is_points = params.kernel != KernelName::Precomputed;
        let copies = match problem.input() {
            Input::Points(_) if is_points => problem.distinct()?,
            _ => None,
        };
        let (grouping, model) = match copies {
            None => groups(&params, problem, observer)?,
            Some((distinct, rows)) => {
                let params = SsKernelKMeans {
                    n_clusters: params.n_clusters.at_most(distinct.len()).into(),
                    ..params.clone()
                };
                let (mut grouping, model) = groups(&params, &distinct, observer)?;
                grouping.labels = rows.spread(&grouping.labels);
                (grouping, model)
            }
        };
        let kernel;
        let (graph, links) = match problem.input() {
            Input::Points(points) if is_points => {
                return Ok(Grouped { chosen, ..Grouped::of_points(grouping, model, points) });
            }
            Input::Graph(graph) => (graph.clone(), Cow::Borrowed(graph.matrix())),
            Input::Kernel(matrix) => {
                kernel = matrix.clone();
                let graph = neighbor_graph_of_affinities(&kernel, NEIGHBORS, OneSided::Kept)?;
                (graph, Cow::Owned(Sparse::from_dense(kernel.view())))
            }
            Input::Points(rows) => {
                kernel = KernelMatrix::new(rows.view().to_owned())?;
                let graph = neighbor_graph_of_affinities(&kernel, NEIGHBORS, OneSided::Kept)?;
                (graph, Cow::Owned(Sparse::from_dense(kernel.view())))
            }
        };
        let counts = point_counts(problem);
        let is_normalised = params.objective.for_graph(false).is_normalized();
        let model_of = move |labels: &[Label], n_clusters: usize| {
            let model =
                KernelKMeansModel::of_links(&links, &counts, labels, n_clusters, is_normalised);
            AnyModel::KernelKMeans(model)
        };
        let model = GroupModel::OfLabels(model, Box::new(model_of));
        let space = RefinementSpace::Graph(graph);
        Ok(Grouped { chosen, ..Grouped::new(grouping, space, model) })
    }
}

/// How many points each point counts for.
pub(super) fn point_counts(problem: &Problem) -> Vec<f64> {
    match problem.weights() {
        Some(weights) => weights.to_vec(),
        None => vec![1.0; problem.len()],
    }
}

/// The parameters with the affinity decided, and how it was.
fn with_chosen_width(
    params: &SsKernelKMeans,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<(SsKernelKMeans, Vec<Chosen>)> {
    let Input::Points(points) = problem.input() else {
        return Ok((params.clone(), Vec::new()));
    };
    let has_width = params.kernel_of_objective() == KernelName::Gaussian
        && params.affinity != AffinityRange::Neighbors;
    if !has_width || params.sigma != AutoOr::Auto {
        return Ok((params.clone(), Vec::new()));
    }
    let with = |width: Option<f64>| match width {
        Some(sigma) => SsKernelKMeans {
            sigma: AutoOr::Fixed(sigma),
            affinity: AffinityRange::All,
            ..params.clone()
        },
        None => SsKernelKMeans {
            affinity: AffinityRange::Neighbors,
            objective: ObjectiveChoice::Likelihood,
            ..params.clone()
        },
    };
    let group = |width: Option<f64>, problem: &Problem| {
        let params = SsKernelKMeans {
            n_clusters: params.n_clusters.at_most(problem.len()).into(),
            ..with(width)
        };
        Ok(groups(&params, problem, &Unreported(observer))?.0.labels)
    };
    let open = (params.affinity == AffinityRange::Auto, params.seed);
    let (width, chosen) = select_bandwidth(points, problem, open, group, observer)?;
    Ok((with(width), vec![chosen]))
}

/// Finds the groups of a problem over points that all differ, or over anything else.
fn groups(
    params: &SsKernelKMeans,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<(Grouping, AnyModel)> {
    let kernel = params.kernel_of_objective();
    let partitioning = Partitioning::new(params, problem, observer)?;
    match &*problem.input().with_rows_as_kernel(kernel == KernelName::Precomputed)? {
        Input::Graph(graph) => partitioning.of_links(graph.matrix()),
        Input::Kernel(kernel) => partitioning.of_kernel(kernel.view()),
        Input::Points(points) if params.affinity == AffinityRange::Neighbors => {
            let edges = EdgeRule::Nearest { neighbors: NEIGHBORS, one_sided: OneSided::Halved };
            let weight = match params.sigma {
                AutoOr::Fixed(sigma) => EdgeWeight::Gaussian { sigma },
                AutoOr::Auto => EdgeWeight::SELF_TUNING,
            };
            let graph = neighbor_graph_observed(points, edges, weight, observer)?;
            let (mut grouping, _) = partitioning.of_links(graph.matrix())?;
            assign_unlabelled(points, &mut grouping)?;
            let classifier = KnnClassifier::with_default_neighbors(points, &grouping.labels)?;
            Ok((grouping, AnyModel::KnnClassifier(classifier)))
        }
        Input::Points(points) => {
            let centered;
            let (kernel, rows) = if kernel == KernelName::Linear {
                // Of coordinates far from 0 the products have no digits left for the differences.
                centered = points.centered();
                (Kernel::Linear, &centered)
            } else {
                let SsKernelKMeans { sigma, n_neighbors, seed, .. } = params;
                (kernel_on(points, kernel, *sigma, *n_neighbors, *seed)?, points)
            };
            let gram = Gram::new(&kernel, rows, params.seed)?.full()?;
            let grouping = partitioning.of_dense(gram.view(), false)?;
            let classifier = KnnClassifier::with_default_neighbors(points, &grouping.labels)?;
            Ok((grouping, AnyModel::KnnClassifier(classifier)))
        }
    }
}
