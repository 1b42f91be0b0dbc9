//! Laplacian eigenmaps: coordinates of points by the Laplacian of their neighbourhood graph.

use serde::{Deserialize, Serialize};

use super::affinity::Affinity;
use super::laplacian::{Laplacian, LaplacianAxes};
use super::laplacian_map::{GraphSettings, LaplacianMap};
use crate::numerics::linalg::EXACT_TOLERANCE;
use crate::observe::{Event, Observer, report};
use crate::problem::Points;
use crate::similarity::bandwidth::rules::edge_width;
use crate::similarity::graph::{EdgeRule, OneSided};
use crate::{Error, Result};

crate::choice! {
    /// Which points have an edge between them.
    #[derive(Default)]
    pub enum GraphKind {
        /// Those of which one is among the nearest neighbours of the other.
        #[default]
        Knn = "knn",
        /// Those of which each is among the nearest neighbours of the other.
        MutualKnn = "mutual_knn",
        /// Those whose squared distance is at most epsilon (MSSC 2.6.1).
        Epsilon = "epsilon",
        /// All.
        Full = "full",
    }
}

impl GraphKind {
    /// The rule of a sparse graph; none for the full one.
    pub(super) fn edge_rule(self, neighbors: usize, radius: f64) -> Option<EdgeRule> {
        let one_sided = match self {
            Self::Knn => OneSided::Kept,
            Self::MutualKnn => OneSided::Dropped,
            Self::Epsilon => return Some(EdgeRule::Within(radius)),
            Self::Full => return None,
        };
        Some(EdgeRule::Nearest { neighbors, one_sided })
    }
}

crate::choice! {
    /// The weight of an edge.
    #[derive(Default)]
    pub enum Weighting {
        /// exp(-d²/(2σ²)).
        #[default]
        Heat = "heat",
        /// 1.
        Unit = "unit",
    }
}

/// Laplacian eigenmaps (Belkin and Niyogi 2003; MSSC 2.6): points with strong edges get coordinates
/// close together. Memory is that of the graph and a few vectors; O(n²) for the full graph.
///
/// ```
/// use ilk::embed::{LaplacianEigenmaps, GraphKind};
/// use ilk::observe::Silent;
/// use ilk::problem::Points;
///
/// let points = Points::from_rows(&[[0.0], [0.1], [0.2], [5.0], [5.1]].map(Vec::from))?;
/// let params = LaplacianEigenmaps { n_neighbors: 2, graph: GraphKind::MutualKnn, ..LaplacianEigenmaps::default() };
/// let map = params.fit(&points, &Silent)?;
/// // Two connected components.
/// assert_eq!(map.axes().n_connected_components(), 2);
/// assert_eq!(map.transform(&points)?, map.axes().eigenvectors());
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LaplacianEigenmaps {
    /// Number of coordinates.
    pub n_components: usize,
    /// Which Laplacian.
    pub laplacian: Laplacian,
    /// Which points have an edge.
    pub graph: GraphKind,
    /// Number of neighbours, for the graphs of nearest ones.
    pub n_neighbors: usize,
    /// The largest squared distance of an edge, for the graph of that name.
    pub epsilon: f64,
    /// The weight of an edge.
    pub weight: Weighting,
    /// σ. By default the median distance of a point to its 7th neighbour; where that is 0 because of
    /// copies, the width of [`Bandwidth::Auto`](crate::similarity::Bandwidth::Auto).
    pub sigma: Option<f64>,
    /// Whether the first eigenvector is left out where the graph is connected: of L and Lrw it is
    /// the same for all points, of Lsym √d.
    pub drop_first: bool,
    /// The residual to which eigenvectors are computed; see
    /// [`top_eigen_of`](crate::numerics::linalg::top_eigen_of).
    pub tolerance: f64,
}

impl Default for LaplacianEigenmaps {
    fn default() -> Self {
        Self {
            n_components: 2,
            laplacian: Laplacian::Sym,
            graph: GraphKind::Knn,
            n_neighbors: 10,
            epsilon: 1.0,
            weight: Weighting::Heat,
            sigma: None,
            drop_first: false,
            tolerance: EXACT_TOLERANCE,
        }
    }
}

impl LaplacianEigenmaps {
    /// Computes the coordinates of points.
    ///
    /// # Errors
    /// [`Error::BadParameter`], [`Error::TooLarge`] where the graph is, [`Error::Cancelled`], and
    /// those of [`LaplacianAxes::new`].
    pub fn fit(&self, points: &Points, observer: &dyn Observer) -> Result<LaplacianMap> {
        begin(observer)?;
        let settings = self.settings(points)?;
        let axes = match settings.sparse(points, observer)? {
            Some(graph) => self.axes((&graph).into(), observer)?,
            None => self.axes(settings.dense(points)?.view().into(), observer)?,
        };
        Ok(LaplacianMap::new(points.clone(), settings, axes))
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
        self.axes(affinity.into(), observer)
    }

    fn axes(&self, affinity: Affinity<'_>, observer: &dyn Observer) -> Result<LaplacianAxes> {
        let extra = usize::from(self.drop_first);
        let wanted = self.n_components.saturating_add(extra);
        let sought = (wanted, self.tolerance);
        let axes = LaplacianAxes::of_affinity(affinity, self.laplacian, false, sought, observer)?;
        let found = axes.eigenvalues().len();
        if self.drop_first && axes.n_connected_components() == 1 && found > 1 {
            return Ok(axes.part(1..found));
        }
        Ok(axes.part(0..self.n_components.min(found)))
    }

    fn settings(&self, points: &Points) -> Result<GraphSettings> {
        if self.graph == GraphKind::Epsilon && !(self.epsilon.is_finite() && self.epsilon > 0.0) {
            let expected = "it must be a finite number above 0";
            return Err(Error::bad_parameter("epsilon", self.epsilon, expected));
        }
        let sigma = match (self.weight, self.sigma) {
            (Weighting::Unit, _) => None,
            (Weighting::Heat, Some(sigma)) => Some(sigma),
            (Weighting::Heat, None) => Some(edge_width(points)?),
        };
        Ok(GraphSettings {
            graph: self.graph,
            neighbors: self.n_neighbors,
            radius: self.epsilon.sqrt(),
            sigma,
        })
    }
}

/// Reports the begin, and stops where the observer asks for it.
fn begin(observer: &dyn Observer) -> Result<()> {
    let event = Event::new("Laplacian eigenmaps", 1, 0, 1);
    report(observer, &event)
}
