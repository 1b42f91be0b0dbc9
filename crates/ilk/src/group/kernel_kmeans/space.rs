//! The space in which clusters have means, and the operations that the algorithm needs.

use std::ops::Range;

use ndarray::ArrayView2;

use super::means::Means;
use crate::group::{checks::check_positive_weights, seeding::WeightedPoints};
use crate::numerics::{distinct_rows::DistinctRows, sparse::Sparse};
use crate::{Error, Result};

/// The points that kernel k-means groups.
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

    /// Refuses empty arrays, kernel matrices that are not square, and weights that do not fit.
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
        check_positive_weights(weights, rows)
    }
}

/// Finds equal rows of features, or of a kernel matrix, whose columns are then equal too.
///
/// Points with equal kernel values are as good as one only where no squared distance from them is
/// negative. In a graph without loops, say, two neighbours of a third have equal rows, but may do
/// better in two clusters than in one.
///
/// Nodes of a graph each count by themselves: most have no loop, and then that would be so.
pub(super) fn distinct(space: Space<'_>) -> DistinctRows {
    match space {
        Space::Features(rows) => DistinctRows::new(rows),
        Space::Kernel(kernel) => DistinctRows::new_where(kernel, |i| {
            let own = kernel[[i, i]];
            let values = kernel.row(i).into_iter().zip(kernel.diag());
            values.into_iter().all(|(value, other)| {
                own + other - 2.0 * value >= -1e-12 * (own.abs() + other.abs())
            })
        }),
        Space::Graph(links) => DistinctRows::all_distinct(links.len()),
    }
}

/// Distinct points with weights, and means of some of them.
///
/// The squared distance of point i to the mean of c is `offset(i)` plus the score of i and c. Only
/// the score depends on the cluster, so it alone decides which mean is nearest; for a new point the
/// offset k(x, x) need not even be known.
pub(super) trait Geometry: WeightedPoints {
    /// The means of all clusters.
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

    /// The means of a partition of the distinct points, to be stored.
    fn keep(&self, means: Self::Means, labels: &[usize], distinct: &DistinctRows) -> Means;
}

/// The points of every cluster, ascending.
pub(super) fn members(labels: &[impl Copy + Into<Option<usize>>], k: usize) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); k];
    for (i, &label) in labels.iter().enumerate() {
        if let Some(cluster) = label.into() {
            members[cluster].push(i);
        }
    }
    members
}

/// A cluster after some points have moved.
pub(super) struct Changed {
    /// Its points, ascending.
    pub(super) members: Vec<usize>,
    /// The points that came and those that left.
    pub(super) came: Vec<usize>,
    pub(super) left: Vec<usize>,
}

impl Changed {
    /// Whether updating the mean is less work than computing it anew.
    pub(super) fn is_slight(&self) -> bool {
        self.came.len() + self.left.len() < self.members.len()
    }

    /// The points that came with their weights, then those that left with the negatives: in this
    /// order the mass never gets small.
    pub(super) fn signed(&self, weights: &[f64]) -> impl Iterator<Item = (usize, f64)> {
        let came = self.came.iter().map(|&i| (i, weights[i]));
        came.chain(self.left.iter().map(|&i| (i, -weights[i])))
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
    let members = members(after, k);
    let changes = members.into_iter().zip(came).zip(left);
    changes.map(|((members, came), left)| Changed { members, came, left }).collect()
}
