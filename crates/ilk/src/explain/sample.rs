//! The rows between which distances are computed.

use std::ops::Range;

use crate::group::Label;
use crate::numerics::ragged::RaggedRows;
use crate::numerics::rng::rng_stream;

/// About as many rows are compared with each other; of fewer, all are, and everything is exact.
pub const SAMPLE_ROWS: usize = 10_000;
/// Rows that every cluster has in the sample, or all where it has fewer.
const MIN_ROWS: usize = 20;

/// The rows of a sample, cluster by cluster.
#[derive(Debug)]
pub(super) struct Sample {
    /// Rows that have a cluster: those of the first cluster, sorted, then those of the next.
    pub(super) rows: Vec<usize>,
    /// The clusters with rows in the sample, ascending.
    pub(super) segments: Vec<ClusterRows>,
}

/// The rows of one cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClusterRows {
    pub(super) cluster: usize,
    /// Positions in [`Sample::rows`].
    pub(super) range: Range<usize>,
}

impl Sample {
    /// All rows that have a cluster, or a stratified sample of them: of each cluster its share of [`SAMPLE_ROWS`], but
    /// at least [`MIN_ROWS`]. Once there are twice [`SAMPLE_ROWS`] rows, the clusters that are left, the smallest, have
    /// none.
    pub(super) fn new(labels: &[Label], sizes: &[usize], seed: u64) -> Self {
        let members = labels.iter().enumerate();
        let members = members.filter_map(|(row, label)| Some(((*label)?, row)));
        let members = RaggedRows::new(sizes.len(), members);
        let quotas = quotas(sizes);
        let mut sample = Self { rows: Vec::new(), segments: Vec::new() };
        for (cluster, &quota) in quotas.iter().enumerate().filter(|(_, quota)| **quota > 0) {
            let start = sample.rows.len();
            let members = members.row(cluster);
            if quota == members.len() {
                sample.rows.extend(members);
            } else {
                // A stream for each cluster: what is drawn from one does not depend on the others.
                let drawn = rng_stream(seed, cluster as u64).sorted_sample(members.len(), quota);
                sample.rows.extend(drawn.into_iter().map(|member| members[member]));
            }
            sample.segments.push(ClusterRows { cluster, range: start..sample.rows.len() });
        }
        sample
    }
}

/// How many rows of each cluster are in the sample.
fn quotas(sizes: &[usize]) -> Vec<usize> {
    let n: usize = sizes.iter().sum();
    if n <= SAMPLE_ROWS {
        return sizes.to_vec();
    }
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&cluster| std::cmp::Reverse(sizes[cluster]));
    let mut quotas = vec![0; sizes.len()];
    let mut drawn = 0;
    for cluster in order {
        if drawn >= 2 * SAMPLE_ROWS {
            break;
        }
        let share = (SAMPLE_ROWS as f64 * sizes[cluster] as f64 / n as f64).round() as usize;
        quotas[cluster] = share.max(MIN_ROWS).min(sizes[cluster]);
        drawn += quotas[cluster];
    }
    quotas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_everything_or_a_share_of_every_cluster() {
        let all = Sample::new(&[Some(1), None, Some(0), Some(1)], &[1, 2], 3);
        assert_eq!(all.rows, [2, 0, 3]);
        let segment = |cluster, range| ClusterRows { cluster, range };
        assert_eq!(all.segments, [segment(0, 0..1), segment(1, 1..3)]);
        let labels: Vec<Label> =
            (0..50_000).map(|row| Some(usize::from(row % 1_000 == 0))).collect();
        let sample = Sample::new(&labels, &[49_950, 50], 3);
        assert_eq!(sample.segments, [segment(0, 0..9_990), segment(1, 9_990..10_010)]);
        for segment in &sample.segments {
            let rows = &sample.rows[segment.range.clone()];
            assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(rows.iter().all(|&row| labels[row] == Some(segment.cluster)));
        }
    }

    #[test]
    fn half_a_million_clusters_do_not_make_the_sample_large() {
        let labels: Vec<Label> = (0..500_000).map(Some).collect();
        let sample = Sample::new(&labels, &vec![1; 500_000], 0);
        assert_eq!(sample.rows.len(), 2 * SAMPLE_ROWS);
    }
}
