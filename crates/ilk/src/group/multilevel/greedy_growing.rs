//! Greedy graph growing: clusters grow from a few nodes along the links.

use super::level::{Level, filter_map_nodes};
use super::{hash::hash3, progress::RoundProgress};
use crate::{Result, numerics::accumulator::SparseAccumulator};

/// Gives every node a cluster below `k`. `start` gives those of at least one node for each.
///
/// In a round every node without a cluster takes, of the clusters that it had links with before the round,
/// the one with the largest excess of links over what the cluster's mass W explains:
///
/// ```text
/// l_c - (Σ_b l_b) W_c / Σ_b W_b
/// ```
///
/// where l_c are its links with c. Clusters that hold a node it has a cannot-link with are taken only where
/// there is no other. Ties are broken at random. Nodes without a path to a start go to the lightest cluster.
pub(in crate::group) fn grow(
    level: &Level<'_>,
    start: &[Option<u32>],
    k: usize,
    seed: u64,
    progress: &RoundProgress<'_>,
) -> Result<Vec<u32>> {
    let n = level.len();
    let mut growth = GreedyGrowth { level, labels: start.to_vec(), masses: vec![0.0; k], seed };
    let mut front: Vec<u32> =
        (0..n as u32).filter(|&node| start[node as usize].is_some()).collect();
    for &node in &front {
        if let Some(cluster) = start[node as usize] {
            growth.masses[cluster as usize] += level.masses[node as usize];
        }
    }
    let mut is_candidate = vec![false; n];
    while !front.is_empty() {
        let joined = growth.choices(&growth.beside(&front, &mut is_candidate));
        for &(node, cluster) in &joined {
            growth.labels[node as usize] = Some(cluster);
            growth.masses[cluster as usize] += level.masses[node as usize];
        }
        progress.round("growing", n - joined.len(), n)?;
        front.clear();
        front.extend(joined.iter().map(|&(node, _)| node));
    }
    let GreedyGrowth { labels, mut masses, .. } = growth;
    let place = |(node, label): (usize, Option<u32>)| {
        label.unwrap_or_else(|| {
            let lightest = (1..k).fold(0, |a, b| if masses[b] < masses[a] { b } else { a });
            masses[lightest] += level.masses[node];
            lightest as u32
        })
    };
    Ok(labels.into_iter().enumerate().map(place).collect())
}

struct GreedyGrowth<'a> {
    level: &'a Level<'a>,
    labels: Vec<Option<u32>>,
    masses: Vec<f64>,
    seed: u64,
}

impl GreedyGrowth<'_> {
    /// The nodes without a cluster that have a link with one of these, ascending.
    fn beside(&self, front: &[u32], is_candidate: &mut [bool]) -> Vec<u32> {
        let mut candidates = Vec::new();
        for &node in front {
            for (other, _) in self.level.links(node as usize) {
                if self.labels[other].is_none() && !is_candidate[other] {
                    is_candidate[other] = true;
                    candidates.push(other as u32);
                }
            }
        }
        for &node in &candidates {
            is_candidate[node as usize] = false;
        }
        candidates.sort_unstable();
        candidates
    }

    /// The cluster that each of these nodes takes, if it takes one.
    fn choices(&self, candidates: &[u32]) -> Vec<(u32, u32)> {
        let total: f64 = self.masses.iter().sum();
        filter_map_nodes(candidates, self.masses.len(), |node, sums| {
            Some((node as u32, self.choice(node as u32, total, sums)?))
        })
    }

    fn choice(&self, node: u32, total: f64, sums: &mut SparseAccumulator) -> Option<u32> {
        let cannot_links = self.level.cannot_links.of(node as usize);
        let taken: Vec<u32> = cannot_links.iter().filter_map(|&other| self.labels[other]).collect();
        let mut best_without = |taken: &[u32]| {
            let mut all = 0.0;
            for (other, link) in self.level.links(node as usize) {
                if let Some(label) = self.labels[other] {
                    sums.add(label, link);
                    all += link;
                }
            }
            let tie_break = |cluster: u32| hash3(self.seed, u64::from(node), u64::from(cluster));
            let score = |cluster: u32, links: f64| {
                let may = links > 0.0 && !taken.contains(&cluster);
                may.then(|| links - all * self.masses[cluster as usize] / total)
            };
            sums.take_best(score, tie_break)
        };
        let best = best_without(&taken);
        if best.is_none() && !taken.is_empty() {
            return best_without(&[]);
        }
        best
    }
}
