//! The budget of time: what is late is dropped.

use std::ops::ControlFlow;

use super::Auto;
use crate::observe::{Event, Observer};
use crate::parameter::AutoOr;
use crate::{Error, Result};

impl Auto {
    /// Seconds after the start at which this share of the budget is used up. Where fits are counted there is no such
    /// time.
    pub(super) fn deadline(&self, share: f64) -> f64 {
        match self.n_fits {
            AutoOr::Fixed(_) => f64::INFINITY,
            AutoOr::Auto => share * self.budget,
        }
    }
}

/// What `work` comes to, or `None` where it has not begun, or is still at it, when the observer's clock shows more than
/// `deadline` seconds.
///
/// # Errors
/// Those of `work`; [`Error::Cancelled`] where the observer itself cancels.
pub(super) fn in_time<T>(
    observer: &dyn Observer,
    deadline: f64,
    work: impl FnOnce(&dyn Observer) -> Result<T>,
) -> Result<Option<T>> {
    let until = Until { observer, deadline };
    if until.is_late() {
        return Ok(None);
    }
    match work(&until) {
        Err(Error::Cancelled { .. }) if until.is_late() && !observer.is_cancelled() => Ok(None),
        found => found.map(Some),
    }
}

/// Cancels what another observer cancels, and what is late.
struct Until<'a> {
    observer: &'a dyn Observer,
    deadline: f64,
}

impl Until<'_> {
    fn is_late(&self) -> bool {
        self.observer.seconds().is_some_and(|seconds| seconds > self.deadline)
    }
}

impl Observer for Until<'_> {
    fn event(&self, event: &Event) -> ControlFlow<()> {
        self.observer.event(event)?;
        if self.is_late() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_cancelled(&self) -> bool {
        self.observer.is_cancelled() || self.is_late()
    }

    fn seconds(&self) -> Option<f64> {
        self.observer.seconds()
    }
}
