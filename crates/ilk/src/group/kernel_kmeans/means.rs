//! The means of clusters, which place new points.

use ndarray::{Array2, ArrayView1, ArrayView2, Axis};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::kernel::score;
use crate::group::{Label, in_order_of_appearance, numbers_in};
use crate::numerics::distances::Panels;
use crate::{Error, Result};

/// What is kept of kernel k-means: a point belongs to the cluster with the nearest mean, the first
/// of equally near ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
        members: Vec<Member>,
        /// The clusters.
        clusters: Vec<Mean>,
    },
}

/// A point and what it counts for in the mean of its cluster.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Member {
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
    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        match self {
            Self::Features { centers } => centers.nrows(),
            Self::Kernel { clusters, .. } => clusters.len(),
        }
    }

    /// Number of columns that new rows must have: dimensions, or points of the fit.
    pub fn columns(&self) -> usize {
        match self {
            Self::Features { centers } => centers.ncols(),
            Self::Kernel { n, .. } => *n,
        }
    }

    /// Numbers the means in the order in which labels first name them, forgets those that no label
    /// names, and numbers the labels alike.
    pub(super) fn in_order_of(&mut self, labels: &mut [usize]) {
        let used = in_order_of_appearance(labels.iter().copied());
        let number = numbers_in(&used);
        for cluster in labels {
            *cluster = number[cluster];
        }
        match self {
            Self::Features { centers } => *centers = centers.select(Axis(0), &used),
            Self::Kernel {
                members, clusters, ..
            } => {
                members.retain_mut(|member| match number.get(&member.cluster) {
                    Some(&number) => {
                        member.cluster = number;
                        true
                    }
                    None => false,
                });
                *clusters = used.iter().map(|&c| clusters[c]).collect();
            }
        }
    }

    /// The clusters of new points, given by their features, or by their kernel values with all
    /// points of the fit: the nearest mean by
    /// |φ(x) - m_c|² = k(x, x) - 2 Σ_{i in c} w_i k(x, i) / W_c + |m_c|².
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn assign(&self, rows: ArrayView2<'_, f64>) -> Result<Vec<Label>> {
        if rows.ncols() != self.columns() {
            return Err(Error::WrongDimensions {
                found: rows.ncols(),
                expected: self.columns(),
            });
        }
        match self {
            Self::Features { centers } => {
                let rows = rows.as_standard_layout();
                let panels = Panels::new(centers.view());
                let nearest = panels.map_dist_sq(rows.as_slice().unwrap_or(&[]), |_, block| {
                    let each = block.chunks_exact(centers.nrows());
                    each.map(first_smallest).collect::<Vec<_>>()
                });
                Ok(nearest.concat())
            }
            Self::Kernel {
                members, clusters, ..
            } => Ok((0..rows.nrows())
                .into_par_iter()
                .map(|i| nearest(rows.row(i), members, clusters))
                .collect()),
        }
    }
}

/// The mean nearest to a point with these kernel values. Sums run over the points in order, as they
/// do in the fit, so that the points of the fit get the same bits.
fn nearest(values: ArrayView1<'_, f64>, members: &[Member], clusters: &[Mean]) -> Label {
    let mut sums = vec![0.0; clusters.len()];
    for member in members {
        if let (Some(sum), Some(value)) = (sums.get_mut(member.cluster), values.get(member.point)) {
            *sum += member.weight * value;
        }
    }
    for (sum, mean) in sums.iter_mut().zip(clusters) {
        *sum = score(*sum, mean.mass, mean.square);
    }
    first_smallest(&sums)
}

fn first_smallest(values: &[f64]) -> Label {
    let smaller = |best: usize, i: usize| if values[i] < values[best] { i } else { best };
    (!values.is_empty()).then(|| (0..values.len()).fold(0, smaller))
}
