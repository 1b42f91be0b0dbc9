//! A partition of a level's nodes, and the gain of moving one of them.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::{cluster_value::ClusterValue, level::Level};
use crate::numerics::accumulator::SparseAccumulator;

/// Nodes that one task counts; with more nodes, a 64th of them, so that the sums of all tasks stay small.
const BLOCK: usize = 16_384;

/// Clusters c with their masses W_c = Σ α_i, their links S_c = z_c' M z_c and how many nodes they have.
/// The sum of what they are worth ([`ClusterValue`]) is maximised.
#[derive(Debug, Clone)]
pub(super) struct Partition {
    pub(super) labels: Vec<u32>,
    masses: Vec<f64>,
    links: Vec<f64>,
    /// What every cluster is worth.
    values: Vec<f64>,
    value: ClusterValue,
    counts: Vec<u32>,
    /// Lower bounds on the worth and the mass of every cluster.
    lowest_value: f64,
    lowest_mass: f64,
    /// No cluster may grow beyond this mass by moves.
    heaviest: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct NodeMove {
    pub(super) to: u32,
    /// Links with the cluster that is left and the one that is joined.
    left: f64,
    joined: f64,
}

impl Partition {
    /// Takes a cluster below `k` for every node; none of them without nodes.
    pub(super) fn new(level: &Level<'_>, labels: Vec<u32>, k: usize) -> Self {
        let n = labels.len();
        let block = BLOCK.max(n.div_ceil(64));
        let sums: Vec<(Vec<f64>, Vec<f64>, Vec<u32>)> = (0..n.div_ceil(block))
            .into_par_iter()
            .map(|at| {
                let (mut masses, mut links) = (vec![0.0; k], vec![0.0; k]);
                let mut counts = vec![0; k];
                for node in at * block..((at + 1) * block).min(n) {
                    let label = labels[node];
                    let inside = level.links(node).filter(|&(j, _)| labels[j] == label);
                    let inside: f64 = inside.map(|(_, link)| link).sum();
                    masses[label as usize] += level.masses[node];
                    links[label as usize] += level.loops[node] + inside;
                    counts[label as usize] += 1;
                }
                (masses, links, counts)
            })
            .collect();
        let mut partition = Self {
            labels,
            masses: vec![0.0; k],
            links: vec![0.0; k],
            values: vec![0.0; k],
            value: level.value,
            counts: vec![0; k],
            lowest_value: 0.0,
            lowest_mass: 0.0,
            heaviest: f64::INFINITY,
        };
        for (masses, links, counts) in sums {
            for c in 0..k {
                partition.masses[c] += masses[c];
                partition.links[c] += links[c];
                partition.counts[c] += counts[c];
            }
        }
        for c in 0..k {
            partition.values[c] = level.value.of(partition.links[c], partition.masses[c]);
        }
        partition.tighten_bounds();
        partition
    }

    pub(super) fn n_clusters(&self) -> usize {
        self.masses.len()
    }

    /// W_c.
    pub(super) fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// What all clusters are worth together.
    pub(super) fn value(&self) -> f64 {
        self.values.iter().sum()
    }

    /// Tightens the bounds over all clusters.
    pub(super) fn tighten_bounds(&mut self) {
        let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
        self.lowest_value = least(&self.values);
        self.lowest_mass = least(&self.masses);
    }

    /// Limits clusters to so many times the mean mass when nodes move.
    pub(super) fn limit_mass(&mut self, times_mean: f64) {
        self.heaviest = times_mean * self.masses.iter().sum::<f64>() / self.n_clusters() as f64;
    }

    /// Removes the limit. Returns whether it may have prevented a move.
    pub(super) fn remove_limit(&mut self, heaviest_node: f64) -> bool {
        let limit = std::mem::replace(&mut self.heaviest, f64::INFINITY) - heaviest_node;
        self.masses.iter().any(|&mass| mass > limit)
    }

    /// How many cannot-links have both ends in one cluster.
    pub(super) fn violations(&self, level: &Level<'_>) -> usize {
        if !level.enforces_cannot_links {
            return 0;
        }
        let nodes = (0..self.labels.len()).into_par_iter();
        let violated = nodes.map(|node| self.conflicts(level, node, self.labels[node] as usize));
        violated.sum::<usize>() / 2
    }

    /// How many nodes of a cluster cannot be linked with this one.
    fn conflicts(&self, level: &Level<'_>, node: usize, cluster: usize) -> usize {
        let separated = level.cannot_links.of(node).iter();
        separated.filter(|&&other| self.labels[other] as usize == cluster).count()
    }

    /// Whether this violates fewer cannot-links than another, or as many and is worth more by over `margin`.
    pub(super) fn is_better(&self, level: &Level<'_>, other: &Self, margin: f64) -> bool {
        match self.violations(level).cmp(&other.violations(level)) {
            Ordering::Less => true,
            Ordering::Equal => self.value() - other.value() > margin,
            Ordering::Greater => false,
        }
    }

    /// Of the moves of a node that violate fewer cannot-links than now, or as many and raise the value, the one that
    /// violates fewest and raises the value most.
    pub(super) fn best_move(
        &self,
        level: &Level<'_>,
        node: usize,
        sums: &mut SparseAccumulator,
    ) -> Option<NodeMove> {
        let from = self.labels[node] as usize;
        if self.counts[from] < 2 {
            return None;
        }
        for (other, link) in level.links(node) {
            sums.add(self.labels[other], link);
        }
        let (mass, own) = (level.masses[node], level.loops[node]);
        let left = sums.get(from);
        let cluster = |c: usize| (self.links[c], self.masses[c], self.values[c]);
        let leave = self.value.leave(cluster(from), mass, 2.0 * left + own);
        let join = |to: usize, links: f64| self.value.join(cluster(to), mass, 2.0 * links + own);
        let is_separated = level.enforces_cannot_links && !level.cannot_links.of(node).is_empty();
        let conflicts = |c: usize| if is_separated { self.conflicts(level, node, c) } else { 0 };
        let conflicts_now = conflicts(from);
        let mut best: Option<(usize, f64, usize)> = None;
        let mut consider = |to: usize| {
            if to == from || self.masses[to] + mass > self.heaviest {
                return;
            }
            let (violated, gain) = (conflicts(to), join(to, sums.get(to)));
            let is_best = best.is_none_or(|(fewest, most, _)| {
                violated < fewest || violated == fewest && gain > most
            });
            if is_best {
                best = Some((violated, gain, to));
            }
        };
        // An upper bound on the gain of joining a cluster that the node has no links with.
        let lowest = (self.lowest_mass, self.lowest_value);
        let unlinked = self.value.join_unlinked(lowest, mass, own);
        if conflicts_now > 0 || leave + unlinked > 0.0 {
            (0..self.n_clusters()).for_each(&mut consider);
        } else {
            sums.touched().iter().for_each(|&to| consider(to as usize));
        }
        let best = best.map(|(violated, gain, to)| (violated, gain, to, sums.get(to)));
        sums.clear();
        let (violated, gain, to, joined) = best?;
        // Smaller gains may be rounding errors.
        let noise = 1e-12 * (self.values[from].abs() + self.values[to].abs());
        let helps = violated < conflicts_now || violated == conflicts_now && leave + gain > noise;
        helps.then_some(NodeMove { to: to as u32, left, joined })
    }

    pub(super) fn apply(&mut self, level: &Level<'_>, node: usize, step: NodeMove) {
        let (from, to) = (self.labels[node] as usize, step.to as usize);
        let (mass, own) = (level.masses[node], level.loops[node]);
        self.masses[from] -= mass;
        self.masses[to] += mass;
        self.links[from] -= 2.0 * step.left + own;
        self.links[to] += 2.0 * step.joined + own;
        self.counts[from] -= 1;
        self.counts[to] += 1;
        for c in [from, to] {
            self.values[c] = self.value.of(self.links[c], self.masses[c]);
            self.lowest_value = self.lowest_value.min(self.values[c]);
            self.lowest_mass = self.lowest_mass.min(self.masses[c]);
        }
        self.labels[node] = step.to;
    }

    /// The gain of making these nodes (ascending) of a cluster, but not all of it, a cluster of their own.
    pub(super) fn split_gain(&self, level: &Level<'_>, cluster: usize, leaving: &[u32]) -> f64 {
        let (mut mass, mut inside, mut across) = (0.0, 0.0, 0.0);
        for &node in leaving {
            let node = node as usize;
            mass += level.masses[node];
            inside += level.loops[node];
            for (other, link) in level.links(node) {
                if leaving.binary_search(&(other as u32)).is_ok() {
                    inside += link;
                } else if self.labels[other] as usize == cluster {
                    across += link;
                }
            }
        }
        let rest = self.links[cluster] - inside - 2.0 * across;
        self.value.of(inside, mass) + self.value.of(rest, self.masses[cluster] - mass)
            - self.values[cluster]
    }

    /// The gain of merging two clusters, for all pairs with links between them that do not both have fixed
    /// nodes.
    pub(super) fn merge_gains(&self, level: &Level<'_>) -> Vec<(f64, [usize; 2])> {
        let k = self.n_clusters();
        let mut is_fixed = vec![false; k];
        for fixed in level.fixed.iter().flatten() {
            is_fixed[*fixed as usize] = true;
        }
        let clusters = level.contract(&self.labels, k);
        let mut gains = Vec::new();
        for a in 0..k {
            for (b, between) in clusters.links(a) {
                if a < b && !(is_fixed[a] && is_fixed[b]) {
                    let links = self.links[a] + self.links[b] + 2.0 * between;
                    let joined = self.value.of(links, self.masses[a] + self.masses[b]);
                    gains.push((joined - self.values[a] - self.values[b], [a, b]));
                }
            }
        }
        gains
    }
}
