//! Observing a run and cancelling it.
//!
//! Every long computation reports an [`Event`] per iteration. The observer may be called from several
//! threads at once; if it returns [`ControlFlow::Break`], the run is cancelled and returns
//! [`Error::Cancelled`].

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// The state of a run after an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// The current stage, such as `"mean shift"`.
    pub stage: &'static str,
    /// Iterations done so far in this stage, counted from 1.
    pub iteration: usize,
    /// Parts (usually points) that are finished.
    pub finished: usize,
    /// Number of parts.
    pub total: usize,
    /// The largest movement in this iteration, in units of the data.
    pub movement: f64,
    /// The number of distinct centres after this iteration, where it is known.
    pub centers: Option<usize>,
    /// The bandwidth of this iteration, where it changes from one to the next.
    pub bandwidth: Option<f64>,
}

impl Event {
    /// An event of `stage` after `iteration` iterations.
    pub fn new(stage: &'static str, iteration: usize, finished: usize, total: usize) -> Self {
        Self { stage, iteration, finished, total, movement: 0.0, centers: None, bandwidth: None }
    }
}

/// Receives an event after each iteration and may cancel the run.
pub trait Observer: Sync {
    /// Called after an iteration. `Break` cancels the run.
    fn event(&self, event: &Event) -> ControlFlow<()>;

    /// Whether the run is to be cancelled, for parts of a stage that report no event of their own, such as the fits by which a
    /// setting is chosen. `true` cancels it.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Whether a cancelled run is to end with the best that it has, by a method that can ([`Auto`](crate::method::Auto)). The
    /// method then asks this once, and the observer cancels no more unless the run is cancelled once more.
    fn keeps_best(&self) -> bool {
        false
    }

    /// Seconds since the run began, if the observer has a clock; the engine has none. A method with a budget of time
    /// ends by it with the best that it has.
    fn seconds(&self) -> Option<f64> {
        None
    }
}

/// Ignores all events and never cancels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Observes a part of a stage whose events mean nothing outside of it: they are ignored, but each asks whether the run is to be
/// cancelled.
pub(crate) struct Unreported<'a>(pub(crate) &'a dyn Observer);

impl Observer for Unreported<'_> {
    fn event(&self, _: &Event) -> ControlFlow<()> {
        if self.0.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

impl<F: Fn(&Event) -> ControlFlow<()> + Sync> Observer for F {
    fn event(&self, event: &Event) -> ControlFlow<()> {
        self(event)
    }
}

/// Passes an event to the observer.
///
/// # Errors
/// [`Error::Cancelled`] after the iterations of the event, if the observer cancels.
pub fn report(observer: &dyn Observer, event: &Event) -> Result<()> {
    match observer.event(event) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Cancelled { iterations: event.iteration }),
    }
}

/// Asks whether the run is cancelled, where work between two events takes long.
///
/// # Errors
/// [`Error::Cancelled`].
pub(crate) fn ask(observer: &dyn Observer) -> Result<()> {
    if observer.is_cancelled() { Err(Error::Cancelled { iterations: 0 }) } else { Ok(()) }
}

/// Progress of one stage and its cancellation, shared by the threads that work on it.
pub(crate) struct Progress<'a> {
    observer: &'a dyn Observer,
    stage: &'static str,
    total: usize,
    finished: AtomicUsize,
    is_cancelled: AtomicBool,
}

impl<'a> Progress<'a> {
    /// Progress over `total` parts, none of them finished.
    pub(crate) fn new(observer: &'a dyn Observer, stage: &'static str, total: usize) -> Self {
        Self {
            observer,
            stage,
            total,
            finished: AtomicUsize::new(0),
            is_cancelled: AtomicBool::new(false),
        }
    }

    /// An observer of parts whose own events are not those of this stage.
    pub(crate) fn of_parts(&self) -> Unreported<'a> {
        Unreported(self.observer)
    }

    /// Counts a part as finished, without an event.
    pub(crate) fn finish_part(&self) {
        self.finished.fetch_add(1, Ordering::Relaxed);
    }

    /// Reports an iteration; an error once the observer cancelled, in whichever thread.
    pub(crate) fn step(&self, iteration: usize) -> Result<()> {
        self.check(iteration)?;
        self.send(&self.event(iteration, self.finished.load(Ordering::Relaxed)));
        self.check(iteration)
    }

    /// Reports an iteration that finished `finished` more parts; false once cancelled.
    pub(crate) fn report(
        &self,
        iteration: usize,
        finished: usize,
        movement: f64,
        centers: Option<usize>,
    ) -> bool {
        let finished = self.finished.fetch_add(finished, Ordering::Relaxed) + finished;
        let mut event = self.event(iteration, finished.min(self.total));
        event.movement = movement;
        event.centers = centers;
        self.send(&event);
        self.goes_on()
    }

    /// An event of this stage.
    pub(crate) fn event(&self, iteration: usize, finished: usize) -> Event {
        Event::new(self.stage, iteration, finished, self.total)
    }

    /// Passes an event to the observer and remembers a cancellation.
    pub(crate) fn send(&self, event: &Event) {
        if self.observer.event(event).is_break() {
            self.is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// As [`check`](Self::check), where work between two events takes long: the observer is asked too.
    pub(crate) fn ask(&self, iterations: usize) -> Result<()> {
        if self.observer.is_cancelled() {
            self.is_cancelled.store(true, Ordering::Relaxed);
        }
        self.check(iterations)
    }

    /// Whether the observer has not cancelled.
    pub(crate) fn goes_on(&self) -> bool {
        !self.is_cancelled.load(Ordering::Relaxed)
    }

    /// [`Error::Cancelled`] after this many iterations, once the observer cancelled.
    pub(crate) fn check(&self, iterations: usize) -> Result<()> {
        if self.goes_on() { Ok(()) } else { Err(Error::Cancelled { iterations }) }
    }
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Nothing moved any more.
    Converged,
    /// The limit of iterations was reached before that.
    MaxIterations,
    /// A fixed number of iterations was asked for and done.
    FixedCount,
    /// It was cancelled, and this is the best that it had.
    Cancelled,
}

impl StopReason {
    /// The reason of a descent that stops at convergence or at its limit of iterations.
    pub(crate) fn of_descent(converged: bool) -> Self {
        if converged { Self::Converged } else { Self::MaxIterations }
    }
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Converged => "converged",
            Self::MaxIterations => "reached the limit of iterations",
            Self::FixedCount => "did the iterations asked for",
            Self::Cancelled => "was cancelled",
        })
    }
}
