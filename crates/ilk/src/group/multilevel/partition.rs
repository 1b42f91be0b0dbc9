//! A partition of a level's nodes, and what moving one of them is worth.

use rayon::prelude::*;

use super::level::Level;
use super::tally::Tally;

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
}

/// A node's best move.
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
        partition
    }

    pub(super) fn n_clusters(&self) -> usize {
        self.masses.len()
    }

    /// Σ_c S_c / W_c.
    pub(super) fn value(&self) -> f64 {
        self.densities.iter().sum()
    }

    /// Of the moves of a node that raise the value, the one that raises it most.
    ///
    /// With ρ_c = S_c / W_c, leaving a is worth (α ρ_a - 2 l_a - M_ii) / (W_a - α), joining b
    /// (2 l_b + M_ii - α ρ_b) / (W_b + α), where l_c are the node's links with c.
    pub(super) fn best_move(
        &self,
        level: &Level<'_>,
        node: usize,
        tally: &mut Tally,
    ) -> Option<Move> {
        let from = self.labels[node] as usize;
        if self.counts[from] < 2 {
            return None;
        }
        for (other, link) in level.links(node) {
            tally.add(self.labels[other], link);
        }
        let (mass, own) = (level.masses[node], level.loops[node]);
        let left = tally.get(from);
        let leave = (mass * self.densities[from] - 2.0 * left - own) / (self.masses[from] - mass);
        let join = |to: usize, links: f64| {
            (2.0 * links + own - mass * self.densities[to]) / (self.masses[to] + mass)
        };
        let mut best: Option<(f64, usize)> = None;
        let mut consider = |to: usize| {
            let gain = join(to, tally.get(to));
            if to != from && best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, to));
            }
        };
        if leave > 0.0 {
            // Away is better than here, even where there is nothing to join.
            (0..self.n_clusters()).for_each(&mut consider);
        } else {
            tally.touched().iter().for_each(|&to| consider(to as usize));
        }
        let best = best.map(|(gain, to)| (gain, to, tally.get(to)));
        tally.clear();
        let (gain, to, joined) = best?;
        // What is smaller than this may be nothing but rounding.
        let noise = 1e-12 * (self.densities[from].abs() + self.densities[to].abs());
        (leave + gain > noise).then_some(Move {
            to: to as u32,
            left,
            joined,
        })
    }

    /// Moves a node.
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
        }
        self.labels[node] = step.to;
    }
}
