//! What a run tells of itself while it goes on, and afterwards.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::group::TraceStep;
use crate::observe::{Event, Observer};
use crate::{Error, Result};

/// Progress and cancellation, shared by the workers.
pub(super) struct Watch<'a> {
    observer: &'a dyn Observer,
    cancelled: AtomicBool,
    finished: AtomicUsize,
    total: usize,
    stage: &'static str,
}

impl<'a> Watch<'a> {
    pub(super) fn new(observer: &'a dyn Observer, stage: &'static str, total: usize) -> Self {
        Self {
            observer,
            stage,
            cancelled: AtomicBool::new(false),
            finished: AtomicUsize::new(0),
            total,
        }
    }

    /// Reports an iteration after which `finished` more points are done; false once cancelled.
    pub(super) fn report(
        &self,
        iteration: usize,
        finished: usize,
        movement: f64,
        centers: Option<usize>,
    ) -> bool {
        let finished = self.finished.fetch_add(finished, Ordering::Relaxed) + finished;
        let mut event = Event::new(self.stage, iteration, finished.min(self.total), self.total);
        event.movement = movement;
        event.centers = centers;
        if self.observer.event(&event) == ControlFlow::Break(()) {
            self.cancelled.store(true, Ordering::Relaxed);
        }
        self.goes_on()
    }

    pub(super) fn goes_on(&self) -> bool {
        !self.cancelled.load(Ordering::Relaxed)
    }

    /// An error if the observer asked to stop.
    pub(super) fn check(&self, iterations: usize) -> Result<()> {
        if self.goes_on() {
            Ok(())
        } else {
            Err(Error::Cancelled { iterations })
        }
    }
}

/// Per iteration, over any number of points. Merging is a sum and a maximum, so the order in which
/// workers finish does not matter.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Trace(pub(super) Vec<TraceStep>);

impl Trace {
    pub(super) fn record(&mut self, step: usize, movement: f64) {
        if self.0.len() < step {
            self.0.resize(
                step,
                TraceStep {
                    active: 0,
                    movement: 0.0,
                    bandwidth: None,
                    objective: None,
                },
            );
        }
        let at = &mut self.0[step - 1];
        at.active += 1;
        at.movement = at.movement.max(movement);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(
                other.0.len(),
                TraceStep {
                    active: 0,
                    movement: 0.0,
                    bandwidth: None,
                    objective: None,
                },
            );
        }
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            a.active += b.active;
            a.movement = a.movement.max(b.movement);
        }
    }
}
