//! Moves of single nodes until none helps: weighted kernel k-means on one level.

use rayon::prelude::*;

use super::level::Level;
use super::partition::Partition;
use super::tally::Tally;
use super::watch::Watch;
use crate::Result;
use crate::group::TraceStep;

/// Nodes whose moves are found from the same state of the partition, before any of them is made.
const WAVE: usize = 32_768;

/// Of those, how many one task looks at.
const BLOCK: usize = 512;

/// At first no cluster takes in nodes beyond this many times the mean mass. Where links are mostly wrong,
/// a cluster that is a little too large would draw all doubtful nodes to it, and the more the larger it is.
const HELD: f64 = 1.5;

/// When a refinement ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Until {
    /// After so many rounds.
    pub(super) rounds: usize,
    /// After a round in which at most this share of the nodes moved.
    pub(super) few: f64,
}

/// What a refinement did.
pub(super) struct Refined {
    pub(super) partition: Partition,
    pub(super) trace: Vec<TraceStep>,
    /// Whether the last round left (nearly) all where they were.
    pub(super) converged: bool,
}

impl Refined {
    /// The same, with what happened before it.
    pub(super) fn after(self, mut before: Vec<TraceStep>) -> Self {
        before.extend_from_slice(&self.trace);
        Self {
            trace: before,
            ..self
        }
    }
}

/// A round's entry in the trace.
pub(super) fn trace_step(partition: &Partition, moved: usize) -> TraceStep {
    TraceStep {
        active: moved,
        movement: 0.0,
        bandwidth: None,
        objective: Some(-partition.value()),
    }
}

/// Raises the value of a partition by moves of single nodes.
///
/// A round looks at nodes that may have a reason to move: all at first, then those with a neighbour
/// that moved, and all once more when nobody does. Wave after wave, all nodes are asked at once which move would help them; those that name
/// one are then moved in order, if it still helps when it is their turn. So the value never falls, and
/// threads have no say in what happens. Until few nodes move, clusters are held from growing far above the
/// mean; then they are released.
pub(super) fn refine(
    level: &Level<'_>,
    mut partition: Partition,
    until: Until,
    watch: &Watch<'_>,
) -> Result<Refined> {
    let (n, k) = (level.len(), partition.n_clusters());
    let is_free = |node: &u32| level.fixed[*node as usize].is_none();
    let all: Vec<u32> = (0..n as u32).filter(is_free).collect();
    let few = (until.few * n as f64) as usize;
    let heaviest_node = level.masses.iter().copied().fold(0.0, f64::max);
    let mut tally = Tally::new(k);
    let mut trace = Vec::new();
    let mut converged = false;
    let mut is_held = true;
    partition.hold(HELD);
    let mut active = all.clone();
    while trace.len() < until.rounds && !converged {
        let mut is_next = vec![false; n];
        let mut moved = 0;
        partition.look_up_lowest();
        for wave in active.chunks(WAVE) {
            for node in willing(level, &partition, wave) {
                let node = node as usize;
                let Some(step) = partition.best_move(level, node, &mut tally) else {
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
        watch.round("refining", n - moved, n)?;
        let were_all = active.len() == all.len();
        active.clear();
        active.extend(all.iter().filter(|&&node| is_next[node as usize]));
        if is_held && moved <= few.max(n / 100) {
            is_held = false;
            if partition.release(heaviest_node) {
                active.clone_from(&all);
                continue;
            }
        }
        converged = moved <= few;
        if moved == 0 && !were_all && few == 0 {
            // Clusters far away have changed since most nodes were asked, and sums have been rounded.
            partition = Partition::new(level, partition.labels, k);
            active.clone_from(&all);
            converged = false;
        }
    }
    Ok(Refined {
        partition,
        trace,
        converged,
    })
}

/// The nodes that would move, in their order.
fn willing(level: &Level<'_>, partition: &Partition, nodes: &[u32]) -> Vec<u32> {
    let blocks: Vec<Vec<u32>> = nodes
        .par_chunks(BLOCK)
        .map_init(
            || Tally::new(partition.n_clusters()),
            |tally, block| {
                let mut would =
                    |node: &u32| partition.best_move(level, *node as usize, tally).is_some();
                block.iter().copied().filter(|node| would(node)).collect()
            },
        )
        .collect();
    blocks.concat()
}
