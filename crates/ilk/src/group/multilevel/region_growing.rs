//! Coarsening by region growing: parts of limited mass, which are the nodes of the next level.

use rayon::prelude::*;

use super::level::{Level, filter_map_nodes};
use super::{hash::hash3, progress::RoundProgress};
use crate::numerics::{accumulator::SparseAccumulator, rng::rng_stream};
use crate::{Result, group::relabel::number_densely};

/// No part may be heavier than this many times the mean part.
const HEAVIEST: f64 = 2.0;

/// Rounds in which nodes join a neighbouring part, at most. In a round every part grows by one link in
/// all directions, so few are needed.
const MAX_ROUNDS: usize = 12;

/// The part of a node that has none yet.
const NONE: u32 = u32::MAX;

/// Finds about `target` parts of a level. Returns the part of every node, and the number of parts.
///
/// Parts grow from random nodes. In a round every node without a part joins the one that it has the
/// strongest links with, among those that are not full. So a part is the neighbourhood of one node, few
/// links wide, even on a graph without triangles, whose links are all equal; repeated matching makes parts
/// of long paths there, whose ends have little in common. After refinement both find the same cuts on most
/// graphs, but matching makes a level for every halving and takes longer (docs/benchmarks.md). It is better
/// around nodes with very many links, whose parts are full at once. Nodes that are left alone because
/// the parts of their neighbours are full (the leaves of a star) are merged with others that have the same
/// strongest neighbour.
///
/// Nodes of different clusters `within`, nodes with a cannot-link and fixed nodes are never merged. All
/// choices of a round are made from the same state and applied in order, so that the result does not depend
/// on threads.
pub(super) fn parts(
    level: &Level<'_>,
    within: Option<&[u32]>,
    target: usize,
    seed: u64,
    progress: &RoundProgress<'_>,
) -> Result<(Vec<u32>, usize)> {
    let mut growth = RegionGrowth::new(level, within, target, seed);
    for round in 0..MAX_ROUNDS {
        let joined = growth.round(round as u64);
        progress.round("coarsening", level.len() - joined, level.len())?;
        if joined == 0 && !growth.start_between(round as u64) {
            break;
        }
    }
    growth.add_single_nodes();
    growth.merge_single_nodes();
    Ok(growth.numbered())
}

struct RegionGrowth<'a> {
    level: &'a Level<'a>,
    /// Clusters: nodes of different ones are not merged.
    within: Option<&'a [u32]>,
    part_of: Vec<u32>,
    masses: Vec<f64>,
    heaviest: f64,
    seed: u64,
}

impl<'a> RegionGrowth<'a> {
    fn new(level: &'a Level<'a>, within: Option<&'a [u32]>, target: usize, seed: u64) -> Self {
        let n = level.len();
        let mut growth = Self {
            level,
            within,
            part_of: vec![NONE; n],
            masses: Vec::new(),
            heaviest: HEAVIEST * level.masses.iter().sum::<f64>() / target as f64,
            seed,
        };
        let mut starts = rng_stream(seed, n as u64).sample(n, target);
        starts.sort_unstable();
        for node in starts {
            if level.fixed[node].is_none() {
                growth.start(node);
            }
        }
        growth
    }

    /// A new part.
    fn start(&mut self, node: usize) {
        self.part_of[node] = self.masses.len() as u32;
        self.masses.push(self.level.masses[node]);
    }

    fn cluster(&self, node: usize) -> Option<u32> {
        self.within.map(|within| within[node])
    }

    fn is_free(&self, node: usize) -> bool {
        self.part_of[node] == NONE && self.level.fixed[node].is_none()
    }

    /// Whether a part has room for a node, and no node that it has a cannot-link with.
    fn fits(&self, node: usize, part: usize) -> bool {
        let mut cannot_links = self.level.cannot_links.of(node).iter();
        self.masses[part] + self.level.masses[node] <= self.heaviest
            && cannot_links.all(|&other| self.part_of[other] != part as u32)
    }

    /// Nodes without a part join one. Returns how many did.
    fn round(&mut self, round: u64) -> usize {
        let mut joined = 0;
        for (node, part) in self.choices(round) {
            let part = part as usize;
            if self.fits(node, part) {
                self.part_of[node] = part as u32;
                self.masses[part] += self.level.masses[node];
                joined += 1;
            }
        }
        joined
    }

    /// The part that each node without one chooses.
    fn choices(&self, round: u64) -> Vec<(usize, u32)> {
        let choose = |node: usize, sums: &mut SparseAccumulator| {
            Some((node, self.choice(node, round, sums)?))
        };
        filter_map_nodes(&self.free_nodes(), self.masses.len(), choose)
    }

    fn free_nodes(&self) -> Vec<u32> {
        let nodes = 0..self.level.len() as u32;
        nodes.filter(|&node| self.is_free(node as usize)).collect()
    }

    /// The part that a node has the strongest links with, among those with room for it. Ties are broken at
    /// random, or all nodes would choose the same part.
    fn choice(&self, node: usize, round: u64, sums: &mut SparseAccumulator) -> Option<u32> {
        for (other, link) in self.level.links(node) {
            let part = self.part_of[other];
            if part != NONE && self.cluster(other) == self.cluster(node) {
                sums.add(part, link);
            }
        }
        let mass = self.level.masses[node];
        let tie_break = |part: u32| hash3(self.seed ^ round, node as u64, u64::from(part));
        let has_room = |part: u32| self.masses[part as usize] + mass <= self.heaviest;
        sums.take_best(|part, links| (links > 0.0 && has_room(part)).then_some(links), tie_break)
    }

    /// Starts new parts from nodes without one: those with a larger random number than all their
    /// neighbours without a part. Returns whether there were any.
    fn start_between(&mut self, round: u64) -> bool {
        let priority = |node: usize| (hash3(self.seed, round, node as u64), node);
        let is_first = |node: &u32| {
            let node = *node as usize;
            self.level
                .links(node)
                .filter(|&(other, _)| self.is_free(other))
                .all(|(other, _)| priority(other) < priority(node))
        };
        let starts: Vec<u32> = self.free_nodes().into_par_iter().filter(is_first).collect();
        for &node in &starts {
            self.start(node as usize);
        }
        !starts.is_empty()
    }

    /// Makes every node that is still without a part, and every fixed node, a part of its own.
    fn add_single_nodes(&mut self) {
        for node in 0..self.level.len() {
            if self.part_of[node] == NONE {
                self.start(node);
            }
        }
    }

    /// Merges parts of one node that have the same strongest neighbour, or none at all.
    fn merge_single_nodes(&mut self) {
        let n = self.level.len();
        let mut counts = vec![0_u32; self.masses.len()];
        for &part in &self.part_of {
            counts[part as usize] += 1;
        }
        let is_alone = |node: usize| {
            counts[self.part_of[node] as usize] == 1 && self.level.fixed[node].is_none()
        };
        let strongest = |node: usize| {
            let neighbor = self.level.strongest_neighbor(node);
            neighbor.map_or(NONE, |neighbor| neighbor as u32)
        };
        let mut alone: Vec<(Option<u32>, u32, u32)> = (0..n)
            .into_par_iter()
            .filter(|&node| is_alone(node))
            .map(|node| (self.cluster(node), strongest(node), node as u32))
            .collect();
        alone.sort_unstable();
        for beside in alone.chunk_by(|left, right| (left.0, left.1) == (right.0, right.1)) {
            // The part that is being filled.
            let mut open = self.part_of[beside[0].2 as usize];
            for &(_, _, node) in &beside[1..] {
                let node = node as usize;
                if self.fits(node, open as usize) {
                    let mass = self.level.masses[node];
                    self.masses[self.part_of[node] as usize] -= mass;
                    self.masses[open as usize] += mass;
                    self.part_of[node] = open;
                } else {
                    open = self.part_of[node];
                }
            }
        }
    }

    /// Parts numbered by their first nodes, those without nodes left out.
    fn numbered(self) -> (Vec<u32>, usize) {
        number_densely(self.part_of.into_iter(), self.masses.len())
    }
}
