//! What every cluster is.

use crate::Result;
use crate::group::Label;
use crate::problem::Points;

use super::cluster_sizes;
use super::distances::{ClusterDistances, RowDistances, cluster_distances};
use super::features::{FeatureDifference, FeatureStatistics};
use super::sample::Sample;

/// Typical rows of a cluster that are listed.
pub const MAX_TYPICAL: usize = 3;

/// What the clusters of a labelling are.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The clusters, by number.
    pub clusters: Vec<ClusterDescription>,
    /// Points in no cluster.
    pub n_noise: usize,
    /// The mean silhouette of the points that have a cluster; none where there is one cluster only. Clusters without a
    /// silhouette are left out.
    pub silhouette: Option<f64>,
    /// How many rows were compared with each other. Fewer than have a cluster: typical rows, silhouettes and nearest
    /// clusters are those of a sample.
    pub n_compared: usize,
}

/// What one cluster is.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterDescription {
    /// Its number.
    pub cluster: usize,
    /// How many points it has.
    pub size: usize,
    /// Up to [`MAX_TYPICAL`] rows with the smallest mean distance to the others of the cluster. The first is its medoid.
    pub typical: Vec<usize>,
    /// How it differs from all other rows, the largest difference first.
    pub features: Vec<FeatureDifference>,
    /// The mean silhouette of its points (Rousseeuw 1987), from -1 to 1: near 1 they are much nearer to each other than
    /// to any other cluster, near 0 between clusters.
    pub silhouette: Option<f64>,
    /// The mean distance between two of its points; none where it has only one.
    pub mean_distance: Option<f64>,
    /// The cluster next to it.
    pub nearest: Option<NearestCluster>,
}

/// The cluster next to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestCluster {
    /// Its number.
    pub cluster: usize,
    /// The mean distance between a point of the one and a point of the other, the smallest of all clusters.
    pub mean_distance: f64,
}

impl Explanation {
    /// Describes the clusters of `labels`, given the points in the coordinates in which they were grouped. `seed` draws
    /// the sample of rows that are compared, where there are many.
    ///
    /// # Errors
    /// [`Error::WrongLength`](crate::Error::WrongLength) for another number of labels than of points,
    /// [`Error::BadParameter`](crate::Error::BadParameter) for a cluster whose number is not below that of the points.
    pub fn new(points: &Points, labels: &[Label], seed: u64) -> Result<Self> {
        let sizes = cluster_sizes(points, labels)?;
        let means = FeatureStatistics::new(points, labels, sizes.len());
        let describe = |(cluster, &size): (usize, &usize)| ClusterDescription {
            cluster,
            size,
            typical: Vec::new(),
            features: means.differences(cluster, size, points.len()),
            silhouette: None,
            mean_distance: None,
            nearest: None,
        };
        let mut clusters: Vec<ClusterDescription> =
            sizes.iter().enumerate().map(describe).collect();
        let sample = Sample::new(labels, &sizes, seed);
        let distances = cluster_distances(points, &sample);
        for (segment, distances) in sample.segments.iter().zip(&distances) {
            clusters[segment.cluster].compare(&sample.rows[segment.range.clone()], distances);
        }
        Ok(Self {
            silhouette: overall(&clusters),
            clusters,
            n_noise: points.len() - sizes.iter().sum::<usize>(),
            n_compared: sample.rows.len(),
        })
    }
}

impl ClusterDescription {
    /// Adds what follows from the distances of its `rows`.
    fn compare(&mut self, rows: &[usize], distances: &ClusterDistances) {
        let within = |at: usize| distances.rows[at].within.unwrap_or(0.0);
        let mut order: Vec<usize> = (0..rows.len()).collect();
        // Ties, as between copies of a row, are broken by the number of the row.
        order.sort_by(|&a, &b| within(a).total_cmp(&within(b)));
        self.typical = order.iter().take(MAX_TYPICAL).map(|&at| rows[at]).collect();
        self.silhouette = mean(distances.rows.iter().map(RowDistances::silhouette));
        self.mean_distance = mean(distances.rows.iter().map(|row| row.within));
        self.nearest = distances
            .nearest
            .map(|(cluster, mean_distance)| NearestCluster { cluster, mean_distance });
    }
}

/// The mean of the values; none where one is missing.
fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.collect::<Option<_>>()?;
    let sum: f64 = values.iter().sum();
    (!values.is_empty()).then(|| sum / values.len() as f64)
}

/// The mean over the points of the clusters that have a silhouette.
fn overall(clusters: &[ClusterDescription]) -> Option<f64> {
    let (mut sum, mut n) = (0.0, 0);
    for cluster in clusters {
        if let Some(silhouette) = cluster.silhouette {
            sum += silhouette * cluster.size as f64;
            n += cluster.size;
        }
    }
    (n > 0).then(|| sum / n as f64)
}
