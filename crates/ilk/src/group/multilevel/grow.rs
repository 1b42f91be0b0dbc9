//! Clusters that grow from a few nodes over the graph.

use rayon::prelude::*;

use super::level::Level;
use super::tally::{Tally, mixed};
use super::watch::Watch;
use crate::Result;

/// Nodes that one task asks.
const BLOCK: usize = 1024;

/// Rounds at most: on a path of a million nodes clusters would grow for as many.
const ROUNDS: usize = 64;

/// Gives every node a cluster below `k`, where `start` names those of at least one node each.
///
/// In a round every node without a cluster takes, of those that it has links with before the round, the one
/// with the most links beyond what its mass alone would explain:
///
/// ```text
/// l_c - (Σ_b l_b) W_c / Σ_b W_b
/// ```
///
/// Ties are settled by chance. Nodes that are not reached go to the lightest cluster.
pub(super) fn grow(
    level: &Level<'_>,
    start: &[Option<u32>],
    k: usize,
    seed: u64,
    watch: &Watch<'_>,
) -> Result<Vec<u32>> {
    let n = level.len();
    let mut labels = start.to_vec();
    let mut masses = vec![0.0; k];
    for (label, mass) in labels.iter().zip(level.masses.iter()) {
        if let Some(label) = label {
            masses[*label as usize] += mass;
        }
    }
    for _ in 0..ROUNDS {
        let total: f64 = masses.iter().sum();
        let choose = |node: usize, tally: &mut Tally| {
            let mut all = 0.0;
            for (other, link) in level.links(node) {
                if let Some(label) = labels[other] {
                    tally.add(label, link);
                    all += link;
                }
            }
            let chance = |cluster: u32| mixed(seed, node as u64, u64::from(cluster));
            let score = |cluster: u32, links: f64| {
                (links > 0.0).then_some(links - all * masses[cluster as usize] / total)
            };
            tally.take_best(score, chance)
        };
        let blocks: Vec<Vec<(usize, u32)>> = (0..n.div_ceil(BLOCK))
            .into_par_iter()
            .map_init(
                || Tally::new(k),
                |tally, block| {
                    let nodes = block * BLOCK..((block + 1) * BLOCK).min(n);
                    let waiting = nodes.filter(|&node| labels[node].is_none());
                    let chosen = |node| Some((node, choose(node, tally)?));
                    waiting.filter_map(chosen).collect()
                },
            )
            .collect();
        let mut joined = 0;
        for (node, cluster) in blocks.concat() {
            labels[node] = Some(cluster);
            masses[cluster as usize] += level.masses[node];
            joined += 1;
        }
        watch.round("growing", n - joined, n)?;
        if joined == 0 {
            break;
        }
    }
    let place = |(node, label): (usize, Option<u32>)| {
        label.unwrap_or_else(|| {
            let lightest = (1..k).fold(0, |a, b| if masses[b] < masses[a] { b } else { a });
            masses[lightest] += level.masses[node];
            lightest as u32
        })
    };
    Ok(labels.into_iter().enumerate().map(place).collect())
}
