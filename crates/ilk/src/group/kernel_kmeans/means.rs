//! The means of clusters, which place new points.

use ndarray::{Array2, ArrayView1, ArrayView2, Axis};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::kernel::score;
use crate::error::stored::{ensure, ensure_below, ensure_finite, ensure_positive};
use crate::group::{Label, Renumbering};
use crate::numerics::{distances::Panels, distinct_rows::DistinctRows, extrema::argmin, rows_of};
use crate::{Error, Result, error::check_dims, problem::Points};

/// What is kept of kernel k-means: a point belongs to the cluster with the nearest mean, the first
/// of equally near ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", try_from = "StoredMeans")]
pub enum Means {
    /// Means of features.
    Features {
        /// One row a cluster.
        centers: Array2<f64>,
    },
    /// Means known by the points of each cluster.
    Kernel {
        /// Number of points of the fit.
        n: usize,
        /// The points that count, ascending: of equal ones the first stands for all.
        members: Vec<ClusterMember>,
        /// The clusters.
        clusters: Vec<Mean>,
    },
}

/// The fields of [`Means`] as a file holds them, not yet checked.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredMeans {
    Features { centers: Array2<f64> },
    Kernel { n: usize, members: Vec<ClusterMember>, clusters: Vec<Mean> },
}

impl TryFrom<StoredMeans> for Means {
    type Error = Error;

    fn try_from(stored: StoredMeans) -> Result<Self> {
        match stored {
            StoredMeans::Features { centers } => {
                ensure(centers.ncols() > 0, || "its means have no dimensions".to_owned())?;
                ensure_finite("a coordinate of a mean", &centers)?;
                Ok(Self::Features { centers })
            }
            StoredMeans::Kernel { n, members, clusters } => {
                let points = members.iter().map(|member| member.point);
                ensure_below("a member of a cluster", points, n)?;
                let of = members.iter().map(|member| member.cluster);
                ensure_below("the cluster of a member", of, clusters.len())?;
                let weights = members.iter().map(|member| &member.weight);
                ensure_positive("the weight of a member", weights)?;
                ensure_finite("the mass of a cluster", clusters.iter().map(|c| &c.mass))?;
                // A cluster without edges has no mass, and no mean.
                let with_mass = clusters.iter().filter(|cluster| cluster.mass != 0.0);
                ensure_finite("the square of a mean", with_mass.map(|c| &c.square))?;
                Ok(Self::Kernel { n, members, clusters })
            }
        }
    }
}

/// A point and what it counts for in the mean of its cluster.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClusterMember {
    /// The point, as numbered in the fit.
    pub point: usize,
    /// Its cluster.
    pub cluster: usize,
    /// Its weight.
    pub weight: f64,
}

/// What is known of a mean m in the space of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    /// The weight of all its points.
    pub mass: f64,
    /// |m|².
    pub square: f64,
}

impl Means {
    /// Means of partitions whose clusters are known by their points.
    pub(super) fn by_members(
        weights: &[f64],
        masses: &[f64],
        squares: &[f64],
        labels: &[usize],
        distinct: &DistinctRows,
    ) -> Self {
        let points = distinct.first.iter().zip(labels).zip(weights);
        let members =
            points.map(|((&point, &cluster), &weight)| ClusterMember { point, cluster, weight });
        let clusters = masses.iter().zip(squares);
        Self::Kernel {
            n: distinct.distinct_row_of.len(),
            members: members.collect(),
            clusters: clusters.map(|(&mass, &square)| Mean { mass, square }).collect(),
        }
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        match self {
            Self::Features { centers } => centers.nrows(),
            Self::Kernel { clusters, .. } => clusters.len(),
        }
    }

    /// Number of columns that new rows must have: dimensions, or points of the fit.
    pub fn dims(&self) -> usize {
        match self {
            Self::Features { centers } => centers.ncols(),
            Self::Kernel { n, .. } => *n,
        }
    }

    /// Numbers the means in the order in which labels first name them, forgets those that no label
    /// names, and numbers the labels alike.
    pub(super) fn in_order_of(&mut self, labels: &mut [usize]) {
        let numbers = Renumbering::by_appearance(labels.iter().copied());
        let renumber = |cluster: &mut usize| match numbers.get(*cluster) {
            Some(number) => {
                *cluster = number;
                true
            }
            None => false,
        };
        for cluster in labels {
            renumber(cluster);
        }
        match self {
            Self::Features { centers } => *centers = centers.select(Axis(0), &numbers.order),
            Self::Kernel { members, clusters, .. } => {
                members.retain_mut(|member| renumber(&mut member.cluster));
                *clusters = numbers.order.iter().map(|&c| clusters[c]).collect();
            }
        }
    }

    /// As [`assign`](Self::assign).
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        self.assign(points.view())
    }

    /// The clusters of new points, given by their features, or by their kernel values with all
    /// points of the fit: the nearest mean by
    /// |φ(x) - m_c|² = k(x, x) - 2 Σ_{i in c} w_i k(x, i) / W_c + |m_c|².
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn assign(&self, rows: ArrayView2<'_, f64>) -> Result<Vec<Label>> {
        check_dims(rows.ncols(), self.dims())?;
        match self {
            Self::Features { centers } if centers.nrows() == 0 => Ok(vec![None; rows.nrows()]),
            Self::Features { centers } => {
                let rows = rows.as_standard_layout();
                // Laying out the means costs no more than comparing one point with them.
                let panels = Panels::new(centers.view());
                let nearest = panels.map_dist_sq(rows_of(&rows), |_, block| {
                    let each = block.chunks_exact(centers.nrows());
                    each.map(argmin).collect::<Vec<_>>()
                });
                Ok(nearest.concat())
            }
            Self::Kernel { members, clusters, .. } => Ok((0..rows.nrows())
                .into_par_iter()
                .map(|i| nearest(rows.row(i), members, clusters))
                .collect()),
        }
    }
}

/// The mean nearest to a point with these kernel values. Sums run over the points in order, as they
/// do in the fit, so that the points of the fit get the same bits.
fn nearest(values: ArrayView1<'_, f64>, members: &[ClusterMember], clusters: &[Mean]) -> Label {
    let mut sums = vec![0.0; clusters.len()];
    for member in members {
        if let (Some(sum), Some(value)) = (sums.get_mut(member.cluster), values.get(member.point)) {
            *sum += member.weight * value;
        }
    }
    for (sum, mean) in sums.iter_mut().zip(clusters) {
        *sum = score(*sum, mean.mass, mean.square);
    }
    argmin(&sums)
}
