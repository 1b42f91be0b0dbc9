//! Progress reports and cancellation.

use std::cell::Cell;

use crate::Result;
use crate::observe::{Event, Observer, report};

/// Counts rounds over the nodes and reports each.
pub(in crate::group) struct RoundProgress<'a> {
    observer: &'a dyn Observer,
    rounds: Cell<usize>,
}

impl<'a> RoundProgress<'a> {
    pub(in crate::group) fn new(observer: &'a dyn Observer) -> Self {
        Self { observer, rounds: Cell::new(0) }
    }

    /// Reports a round, with how many of a level's nodes did not change; an error where the observer asks
    /// to stop.
    pub(super) fn round(&self, stage: &'static str, unchanged: usize, nodes: usize) -> Result<()> {
        let iterations = self.rounds.get() + 1;
        self.rounds.set(iterations);
        report(self.observer, &Event::new(stage, iterations, unchanged, nodes))
    }
}
