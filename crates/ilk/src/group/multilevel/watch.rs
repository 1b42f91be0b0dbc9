//! Progress and cancelling.

use std::cell::Cell;
use std::ops::ControlFlow;

use crate::observe::{Event, Observer};
use crate::{Error, Result};

/// Counts rounds over the nodes and reports each.
pub(in crate::group) struct Watch<'a> {
    observer: &'a dyn Observer,
    rounds: Cell<usize>,
}

impl<'a> Watch<'a> {
    pub(in crate::group) fn new(observer: &'a dyn Observer) -> Self {
        Self {
            observer,
            rounds: Cell::new(0),
        }
    }

    /// Reports a round, with how many of a level's nodes are settled; an error where the observer asks
    /// to stop.
    pub(super) fn round(&self, stage: &'static str, settled: usize, nodes: usize) -> Result<()> {
        let iterations = self.rounds.get() + 1;
        self.rounds.set(iterations);
        match self
            .observer
            .event(&Event::new(stage, iterations, settled, nodes))
        {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Cancelled { iterations }),
        }
    }
}
