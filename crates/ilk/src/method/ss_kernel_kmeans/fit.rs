//! From a problem to clusters.

use std::borrow::Cow;

use ndarray::ArrayView2;

use super::{SearchEffort, SsKernelKMeans, UseMultilevel};
use crate::error::{check_memory, matrix_bytes};
use crate::group::kernel_kmeans::{
    self as group, DiagonalShift, KernelKMeansModel, Objective, Space, weighted_kernel_dense,
    weighted_kernel_sparse,
};
use crate::group::multilevel::{Multilevel, NodeConstraints};
use crate::group::{Grouping, GroupingAlgorithm, GroupingInput, Label, renumber_by_appearance};
use crate::method::{Method, MethodInfo};
use crate::numerics::sparse::Sparse;
use crate::observe::{Observer, Silent};
use crate::outcome::{AnyModel, Chosen, Clustering, Fit};
use crate::parameter::Auto;
use crate::problem::{Closure, Constraints, Input, KernelMatrix, Problem, with_labels_as_pairs};
use crate::refine::{KnnClassifier, Refinement, RefinementSpace};
use crate::select::bandwidth::select_bandwidth;
use crate::select::n_clusters::ClusterCount;
use crate::select::supervised::{Grouped, SupervisedGrouping, fit_supervised};
use crate::similarity::graph::{OneSided, neighbor_graph_of_affinities};
use crate::similarity::{Gram, Kernel, KernelName, kernel_on};
use crate::{Error, Result};

/// Moves in a row that need help only together: what must-links join should move together, and
/// penalties make poor optima of anything else.
const CHAIN: usize = 20;

/// Nodes above which a graph is coarsened first.
const MANY: usize = 5000;

impl Method for SsKernelKMeans {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        let objective = self.objective_for(problem.input()).into();
        let count = ClusterCount {
            given: self.n_clusters,
            is_precomputed: self.kernel == KernelName::Precomputed,
            seed: self.seed,
        };
        count.fit(problem, observer, |n_clusters| {
            fit_supervised(&Self { n_clusters, objective, ..self.clone() }, problem, observer)
        })
    }
}

/// Neighbours of a row of a kernel matrix by which labels are refined.
const NEIGHBORS: usize = 10;

impl SupervisedGrouping for SsKernelKMeans {
    fn refinement(&self) -> Refinement {
        self.refine
    }

    fn n_clusters(&self) -> Option<usize> {
        self.n_clusters.fixed()
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn with_chosen_settings(
        &self,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<(Self, Vec<Chosen>)> {
        with_chosen_width(self, problem, observer)
    }

    /// The learned kernel is the affinity, with rewards and penalties added to it.
    fn in_learned_space(&self) -> Option<Self> {
        let is_open = self.kernel == KernelName::Gaussian && self.sigma == Auto::Auto;
        is_open.then(|| Self { kernel: KernelName::Linear, ..self.clone() })
    }

    fn group_problem<'a>(
        &self,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let (params, chosen) = &with_chosen_width(self, problem, observer)?;
        let is_points = params.kernel != KernelName::Precomputed;
        let copies = match problem.input() {
            Input::Points(_) if is_points => problem.distinct()?,
            _ => None,
        };
        let (grouping, model) = match copies {
            None => groups(params, problem, observer)?,
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
        let mut clustering = Clustering::new(grouping, problem.constraints());
        clustering.chosen.clone_from(chosen);
        let fit = Fit { clustering, model };
        let kernel;
        let (graph, links) = match problem.input() {
            Input::Points(points) if is_points => return Ok(Grouped::of_points(fit, points)),
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
        let is_normalised = params.objective.for_graph(false) == Objective::NormalizedCut;
        let model_of = move |labels: &[Label], n_clusters: usize| {
            let model =
                KernelKMeansModel::of_links(&links, &counts, labels, n_clusters, is_normalised);
            AnyModel::KernelKMeans(model)
        };
        Ok(Grouped {
            fit,
            space: RefinementSpace::Graph(graph),
            modes_among: None,
            model_of: Some(Box::new(model_of)),
        })
    }
}

/// How many points each point counts for.
fn point_counts(problem: &Problem) -> Vec<f64> {
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
    if params.kernel_of_objective() != KernelName::Gaussian || params.sigma != Auto::Auto {
        return Ok((params.clone(), Vec::new()));
    }
    let with = |sigma| SsKernelKMeans { sigma: Auto::Fixed(sigma), ..params.clone() };
    let group = |sigma: f64, problem: &Problem| {
        let params = SsKernelKMeans {
            n_clusters: params.n_clusters.at_most(problem.len()).into(),
            ..with(sigma)
        };
        Ok(groups(&params, problem, &Silent)?.0.labels)
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
    let constraints = with_labels_as_pairs(problem.constraints(), params.seed)?;
    let task = Task {
        params,
        constraints: problem.constraints(),
        closure: problem.constraints().closure(),
        penalties: params.penalty.matrix(&constraints, params.n_clusters.resolved()),
        counts: point_counts(problem),
        observer,
    };
    match problem.input() {
        Input::Graph(graph) => task.of_links(graph.matrix()),
        Input::Kernel(kernel) => task.of_kernel(kernel.view()),
        Input::Points(points) if kernel == KernelName::Precomputed => {
            task.of_kernel(KernelMatrix::new(points.view().to_owned())?.view())
        }
        Input::Points(points) => {
            check_memory(
                "the kernel matrix",
                matrix_bytes(points.len(), points.len()),
                "cluster the graph of nearest neighbours, or a sample of the points and predict the others",
            )?;
            let kernel = match kernel {
                KernelName::Linear => Kernel::Linear,
                _ => kernel_on(points, kernel, params.sigma, params.n_neighbors, params.seed)?,
            };
            let gram = Gram::new(&kernel, points, params.seed)?.full()?;
            let grouping = task.divide(Affinity::Dense(gram.view()))?;
            let classifier = KnnClassifier::with_default_neighbors(points, &grouping.labels)?;
            Ok((grouping, AnyModel::KnnClassifier(classifier)))
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
    constraints: &'a Constraints,
    closure: Closure,
    /// The constraints, as a matrix W.
    penalties: Sparse,
    /// How many points each point counts for.
    counts: Vec<f64>,
    observer: &'a dyn Observer,
}

impl Task<'_> {
    /// Clusters of a kernel matrix, and a model for rows of one.
    fn of_kernel(&self, kernel: ArrayView2<'_, f64>) -> Result<(Grouping, AnyModel)> {
        let grouping = self.divide(Affinity::Dense(kernel))?;
        let model = self.model(&Sparse::from_dense(kernel), &grouping);
        Ok((grouping, model))
    }

    /// Clusters of a graph, and a model for links of new nodes.
    fn of_links(&self, links: &Sparse) -> Result<(Grouping, AnyModel)> {
        let is_coarsened = match self.params.multilevel {
            UseMultilevel::Auto => links.len() > MANY,
            UseMultilevel::On => true,
            UseMultilevel::Off => false,
        };
        let mut grouping = if is_coarsened {
            self.divide_on_levels(links)?
        } else {
            self.divide(Affinity::Sparse(links))?
        };
        for (i, label) in grouping.labels.iter_mut().enumerate() {
            if links.row(i).0.is_empty() && self.penalties.row(i).0.is_empty() {
                *label = None;
            }
        }
        (grouping.labels, grouping.n_clusters) = renumber_by_appearance(&grouping.labels);
        let model = self.model(links, &grouping);
        Ok((grouping, model))
    }

    /// The clusters of a graph that is coarsened first.
    fn divide_on_levels(&self, links: &Sparse) -> Result<Grouping> {
        let Self { params, constraints, .. } = self;
        let objective = params.objective.for_graph(false);
        let weighed = weighted_kernel_sparse(
            objective,
            links,
            &self.penalties,
            &self.counts,
            DiagonalShift::Off,
        )?;
        let is_small = links.len() <= MANY;
        let multilevel = Multilevel {
            n_clusters: params.n_clusters.resolved(),
            coarsening: params.coarsening,
            n_init: if is_small { params.n_init } else { 1 },
            seed: params.seed,
            ..Multilevel::default()
        };
        let known = NodeConstraints::new(constraints, &self.closure, params.n_clusters.resolved());
        let (mut grouping, ()) = multilevel.group(
            GroupingInput::new(&weighed.matrix)
                .with_weights(Some(&weighed.masses))
                .with_constraints(&known),
            self.observer,
        )?;
        for step in &mut grouping.trace {
            let value = |sum: f64| {
                weighed.terms.from_association(objective, -sum, params.n_clusters.resolved())
            };
            step.objective = step.objective.map(value);
        }
        Ok(grouping)
    }

    /// The best of all descents from starts that follow the constraints.
    fn divide(&self, affinity: Affinity<'_>) -> Result<Grouping> {
        let Self { params, counts, .. } = self;
        let (objective, shift) = (params.objective.for_graph(false), params.shift);
        let kmeans = group::WeightedKernelKMeans {
            n_clusters: params.n_clusters.resolved(),
            max_iter: params.max_iter,
            seed: params.seed,
            n_init: match params.search {
                SearchEffort::Near => 1,
                _ => params.n_init,
            },
            ..group::WeightedKernelKMeans::default()
        };
        let space = match affinity {
            Affinity::Dense(matrix) => Space::Kernel(matrix),
            Affinity::Sparse(matrix) => Space::Graph(matrix),
        };
        let starts = kmeans.starts(space, Some(counts), &self.closure)?;
        let penalties = &self.penalties;
        let (mut grouping, terms) = match affinity {
            Affinity::Dense(matrix) => {
                let weighed = weighted_kernel_dense(objective, matrix, penalties, counts, shift)?;
                let space = Space::Kernel(weighed.matrix.view());
                let input = GroupingInput::new(space).with_weights(Some(&weighed.masses));
                (self.descended(&kmeans, input, &starts)?, weighed.terms)
            }
            Affinity::Sparse(matrix) => {
                let weighed = weighted_kernel_sparse(objective, matrix, penalties, counts, shift)?;
                let space = Space::Graph(&weighed.matrix);
                let input = GroupingInput::new(space).with_weights(Some(&weighed.masses));
                (self.descended(&kmeans, input, &starts)?, weighed.terms)
            }
        };
        let clusters = grouping.n_clusters;
        for step in &mut grouping.trace {
            step.objective = step.objective.map(|sum| terms.value(objective, sum, clusters));
        }
        Ok(grouping)
    }

    /// What comes of the starts.
    fn descended<'a>(
        &self,
        kmeans: &group::WeightedKernelKMeans,
        input: GroupingInput<'a, Space<'a>>,
        starts: &[Vec<Label>],
    ) -> Result<Grouping> {
        let near = group::WeightedKernelKMeans { local_search: false, ..kmeans.clone() };
        let thorough = group::WeightedKernelKMeans { chain: CHAIN, ..kmeans.clone() };
        let all = |kmeans: &group::WeightedKernelKMeans| {
            let found = kmeans.group_from(input, starts, self.observer)?;
            Ok::<_, Error>(found.0)
        };
        match self.params.search {
            SearchEffort::Near => return all(&near),
            SearchEffort::Thorough => return all(&thorough),
            SearchEffort::Auto if self.penalties.n_entries() == 0 => return all(&thorough),
            SearchEffort::Auto => {}
        }
        let mut best: Option<(f64, Grouping)> = None;
        for start in starts {
            for kmeans in [&near, &thorough] {
                let start = std::slice::from_ref(start);
                let (found, _) = kmeans.group_from(input, start, self.observer)?;
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

    /// The means of the clusters without the constraints, by which new rows of affinities are assigned.
    fn model(&self, affinity: &Sparse, grouping: &Grouping) -> AnyModel {
        AnyModel::KernelKMeans(KernelKMeansModel::of_links(
            affinity,
            &self.counts,
            &grouping.labels,
            grouping.n_clusters,
            self.params.objective.for_graph(false) == Objective::NormalizedCut,
        ))
    }
}
