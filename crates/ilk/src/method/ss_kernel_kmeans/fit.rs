//! From a problem to clusters.

use std::borrow::Cow;

use super::SsKernelKMeans;
use super::partitioning::Partitioning;
use crate::Result;
use crate::error::{check_memory, matrix_bytes};
use crate::group::kernel_kmeans::KernelKMeansModel;
use crate::group::{Grouping, Label};
use crate::method::{Method, MethodInfo};
use crate::numerics::sparse::Sparse;
use crate::observe::{Observer, Unreported};
use crate::outcome::{AnyModel, Chosen, Fit, KnnClassifier};
use crate::parameter::AutoOr;
use crate::problem::{Input, KernelMatrix, Problem};
use crate::refine::RefinementSpace;
use crate::select::bandwidth::select_bandwidth;
use crate::select::grouped::{GroupModel, Grouped};
use crate::select::n_clusters::ClusterCount;
use crate::select::supervised::{SupervisedFit, SupervisedGrouping};
use crate::similarity::graph::{OneSided, neighbor_graph_of_affinities};
use crate::similarity::{Gram, Kernel, KernelName, kernel_on};

impl Method for SsKernelKMeans {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        check_kernel_size(problem)?;
        let objective = self.objective_for(problem.input()).into();
        let count = ClusterCount {
            given: self.n_clusters,
            is_precomputed: self.kernel == KernelName::Precomputed,
            seed: self.seed,
        };
        count.fit(problem, observer, |n_clusters| {
            let kmeans = Self { n_clusters, objective, ..self.clone() };
            // The learned kernel is the affinity, with rewards and penalties added to it.
            let is_open = self.kernel == KernelName::Gaussian && self.sigma == AutoOr::Auto;
            let in_learned_space =
                is_open.then(|| Self { kernel: KernelName::Linear, ..kmeans.clone() });
            let declared = SupervisedFit {
                in_learned_space,
                must_links: self.must_links,
                ..SupervisedFit::new(kmeans, n_clusters.fixed(), self.refine, self.seed)
            };
            declared.fit(problem, observer)
        })
    }
}

/// Refuses points whose kernel, the same with the constraints, and either between must-link components would be too
/// large together.
fn check_kernel_size(problem: &Problem) -> Result<()> {
    let Input::Points(points) = problem.input() else {
        return Ok(());
    };
    check_memory(
        "the kernel matrix, with and without constraints,",
        3 * matrix_bytes(points.len(), points.len()),
        "cluster the graph of nearest neighbours, or a sample of the points and predict the others",
    )
}

/// Neighbours of a row of a kernel matrix by which labels are refined.
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

/// The parameters with the width of the kernel decided, and how it was.
fn with_chosen_width(
    params: &SsKernelKMeans,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<(SsKernelKMeans, Vec<Chosen>)> {
    let Input::Points(points) = problem.input() else {
        return Ok((params.clone(), Vec::new()));
    };
    if params.kernel_of_objective() != KernelName::Gaussian || params.sigma != AutoOr::Auto {
        return Ok((params.clone(), Vec::new()));
    }
    let with = |sigma| SsKernelKMeans { sigma: AutoOr::Fixed(sigma), ..params.clone() };
    let group = |sigma: f64, problem: &Problem| {
        let params = SsKernelKMeans {
            n_clusters: params.n_clusters.at_most(problem.len()).into(),
            ..with(sigma)
        };
        Ok(groups(&params, problem, &Unreported(observer))?.0.labels)
    };
    let (sigma, chosen) = select_bandwidth(points, problem, params.seed, group, observer)?;
    Ok((with(sigma), vec![chosen]))
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
