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
    /// No density and no mass has been lower since these were last looked up.
    lowest: Lowest,
    /// No cluster may grow beyond this mass by moves.
    heaviest: f64,
}

/// Bounds over all clusters.
#[derive(Debug, Clone, Copy)]
struct Lowest {
    density: f64,
    mass: f64,
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
            lowest: Lowest {
                density: 0.0,
                mass: 0.0,
            },
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
        partition.look_up_lowest();
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
    pub(super) fn look_up_lowest(&mut self) {
        let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
        self.lowest = Lowest {
            density: least(&self.densities),
            mass: least(&self.masses),
        };
    }

    /// Keeps clusters from growing beyond so many times the mean mass by moves.
    pub(super) fn hold(&mut self, times_mean: f64) {
        self.heaviest = times_mean * self.masses.iter().sum::<f64>() / self.n_clusters() as f64;
    }

    /// Lets clusters grow. Whether one of them may have been held.
    pub(super) fn release(&mut self, heaviest_node: f64) -> bool {
        let limit = std::mem::replace(&mut self.heaviest, f64::INFINITY) - heaviest_node;
        self.masses.iter().any(|&mass| mass > limit)
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
            if to != from
                && self.masses[to] + mass <= self.heaviest
                && best.is_none_or(|(most, _)| gain > most)
            {
                best = Some((gain, to));
            }
        };
        // The most that joining a cluster without links to it could be worth.
        let unlinked = (own - mass * self.lowest.density).max(0.0) / (self.lowest.mass + mass);
        if leave + unlinked > 0.0 {
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
            self.lowest.density = self.lowest.density.min(self.densities[c]);
            self.lowest.mass = self.lowest.mass.min(self.masses[c]);
        }
        self.labels[node] = step.to;
    }

    /// What it is worth that these nodes (ascending), but not all of a cluster, leave it for one of their
    /// own.
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

    /// What it is worth to make two clusters one, for all pairs that may be: those with links between
    /// them, not both with fixed nodes.
    pub(super) fn join_gains(&self, level: &Level<'_>) -> Vec<(f64, [usize; 2])> {
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
