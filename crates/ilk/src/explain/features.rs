//! The features that set a cluster apart.

use crate::group::Label;
use crate::problem::Points;

/// How a cluster differs from all other rows in one feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureDifference {
    /// The feature, a column of the points.
    pub feature: usize,
    /// The mean of the cluster less the mean of all other rows, in standard deviations of all rows.
    pub difference: f64,
    /// The mean of the cluster.
    pub mean: f64,
    /// The mean of all other rows.
    pub mean_of_rest: f64,
}

/// Means of every feature, of all rows and of every cluster.
#[derive(Debug)]
pub(super) struct FeatureStatistics {
    /// The mean of all rows.
    pub(super) of_all: Vec<f64>,
    /// The standard deviation of all rows (over n, not n - 1).
    pub(super) deviations: Vec<f64>,
    /// The sum over the rows of a cluster of what they exceed the mean of all rows by, cluster by cluster.
    excess: Vec<f64>,
}

impl FeatureStatistics {
    /// Two passes over the points: sums are of deviations from the mean of all rows, so that an offset of the data
    /// does not cost digits.
    pub(super) fn new(points: &Points, labels: &[Label], n_clusters: usize) -> Self {
        let (n, d) = (points.len(), points.dims());
        let rows = || points.as_slice().chunks_exact(d);
        let origin = points.row(0);
        let mut of_all = vec![0.0; d];
        for row in rows() {
            for ((mean, value), origin) in of_all.iter_mut().zip(row).zip(origin) {
                *mean += (value - origin) / n as f64;
            }
        }
        of_all.iter_mut().zip(origin).for_each(|(mean, origin)| *mean += origin);
        let mut deviations = vec![0.0; d];
        let mut excess = vec![0.0; n_clusters * d];
        for (row, label) in rows().zip(labels) {
            let from_mean = row.iter().zip(&of_all).map(|(value, mean)| value - mean);
            for (square, x) in deviations.iter_mut().zip(from_mean.clone()) {
                *square += x * x;
            }
            if let Some(cluster) = *label {
                let excess = &mut excess[cluster * d..][..d];
                excess.iter_mut().zip(from_mean).for_each(|(sum, x)| *sum += x);
            }
        }
        for square in &mut deviations {
            *square = (*square / n as f64).sqrt();
        }
        Self { of_all, deviations, excess }
    }

    /// The mean of a feature over the `size` rows of a cluster.
    pub(super) fn of_cluster(&self, cluster: usize, size: usize, feature: usize) -> f64 {
        self.of_all[feature] + self.excess(cluster, feature) / size as f64
    }

    fn excess(&self, cluster: usize, feature: usize) -> f64 {
        self.excess[cluster * self.of_all.len() + feature]
    }

    /// How a cluster of `size` of all `n` rows differs from the others, the largest difference first; nothing where
    /// there are no others. A feature without a spread is left out, as is one that leaves the range of numbers.
    pub(super) fn differences(
        &self,
        cluster: usize,
        size: usize,
        n: usize,
    ) -> Vec<FeatureDifference> {
        if size == 0 || size == n {
            return Vec::new();
        }
        let of_feature = |feature: usize| {
            // What the rows of the cluster exceed the mean of all by, the others fall short of it by.
            let mean = self.excess(cluster, feature) / size as f64;
            let mean_of_rest = -self.excess(cluster, feature) / (n - size) as f64;
            FeatureDifference {
                feature,
                difference: (mean - mean_of_rest) / self.deviations[feature],
                mean: self.of_all[feature] + mean,
                mean_of_rest: self.of_all[feature] + mean_of_rest,
            }
        };
        let all = (0..self.of_all.len()).map(of_feature);
        let mut all: Vec<FeatureDifference> = all.filter(|it| it.difference.is_finite()).collect();
        all.sort_by(|a, b| b.difference.abs().total_cmp(&a.difference.abs()));
        all
    }
}
