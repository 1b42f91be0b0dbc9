//! How sure a clustering is of every point.

use ndarray::Array2;

use crate::group::Label;

/// The probability of every cluster for every point.
#[derive(Debug, Clone, PartialEq)]
pub struct Confidence {
    /// One row a point, one column a cluster; a row adds up to 1.
    pub probabilities: Array2<f64>,
}

/// The probability of the cluster of every point, and the cluster that is the next likeliest.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PointConfidence {
    /// The probability of the point's own cluster.
    pub confidence: Vec<f64>,
    /// The likeliest of the other clusters; none where there is no other.
    pub runner_up: Vec<Label>,
}

impl PointConfidence {
    /// Adds points with these labels.
    pub(crate) fn extend(&mut self, confidence: &Confidence, labels: &[Label]) {
        self.confidence.extend(confidence.of(labels));
        self.runner_up.extend(confidence.runner_up(labels));
    }
}

/// How votes become probabilities.
///
/// Of votes v of a point on k clusters the probability of cluster c is (1 - e) v_c^s / Σ v^s + e / k: the power s because
/// votes may be too timid or too bold, the common error e because members may all err alike, and then votes tell nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Calibration {
    pub(crate) sharpness: f64,
    pub(crate) common_error: f64,
}

/// The probability that a point is given of the cluster that constraints decided.
const DECIDED: f64 = 0.99;

impl Confidence {
    /// Votes, one row a point, as probabilities.
    pub(crate) fn of_votes(mut votes: Array2<f64>, calibration: Calibration) -> Self {
        let Calibration { sharpness, common_error } = calibration;
        let n_clusters = votes.ncols().max(1) as f64;
        for mut row in votes.rows_mut() {
            let largest = row.iter().copied().fold(0.0, f64::max);
            if largest > 0.0 {
                row.mapv_inplace(|vote| (vote.max(0.0) / largest).powf(sharpness));
                let total = row.sum();
                row.mapv_inplace(|vote| {
                    (1.0 - common_error) * vote / total + common_error / n_clusters
                });
            } else {
                row.fill(1.0 / n_clusters);
            }
        }
        Self { probabilities: votes }
    }

    /// The likeliest cluster of every point, the first of equal ones.
    pub fn labels(&self) -> Vec<Label> {
        self.probabilities.rows().into_iter().map(|row| largest_but(row.iter(), None)).collect()
    }

    /// The probability of the clusters that `labels` name; 0 for points of none.
    pub fn of(&self, labels: &[Label]) -> Vec<f64> {
        let rows = self.probabilities.rows();
        let of_point = |(row, label): (ndarray::ArrayView1<'_, f64>, &Label)| {
            label.and_then(|cluster| row.get(cluster).copied()).unwrap_or(0.0)
        };
        rows.into_iter().zip(labels).map(of_point).collect()
    }

    /// The likeliest cluster other than the one that `labels` name; none where there is no other.
    pub fn runner_up(&self, labels: &[Label]) -> Vec<Label> {
        let rows = self.probabilities.rows();
        rows.into_iter().zip(labels).map(|(row, &own)| largest_but(row.iter(), own)).collect()
    }

    /// Makes `cluster` the likeliest one of a point.
    pub(crate) fn assign(&mut self, point: usize, cluster: usize) {
        let mut row = self.probabilities.row_mut(point);
        let own = row[cluster];
        if own >= DECIDED {
            return;
        }
        let scale = (1.0 - DECIDED) / (1.0 - own);
        row.mapv_inplace(|probability| probability * scale);
        row[cluster] = DECIDED;
    }
}

fn largest_but<'a>(values: impl Iterator<Item = &'a f64>, excluded: Label) -> Label {
    let others = values.enumerate().filter(|(cluster, _)| Some(*cluster) != excluded);
    others
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
        .map(|(cluster, _)| cluster)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn votes_are_probabilities_with_a_winner_and_a_runner_up() {
        let votes = ndarray::array![[1.0, 3.0, 0.0], [0.0, 0.0, 0.0]];
        let calibration = Calibration { sharpness: 2.0, common_error: 0.3 };
        let mut confidence = Confidence::of_votes(votes, calibration);
        let expected = ndarray::array![[0.17, 0.73, 0.1], [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]];
        assert!((&confidence.probabilities - &expected).iter().all(|error| error.abs() < 1e-12));
        let labels = confidence.labels();
        assert_eq!(labels, [Some(1), Some(0)]);
        assert_eq!(confidence.runner_up(&labels), [Some(0), Some(1)]);
        confidence.assign(0, 2);
        assert_eq!(confidence.labels()[0], Some(2));
        assert!((confidence.probabilities.row(0).sum() - 1.0).abs() < 1e-12);
        assert_eq!(confidence.of(&[None, Some(1)])[0], 0.0);
    }
}
