//! Two clusters are merged and another is split, where moves of single nodes no longer help.

use rayon::prelude::*;

use super::level::{Level, members};
use super::refine::{RefinedPartition, Until, refine};
use super::{agglomerate::agglomerate, partition::Partition, progress::RoundProgress};
use crate::Result;

/// Exchanges that are tried from one partition before the search ends.
const TRIALS: usize = 8;

/// An exchange is worth a trial where it costs at most this share of a mean cluster's S / W before the
/// refinement.
const SLACK: f64 = 0.1;

/// A cluster to split, and two others to merge.
#[derive(Debug, Clone, Copy)]
struct Exchange {
    split: usize,
    merged: [usize; 2],
    /// By how much the value changes, before anything is refined.
    gain: f64,
}

/// Improves a partition of a coarse level by exchanges, each followed by a refinement, as long as they
/// raise the value.
pub(super) fn exchange(
    level: &Level<'_>,
    mut best: RefinedPartition,
    until: Until,
    progress: &RoundProgress<'_>,
) -> Result<RefinedPartition> {
    loop {
        let halves = halves(level, &best.partition);
        let mut improved = None;
        for trial in exchanges(level, &best.partition, &halves) {
            let Some((_, leaving)) = &halves[trial.split] else {
                continue;
            };
            let labels = exchanged(level, &best.partition, leaving, trial);
            let partition = Partition::new(level, labels, best.partition.n_clusters());
            let refined = refine(level, partition, until, progress)?;
            if refined.partition.is_better(level, &best.partition, 0.0) {
                improved = Some(refined);
                break;
            }
        }
        match improved {
            Some(refined) => {
                best = refined.in_one_step_from(&best);
            }
            None => return Ok(best),
        }
    }
}

/// The best split of every cluster: its gain, and the nodes that leave.
fn halves(level: &Level<'_>, partition: &Partition) -> Vec<Option<(f64, Vec<u32>)>> {
    let k = partition.n_clusters();
    let members = members(&partition.labels, k);
    (0..k)
        .into_par_iter()
        .map(|cluster| {
            let nodes = members.row(cluster);
            if nodes.len() < 2 {
                return None;
            }
            let mut halves = agglomerate(level, nodes, 2);
            // A fixed node stays.
            let is_fixed = |&node: &u32| level.fixed[node as usize].is_some();
            let fixed = nodes.iter().position(is_fixed);
            if fixed.is_some_and(|at| halves[at] == 1) {
                for half in &mut halves {
                    *half = 1 - *half;
                }
            }
            let leaving = nodes.iter().zip(&halves).filter(|(_, half)| **half == 1);
            let leaving: Vec<u32> = leaving.map(|(&node, _)| node).collect();
            Some((partition.split_gain(level, cluster, &leaving), leaving))
        })
        .collect()
}

/// The most promising exchanges, the best first.
fn exchanges(
    level: &Level<'_>,
    partition: &Partition,
    halves: &[Option<(f64, Vec<u32>)>],
) -> Vec<Exchange> {
    let mut splits: Vec<(f64, usize)> = halves
        .iter()
        .enumerate()
        .filter_map(|(cluster, halves)| Some((halves.as_ref()?.0, cluster)))
        .collect();
    splits.sort_by(|left, right| right.0.total_cmp(&left.0));
    splits.truncate(TRIALS);
    let mut merges = partition.merge_gains(level);
    merges.sort_by(|left, right| right.0.total_cmp(&left.0));
    merges.truncate(3 * TRIALS);
    let slack = SLACK * partition.value().abs() / partition.n_clusters() as f64;
    let mut found = Vec::new();
    for &(split_gain, split) in &splits {
        for &(merge_gain, merged) in &merges {
            if !merged.contains(&split) && split_gain + merge_gain > -slack {
                found.push(Exchange { split, merged, gain: split_gain + merge_gain });
            }
        }
    }
    found.sort_by(|left, right| right.gain.total_cmp(&left.gain));
    found.truncate(TRIALS);
    found
}

/// The labels after an exchange.
fn exchanged(
    level: &Level<'_>,
    partition: &Partition,
    leaving: &[u32],
    exchange: Exchange,
) -> Vec<u32> {
    let [mut kept, mut freed] = exchange.merged.map(|cluster| cluster as u32);
    if level.fixed.contains(&Some(freed)) {
        (kept, freed) = (freed, kept);
    }
    let rename = |&label: &u32| if label == freed { kept } else { label };
    let mut labels: Vec<u32> = partition.labels.iter().map(rename).collect();
    for &node in leaving {
        labels[node as usize] = freed;
    }
    labels
}
