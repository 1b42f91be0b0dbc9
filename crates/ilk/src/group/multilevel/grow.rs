//! Clusters that grow from a few nodes over the graph.

use rayon::prelude::*;

use super::level::Level;
use super::tally::{Tally, mixed};
use super::watch::Watch;
use crate::Result;

/// Nodes that one task asks.
const BLOCK: usize = 1024;

/// Gives every node a cluster below `k`, where `start` names those of at least one node each.
///
/// In a round every node without a cluster takes, of those that it has links with before the round, the one
/// with the most links beyond what its mass alone would explain:
///
/// ```text
/// l_c - (Σ_b l_b) W_c / Σ_b W_b
/// ```
///
/// among those without a node that must be apart from it, if there is one. Ties are settled by chance.
/// Nodes that are not reached go to the lightest cluster.
pub(in crate::group) fn grow(
    level: &Level<'_>,
    start: &[Option<u32>],
    k: usize,
    seed: u64,
    watch: &Watch<'_>,
) -> Result<Vec<u32>> {
    let n = level.len();
    let mut growth = Growth {
        level,
        labels: start.to_vec(),
        masses: vec![0.0; k],
        seed,
    };
    let mut front: Vec<u32> = (0..n as u32)
        .filter(|&node| start[node as usize].is_some())
        .collect();
    for &node in &front {
        if let Some(cluster) = start[node as usize] {
            growth.masses[cluster as usize] += level.masses[node as usize];
        }
    }
    let mut is_listed = vec![false; n];
    while !front.is_empty() {
        let joined = growth.choices(&growth.beside(&front, &mut is_listed));
        for &(node, cluster) in &joined {
            growth.labels[node as usize] = Some(cluster);
            growth.masses[cluster as usize] += level.masses[node as usize];
        }
        watch.round("growing", n - joined.len(), n)?;
        front.clear();
        front.extend(joined.iter().map(|&(node, _)| node));
    }
    let Growth {
        labels, mut masses, ..
    } = growth;
    let place = |(node, label): (usize, Option<u32>)| {
        label.unwrap_or_else(|| {
            let lightest = (1..k).fold(0, |a, b| if masses[b] < masses[a] { b } else { a });
            masses[lightest] += level.masses[node];
            lightest as u32
        })
    };
    Ok(labels.into_iter().enumerate().map(place).collect())
}

/// Clusters under way.
struct Growth<'a> {
    level: &'a Level<'a>,
    labels: Vec<Option<u32>>,
    masses: Vec<f64>,
    seed: u64,
}

impl Growth<'_> {
    /// The nodes without a cluster that have a link with one of these, ascending.
    fn beside(&self, front: &[u32], is_listed: &mut [bool]) -> Vec<u32> {
        let mut waiting = Vec::new();
        for &node in front {
            for (other, _) in self.level.links(node as usize) {
                if self.labels[other].is_none() && !is_listed[other] {
                    is_listed[other] = true;
                    waiting.push(other as u32);
                }
            }
        }
        for &node in &waiting {
            is_listed[node as usize] = false;
        }
        waiting.sort_unstable();
        waiting
    }

    /// Which of these nodes take which cluster.
    fn choices(&self, waiting: &[u32]) -> Vec<(u32, u32)> {
        let total: f64 = self.masses.iter().sum();
        let blocks: Vec<Vec<(u32, u32)>> = waiting
            .par_chunks(BLOCK)
            .map_init(
                || Tally::new(self.masses.len()),
                |tally, block| {
                    let choose = |&node: &u32| Some((node, self.choice(node, total, tally)?));
                    block.iter().filter_map(choose).collect()
                },
            )
            .collect();
        blocks.concat()
    }

    fn choice(&self, node: u32, total: f64, tally: &mut Tally) -> Option<u32> {
        let apart = self.level.apart.of(node as usize);
        let taken: Vec<u32> = apart.filter_map(|other| self.labels[other]).collect();
        let mut best_without = |taken: &[u32]| {
            let mut all = 0.0;
            for (other, link) in self.level.links(node as usize) {
                if let Some(label) = self.labels[other] {
                    tally.add(label, link);
                    all += link;
                }
            }
            let chance = |cluster: u32| mixed(self.seed, u64::from(node), u64::from(cluster));
            let score = |cluster: u32, links: f64| {
                let may = links > 0.0 && !taken.contains(&cluster);
                may.then(|| links - all * self.masses[cluster as usize] / total)
            };
            tally.take_best(score, chance)
        };
        let best = best_without(&taken);
        if best.is_none() && !taken.is_empty() {
            return best_without(&[]);
        }
        best
    }
}
