//! The space in which clusters have means, and what the algorithm asks of it.

use std::ops::Range;

use ndarray::ArrayView2;

use crate::group::distinct::Distinct;
use crate::group::seeds::Spread;
use crate::numerics::sparse::Sparse;
use crate::{Error, Result};

/// Where the points are: what kernel k-means groups.
#[derive(Debug, Clone, Copy)]
pub enum Space<'a> {
    /// The kernel values between all points: symmetric, finite, not necessarily definite.
    Kernel(ArrayView2<'a, f64>),
    /// Features in rows, finite: the kernel is their dot product.
    Features(ArrayView2<'a, f64>),
    /// Links M between nodes, finite, few of them not 0: with weights α of the nodes the kernel is
    /// K_ij = M_ij / (α_i α_j).
    Graph(&'a Sparse),
}

impl Space<'_> {
    /// Number of points.
    #[allow(clippy::len_without_is_empty, reason = "an empty space is refused")]
    pub fn len(&self) -> usize {
        match self {
            Self::Kernel(rows) | Self::Features(rows) => rows.nrows(),
            Self::Graph(links) => links.len(),
        }
    }

    /// Refuses empty and misshapen arrays, and weights that do not fit.
    pub(super) fn check(&self, weights: Option<&[f64]>) -> Result<()> {
        let (rows, columns) = match self {
            Self::Kernel(rows) | Self::Features(rows) => rows.dim(),
            Self::Graph(links) => (links.len(), links.len()),
        };
        if rows == 0 || columns == 0 {
            return Err(Error::Empty { rows, columns });
        }
        if matches!(self, Self::Kernel(_)) && rows != columns {
            return Err(Error::NotSquare { rows, columns });
        }
        let Some(weights) = weights else {
            return Ok(());
        };
        if weights.len() != rows {
            return Err(Error::WrongLength {
                what: "the list of point weights",
                found: weights.len(),
                expected: rows,
            });
        }
        let bad = |weight: &f64| !(weight.is_finite() && *weight > 0.0);
        match weights.iter().position(bad) {
            Some(point) => Err(Error::BadPointWeight {
                point: point.to_string(),
                weight: weights[point],
            }),
            None => Ok(()),
        }
    }
}

/// Finds equal rows of features, or of a kernel matrix, whose columns are then equal too.
///
/// Points with equal kernel values are as good as one only where no squared distance from them is
/// negative. In a graph without loops, say, two neighbours of a third have equal rows, but may do
/// better in two clusters than in one.
///
/// Nodes of a graph each count by themselves: most have no loop, and then that would be so.
pub(super) fn distinct(space: Space<'_>) -> Distinct {
    match space {
        Space::Features(rows) => Distinct::new(rows, |_| true),
        Space::Kernel(kernel) => Distinct::new(kernel, |i| {
            let own = kernel[[i, i]];
            let values = kernel.row(i).into_iter().zip(kernel.diag());
            values.into_iter().all(|(value, other)| {
                own + other - 2.0 * value >= -1e-12 * (own.abs() + other.abs())
            })
        }),
        Space::Graph(links) => Distinct::none_equal(links.len()),
    }
}

/// Distinct points with weights, and means of some of them.
///
/// The squared distance of point i to the mean of c is `offset(i)` plus the score of i and c. Only
/// the score depends on the cluster, so it alone decides which mean is nearest; for a new point the
/// offset k(x, x) need not even be known.
pub(super) trait Geometry: Spread {
    /// What is known of all clusters.
    type Means: Clone + Send + Sync;

    /// The part of a point's squared distances to means that is the same for all of them.
    fn offset(&self, i: usize) -> f64;

    /// The means of clusters given by their members, each list ascending. An empty cluster's mean
    /// is infinitely far from everything.
    fn means(&self, members: &[Vec<usize>]) -> Self::Means;

    /// The means of the partition `after`, given those of the partition `before`.
    fn updated(&self, means: &Self::Means, before: &[usize], after: &[usize]) -> Self::Means;

    /// Point `i` moves from a cluster, in which it is not alone, to another.
    fn shift(&self, means: &mut Self::Means, i: usize, from: usize, to: usize);

    /// The masses of the clusters.
    fn masses<'a>(&self, means: &'a Self::Means) -> &'a [f64];

    /// The scores of a range of points, cluster by cluster.
    fn scores(&self, means: &Self::Means, points: Range<usize>, out: &mut [f64]);
}

/// The points of every cluster, ascending.
pub(super) fn members(
    labels: impl IntoIterator<Item = Option<usize>>,
    k: usize,
) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); k];
    for (i, label) in labels.into_iter().enumerate() {
        if let Some(cluster) = label {
            members[cluster].push(i);
        }
    }
    members
}

/// A cluster after some points have moved.
pub(super) struct Changed {
    /// Its points, ascending.
    pub(super) members: Vec<usize>,
    /// Those that came and those that left.
    pub(super) came: Vec<usize>,
    pub(super) left: Vec<usize>,
}

impl Changed {
    /// Whether it is less work to follow the changes than to begin anew.
    pub(super) fn is_slight(&self) -> bool {
        self.came.len() + self.left.len() < self.members.len()
    }
}

/// What becomes of the k clusters of one partition in the next.
pub(super) fn changes(before: &[usize], after: &[usize], k: usize) -> Vec<Changed> {
    let mut came = vec![Vec::new(); k];
    let mut left = vec![Vec::new(); k];
    for (i, (&from, &to)) in before.iter().zip(after).enumerate() {
        if from != to {
            left[from].push(i);
            came[to].push(i);
        }
    }
    let members = members(after.iter().map(|&c| Some(c)), k);
    let changes = members.into_iter().zip(came).zip(left);
    changes
        .map(|((members, came), left)| Changed {
            members,
            came,
            left,
        })
        .collect()
}
