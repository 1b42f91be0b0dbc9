//! Nodes that belong together become one, two by two: heavy-edge matching.

use super::level::Level;
use super::tally::mixed;
use super::watch::Watch;
use crate::Result;
use crate::numerics::rng::rng_stream;

/// No part may be heavier than this many times the mean part of the coarsest level.
const HEAVIEST: f64 = 2.0;

/// Where more than this share of the nodes is left alone, those beside the same node are matched.
const MANY: f64 = 0.1;

/// The partner of a node that has none.
const NONE: u32 = u32::MAX;

/// Matches nodes: the part of every node, and how many there are.
///
/// In random order every node that is still alone becomes one with that of its neighbours that is alone
/// too and has the largest M_ij / α_i + M_ij / α_j. Where many are left because their neighbours are taken
/// (around nodes with very many links), they become one with others that have the same strongest
/// neighbour, two links away.
///
/// `within` are clusters that no part reaches across; nodes that are to stay apart do, and fixed nodes stay
/// alone. What a node finds depends on those before it, so this runs on one thread.
pub(super) fn matched(
    level: &Level<'_>,
    within: Option<&[u32]>,
    coarsest: usize,
    seed: u64,
    watch: &Watch<'_>,
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
        if matching.is_alone(node) {
            match matching.strongest(node, seed) {
                Some(other) => matching.join(node, other),
                None => left.push(node),
            }
        }
    }
    if left.len() as f64 > MANY * n as f64 {
        matching.join_beside_the_same(&left);
    }
    let (part_of, len) = matching.numbered();
    watch.round("coarsening", len, n)?;
    Ok((part_of, len))
}

/// Pairs under way.
struct Matching<'a> {
    level: &'a Level<'a>,
    /// The clusters that pairs may not reach across.
    within: Option<&'a [u32]>,
    partner: Vec<u32>,
    heaviest: f64,
}

impl Matching<'_> {
    fn is_alone(&self, node: usize) -> bool {
        self.partner[node] == NONE && self.level.fixed[node].is_none()
    }

    /// Whether a node may become one with another.
    fn may_join(&self, node: usize, other: usize) -> bool {
        self.is_alone(other)
            && self.level.masses[node] + self.level.masses[other] <= self.heaviest
            && self
                .within
                .is_none_or(|within| within[node] == within[other])
            && self.level.apart.of(node).all(|apart| apart != other)
    }

    fn join(&mut self, node: usize, other: usize) {
        self.partner[node] = other as u32;
        self.partner[other] = node as u32;
    }

    /// The neighbour that a node becomes one with. Ties are settled by chance.
    fn strongest(&self, node: usize, seed: u64) -> Option<usize> {
        let masses = &self.level.masses;
        let mut best: Option<(f64, u64, usize)> = None;
        for (other, link) in self.level.links(node) {
            if link <= 0.0 || !self.may_join(node, other) {
                continue;
            }
            let strength = link / masses[node] + link / masses[other];
            let chance = mixed(seed, node as u64, other as u64);
            if best.is_none_or(|(most, by, _)| (strength, chance) > (most, by)) {
                best = Some((strength, chance, other));
            }
        }
        best.map(|(_, _, other)| other)
    }

    /// Matches nodes that have the same node as their strongest neighbour, or none at all.
    fn join_beside_the_same(&mut self, left: &[usize]) {
        let n = self.level.len();
        let mut waiting = vec![None; n + 1];
        for &node in left {
            let links = self.level.links(node).filter(|&(_, link)| link > 0.0);
            let strongest = links.reduce(|best, next| if next.1 > best.1 { next } else { best });
            let beside = strongest.map_or(n, |(other, _)| other);
            match waiting[beside].take() {
                Some(other) if self.may_join(node, other) => self.join(node, other),
                _ => waiting[beside] = Some(node),
            }
        }
    }

    /// Pairs and single nodes numbered by their first nodes.
    fn numbered(self) -> (Vec<u32>, usize) {
        let mut part_of = vec![NONE; self.partner.len()];
        let mut next = 0;
        for (node, &partner) in self.partner.iter().enumerate() {
            if part_of[node] == NONE {
                part_of[node] = next;
                if partner != NONE {
                    part_of[partner as usize] = next;
                }
                next += 1;
            }
        }
        (part_of, next as usize)
    }
}
