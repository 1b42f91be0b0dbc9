//! Progress of descents from several starts, and cancelling.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::observe::{Event, Observer};
use crate::{Error, Result};

/// Progress and cancellation, shared by the descents.
pub(super) struct Watch<'a> {
    stage: &'static str,
    observer: &'a dyn Observer,
    cancelled: AtomicBool,
    finished: AtomicUsize,
    descents: usize,
}

impl<'a> Watch<'a> {
    pub(super) fn new(stage: &'static str, observer: &'a dyn Observer, descents: usize) -> Self {
        Self {
            stage,
            observer,
            cancelled: AtomicBool::new(false),
            finished: AtomicUsize::new(0),
            descents,
        }
    }

    /// Reports a step of a descent; an error once the observer asked to stop.
    pub(super) fn step(&self, iteration: usize) -> Result<()> {
        self.goes_on(iteration)?;
        let finished = self.finished.load(Ordering::Relaxed);
        let event = Event::new(self.stage, iteration, finished, self.descents);
        if self.observer.event(&event) == ControlFlow::Break(()) {
            self.cancelled.store(true, Ordering::Relaxed);
        }
        self.goes_on(iteration)
    }

    /// An error once the observer asked to stop.
    pub(super) fn goes_on(&self, iterations: usize) -> Result<()> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Error::Cancelled { iterations });
        }
        Ok(())
    }

    /// Counts a descent as finished.
    pub(super) fn finish(&self) {
        self.finished.fetch_add(1, Ordering::Relaxed);
    }
}
