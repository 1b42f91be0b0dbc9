//! What is computed from the data once, before any question: the units of questions, and how far what is known of one
//! says something about another.

use ndarray::Array2;

use crate::Result;
use crate::group::GroupingAlgorithm;
use crate::group::kmeans::KMeans;
use crate::numerics::distances::dist_sq;
use crate::numerics::linalg::Cholesky;
use crate::observe::Observer;
use crate::select::held_out::first_best;
use crate::problem::{Graph, Input, Problem};
use crate::similarity::graph::{
    EdgeRule, EdgeWeight, OneSided, neighbor_graph, neighbor_graph_of_affinities,
};

/// Units above which points are grouped into super-instances.
const MAX_UNITS: usize = 800;

/// Super-instances of a large problem.
const SUPER_INSTANCES: usize = 500;

/// Steps of k-means that finds super-instances.
const STEPS: usize = 8;

/// Neighbours of a unit.
const NEIGHBORS: usize = 10;

/// The rate γ at which a walk over the graph of neighbours ends where it stands.
const ENDING: f64 = 0.02;

/// Units and their covariance.
///
/// A unit is a set of points that is asked about by one of them: equal points, or, where there are many points, the
/// points of a super-instance. Its *representative* is the point nearest to its mean.
///
/// Which cluster a unit belongs to is a Gaussian field on the graph of neighbours (Zhu, Lafferty and Ghahramani 2003),
///
/// ```text
/// K = s (D + γ D - W)^-1
/// ```
///
/// with W the self-tuning affinities of the units, D their sums and s such that the mean of the diagonal is 1.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AskSpace {
    /// The unit of every point.
    pub(super) unit_of: Vec<usize>,
    /// The representative of every unit.
    pub(super) representatives: Vec<usize>,
    /// The number of points of every unit.
    pub(super) sizes: Vec<f64>,
    /// K.
    pub(super) covariance: Array2<f64>,
    /// How many points a unit says something about: Σ_z K_zi / K_ii.
    pub(super) influence: Vec<f64>,
    /// The unit that says most about the others.
    pub(super) center: usize,
}

impl AskSpace {
    pub(super) fn new(problem: &Problem, seed: u64, observer: &dyn Observer) -> Result<Self> {
        let (unit_of, n_units) = units(problem, seed, observer)?;
        let representatives = representatives(problem, &unit_of, n_units);
        let mut sizes = vec![0.0; n_units];
        for (point, &unit) in unit_of.iter().enumerate() {
            sizes[unit] += problem.weights().map_or(1.0, |weights| weights[point]);
        }
        let graph = graph_of_units(problem, &unit_of, &representatives)?;
        let covariance = covariance(&graph)?;
        let influence: Vec<f64> = (0..n_units)
            .map(|unit| {
                let row = covariance.row(unit);
                row.iter().zip(&sizes).map(|(k, size)| k * size).sum::<f64>() / row[unit]
            })
            .collect();
        let center = first_best(influence.iter().copied());
        Ok(Self { unit_of, representatives, sizes, covariance, influence, center })
    }

    /// Number of units.
    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }
}

/// The unit of every point, and how many there are.
fn units(problem: &Problem, seed: u64, observer: &dyn Observer) -> Result<(Vec<usize>, usize)> {
    let n = problem.len();
    match problem.input() {
        Input::Points(points) => {
            let distinct = points.distinct_rows();
            if distinct.len() <= MAX_UNITS {
                return Ok((distinct.distinct_row_of.clone(), distinct.len()));
            }
            let kmeans = KMeans {
                n_clusters: SUPER_INSTANCES.into(),
                n_init: 1,
                max_iter: STEPS,
                seed,
                ..KMeans::default()
            };
            let (grouping, _) = kmeans.group(points.view(), observer)?;
            Ok((grouping.labels.iter().map(|label| label.unwrap_or(0)).collect(), grouping.n_clusters))
        }
        _ => Ok(((0..n).collect(), n)),
    }
}

/// The point of every unit that stands for it.
fn representatives(problem: &Problem, unit_of: &[usize], n_units: usize) -> Vec<usize> {
    let mut best = vec![(usize::MAX, f64::INFINITY); n_units];
    let mut take = |unit: usize, point: usize, badness: f64| {
        if badness < best[unit].1 {
            best[unit] = (point, badness);
        }
    };
    if let Input::Points(points) = problem.input() {
        let dims = points.dims();
        let mut means = vec![vec![0.0; dims]; n_units];
        let mut counts = vec![0.0; n_units];
        for (point, &unit) in unit_of.iter().enumerate() {
            counts[unit] += 1.0;
            for (mean, value) in means[unit].iter_mut().zip(points.row(point)) {
                *mean += value;
            }
        }
        for (mean, count) in means.iter_mut().zip(&counts) {
            mean.iter_mut().for_each(|value| *value /= count);
        }
        for (point, &unit) in unit_of.iter().enumerate() {
            take(unit, point, dist_sq(points.row(point), &means[unit]));
        }
    } else {
        for (point, &unit) in unit_of.iter().enumerate() {
            take(unit, point, point as f64);
        }
    }
    best.into_iter().map(|(point, _)| point).collect()
}

/// The graph of neighbouring units.
fn graph_of_units(problem: &Problem, unit_of: &[usize], representatives: &[usize]) -> Result<Graph> {
    let neighbors = NEIGHBORS.min(representatives.len().saturating_sub(1)).max(1);
    match problem.input() {
        Input::Points(points) => {
            let edges = EdgeRule::Nearest { neighbors, one_sided: OneSided::Kept };
            neighbor_graph(&points.select(representatives), edges, EdgeWeight::SELF_TUNING)
        }
        Input::Kernel(kernel) => neighbor_graph_of_affinities(kernel, neighbors, OneSided::Kept),
        Input::Graph(graph) => {
            let edges = graph.each_edge().map(|(u, v, weight)| (unit_of[u], unit_of[v], weight));
            Graph::from_edges(representatives.len(), edges.filter(|(u, v, _)| u != v))
        }
    }
}

/// K of a graph.
fn covariance(graph: &Graph) -> Result<Array2<f64>> {
    let n = graph.len();
    let mut precision = Array2::<f64>::zeros((n, n));
    for (u, v, weight) in graph.each_edge().filter(|(u, v, _)| u != v) {
        precision[[u, v]] -= weight;
        precision[[v, u]] -= weight;
        precision[[u, u]] += weight;
        precision[[v, v]] += weight;
    }
    let mean = precision.diag().sum() / n as f64;
    let least = if mean > 0.0 { 1e-6 * mean } else { 1.0 };
    for unit in 0..n {
        let degree = precision[[unit, unit]].max(least);
        precision[[unit, unit]] = degree * (1.0 + ENDING);
    }
    let mut inverse = Cholesky::factor(precision.view())?.solve(Array2::eye(n).view());
    let scale = n as f64 / inverse.diag().sum();
    inverse.mapv_inplace(|value| value * scale);
    Ok(inverse)
}
