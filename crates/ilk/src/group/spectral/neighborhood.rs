//! From points to the eigenvectors of the Laplacian of their graph, and new points after them.

use ndarray::{Array2, Axis};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::affinity::Affinity;
use super::laplacian::{Laplacian, LaplacianAxes};
use crate::numerics::linalg::EXACT;
use crate::numerics::neighbors::{Itself, Neighbor, Neighbors};
use crate::observe::{Event, Observer};
use crate::problem::{Graph, Points};
use crate::similarity::bandwidth::rules::kth_neighbor_median;
use crate::similarity::graph::{EdgeWeight, Edges, OneSided, of_points};
use crate::similarity::{Bandwidth, Gram, Kernel, Profile, check_size};
use crate::{Error, Result};

/// Which points have an edge between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Neighborhood {
    /// Those of which one is among the nearest of the other.
    #[default]
    Knn,
    /// Those that are both among the nearest of the other.
    MutualKnn,
    /// Those whose squared distance is at most epsilon (MSSC 2.6.1).
    Epsilon,
    /// All.
    Full,
}

impl Neighborhood {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["knn", "mutual_knn", "epsilon", "full"];
}

/// What an edge weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Weighting {
    /// exp(-d²/(2σ²)).
    #[default]
    Heat,
    /// 1.
    Unit,
}

impl Weighting {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["heat", "unit"];
}

/// The graph of points near each other, and how a new point joins it.
///
/// ```
/// use ilk::group::spectral::{LaplacianEigenmaps, Neighborhood};
/// use ilk::observe::Silent;
/// use ilk::problem::Points;
///
/// let points = Points::from_rows(&[[0.0], [0.1], [0.2], [5.0], [5.1]].map(Vec::from))?;
/// let params = LaplacianEigenmaps { n_neighbors: 2, graph: Neighborhood::MutualKnn, ..LaplacianEigenmaps::default() };
/// let map = params.fit(&points, &Silent)?;
/// // Two parts, of which no edge leads to the other.
/// assert_eq!(map.axes().n_parts(), 2);
/// assert_eq!(map.transform(&points)?, map.axes().eigenvectors());
/// # Ok::<(), ilk::Error>(())
/// ```
///
/// Laplacian eigenmaps (Belkin and Niyogi 2003; MSSC 2.6): points with strong edges get coordinates
/// close together. It takes the graph's memory and a few vectors, and O(n²) of it for the full graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LaplacianEigenmaps {
    /// How many coordinates.
    pub n_components: usize,
    /// Which Laplacian.
    pub laplacian: Laplacian,
    /// Which points have an edge.
    pub graph: Neighborhood,
    /// With how many neighbours, for the graphs of nearest ones.
    pub n_neighbors: usize,
    /// Up to which squared distance, for the graph of that name.
    pub epsilon: f64,
    /// What an edge weighs.
    pub weight: Weighting,
    /// σ. By default the median distance of a point to its 7th neighbour; where that is 0 because of
    /// copies, the width of [`Bandwidth::Auto`].
    pub sigma: Option<f64>,
    /// Whether the first eigenvector is left out where the graph is connected: of L and Lrw it is
    /// the same for all points, of Lsym √d.
    pub drop_first: bool,
    /// To what residual eigenvectors are found; see
    /// [`top_eigen_of`](crate::numerics::linalg::top_eigen_of).
    pub tolerance: f64,
}

impl Default for LaplacianEigenmaps {
    fn default() -> Self {
        Self {
            n_components: 2,
            laplacian: Laplacian::Sym,
            graph: Neighborhood::Knn,
            n_neighbors: 10,
            epsilon: 1.0,
            weight: Weighting::Heat,
            sigma: None,
            drop_first: false,
            tolerance: EXACT,
        }
    }
}

/// Points' coordinates from the Laplacian of their graph, and how new points get theirs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct LaplacianMap {
    points: Points,
    edges: NewEdges,
    axes: LaplacianAxes,
}

/// How a map is written to a file.
#[derive(Serialize, Deserialize)]
#[serde(rename = "LaplacianMap", deny_unknown_fields)]
struct Stored {
    dims: usize,
    coordinates: Vec<f64>,
    edges: NewEdges,
    axes: LaplacianAxes,
}

impl From<LaplacianMap> for Stored {
    fn from(map: LaplacianMap) -> Self {
        Self {
            dims: map.points.dims(),
            coordinates: map.points.as_slice().to_vec(),
            edges: map.edges,
            axes: map.axes,
        }
    }
}

impl TryFrom<Stored> for LaplacianMap {
    type Error = Error;

    fn try_from(stored: Stored) -> Result<Self> {
        let n = stored.axes.degrees().len();
        let points = Points::from_shape(n, stored.dims, stored.coordinates)?;
        Ok(Self {
            points,
            edges: stored.edges,
            axes: stored.axes,
        })
    }
}

/// How a new point is joined to the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct NewEdges {
    graph: Neighborhood,
    neighbors: usize,
    radius: f64,
    /// σ; none where edges weigh 1.
    sigma: Option<f64>,
}

impl LaplacianEigenmaps {
    /// Finds the coordinates of points.
    ///
    /// # Errors
    /// [`Error::BadParameter`], [`Error::TooLarge`] where the graph is, [`Error::Cancelled`], and
    /// those of [`LaplacianAxes::new`].
    pub fn fit(&self, points: &Points, observer: &dyn Observer) -> Result<LaplacianMap> {
        begin(observer)?;
        let edges = self.edges(points)?;
        let axes = match edges.graph {
            Neighborhood::Full => self.axes(edges.whole(points)?.view().into())?,
            _ => self.axes((&edges.sparse(points)?).into())?,
        };
        Ok(LaplacianMap {
            points: points.clone(),
            edges,
            axes,
        })
    }

    /// The axes of affinities that are given.
    ///
    /// # Errors
    /// [`Error::Cancelled`], and those of [`LaplacianAxes::new`].
    pub fn axes_of<'a>(
        &self,
        affinity: impl Into<Affinity<'a>>,
        observer: &dyn Observer,
    ) -> Result<LaplacianAxes> {
        begin(observer)?;
        self.axes(affinity.into())
    }

    fn axes(&self, affinity: Affinity<'_>) -> Result<LaplacianAxes> {
        let extra = usize::from(self.drop_first);
        let axes = LaplacianAxes::new(
            affinity,
            self.laplacian,
            self.n_components.saturating_add(extra),
            self.tolerance,
        )?;
        Ok(
            if self.drop_first && axes.n_parts() == 1 && axes.eigenvalues().len() > 1 {
                axes.without_first()
            } else {
                axes.truncated(self.n_components)
            },
        )
    }

    fn edges(&self, points: &Points) -> Result<NewEdges> {
        if self.graph == Neighborhood::Epsilon && !(self.epsilon.is_finite() && self.epsilon > 0.0)
        {
            return Err(Error::BadParameter {
                parameter: "epsilon",
                value: self.epsilon.to_string(),
                expected: "it must be a finite number above 0".to_owned(),
            });
        }
        let sigma = match (self.weight, self.sigma) {
            (Weighting::Unit, _) => None,
            (Weighting::Heat, Some(sigma)) => Some(sigma),
            (Weighting::Heat, None) => Some(width(points)?),
        };
        Ok(NewEdges {
            graph: self.graph,
            neighbors: self.n_neighbors,
            radius: self.epsilon.sqrt(),
            sigma,
        })
    }
}

/// Tells that the work begins, and whether it shall.
fn begin(observer: &dyn Observer) -> Result<()> {
    let event = Event::new("Laplacian eigenmaps", 1, 0, 1);
    if observer.event(&event).is_break() {
        return Err(Error::Cancelled { iterations: 1 });
    }
    Ok(())
}

/// The median distance to the 7th neighbour; where half of the points have so many copies, the width that
/// [`Bandwidth::Auto`] finds among points that differ; 1 where all points coincide.
fn width(points: &Points) -> Result<f64> {
    let mut width = kth_neighbor_median(points, 7.min(points.len() - 1), 0);
    if width == 0.0 {
        width = Bandwidth::Auto.resolve(points, 0)?.of(0);
    }
    Ok(if width > 0.0 { width } else { 1.0 })
}

impl NewEdges {
    fn weight(&self) -> EdgeWeight {
        self.sigma
            .map_or(EdgeWeight::Unit, |sigma| EdgeWeight::Gaussian { sigma })
    }

    fn sparse(&self, points: &Points) -> Result<Graph> {
        let nearest = |one_sided| Edges::Nearest {
            neighbors: self.neighbors,
            one_sided,
        };
        let edges = match self.graph {
            Neighborhood::Knn | Neighborhood::Full => nearest(OneSided::Kept),
            Neighborhood::MutualKnn => nearest(OneSided::Dropped),
            Neighborhood::Epsilon => Edges::Within(self.radius),
        };
        of_points(points, edges, self.weight())
    }

    fn whole(&self, points: &Points) -> Result<Array2<f64>> {
        let n = points.len();
        check_size(n, n)?;
        match self.sigma {
            None => Ok(Array2::ones((n, n))),
            Some(sigma) => Gram::new(&Kernel::gaussian(Bandwidth::Fixed(sigma)), points, 0)?.full(),
        }
    }

    fn strength(&self, dist_sq: f64) -> f64 {
        self.sigma
            .map_or(1.0, |sigma| Profile::Gaussian.weight(dist_sq, sigma, 0.0))
    }

    /// For mutual neighbours, the squared distance of every point to its last neighbour.
    fn reaches_sq(&self, index: &Neighbors) -> Vec<f64> {
        if self.graph != Neighborhood::MutualKnn {
            return Vec::new();
        }
        let table = index.nearest_all(self.neighbors, Itself::IsLeftOut);
        let last = |i: usize| table.row(i).last().map_or(0.0, |near| near.dist_sq);
        (0..index.len()).map(last).collect()
    }

    /// The points that a new one is joined to, of which `nearest` are the nearest, nearest first.
    fn of_new(
        &self,
        index: &Neighbors,
        reaches_sq: &[f64],
        query: &[f64],
        nearest: &[Neighbor],
    ) -> Vec<(usize, f64)> {
        let weighed = |near: &Neighbor| (near.index, self.strength(near.dist_sq));
        match self.graph {
            Neighborhood::Knn | Neighborhood::Full => nearest.iter().map(weighed).collect(),
            Neighborhood::MutualKnn => nearest
                .iter()
                .filter(|near| near.dist_sq <= reaches_sq[near.index])
                .map(weighed)
                .collect(),
            Neighborhood::Epsilon => index
                .within(query, self.radius)
                .iter()
                .map(weighed)
                .collect(),
        }
    }
}

impl LaplacianMap {
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

    /// The coordinates of points, one row each. A point that lies on one of the fit has its coordinates. A
    /// new one is joined to the graph as the others are (for the graph of nearest neighbours, to its
    /// own nearest), and has the coordinates that the equation of the eigenvectors gives it; see
    /// [`LaplacianAxes`]. One that has no edge has those of the nearest point.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn transform(&self, new: &Points) -> Result<Array2<f64>> {
        if new.dims() != self.points.dims() {
            return Err(Error::WrongDimensions {
                found: new.dims(),
                expected: self.points.dims(),
            });
        }
        let index = Neighbors::new(self.points.view());
        let k = match self.edges.graph {
            Neighborhood::Knn | Neighborhood::MutualKnn => self.edges.neighbors,
            Neighborhood::Epsilon => 1,
            Neighborhood::Full => self.points.len(),
        };
        let reaches_sq = self.edges.reaches_sq(&index);
        let vectors = self.axes.eigenvectors();
        let mut out = Array2::zeros((new.len(), vectors.ncols()));
        out.axis_iter_mut(Axis(0))
            .into_par_iter()
            .enumerate()
            .for_each_init(
                || vec![0.0; vectors.ncols()],
                |coordinates, (i, mut out)| {
                    let query = new.row(i);
                    let nearest = index.nearest(query, k);
                    let Some(first) = nearest.first() else { return };
                    let is_old = first.dist_sq == 0.0;
                    let extends = !is_old && {
                        let edges = self.edges.of_new(&index, &reaches_sq, query, &nearest);
                        self.axes.extend(edges.iter().copied(), coordinates)
                    };
                    if extends {
                        out.iter_mut()
                            .zip(coordinates)
                            .for_each(|(out, y)| *out = *y);
                    } else {
                        out.assign(&vectors.row(first.index));
                    }
                },
            );
        Ok(out)
    }
}
