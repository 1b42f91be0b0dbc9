//! New points in the coordinates of Laplacian eigenmaps.

use ndarray::{Array2, ArrayView1, Axis};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{laplacian::LaplacianAxes, laplacian_eigenmaps::GraphKind};
use crate::error::stored::{ensure_not_negative, ensure_positive};
use crate::error::{check_memory, matrix_bytes};
use crate::numerics::neighbors::{Neighbor, Neighbors, SelfNeighbor};
use crate::observe::Observer;
use crate::problem::{Graph, Points};
use crate::similarity::graph::{EdgeWeight, neighbor_graph_observed};
use crate::similarity::{Bandwidth, Gram, Kernel, Profile};
use crate::{Error, Result, error::check_dims, numerics::cached::Cached};

/// The coordinates of points by the Laplacian of their graph, and those of new points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "LaplacianMapFile", into = "LaplacianMapFile")]
pub struct LaplacianMap {
    points: Points,
    edges: GraphSettings,
    axes: LaplacianAxes,
    /// Built by the first transform; it follows from the points and the settings.
    index: Cached<NeighborIndex>,
}

/// The form of [`LaplacianMap`] in a file.
#[derive(Serialize, Deserialize)]
#[serde(rename = "LaplacianMap", deny_unknown_fields)]
struct LaplacianMapFile {
    dims: usize,
    coordinates: Vec<f64>,
    edges: GraphSettings,
    axes: LaplacianAxes,
}

impl From<LaplacianMap> for LaplacianMapFile {
    fn from(map: LaplacianMap) -> Self {
        Self {
            dims: map.points.dims(),
            coordinates: map.points.as_slice().to_vec(),
            edges: map.edges,
            axes: map.axes,
        }
    }
}

impl TryFrom<LaplacianMapFile> for LaplacianMap {
    type Error = Error;

    fn try_from(stored: LaplacianMapFile) -> Result<Self> {
        let n = stored.axes.degrees().len();
        let points = Points::from_shape(n, stored.dims, stored.coordinates)?;
        ensure_not_negative("the radius of a neighbourhood", [&stored.edges.radius])?;
        ensure_positive("the width of an edge weight", &stored.edges.sigma)?;
        Ok(Self::new(points, stored.edges, stored.axes))
    }
}

/// Which edges a graph has and what they weigh, for points of the fit and for new ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct GraphSettings {
    pub(super) graph: GraphKind,
    pub(super) neighbors: usize,
    pub(super) radius: f64,
    /// σ; none where edges weigh 1.
    pub(super) sigma: Option<f64>,
}

/// The points of the fit, arranged for the search of neighbours.
#[derive(Debug, Clone)]
struct NeighborIndex {
    neighbors: Neighbors,
    /// The points without copies, where there are copies.
    distinct: Option<Neighbors>,
    /// For mutual neighbours, the squared distance of every point to its last neighbour.
    last_dist_sq: Vec<f64>,
}

impl GraphSettings {
    /// The graph of points; none where it is the full one.
    pub(super) fn sparse(&self, points: &Points, observer: &dyn Observer) -> Result<Option<Graph>> {
        let weight = self.sigma.map_or(EdgeWeight::Unit, |sigma| EdgeWeight::Gaussian { sigma });
        let rule = self.graph.edge_rule(self.neighbors, self.radius);
        rule.map(|rule| neighbor_graph_observed(points, rule, weight, observer)).transpose()
    }

    /// The affinities of the full graph.
    pub(super) fn dense(&self, points: &Points) -> Result<Array2<f64>> {
        let n = points.len();
        // The affinities, the Laplacian and what its eigenvectors are computed in.
        let bytes = 3 * matrix_bytes(n, n);
        check_memory("the full graph", bytes, "take graph=knn, or a sample of the points")?;
        match self.sigma {
            None => Ok(Array2::ones((n, n))),
            Some(sigma) => Gram::new(&Kernel::gaussian(Bandwidth::Fixed(sigma)), points, 0)?.full(),
        }
    }

    fn weight(&self, dist_sq: f64) -> f64 {
        self.sigma.map_or(1.0, |sigma| Profile::Gaussian.weight(dist_sq, sigma, 0.0))
    }

    fn index(&self, points: &Points) -> NeighborIndex {
        let neighbors = Neighbors::new(points.view());
        let mut last_dist_sq = Vec::new();
        if self.graph == GraphKind::MutualKnn {
            let table = neighbors.nearest_all(self.neighbors, SelfNeighbor::Excluded);
            let last = |i: usize| table.row(i).last().map_or(0.0, |near| near.dist_sq);
            last_dist_sq = (0..points.len()).map(last).collect();
        }
        let first = points.distinct_rows().first;
        let is_any_copied = first.len() < points.len();
        let distinct = is_any_copied.then(|| Neighbors::new(points.select(&first).view()));
        NeighborIndex { neighbors, distinct, last_dist_sq }
    }

    /// How many nearest points the edges of a new one are chosen from, of `n`.
    fn candidates(&self, n: usize) -> usize {
        match self.graph {
            GraphKind::Knn | GraphKind::MutualKnn => self.neighbors,
            // The nearest alone, for a point without edges.
            GraphKind::Epsilon => 1,
            GraphKind::Full => n,
        }
    }

    /// The edges (point, weight) of a new point, given its nearest points in ascending order.
    fn edges(
        &self,
        index: &NeighborIndex,
        query: &[f64],
        nearest: &[Neighbor],
    ) -> Vec<(usize, f64)> {
        let edge = |near: &Neighbor| (near.index, self.weight(near.dist_sq));
        match self.graph {
            GraphKind::Knn | GraphKind::Full => nearest.iter().map(edge).collect(),
            GraphKind::MutualKnn => {
                let is_mutual = |near: &&Neighbor| near.dist_sq <= index.last_dist_sq[near.index];
                nearest.iter().filter(is_mutual).map(edge).collect()
            }
            GraphKind::Epsilon => {
                let within = index.neighbors.within(query, self.radius);
                within.iter().map(edge).collect()
            }
        }
    }
}

impl NeighborIndex {
    /// How much a new point has of the coordinates of its nearest one: 1 - d_1 / d_2 with the distances to the two nearest
    /// places that have points. It rises to 1 towards every point, and is 0 where another point becomes the nearest.
    fn share_of_nearest(&self, query: &[f64]) -> f64 {
        match self.distinct.as_ref().unwrap_or(&self.neighbors).nearest(query, 2).as_slice() {
            [first, second] => 1.0 - (first.dist_sq / second.dist_sq).sqrt(),
            _ => 1.0,
        }
    }
}

impl LaplacianMap {
    pub(super) fn new(points: Points, edges: GraphSettings, axes: LaplacianAxes) -> Self {
        Self { points, edges, axes, index: Cached::default() }
    }

    /// The eigenvectors, whose rows are the coordinates of the points.
    pub fn axes(&self) -> &LaplacianAxes {
        &self.axes
    }

    /// The σ that was used; none where edges weigh 1.
    pub fn sigma(&self) -> Option<f64> {
        self.edges.sigma
    }

    /// Number of columns that points must have.
    pub fn dims(&self) -> usize {
        self.points.dims()
    }

    /// The coordinates of points, one row each. A point that coincides with one of the fit has its
    /// coordinates. A new one gets edges as the others have them (in the graph of nearest neighbours,
    /// to its own nearest), and the coordinates y that the equation of the eigenvectors gives it; see
    /// [`LaplacianAxes`]. One without edges has the coordinates of the nearest point.
    ///
    /// A point of the fit has no edge to itself, and edges to all points that chose it, so that y beside it is not what
    /// it has. With d_1 and d_2 the distances to the two nearest points, y_1 the coordinates of the first, a new point has
    /// (1 - d_1 / d_2) y_1 + d_1 / d_2 y, which tends to y_1 at that point.
    pub fn transform(&self, new: &Points) -> Result<Array2<f64>> {
        check_dims(new.dims(), self.dims())?;
        let index = self.index.get(|| self.edges.index(&self.points));
        let candidates = self.edges.candidates(self.points.len());
        let vectors = self.axes.eigenvectors();
        let mut out = Array2::zeros((new.len(), vectors.ncols()));
        out.axis_iter_mut(Axis(0)).into_par_iter().enumerate().for_each_init(
            || vec![0.0; vectors.ncols()],
            |coordinates, (i, mut out)| {
                let query = new.row(i);
                let nearest = index.neighbors.nearest(query, candidates);
                let Some(first) = nearest.first() else { return };
                let is_new = first.dist_sq > 0.0;
                let has_edges = is_new && {
                    let edges = self.edges.edges(index, query, &nearest);
                    self.axes.extend(edges.iter().copied(), coordinates)
                };
                out.assign(&vectors.row(first.index));
                if has_edges {
                    let share = index.share_of_nearest(query);
                    out *= share;
                    out.scaled_add(1.0 - share, &ArrayView1::from(&*coordinates));
                }
            },
        );
        Ok(out)
    }
}
