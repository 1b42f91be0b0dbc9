//! What is computed from the data once, before any question: the units of questions, and how far what is known of one
//! says something about another.

use ndarray::Array2;

use crate::Result;
use crate::error::{check_memory, matrix_bytes};
use crate::group::GroupingAlgorithm;
use crate::group::kmeans::KMeans;
use crate::numerics::distances::dist_sq;
use crate::numerics::linalg::Cholesky;
use crate::observe::{Observer, Silent};
use crate::problem::{Graph, Input, Points, Problem};
use crate::select::held_out::first_best;
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
pub(super) const NEIGHBORS: usize = 6;

/// The rate γ at which a walk over the graph of neighbours ends where it stands.
const ENDING: f64 = 0.02;

/// Matrices of all units that are held at once, at most.
const MATRICES: u128 = 8;

/// What to do where they are too large.
const POOLED: &str =
    "ask about points, which are pooled into super-instances, or about a part of the nodes";

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
    /// Coordinates of the representatives, in which distances between units are measured: those of the points, the rows
    /// of a kernel matrix, or the rows of K of a graph.
    pub(super) coordinates: Points,
    /// K.
    pub(super) covariance: Array2<f64>,
    /// How many points a unit says something about: Σ_z K_zi / K_ii.
    pub(super) influence: Vec<f64>,
    /// The unit that says most about the others.
    pub(super) center: usize,
    /// Whether units are super-instances, and not just equal points.
    pub(super) has_super_instances: bool,
}

/// Some of the units.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    pub(super) units: Vec<usize>,
    pub(super) medoid: usize,
    /// The number of points.
    pub(super) size: f64,
}

impl AskSpace {
    pub(super) fn new(problem: &Problem, seed: u64, observer: &dyn Observer) -> Result<Self> {
        let (unit_of, n_units, has_super_instances) = units(problem, seed, observer)?;
        let bytes = MATRICES * matrix_bytes(n_units, n_units);
        check_memory("the covariance of what is asked about", bytes, POOLED)?;
        let representatives = representatives(problem, &unit_of, n_units);
        let mut sizes = vec![0.0; n_units];
        for (point, &unit) in unit_of.iter().enumerate() {
            sizes[unit] += problem.weights().map_or(1.0, |weights| weights[point]);
        }
        let graph = graph_of_units(problem, &unit_of, &representatives)?;
        let covariance = covariance(&graph)?;
        let influence = influence(&covariance, &sizes);
        let center = first_best(influence.iter().copied());
        let coordinates = match problem.input() {
            Input::Points(points) => points.select(&representatives),
            Input::Kernel(kernel) => Points::new(kernel.view().to_owned())?,
            Input::Graph(_) => Points::new(covariance.clone())?,
        };
        Ok(Self {
            unit_of,
            representatives,
            sizes,
            coordinates,
            covariance,
            influence,
            center,
            has_super_instances,
        })
    }

    /// The same units with another covariance.
    pub(super) fn with_covariance(&self, covariance: Array2<f64>) -> Self {
        let influence = influence(&covariance, &self.sizes);
        Self { covariance, influence, ..self.clone() }
    }

    /// Number of units.
    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// The number of all points.
    pub(super) fn total(&self) -> f64 {
        self.sizes.iter().sum()
    }

    /// The squared distance between the representatives of two units.
    pub(super) fn dist_sq(&self, a: usize, b: usize) -> f64 {
        dist_sq(self.coordinates.row(a), self.coordinates.row(b))
    }

    /// The squared distance of a unit from the mean of units.
    pub(super) fn dist_sq_to_mean(&self, unit: usize, units: &[usize]) -> f64 {
        dist_sq(self.coordinates.row(unit), &self.mean(units))
    }

    /// The correlation of two units in the field, at least 0.
    pub(super) fn similarity(&self, a: usize, b: usize) -> f64 {
        let k = &self.covariance;
        (k[[a, b]] / (k[[a, a]] * k[[b, b]]).sqrt()).max(0.0)
    }

    /// The unit nearest to the mean of units.
    fn medoid(&self, units: &[usize]) -> usize {
        let mean = self.mean(units);
        let distances = units.iter().map(|&unit| -dist_sq(self.coordinates.row(unit), &mean));
        units[first_best(distances)]
    }

    fn mean(&self, units: &[usize]) -> Vec<f64> {
        let mut mean = vec![0.0; self.coordinates.dims()];
        for &unit in units {
            for (sum, value) in mean.iter_mut().zip(self.coordinates.row(unit)) {
                *sum += value / units.len() as f64;
            }
        }
        mean
    }

    /// Units split into at most `parts` by k-means.
    pub(super) fn split(&self, units: &[usize], parts: usize, seed: u64) -> Result<Vec<Part>> {
        let n_clusters = parts.min(units.len()).into();
        let kmeans = KMeans { n_clusters, n_init: 3, seed, ..KMeans::default() };
        let rows = self.coordinates.select(units);
        let (grouping, _) = kmeans.group(rows.view(), &Silent)?;
        let mut split = vec![Vec::new(); grouping.n_clusters];
        for (&unit, label) in units.iter().zip(&grouping.labels) {
            split[label.unwrap_or(0)].push(unit);
        }
        Ok(split.into_iter().map(|units| self.part(units)).collect())
    }

    /// Units with their medoid and the number of their points.
    pub(super) fn part(&self, units: Vec<usize>) -> Part {
        let size = units.iter().map(|&unit| self.sizes[unit]).sum();
        Part { medoid: self.medoid(&units), size, units }
    }
}

/// How many points every unit says something about.
fn influence(covariance: &Array2<f64>, sizes: &[f64]) -> Vec<f64> {
    let rows = covariance.rows().into_iter().enumerate();
    let of_row = |(unit, row): (usize, ndarray::ArrayView1<'_, f64>)| {
        row.iter().zip(sizes).map(|(k, size)| k * size).sum::<f64>() / row[unit]
    };
    rows.map(of_row).collect()
}

/// The unit of every point, how many there are, and whether they are super-instances.
fn units(
    problem: &Problem,
    seed: u64,
    observer: &dyn Observer,
) -> Result<(Vec<usize>, usize, bool)> {
    let n = problem.len();
    match problem.input() {
        Input::Points(points) => {
            let distinct = points.distinct_rows();
            if distinct.len() <= MAX_UNITS {
                return Ok((distinct.distinct_row_of.clone(), distinct.len(), false));
            }
            let kmeans = KMeans {
                n_clusters: SUPER_INSTANCES.into(),
                n_init: 1,
                max_iter: STEPS,
                seed,
                ..KMeans::default()
            };
            let (grouping, _) = kmeans.group(points.view(), observer)?;
            let unit_of = grouping.labels.iter().map(|label| label.unwrap_or(0)).collect();
            Ok((unit_of, grouping.n_clusters, true))
        }
        _ => Ok(((0..n).collect(), n, false)),
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
            for value in mean {
                *value /= count;
            }
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
fn graph_of_units(
    problem: &Problem,
    unit_of: &[usize],
    representatives: &[usize],
) -> Result<Graph> {
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
pub(super) fn covariance(graph: &Graph) -> Result<Array2<f64>> {
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
