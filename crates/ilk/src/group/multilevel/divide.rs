//! Clusters that are far heavier than the others are divided, and as many joined elsewhere.

use super::agglomerate::agglomerate;
use super::level::{Level, members};
use super::partition::Partition;
use crate::Result;

/// Clusters beyond this many times the mean mass are divided.
const OVERFULL: f64 = 1.5;

/// Labels below k in which every cluster that is far heavier than the mean is divided, by `search`, into
/// as many as its mass would fill; then those two by two are joined that lose least. None where no cluster
/// is so heavy.
///
/// Where most links go between clusters, one that is a little too large takes in doubtful nodes from
/// all others, and at last whole clusters. No move of single nodes brings those out again, and neither do
/// parts, as doubtful nodes have too few links with each other to become parts. Among the nodes of that one
/// cluster alone, what it took in whole stands out.
pub(super) fn divided(
    level: &Level<'_>,
    partition: &Partition,
    search: impl Fn(&Level<'_>, usize) -> Result<Vec<u32>>,
) -> Result<Option<Vec<u32>>> {
    let k = partition.n_clusters();
    let mean = partition.masses().iter().sum::<f64>() / k as f64;
    let is_overfull = |&mass: &f64| mass > OVERFULL * mean;
    if !partition.masses().iter().any(is_overfull) {
        return Ok(None);
    }
    let (first, members) = members(&partition.labels, k);
    let mut labels = partition.labels.clone();
    let mut n_clusters = k;
    for (cluster, &mass) in partition.masses().iter().enumerate() {
        let nodes = &members[first[cluster]..first[cluster + 1]];
        let pieces = ((mass / mean).round() as usize).min(nodes.len());
        if !is_overfull(&mass) || pieces < 2 {
            continue;
        }
        let found = search(&level.restricted(nodes), pieces)?;
        for (&node, &piece) in nodes.iter().zip(&found) {
            if piece > 0 {
                labels[node as usize] = n_clusters as u32 + piece - 1;
            }
        }
        n_clusters += pieces - 1;
    }
    if n_clusters == k {
        return Ok(None);
    }
    let clusters = level.contract(&labels, n_clusters);
    let all: Vec<u32> = (0..n_clusters as u32).collect();
    let joined = agglomerate(&clusters, &all, k);
    let joined = labels.iter().map(|&label| joined[label as usize]);
    Ok(Some(joined.collect()))
}
