//! Clusters far heavier than the mean are split, and as many others merged.

use super::level::{Level, members};
use super::{agglomerate::agglomerate, partition::Partition};
use crate::Result;

/// Clusters beyond this many times the mean mass are split.
const OVERWEIGHT: f64 = 1.5;

/// Labels below k in which every cluster far heavier than the mean is split by `search` into as many as its
/// mass would fill; then clusters are merged by Ward's criterion until k are left. None where no cluster is
/// so heavy.
///
/// Where most links go between clusters, one that is a little too large attracts ambiguous nodes from all
/// others, and in the end whole clusters. Moves of single nodes do not undo that, and neither do moves of
/// parts, since ambiguous nodes have too few links with each other to form parts. A search among the nodes
/// of that cluster alone finds the clusters inside it.
pub(super) fn split_overweight(
    level: &Level<'_>,
    partition: &Partition,
    search: impl Fn(&Level<'_>, usize) -> Result<Vec<u32>>,
) -> Result<Option<Vec<u32>>> {
    let k = partition.n_clusters();
    let mean = partition.masses().iter().sum::<f64>() / k as f64;
    let is_overweight = |&mass: &f64| mass > OVERWEIGHT * mean;
    if !partition.masses().iter().any(is_overweight) {
        return Ok(None);
    }
    let members = members(&partition.labels, k);
    let mut labels = partition.labels.clone();
    let mut n_clusters = k;
    for (cluster, &mass) in partition.masses().iter().enumerate() {
        let nodes = members.row(cluster);
        let pieces = ((mass / mean).round() as usize).min(nodes.len());
        if !is_overweight(&mass) || pieces < 2 {
            continue;
        }
        let found = search(&level.restrict(nodes), pieces)?;
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
    let merged = agglomerate(&clusters, &all, k);
    let merged = labels.iter().map(|&label| merged[label as usize]);
    Ok(Some(merged.collect()))
}
