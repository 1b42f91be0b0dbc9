//! A partition of a level's nodes, and the gain of moving one of them.

use rayon::prelude::*;

use super::level::Level;
use crate::numerics::accumulator::SparseAccumulator;

/// Nodes that one task counts; with more nodes, a 64th of them, so that the sums of all tasks stay small.
const BLOCK: usize = 16_384;

/// Clusters c with their masses W_c = Σ α_i, their links S_c = z_c' M z_c and how many nodes they have.
/// What is maximised is Σ_c S_c / W_c.
#[derive(Debug, Clone)]
pub(super) struct Partition {
    pub(super) labels: Vec<u32>,
    masses: Vec<f64>,
    links: Vec<f64>,
    /// S_c / W_c.
    densities: Vec<f64>,
    counts: Vec<u32>,
    /// Lower bounds on all densities and masses.
    lowest_density: f64,
    lowest_mass: f64,
    /// No cluster may grow beyond this mass by moves.
    heaviest: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
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
            densities: vec![0.0; k],
            counts: vec![0; k],
            lowest_density: 0.0,
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
            partition.densities[c] = partition.links[c] / partition.masses[c];
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

    /// Σ_c S_c / W_c.
    pub(super) fn value(&self) -> f64 {
        self.densities.iter().sum()
    }

    /// Tightens the bounds over all clusters.
    pub(super) fn tighten_bounds(&mut self) {
        let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
        self.lowest_density = least(&self.densities);
        self.lowest_mass = least(&self.masses);
    }

    /// Limits clusters to so many times the mean mass when nodes move.
    pub(super) fn limit_mass(&mut self, times_mean: f64) {
        self.heaviest = times_mean * self.masses.iter().sum::<f64>() / self.n_clusters() as f64;
    }

    /// Lifts the limit. Returns whether it may have prevented a move.
    pub(super) fn lift_limit(&mut self, heaviest_node: f64) -> bool {
        let limit = std::mem::replace(&mut self.heaviest, f64::INFINITY) - heaviest_node;
        self.masses.iter().any(|&mass| mass > limit)
    }

    /// Of the moves of a node that raise the value, the one that raises it most.
    ///
    /// With ρ_c = S_c / W_c, the gain of leaving a is (α ρ_a - 2 l_a - M_ii) / (W_a - α), that of joining b
    /// (2 l_b + M_ii - α ρ_b) / (W_b + α), where l_c are the node's links with c.
    pub(super) fn best_move(
        &self,
        level: &Level<'_>,
        node: usize,
        sums: &mut SparseAccumulator,
    ) -> Option<Move> {
        let from = self.labels[node] as usize;
        if self.counts[from] < 2 {
            return None;
        }
        for (other, link) in level.links(node) {
            sums.add(self.labels[other], link);
        }
        let (mass, own) = (level.masses[node], level.loops[node]);
        let left = sums.get(from);
        let leave = (mass * self.densities[from] - 2.0 * left - own) / (self.masses[from] - mass);
        let join = |to: usize, links: f64| {
            (2.0 * links + own - mass * self.densities[to]) / (self.masses[to] + mass)
        };
        let mut best: Option<(f64, usize)> = None;
        let mut consider = |to: usize| {
            let gain = join(to, sums.get(to));
            if to != from
                && self.masses[to] + mass <= self.heaviest
                && best.is_none_or(|(most, _)| gain > most)
            {
                best = Some((gain, to));
            }
        };
        // An upper bound on the gain of joining a cluster that the node has no links with.
        let unlinked = (own - mass * self.lowest_density).max(0.0) / (self.lowest_mass + mass);
        if leave + unlinked > 0.0 {
            (0..self.n_clusters()).for_each(&mut consider);
        } else {
            sums.touched().iter().for_each(|&to| consider(to as usize));
        }
        let best = best.map(|(gain, to)| (gain, to, sums.get(to)));
        sums.clear();
        let (gain, to, joined) = best?;
        // Smaller gains may be rounding errors.
        let noise = 1e-12 * (self.densities[from].abs() + self.densities[to].abs());
        (leave + gain > noise).then_some(Move { to: to as u32, left, joined })
    }

    pub(super) fn apply(&mut self, level: &Level<'_>, node: usize, step: Move) {
        let (from, to) = (self.labels[node] as usize, step.to as usize);
        let (mass, own) = (level.masses[node], level.loops[node]);
        self.masses[from] -= mass;
        self.masses[to] += mass;
        self.links[from] -= 2.0 * step.left + own;
        self.links[to] += 2.0 * step.joined + own;
        self.counts[from] -= 1;
        self.counts[to] += 1;
        for c in [from, to] {
            self.densities[c] = self.links[c] / self.masses[c];
            self.lowest_density = self.lowest_density.min(self.densities[c]);
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
        inside / mass + rest / (self.masses[cluster] - mass) - self.densities[cluster]
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
                    let joined = (self.links[a] + self.links[b] + 2.0 * between)
                        / (self.masses[a] + self.masses[b]);
                    gains.push((joined - self.densities[a] - self.densities[b], [a, b]));
                }
            }
        }
        gains
    }
}
