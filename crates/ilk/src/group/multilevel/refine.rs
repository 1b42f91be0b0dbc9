//! Weighted kernel k-means on one level: single nodes move until no move helps.

use super::level::{Level, filter_map_nodes};
use super::{partition::Partition, progress::RoundProgress};
use crate::{Result, group::TraceStep, numerics::accumulator::SparseAccumulator};

/// Nodes whose moves are computed from the same partition, before any of them is applied.
const WAVE: usize = 32_768;

/// At first clusters are limited to this many times the mean mass. Where most links go between clusters, one
/// that is a little too large would otherwise attract all ambiguous nodes, and the more the larger it is.
const MASS_LIMIT: f64 = 1.5;

#[derive(Debug, Clone, Copy)]
pub(super) struct Until {
    /// After so many rounds.
    pub(super) rounds: usize,
    /// After a round in which at most this share of the nodes moved.
    pub(super) few: f64,
}

pub(super) struct RefinedPartition {
    pub(super) partition: Partition,
    pub(super) trace: Vec<TraceStep>,
    /// Whether the last round moved no node, or few.
    pub(super) converged: bool,
}

impl RefinedPartition {
    /// The same with an earlier trace in front.
    pub(super) fn after(self, mut before: Vec<TraceStep>) -> Self {
        before.extend_from_slice(&self.trace);
        Self { trace: before, ..self }
    }

    /// The same, as one step after those of an earlier partition.
    pub(super) fn in_one_step_from(mut self, before: &Self) -> Self {
        let both = self.partition.labels.iter().zip(&before.partition.labels);
        let moved = both.filter(|(after, before)| after != before).count();
        self.trace = vec![trace_step(&self.partition, moved)];
        self.after(before.trace.clone())
    }
}

/// A round's entry in the trace.
fn trace_step(partition: &Partition, moved: usize) -> TraceStep {
    TraceStep::new(moved, 0.0).with_objective(-partition.value())
}

/// Raises the value of a partition by moves of single nodes.
///
/// A round considers the nodes whose best move may have changed: all at first, then those with a neighbour
/// that moved, and all once more when none moves. The nodes are taken in waves: the best moves of a wave are
/// computed in parallel, then applied in order, each if it still helps at its turn. So the value never
/// falls, and the result does not depend on threads. Until few nodes move, the masses of clusters are
/// limited.
pub(super) fn refine(
    level: &Level<'_>,
    mut partition: Partition,
    until: Until,
    progress: &RoundProgress<'_>,
) -> Result<RefinedPartition> {
    let (n, k) = (level.len(), partition.n_clusters());
    let is_free = |node: &u32| level.fixed[*node as usize].is_none();
    let all: Vec<u32> = (0..n as u32).filter(is_free).collect();
    let few = (until.few * n as f64) as usize;
    let heaviest_node = level.masses.iter().copied().fold(0.0, f64::max);
    let mut sums = SparseAccumulator::new(k);
    let mut trace = Vec::new();
    let mut converged = false;
    let mut is_limited = true;
    partition.limit_mass(MASS_LIMIT);
    let mut active = all.clone();
    while trace.len() < until.rounds && !converged {
        let mut is_next = vec![false; n];
        let mut moved = 0;
        partition.tighten_bounds();
        for wave in active.chunks(WAVE) {
            let movable = filter_map_nodes(wave, k, |node, sums| {
                partition.best_move(level, node, sums).map(|_| node)
            });
            for node in movable {
                let Some(step) = partition.best_move(level, node, &mut sums) else {
                    continue;
                };
                partition.apply(level, node, step);
                moved += 1;
                is_next[node] = true;
                for (other, _) in level.links(node) {
                    is_next[other] = true;
                }
            }
        }
        trace.push(trace_step(&partition, moved));
        progress.round("refining", n - moved, n)?;
        let were_all = active.len() == all.len();
        active.clear();
        active.extend(all.iter().filter(|&&node| is_next[node as usize]));
        if is_limited && moved <= few.max(n / 100) {
            is_limited = false;
            if partition.remove_limit(heaviest_node) {
                active.clone_from(&all);
                continue;
            }
        }
        converged = moved <= few;
        if moved == 0 && !were_all && few == 0 {
            // Distant clusters have changed since most nodes were considered, and the sums were updated
            // with rounding errors.
            partition = Partition::new(level, partition.labels, k);
            active.clone_from(&all);
            converged = false;
        }
    }
    Ok(RefinedPartition { partition, trace, converged })
}
