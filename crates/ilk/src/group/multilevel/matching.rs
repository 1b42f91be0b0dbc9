//! Coarsening by heavy-edge matching: nodes are merged in pairs.

use super::{hash::hash3, level::Level, progress::RoundProgress};
use crate::{Result, group::relabel::number_densely, numerics::rng::rng_stream};

/// No pair may be heavier than this many times the mean part of the coarsest level.
const HEAVIEST: f64 = 2.0;

/// Where more than this share of the nodes is left unmatched, those with the same neighbour are matched.
const MANY: f64 = 0.1;

/// The partner of a node that has none.
const NONE: u32 = u32::MAX;

/// Matches nodes. Returns the part of every node, and the number of parts.
///
/// In random order every unmatched node is merged with the unmatched neighbour that has the largest
/// M_ij / α_i + M_ij / α_j. Where many are left because their neighbours are matched (around nodes with
/// very many links), nodes with the same strongest neighbour, two links away from each other, are merged.
///
/// Nodes of different clusters `within`, nodes with a cannot-link and fixed nodes are never merged. What a
/// node finds depends on those before it, so this runs on one thread.
pub(super) fn matched(
    level: &Level<'_>,
    within: Option<&[u32]>,
    coarsest: usize,
    seed: u64,
    progress: &RoundProgress<'_>,
) -> Result<(Vec<u32>, usize)> {
    let n = level.len();
    let mut matching = Matching {
        level,
        within,
        partner: vec![NONE; n],
        heaviest: HEAVIEST * level.masses.iter().sum::<f64>() / coarsest as f64,
    };
    let order = rng_stream(seed, n as u64).sample(n, n);
    let mut left = Vec::new();
    for node in order {
        if matching.is_free(node) {
            match matching.strongest(node, seed) {
                Some(other) => matching.join(node, other),
                None => left.push(node),
            }
        }
    }
    if left.len() as f64 > MANY * n as f64 {
        matching.match_by_common_neighbor(&left);
    }
    let (part_of, len) = matching.numbered();
    progress.round("coarsening", len, n)?;
    Ok((part_of, len))
}

struct Matching<'a> {
    level: &'a Level<'a>,
    /// Clusters: nodes of different ones are not merged.
    within: Option<&'a [u32]>,
    partner: Vec<u32>,
    heaviest: f64,
}

impl Matching<'_> {
    fn is_free(&self, node: usize) -> bool {
        self.partner[node] == NONE && self.level.fixed[node].is_none()
    }

    /// Whether a node may be merged with another.
    fn may_join(&self, node: usize, other: usize) -> bool {
        self.is_free(other)
            && self.level.masses[node] + self.level.masses[other] <= self.heaviest
            && self.within.is_none_or(|within| within[node] == within[other])
            && !self.level.cannot_links.of(node).contains(&other)
    }

    fn join(&mut self, node: usize, other: usize) {
        self.partner[node] = other as u32;
        self.partner[other] = node as u32;
    }

    /// The neighbour that a node is merged with. Ties are broken at random.
    fn strongest(&self, node: usize, seed: u64) -> Option<usize> {
        let masses = &self.level.masses;
        let mut best: Option<(f64, u64, usize)> = None;
        for (other, link) in self.level.links(node) {
            if link <= 0.0 || !self.may_join(node, other) {
                continue;
            }
            let strength = link / masses[node] + link / masses[other];
            let tie_break = hash3(seed, node as u64, other as u64);
            if best.is_none_or(|(most, by, _)| (strength, tie_break) > (most, by)) {
                best = Some((strength, tie_break, other));
            }
        }
        best.map(|(_, _, other)| other)
    }

    /// Matches nodes that have the same node as their strongest neighbour, or none at all.
    fn match_by_common_neighbor(&mut self, left: &[usize]) {
        let n = self.level.len();
        let mut waiting = vec![None; n + 1];
        for &node in left {
            let beside = self.level.strongest_neighbor(node).unwrap_or(n);
            match waiting[beside].take() {
                Some(other) if self.may_join(node, other) => self.join(node, other),
                _ => waiting[beside] = Some(node),
            }
        }
    }

    /// Pairs and single nodes numbered by their first nodes.
    fn numbered(self) -> (Vec<u32>, usize) {
        let first = (0..).zip(&self.partner).map(|(node, &partner)| partner.min(node));
        number_densely(first, self.partner.len())
    }
}
