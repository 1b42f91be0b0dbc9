//! Watching a run and stopping it.
//!
//! Every long computation reports an [`Event`] an iteration. The observer may be called from several
//! threads at once; answering [`ControlFlow::Break`] cancels the run, which then returns
//! [`Error::Cancelled`](crate::Error::Cancelled).

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

/// What a run says about itself after an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// What is being done, such as `"mean shift"`.
    pub stage: &'static str,
    /// Iterations done so far in this part of the work, counted from 1.
    pub iteration: usize,
    /// Parts (usually points) that are finished.
    pub finished: usize,
    /// Parts in all.
    pub total: usize,
    /// The largest movement in this iteration, in units of the data.
    pub movement: f64,
    /// The number of distinct centres at this moment, where it is known.
    pub centers: Option<usize>,
    /// The bandwidth of this iteration, where it changes from one to the next.
    pub bandwidth: Option<f64>,
}

impl Event {
    /// An event of `stage` after `iteration` iterations.
    pub fn new(stage: &'static str, iteration: usize, finished: usize, total: usize) -> Self {
        Self {
            stage,
            iteration,
            finished,
            total,
            movement: 0.0,
            centers: None,
            bandwidth: None,
        }
    }
}

/// Sees each iteration and may cancel.
pub trait Observer: Sync {
    /// Called after an iteration. `Break` cancels the run.
    fn event(&self, event: &Event) -> ControlFlow<()>;
}

/// Watches nothing and never cancels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: Fn(&Event) -> ControlFlow<()> + Sync> Observer for F {
    fn event(&self, event: &Event) -> ControlFlow<()> {
        self(event)
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
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Converged => "converged",
            Self::MaxIterations => "reached the limit of iterations",
            Self::FixedCount => "did the iterations asked for",
        })
    }
}
