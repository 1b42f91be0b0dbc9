//! Iterated conditional modes: sets move, one after the other, to the label of lowest energy.

use std::ops::ControlFlow;

use super::energy::{EQUAL, LabelEnergy, SetMove};
use crate::group::Label;

/// The sets whose best label may have changed.
pub(super) struct ActiveSet {
    /// Whether the set is active, or never may be.
    is_closed: Vec<bool>,
    active: Vec<usize>,
}

impl ActiveSet {
    pub(super) fn none(n_sets: usize) -> Self {
        Self { is_closed: vec![false; n_sets], active: Vec::new() }
    }

    /// The sets for which `may_move` holds; the others never become active.
    pub(super) fn of(n_sets: usize, may_move: impl Fn(usize) -> bool) -> Self {
        Self {
            is_closed: vec![true; n_sets],
            active: (0..n_sets).filter(|&set| may_move(set)).collect(),
        }
    }

    pub(super) fn push(&mut self, set: usize) {
        if !self.is_closed[set] {
            self.is_closed[set] = true;
            self.active.push(set);
        }
    }

    /// The active sets, ascending. None is active afterwards.
    fn take(&mut self) -> Vec<usize> {
        for &set in &self.active {
            self.is_closed[set] = false;
        }
        self.active.sort_unstable();
        std::mem::take(&mut self.active)
    }

    /// Adds every set whose gains depend on the label of `set`, which was `from` before: the sets of
    /// its neighbours, of the points whose neighbour it is, of the other neighbours of those points
    /// where it has left or joined their label, and the sets that constraints connect with it.
    fn push_affected(&mut self, energy: &LabelEnergy<'_>, set: usize, from: Label) {
        let (sets, graph) = (energy.sets, energy.graph);
        for &point in sets.members(set) {
            for &(other, _) in graph.of(point) {
                self.push(sets.set_of(other));
            }
        }
        for &(point, _) in graph.incoming(set) {
            self.push(sets.set_of(point));
            let label = energy.label_of_point(point);
            if label == from || label == energy.label(set) {
                for &(other, _) in graph.of(point) {
                    self.push(sets.set_of(other));
                }
            }
        }
        for link in sets.links(set) {
            self.push(link.other);
        }
        if sets.label_weight(set) > 0.0 {
            for &other in sets.labelled() {
                self.push(other);
            }
        }
    }
}

/// A move that was made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub(super) set: usize,
    pub(super) from: Label,
    pub(super) gain: f64,
}

/// Moves sets to better labels until no move lowers the energy, for at most `max_sweeps` sweeps.
///
/// A sweep takes the active sets that would gain by a move, in the order of falling gain, so that the
/// order of the points does not matter. Each is evaluated again at its turn and moved to its best
/// label. Sets with the `forbidden` label leave it even where that raises the energy. `after_sweep`
/// gets the number of the sweep and its changes, and may stop the search.
///
/// Returns the number of sweeps that moved anything, as an error where `after_sweep` stopped it.
pub(super) fn sweep(
    energy: &mut LabelEnergy<'_>,
    active: &mut ActiveSet,
    forbidden: Label,
    max_sweeps: usize,
    mut after_sweep: impl FnMut(&LabelEnergy<'_>, usize, &[Change]) -> ControlFlow<()>,
) -> Result<usize, usize> {
    let graph = energy.graph;
    for done in 1..=max_sweeps {
        let mut moves: Vec<SetMove> =
            active.take().into_iter().filter_map(|set| energy.best_move(set, forbidden)).collect();
        if moves.is_empty() {
            return Ok(done - 1);
        }
        // Two isolated points gain the same whichever of them joins the other: the one in the
        // sparser region moves.
        let rank = |m: &SetMove| (m.gain / EQUAL).round();
        moves.sort_by(|a, b| {
            let by_radius = || graph.radius(b.set).total_cmp(&graph.radius(a.set));
            rank(b).total_cmp(&rank(a)).then_with(by_radius)
        });
        let mut changes = Vec::with_capacity(moves.len());
        for SetMove { set, .. } in moves {
            if let Some(best) = energy.best_move(set, forbidden) {
                let (from, gain) = (energy.label(set), best.gain);
                changes.push(Change { set, from, gain });
                energy.relabel(set, Some(best.to));
                active.push_affected(energy, set, from);
            }
        }
        if after_sweep(energy, done, &changes).is_break() {
            return Err(done);
        }
    }
    active.take();
    Ok(max_sweeps)
}
