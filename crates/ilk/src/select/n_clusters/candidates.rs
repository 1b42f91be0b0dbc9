//! A grouping for every number of clusters that is considered, on a sample of the input and without constraints.

use ndarray::Axis;

use super::separation::{Modularity, eigengaps, kernel_distances, point_distances, silhouette};
use crate::Result;
use crate::group::kernel_kmeans::{
    DiagonalShift, Objective, Space, WeightedKernelKMeans, weighted_kernel_sparse,
};
use crate::group::kmeans::KMeans;
use crate::group::multilevel::{Multilevel, NodeConstraints};
use crate::group::{GroupingAlgorithm, GroupingInput, Label};
use crate::numerics::sparse::Sparse;
use crate::observe::{Event, Observer, Unreported, report};
use crate::problem::{Constraints, Graph, Input, KernelMatrix, Problem};
use crate::select::sample::{ProblemSample, with_constrained_points};

/// Numbers of clusters above this are considered only where the constraints imply as many.
const MOST_CLUSTERS: usize = 30;

/// Points on which numbers of clusters are compared, at most, unless constraints name more.
const MAX_POINTS: usize = 1000;

/// The same for the rows of a kernel matrix, whose grouping takes longer.
const MAX_KERNEL_ROWS: usize = 500;

/// Constraints by which they are compared, about.
const MAX_CONSTRAINTS: usize = 2000;

/// Numbers of clusters of a graph above this are considered only where the constraints imply as many.
const MOST_BY_SPECTRUM: usize = 15;

/// Nodes of a graph above which its spectrum takes too long. Then numbers of clusters are a factor of about 1.4 apart.
const MAX_SPECTRAL_NODES: usize = 20_000;

/// Descents from different starts for every number of clusters.
const DESCENTS: usize = 5;

/// A grouping into so many clusters.
pub(super) struct Candidate {
    pub(super) k: usize,
    pub(super) labels: Vec<Label>,
    /// How well its clusters are separated; at most 1, and larger is better.
    pub(super) separation: f64,
}

/// Groupings of a sample, in the order of their numbers of clusters, and the constraints on it.
pub(super) struct Candidates {
    pub(super) candidates: Vec<Candidate>,
    pub(super) constraints: Constraints,
}

impl Candidates {
    /// Groupings into `lowest` clusters and more, but at least two.
    pub(super) fn new(
        problem: &Problem,
        is_precomputed: bool,
        lowest: usize,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Self> {
        match &*problem.input().with_rows_as_kernel(is_precomputed)? {
            Input::Points(_) => Self::of_points(problem, lowest, seed, observer),
            Input::Kernel(kernel) => Self::of_kernel(kernel, problem, lowest, seed, observer),
            Input::Graph(graph) => Self::of_graph(graph, problem, lowest, seed, observer),
        }
    }

    /// Points in one place are one point that weighs as much as all of them.
    fn of_points(
        problem: &Problem,
        lowest: usize,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let distinct = problem.distinct()?;
        let problem = distinct.as_ref().map_or(problem, |(distinct, _)| distinct);
        let sample = ProblemSample::of_constraints(problem, MAX_CONSTRAINTS, MAX_POINTS, seed)?;
        let problem = sample.problem();
        let Input::Points(points) = problem.input() else { return Ok(Self::none(problem)) };
        let (n, weights) = (points.len(), problem.weights());
        let distances = point_distances(points);
        let candidates = each(numbers(lowest, n), observer, |k| {
            let kmeans =
                KMeans { n_clusters: k.into(), n_init: DESCENTS, seed, ..KMeans::default() };
            let input = GroupingInput::new(points.view()).with_weights(weights);
            let labels = kmeans.group(input, &Unreported(observer))?.0.labels;
            let separation = silhouette(&distances, weights, &labels, k);
            Ok(Candidate { k, labels, separation })
        })?;
        Ok(Self { candidates, constraints: problem.constraints().clone() })
    }

    fn of_kernel(
        kernel: &KernelMatrix,
        problem: &Problem,
        lowest: usize,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let rows = with_constrained_points(problem.constraints(), MAX_KERNEL_ROWS, seed);
        let kernel = kernel.view().select(Axis(0), &rows).select(Axis(1), &rows);
        let weights: Option<Vec<f64>> =
            problem.weights().map(|weights| rows.iter().map(|&i| weights[i]).collect());
        let weights = weights.as_deref();
        let distances = kernel_distances(&kernel);
        let candidates = each(numbers(lowest, rows.len()), observer, |k| {
            let kmeans = WeightedKernelKMeans {
                n_clusters: k,
                n_init: DESCENTS,
                seed,
                ..WeightedKernelKMeans::default()
            };
            let input = GroupingInput::new(Space::Kernel(kernel.view())).with_weights(weights);
            let labels = kmeans.group(input, &Unreported(observer))?.0.labels;
            let separation = silhouette(&distances, weights, &labels, k);
            Ok(Candidate { k, labels, separation })
        })?;
        Ok(Self { candidates, constraints: problem.constraints().among(&rows)? })
    }

    /// Whole graphs: a part of a graph has other clusters.
    fn of_graph(
        graph: &Graph,
        problem: &Problem,
        lowest: usize,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let n = graph.len();
        if graph.n_edges() == 0 {
            return Ok(Self::none(problem));
        }
        let partitions = GraphPartitions::new(graph, problem, seed)?;
        let constraints = problem.constraints().clone();
        if n > MAX_SPECTRAL_NODES {
            let modularity = Modularity::new(&partitions.links);
            let candidates = each(thinned(&numbers(lowest, n)), observer, |k| {
                let labels = partitions.divide(k, observer)?;
                let separation = modularity.of(&labels, k);
                Ok(Candidate { k, labels, separation })
            })?;
            return Ok(Self { candidates, constraints });
        }
        let most = MOST_BY_SPECTRUM.max(lowest).min(n.saturating_sub(1));
        let gaps = eigengaps(graph, most)?;
        let numbers: Vec<usize> = (lowest.max(2)..=most).collect();
        let candidates = each(numbers, observer, |k| {
            // Without constraints no grouping is looked at.
            let labels =
                if constraints.is_empty() { Vec::new() } else { partitions.divide(k, observer)? };
            let separation = gaps.get(k - 2).copied().unwrap_or(0.0);
            Ok(Candidate { k, labels, separation })
        })?;
        Ok(Self { candidates, constraints })
    }

    fn none(problem: &Problem) -> Self {
        Self { candidates: Vec::new(), constraints: problem.constraints().clone() }
    }
}

/// A graph that is divided without constraints, by normalized cut.
struct GraphPartitions {
    links: Sparse,
    masses: Vec<f64>,
    seed: u64,
}

impl GraphPartitions {
    fn new(graph: &Graph, problem: &Problem, seed: u64) -> Result<Self> {
        let n = graph.len();
        let counts = problem.weights().map_or_else(|| vec![1.0; n], <[f64]>::to_vec);
        let none = Sparse::from_entries(n, []);
        let links = weighted_kernel_sparse(
            Objective::NormalizedCut,
            graph.matrix(),
            &none,
            &counts,
            DiagonalShift::Off,
        )?;
        Ok(Self { links: links.matrix, masses: links.masses, seed })
    }

    fn divide(&self, k: usize, observer: &dyn Observer) -> Result<Vec<Label>> {
        let multilevel = Multilevel { n_clusters: k, seed: self.seed, ..Multilevel::default() };
        let free = NodeConstraints::default();
        let input = GroupingInput::new(&self.links).with_weights(Some(&self.masses));
        let input = input.with_constraints(&free);
        Ok(multilevel.group(input, &Unreported(observer))?.0.labels)
    }
}

/// Numbers of clusters of `n` points: from 2 and `lowest` on, and below n, since single points are separated best.
fn numbers(lowest: usize, n: usize) -> Vec<usize> {
    let most = MOST_CLUSTERS.max(lowest).min(n.saturating_sub(1));
    (lowest.max(2)..=most).collect()
}

/// Some of these numbers, each about 1.4 times the one before.
fn thinned(numbers: &[usize]) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for &k in numbers {
        if kept.last().is_none_or(|&last| k * 5 >= last * 7) {
            kept.push(k);
        }
    }
    kept
}

/// A candidate for each number of clusters.
fn each(
    numbers: Vec<usize>,
    observer: &dyn Observer,
    group: impl Fn(usize) -> Result<Candidate>,
) -> Result<Vec<Candidate>> {
    let total = numbers.len();
    let mut candidates = Vec::with_capacity(total);
    for (done, k) in numbers.into_iter().enumerate() {
        report(observer, &Event::new("choosing the number of clusters", done + 1, done, total))?;
        candidates.push(group(k)?);
    }
    Ok(candidates)
}
