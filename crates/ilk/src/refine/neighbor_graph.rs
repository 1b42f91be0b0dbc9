//! The k nearest neighbours of every point, with their weights.

use crate::numerics::neighbors::{Neighbors, SelfNeighbor};
use crate::numerics::ragged::RaggedRows;
use crate::problem::aggregate::AggregatedConstraints;
use crate::problem::{Graph, Points};
use crate::similarity::neighbor_weights;

/// Where the neighbours of a point are found: among points, or along the edges of a graph.
#[derive(Debug, Clone, Copy)]
pub enum NeighborSpace<'a> {
    /// The nearest points.
    Points(&'a Points),
    /// The nodes that edges connect with it, by the weights of the edges.
    Graph(&'a Graph),
}

impl NeighborSpace<'_> {
    /// Number of points.
    pub(super) fn len(self) -> usize {
        match self {
            Self::Points(points) => points.len(),
            Self::Graph(graph) => graph.len(),
        }
    }
}

impl<'a> From<&'a Points> for NeighborSpace<'a> {
    fn from(points: &'a Points) -> Self {
        Self::Points(points)
    }
}

impl<'a> From<&'a Graph> for NeighborSpace<'a> {
    fn from(graph: &'a Graph) -> Self {
        Self::Graph(graph)
    }
}

/// A [`NeighborSpace`] that owns its points or its graph.
#[derive(Debug, Clone)]
pub(crate) enum RefinementSpace {
    Points(Points),
    Graph(Graph),
}

impl<'a> From<&'a RefinementSpace> for NeighborSpace<'a> {
    fn from(space: &'a RefinementSpace) -> Self {
        match space {
            RefinementSpace::Points(points) => Self::Points(points),
            RefinementSpace::Graph(graph) => Self::Graph(graph),
        }
    }
}

/// The neighbours of every point and their weights, and for every set the points whose neighbours it
/// holds.
pub(super) struct NeighborGraph {
    /// For each point its neighbours and their weights, which sum to 1.
    neighbors: RaggedRows<(usize, f64)>,
    /// For each point the weight of its neighbours in its own set.
    weight_within: Vec<f64>,
    /// For each set the distances of its points to their k-th neighbours, summed.
    radius: Vec<f64>,
    /// For each set the points outside it with neighbours in it, and the weight of those.
    incoming: Vec<Vec<(usize, f64)>>,
}

impl NeighborGraph {
    pub(super) fn new(space: NeighborSpace<'_>, sets: &AggregatedConstraints, k: usize) -> Self {
        match space {
            NeighborSpace::Points(points) => Self::of_points(points, sets, k),
            NeighborSpace::Graph(graph) => Self::of_edges(graph, sets),
        }
    }

    fn of_points(points: &Points, sets: &AggregatedConstraints, k: usize) -> Self {
        let table = Neighbors::new(points.view()).nearest_all(k, SelfNeighbor::Excluded);
        let mut radius = vec![0.0; sets.len()];
        let mut neighbors = Vec::with_capacity(table.len() * table.k());
        for point in 0..table.len() {
            let row = table.row(point);
            let farthest = row.last().map_or(0.0, |farthest| farthest.dist_sq);
            radius[sets.set_of(point)] += farthest.sqrt();
            let weighted = row.iter().zip(neighbor_weights(row));
            neighbors.extend(weighted.map(|(neighbor, weight)| (point, (neighbor.index, weight))));
        }
        Self::of_neighbors(&neighbors, sets, radius)
    }

    /// A node without edges has no neighbours: it keeps its label.
    fn of_edges(graph: &Graph, sets: &AggregatedConstraints) -> Self {
        let mut neighbors = Vec::new();
        for node in 0..graph.len() {
            let others = || graph.matrix().entries(node).filter(|&(other, _)| other != node);
            let total: f64 = others().map(|(_, weight)| weight).sum();
            if total > 0.0 {
                neighbors.extend(others().map(|(other, weight)| (node, (other, weight / total))));
            }
        }
        Self::of_neighbors(&neighbors, sets, vec![0.0; sets.len()])
    }

    /// From (point, (neighbour, weight)), by ascending points.
    fn of_neighbors(
        neighbors: &[(usize, (usize, f64))],
        sets: &AggregatedConstraints,
        radius: Vec<f64>,
    ) -> Self {
        let n = sets.n_points();
        let mut weight_within = vec![0.0; n];
        let mut incoming: Vec<Vec<(usize, f64)>> = vec![Vec::new(); sets.len()];
        for &(point, (neighbor, weight)) in neighbors {
            let set = sets.set_of(neighbor);
            if set == sets.set_of(point) {
                weight_within[point] += weight;
                continue;
            }
            match incoming[set].last_mut() {
                Some((last, total)) if *last == point => *total += weight,
                _ => incoming[set].push((point, weight)),
            }
        }
        Self {
            neighbors: RaggedRows::new(n, neighbors.iter().copied()),
            weight_within,
            radius,
            incoming,
        }
    }

    /// Number of points.
    pub(super) fn n(&self) -> usize {
        self.weight_within.len()
    }

    /// The neighbours of a point and their weights.
    pub(super) fn of(&self, point: usize) -> &[(usize, f64)] {
        self.neighbors.row(point)
    }

    /// The weight of a point's neighbours in its own set.
    pub(super) fn weight_within(&self, point: usize) -> f64 {
        self.weight_within[point]
    }

    /// The distances of a set's points to their k-th neighbours, summed: large where the data are
    /// sparse.
    pub(super) fn radius(&self, set: usize) -> f64 {
        self.radius[set]
    }

    /// The points outside a set that have neighbours in it, and the weight of those neighbours.
    pub(super) fn incoming(&self, set: usize) -> &[(usize, f64)] {
        &self.incoming[set]
    }
}
