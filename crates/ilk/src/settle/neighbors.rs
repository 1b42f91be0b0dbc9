//! Labels squared with those of the neighbours: iterated conditional modes.

use std::ops::ControlFlow;

use super::state::{EQUAL, Move, State};
use crate::group::Label;

/// Units whose best label may have changed.
pub(super) struct Restless {
    is_queued: Vec<bool>,
    queue: Vec<usize>,
}

impl Restless {
    pub(super) fn none(n_units: usize) -> Self {
        Self {
            is_queued: vec![false; n_units],
            queue: Vec::new(),
        }
    }

    pub(super) fn all(n_units: usize) -> Self {
        Self {
            is_queued: vec![true; n_units],
            queue: (0..n_units).collect(),
        }
    }

    pub(super) fn push(&mut self, unit: usize) {
        if !self.is_queued[unit] {
            self.is_queued[unit] = true;
            self.queue.push(unit);
        }
    }

    fn take(&mut self) -> Vec<usize> {
        for &unit in &self.queue {
            self.is_queued[unit] = false;
        }
        self.queue.sort_unstable();
        std::mem::take(&mut self.queue)
    }

    /// Everyone whose gains have changed with the label of `unit`, which was `from`: its neighbours,
    /// those it is neighbour to, the other neighbours of those among them that it leaves or joins,
    /// and the units tied to it.
    fn push_around(&mut self, state: &State<'_>, unit: usize, from: Label) {
        let (units, links) = (state.units, state.links);
        for &point in units.members(unit) {
            for &(other, _) in links.of(point) {
                self.push(units.of(other));
            }
        }
        for &(point, _) in links.to_unit(unit) {
            self.push(units.of(point));
            let label = state.label_of_point(point);
            if label == from || label == state.label(unit) {
                for &(other, _) in links.of(point) {
                    self.push(units.of(other));
                }
            }
        }
        for tie in units.ties(unit) {
            self.push(tie.other);
        }
        if units.label_weight(unit) > 0.0 {
            for &other in units.labelled() {
                self.push(other);
            }
        }
    }
}

/// One change, and the label before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub(super) unit: usize,
    pub(super) from: Label,
    pub(super) gain: f64,
}

/// Moves units to better labels until none gains, at most `max_sweeps` times over all.
///
/// A sweep looks at every restless unit and visits those that would gain, the most certain first:
/// by falling gain, so that the order of the points has no say. At its turn a unit is looked at
/// again and moved to its best label. Units with the `forbidden` label leave it at any price.
/// `after_sweep` sees the number of the sweep and its moves, and may stop it; the sweeps done are
/// the answer, or the error where it was stopped.
pub(super) fn sweep(
    state: &mut State<'_>,
    restless: &mut Restless,
    forbidden: Label,
    max_sweeps: usize,
    mut after_sweep: impl FnMut(&State<'_>, usize, &[Change]) -> ControlFlow<()>,
) -> Result<usize, usize> {
    let links = state.links;
    for done in 1..=max_sweeps {
        let mut moves: Vec<Move> = restless
            .take()
            .into_iter()
            .filter_map(|unit| state.best_move(unit, forbidden))
            .collect();
        if moves.is_empty() {
            return Ok(done - 1);
        }
        // Two points that stand alone gain the same whichever joins the other: the sparser one moves.
        let rank = |m: &Move| (m.gain / EQUAL).round();
        moves.sort_by(|a, b| {
            let by_reach = || links.reach(b.unit).total_cmp(&links.reach(a.unit));
            rank(b).total_cmp(&rank(a)).then_with(by_reach)
        });
        let mut changes = Vec::with_capacity(moves.len());
        for Move { unit, .. } in moves {
            if let Some(best) = state.best_move(unit, forbidden) {
                let (from, gain) = (state.label(unit), best.gain);
                changes.push(Change { unit, from, gain });
                state.relabel(unit, Some(best.to));
                restless.push_around(state, unit, from);
            }
        }
        if after_sweep(state, done, &changes).is_break() {
            return Err(done);
        }
    }
    restless.take();
    Ok(max_sweeps)
}
