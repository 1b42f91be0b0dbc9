//! Two clusters become one and another becomes two, where moves of single nodes have come to an end.

use rayon::prelude::*;

use super::agglomerate::agglomerate;
use super::level::{Level, members};
use super::partition::Partition;
use super::refine::{Refined, Until, refine, trace_step};
use super::watch::Watch;
use crate::Result;

/// Exchanges that are tried from one partition before it is left as it is.
const TRIALS: usize = 8;

/// An exchange is worth a trial where it costs at most this share of a mean cluster's S / W before the
/// refinement.
const SLACK: f64 = 0.1;

/// A cluster to split, and two others to join.
#[derive(Debug, Clone, Copy)]
struct Exchange {
    split: usize,
    joined: [usize; 2],
    /// By how much the value changes, before anything is refined.
    gain: f64,
}

/// Improves a partition of a coarse level by exchanges, each followed by a refinement, as long as they
/// raise the value.
pub(super) fn exchange(
    level: &Level<'_>,
    mut best: Refined,
    until: Until,
    watch: &Watch<'_>,
) -> Result<Refined> {
    loop {
        let halves = halves(level, &best.partition);
        let mut improved = None;
        for trial in exchanges(level, &best.partition, &halves) {
            let Some(split) = &halves[trial.split] else {
                continue;
            };
            let labels = exchanged(level, &best.partition, &split.leaving, trial);
            let partition = Partition::new(level, labels, best.partition.n_clusters());
            let refined = refine(level, partition, until, watch)?;
            if refined.partition.value() > best.partition.value() {
                improved = Some(refined);
                break;
            }
        }
        match improved {
            Some(refined) => {
                let both = refined.partition.labels.iter().zip(&best.partition.labels);
                let moved = both.filter(|(after, before)| after != before).count();
                best.trace.push(trace_step(&refined.partition, moved));
                best = Refined {
                    trace: best.trace,
                    ..refined
                };
            }
            None => return Ok(best),
        }
    }
}

/// The nodes that would leave a cluster when it is split, and what the split is worth.
struct Halves {
    leaving: Vec<u32>,
    gain: f64,
}

/// How every cluster would be split.
fn halves(level: &Level<'_>, partition: &Partition) -> Vec<Option<Halves>> {
    let k = partition.n_clusters();
    let (first, members) = members(&partition.labels, k);
    (0..k)
        .into_par_iter()
        .map(|cluster| {
            let nodes = &members[first[cluster]..first[cluster + 1]];
            if nodes.len() < 2 {
                return None;
            }
            let mut halves = agglomerate(level, nodes, 2);
            // A fixed node stays.
            let fixed = nodes
                .iter()
                .position(|&node| level.fixed[node as usize].is_some());
            if fixed.is_some_and(|at| halves[at] == 1) {
                for half in &mut halves {
                    *half = 1 - *half;
                }
            }
            let leaving = nodes.iter().zip(&halves).filter(|(_, half)| **half == 1);
            let leaving: Vec<u32> = leaving.map(|(&node, _)| node).collect();
            let gain = partition.split_gain(level, cluster, &leaving);
            Some(Halves { leaving, gain })
        })
        .collect()
}

/// The most promising exchanges, the best first.
fn exchanges(level: &Level<'_>, partition: &Partition, halves: &[Option<Halves>]) -> Vec<Exchange> {
    let mut splits: Vec<(f64, usize)> = halves
        .iter()
        .enumerate()
        .filter_map(|(cluster, halves)| Some((halves.as_ref()?.gain, cluster)))
        .collect();
    splits.sort_by(|left, right| right.0.total_cmp(&left.0));
    splits.truncate(TRIALS);
    let mut joins = partition.join_gains(level);
    joins.sort_by(|left, right| right.0.total_cmp(&left.0));
    joins.truncate(3 * TRIALS);
    let slack = SLACK * partition.value().abs() / partition.n_clusters() as f64;
    let mut found = Vec::new();
    for &(split_gain, split) in &splits {
        for &(join_gain, joined) in &joins {
            if !joined.contains(&split) && split_gain + join_gain > -slack {
                found.push(Exchange {
                    split,
                    joined,
                    gain: split_gain + join_gain,
                });
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
    let [mut kept, mut freed] = exchange.joined.map(|cluster| cluster as u32);
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
