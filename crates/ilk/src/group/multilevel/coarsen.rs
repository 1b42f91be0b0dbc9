//! Nodes that belong together become one: the parts of a level that are the nodes of the next.

use rayon::prelude::*;

use super::level::Level;
use super::tally::{Tally, mixed};
use super::watch::Watch;
use crate::Result;
use crate::numerics::rng::rng_stream;

/// Nodes that one task asks.
const BLOCK: usize = 1024;

/// No part may be heavier than this many times the mean part.
const HEAVIEST: f64 = 2.0;

/// Rounds in which nodes join a part beside them, at most. In a round every part grows by one link in
/// all directions, so few are needed.
const JOINING: usize = 12;

/// The part of a node that has none yet.
const NONE: u32 = u32::MAX;

/// Finds about `target` parts of a level: the part of every node, and how many there are.
///
/// Parts grow from nodes drawn at random. In a round every node that has no part yet chooses the one that
/// it has the strongest links with, among those with room. On a graph without triangles, where links of
/// the same strength are all that there is to see, a part so becomes the vicinity of one node, few links
/// wide; matching pairs over and over makes parts of long paths, whose ends have little to do with each
/// other. Refinement makes up for that: on planted graphs and on neighbours of points both end at the same cuts,
/// but matching, one pair at a time and with a level for every halving, takes two to five times as long (see
/// the page of benchmarks). It is better around nodes with very many links, whose parts are full at once.
/// What is left alone because its neighbours are full (the leaves of a star) joins others that are left
/// by the same neighbour.
///
/// `within` are clusters that no part reaches across. Nodes that are to stay apart do, and fixed nodes
/// stay alone. All choices of a round are made from the same state and carried out in order, so that
/// threads have no say in them.
pub(super) fn parts(
    level: &Level<'_>,
    within: Option<&[u32]>,
    target: usize,
    seed: u64,
    watch: &Watch<'_>,
) -> Result<(Vec<u32>, usize)> {
    let mut growth = Growth::new(level, within, target, seed);
    for round in 0..JOINING {
        let joined = growth.round(round as u64);
        watch.round("coarsening", level.len() - joined, level.len())?;
        if joined == 0 && !growth.start_between(round as u64) {
            break;
        }
    }
    growth.close();
    growth.bundle();
    Ok(growth.numbered())
}

/// Parts under way.
struct Growth<'a> {
    level: &'a Level<'a>,
    /// The clusters that parts may not reach across.
    within: Option<&'a [u32]>,
    part_of: Vec<u32>,
    masses: Vec<f64>,
    heaviest: f64,
    seed: u64,
}

impl<'a> Growth<'a> {
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

    fn is_waiting(&self, node: usize) -> bool {
        self.part_of[node] == NONE && self.level.fixed[node].is_none()
    }

    /// Nodes without a part join one. How many did.
    fn round(&mut self, round: u64) -> usize {
        let mut joined = 0;
        for (node, part) in self.choices(round) {
            let (node, part) = (node as usize, part as usize);
            let mass = self.level.masses[node];
            let parts = &self.part_of;
            let mut apart = self.level.apart.of(node);
            if self.masses[part] + mass > self.heaviest
                || apart.any(|other| parts[other] == part as u32)
            {
                continue;
            }
            self.part_of[node] = part as u32;
            self.masses[part] += mass;
            joined += 1;
        }
        joined
    }

    /// Who wants to go where.
    fn choices(&self, round: u64) -> Vec<(u32, u32)> {
        let n = self.level.len();
        let blocks: Vec<Vec<(u32, u32)>> = (0..n.div_ceil(BLOCK))
            .into_par_iter()
            .map_init(
                || Tally::new(self.masses.len()),
                |tally, block| {
                    let nodes = block * BLOCK..((block + 1) * BLOCK).min(n);
                    let choose = |node| Some((node as u32, self.choice(node, round, tally)?));
                    nodes
                        .filter(|&node| self.is_waiting(node))
                        .filter_map(choose)
                        .collect()
                },
            )
            .collect();
        blocks.concat()
    }

    /// The part that a node has the strongest links with, among those with room for it. Ties are settled
    /// by chance, or all would go to the same.
    fn choice(&self, node: usize, round: u64, tally: &mut Tally) -> Option<u32> {
        for (other, link) in self.level.links(node) {
            let part = self.part_of[other];
            if part != NONE && self.cluster(other) == self.cluster(node) {
                tally.add(part, link);
            }
        }
        let mass = self.level.masses[node];
        let chance = |part: u32| mixed(self.seed ^ round, node as u64, u64::from(part));
        let has_room = |part: u32| self.masses[part as usize] + mass <= self.heaviest;
        tally.take_best(
            |part, links| (links > 0.0 && has_room(part)).then_some(links),
            chance,
        )
    }

    /// Starts parts among nodes that none has reached: those that chance puts before all waiting nodes
    /// beside them. False where nobody waits.
    fn start_between(&mut self, round: u64) -> bool {
        let waiting: Vec<u32> = (0..self.level.len() as u32)
            .filter(|&node| self.is_waiting(node as usize))
            .collect();
        let chance = |node: usize| (mixed(self.seed, round, node as u64), node);
        let is_first = |node: &u32| {
            let node = *node as usize;
            self.level
                .links(node)
                .filter(|&(other, _)| self.is_waiting(other))
                .all(|(other, _)| chance(other) < chance(node))
        };
        let starts: Vec<u32> = waiting.into_par_iter().filter(is_first).collect();
        for &node in &starts {
            self.start(node as usize);
        }
        !starts.is_empty()
    }

    /// Who still waits is a part alone; so is who is fixed.
    fn close(&mut self) {
        for node in 0..self.level.len() {
            if self.part_of[node] == NONE {
                self.start(node);
            }
        }
    }

    /// Puts together parts of one node that have the same node as their strongest neighbour, or none at
    /// all.
    fn bundle(&mut self) {
        let n = self.level.len();
        let mut counts = vec![0_u32; self.masses.len()];
        for &part in &self.part_of {
            counts[part as usize] += 1;
        }
        let is_alone = |node: usize| {
            counts[self.part_of[node] as usize] == 1 && self.level.fixed[node].is_none()
        };
        let strongest = |node: usize| {
            let links = self.level.links(node).filter(|&(_, link)| link > 0.0);
            let best = links.reduce(|best, next| if next.1 > best.1 { next } else { best });
            best.map_or(NONE, |(other, _)| other as u32)
        };
        let mut alone: Vec<(Option<u32>, u32, u32)> = (0..n)
            .into_par_iter()
            .filter(|&node| is_alone(node))
            .map(|node| (self.cluster(node), strongest(node), node as u32))
            .collect();
        alone.sort_unstable();
        for beside in alone.chunk_by(|left, right| (left.0, left.1) == (right.0, right.1)) {
            // The bundle that is being filled.
            let mut open = self.part_of[beside[0].2 as usize];
            for &(_, _, node) in &beside[1..] {
                let node = node as usize;
                let mass = self.level.masses[node];
                let parts = &self.part_of;
                let fits = self.masses[open as usize] + mass <= self.heaviest
                    && self.level.apart.of(node).all(|other| parts[other] != open);
                if fits {
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
        let mut numbers = vec![NONE; self.masses.len()];
        let mut next = 0;
        let mut part_of = self.part_of;
        for part in &mut part_of {
            let number = &mut numbers[*part as usize];
            if *number == NONE {
                *number = next;
                next += 1;
            }
            *part = *number;
        }
        (part_of, next as usize)
    }
}
