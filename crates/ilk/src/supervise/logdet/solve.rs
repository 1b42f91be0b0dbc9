//! The loop: sweeps, and the certificate that ends them.

use std::cell::Cell;
use std::ops::ControlFlow;

use ndarray::{Array2, ArrayView2};

use super::bounded::Place;
use super::factor::{Factor, Learned};
use super::kernel::Kernel;
use super::newton;
use super::pace::{Cost, Pace};
use super::rows::{Certificate, Rows};
use super::solution::{Solution, Stage, TraceStep};
use super::sweep::{Quiet, sweep};
use super::terms::Terms;
use super::{LogDet, Projection, Slacked};
use crate::observe::{Event, Observer, StopReason};
use crate::{Error, Result};

/// A row that may not be missed and is missed by more than this much of its target when the
/// iterations run out is unattainable, and not only slow.
const MISSED: f64 = 1e-3;

/// Sweeps after which the kernel is made again from the duals.
const EXACT_EVERY: usize = 50;

/// So it is where its largest value has grown this many times: as much of its digits is lost.
const GROWN: f64 = 1e6;

/// Second-order steps see more of the kernel's digits: before one, it is made again sooner.
const GROWN_A_LITTLE: f64 = 10.0;

/// The most halvings of the way to duals that have no kernel.
const HALVINGS: usize = 20;

/// The share of what the gap may be that rows at rest may add to it, all together.
const QUIET: f64 = 0.1;

/// Sweeps over which the dual must rise by more than this part of itself, or what is missed must
/// halve: less is rounding.
const LOOK_BACK: usize = 100;
const STILL: f64 = 1e-13;

/// What observers are told is being done.
const STAGE: &str = "learning the kernel";

/// Where learning starts.
#[derive(Debug, Clone, Copy)]
pub enum Start<'a> {
    /// C0, the kernel on the constrained points, c x c and symmetric; the lower half is read.
    Gram(ArrayView2<'a, f64>),
    /// Features F of the constrained points, c x r, with C0 = F F'.
    Features(ArrayView2<'a, f64>),
}

impl LogDet {
    /// Learns the kernel nearest to `start` that does what `terms` say, up to slack.
    ///
    /// `warm` holds duals to begin with, one a row: those of an earlier solution for rows that were
    /// there before, 0 for new ones. The optimum does not depend on it, the time does.
    ///
    /// # Errors
    /// [`Error::BadParameter`], [`Error::WrongLength`] and [`Error::NotSquare`] where shapes do not
    /// fit, [`Error::NotFinite`], [`Error::Cancelled`].
    pub fn solve(
        &self,
        start: Start<'_>,
        terms: &Terms,
        warm: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<Solution> {
        self.check()?;
        terms.check()?;
        let (factor, start) = Factor::new(start, terms.points().len())?;
        let scale = start.diag().iter().copied().fold(0.0, f64::max);
        let rows = Rows::new(self, terms, &start.view(), scale);
        let n_rows = terms.rows().len();
        let mut run = Run {
            params: self,
            state: Kernel::new(&factor, &start),
            factor,
            rows,
            duals: vec![0.0; n_rows],
            gram: start,
            log_det: 0.0,
            exact: vec![0.0; n_rows],
            exact_value: 0.0,
            swept: 0,
            is_warm: warm.is_some(),
            places: Vec::new(),
            trace: Vec::new(),
            sweeps: 0,
            newton_steps: 0,
            observer,
        };
        if let Some(warm) = warm {
            run.begin_at(warm)?;
        }
        let stop = match self.projection {
            Projection::Dual | Projection::Sweeps => run.ascend()?,
            Projection::Paper => run.follow_papers()?,
        };
        Ok(run.finish(stop))
    }
}

/// A problem being solved.
pub(super) struct Run<'a> {
    pub(super) params: &'a LogDet,
    pub(super) factor: Factor,
    pub(super) rows: Rows,
    pub(super) duals: Vec<f64>,
    pub(super) state: Kernel,
    pub(super) log_det: f64,
    /// The kernel when it was last made from duals, those, and the value of the dual.
    gram: Array2<f64>,
    exact: Vec<f64>,
    exact_value: f64,
    /// Sweeps since then.
    swept: usize,
    /// Whether duals to begin with were given.
    is_warm: bool,
    /// Which rows the last second-order step held at a bound.
    places: Vec<Place>,
    pub(super) trace: Vec<TraceStep>,
    pub(super) sweeps: usize,
    pub(super) newton_steps: usize,
    pub(super) observer: &'a dyn Observer,
}

impl Run<'_> {
    /// Begins at given duals, as far as they are possible.
    fn begin_at(&mut self, warm: &[f64]) -> Result<()> {
        if warm.len() != self.duals.len() {
            return Err(Error::WrongLength {
                what: "the list of duals to begin with",
                found: warm.len(),
                expected: self.duals.len(),
            });
        }
        let mut duals = vec![0.0; warm.len()];
        for (number, row) in self.rows.taking_part() {
            let (low, high) = row.bounds();
            let most = match row {
                Slacked::Pair(_) => high * (1.0 - 1e-6),
                Slacked::Comparison(_) => high,
            };
            if warm[number].is_finite() {
                duals[number] = warm[number].clamp(low, most);
            }
        }
        // Where rows were taken back, what is left of the cannot-links may stand for no kernel:
        // must-links alone always do.
        let mut share = 1.0;
        for _ in 0..60 {
            for (dual, row) in duals.iter_mut().zip(&self.rows.all) {
                if !matches!(row, Slacked::Pair(pair) if pair.sign > 0.0) {
                    *dual *= share;
                }
            }
            if let Ok(learned) = self.factor.learn(&self.rows, &duals) {
                self.duals = duals;
                self.take(learned);
                return Ok(());
            }
            share = 0.5;
        }
        Ok(())
    }

    /// Goes on from a kernel that was made from the duals.
    fn take(&mut self, learned: Learned) {
        self.state.reset(&learned);
        self.log_det = learned.log_det;
        self.gram = learned.gram;
        self.exact.clone_from(&self.duals);
        self.exact_value = self.rows.dual_value(&self.duals, self.log_det);
        self.swept = 0;
    }

    /// Makes the kernel again from the duals, which takes away the rounding of many updates.
    ///
    /// Answers that contradict each other can blow the kernel up so far on the way that nothing but
    /// rounding is left of it, and no kernel has the duals that were found with it. The way there from
    /// the last duals that had one is then gone as far as the dual rises. Where it does not rise at
    /// all, those are taken back, and there is no going on: `None`.
    fn rebuild(&mut self) -> Option<()> {
        let mut share = 1.0;
        for _ in 0..HALVINGS {
            let duals: Vec<f64> = if share < 1.0 {
                let both = self.duals.iter().zip(&self.exact);
                both.map(|(to, from)| from + share * (to - from)).collect()
            } else {
                self.duals.clone()
            };
            if let Ok(learned) = self.factor.learn(&self.rows, &duals) {
                let value = self.rows.dual_value(&duals, learned.log_det);
                if share == 1.0 || value > self.exact_value {
                    self.duals = duals;
                    self.take(learned);
                    return Some(());
                }
            }
            share *= 0.5;
        }
        self.duals.clone_from(&self.exact);
        if let Ok(learned) = self.factor.learn(&self.rows, &self.duals) {
            self.take(learned);
        }
        None
    }

    /// Counts a sweep and rebuilds after many, or where the kernel has grown much.
    pub(super) fn keep_exact(&mut self) -> Option<()> {
        self.swept += 1;
        if self.swept < EXACT_EVERY && self.state.growth() < GROWN {
            return Some(());
        }
        self.rebuild()
    }

    /// How many times larger than allowed the gap or the violation is.
    fn excess(&self, found: Certificate) -> f64 {
        let gap = found.gap / found.dual.abs().max(1.0);
        gap.max(found.violation) / self.params.tol
    }

    pub(super) fn certify(&self) -> Certificate {
        self.rows.certify(&self.duals, &self.state, self.log_det)
    }

    fn ascend(&mut self) -> Result<StopReason> {
        let mut pace = Pace::new(self.is_warm);
        let mut active = 0;
        let mut before = (f64::NEG_INFINITY, f64::INFINITY);
        loop {
            if self.is_reached() {
                return Ok(StopReason::Converged);
            }
            if self.sweeps + self.newton_steps >= self.params.max_iter {
                return Ok(StopReason::MaxIterations);
            }
            let cost = Cost::new(&self.state, self.duals.len(), active);
            if self.params.projection == Projection::Dual && pace.prefers_newton(cost) {
                pace.stepped(self.newton()?);
                continue;
            }
            active = self.sweep()?;
            let is_exact = self.swept == 0;
            if self.keep_exact().is_none() || active == 0 && self.rebuild().is_none() {
                return Ok(StopReason::MaxIterations);
            }
            if active == 0 && is_exact {
                return Ok(self.at_rest());
            }
            let found = self.certify();
            let excess = self.excess(found);
            if self.sweeps.is_multiple_of(LOOK_BACK) {
                let (value_before, excess_before) = before;
                let rise = found.dual - value_before;
                if rise <= STILL * found.dual.abs().max(1.0) && excess > 0.5 * excess_before {
                    return Ok(self.at_rest());
                }
                before = (found.dual, excess);
            }
            pace.swept(excess);
        }
    }

    /// The end where nothing moves any more but by rounding. Distances that contradictions have
    /// driven to nothing do not move either.
    fn at_rest(&self) -> StopReason {
        if self.certify().violation <= MISSED {
            StopReason::Converged
        } else {
            StopReason::MaxIterations
        }
    }

    /// Whether the gap is small enough, certified without the rounding of the way.
    fn is_reached(&mut self) -> bool {
        let is_small = self.excess(self.certify()) <= 1.0;
        is_small
            && (self.swept == 0 || self.rebuild().is_some() && self.excess(self.certify()) <= 1.0)
    }

    /// A sweep; the number of rows that moved.
    fn sweep(&mut self) -> Result<usize> {
        let value = self.rows.dual_value(&self.duals, self.log_det);
        let allowed = self.params.tol * value.abs().max(1.0);
        let quiet = Quiet {
            gap: QUIET * allowed / self.duals.len() as f64,
            miss: QUIET * self.params.tol,
        };
        let moved = sweep(&self.rows, &mut self.state, &mut self.duals, quiet);
        self.log_det += moved.log_det;
        self.sweeps += 1;
        self.report(Stage::Sweep, moved.rows)?;
        Ok(moved.rows)
    }

    /// A second-order step, from the kernel that the duals have exactly; whether the dual rose.
    fn newton(&mut self) -> Result<bool> {
        if self.swept > 0 && self.state.growth() > GROWN_A_LITTLE {
            self.rebuild();
        }
        let gram = self.state.current();
        let iterations = self.sweeps + self.newton_steps;
        let is_cancelled = Cell::new(false);
        let may_go_on = || {
            let event = Event::new(STAGE, iterations, 0, self.rows.all.len());
            is_cancelled.set(self.observer.event(&event).is_break());
            !is_cancelled.get()
        };
        let stepped = newton::step(
            &self.rows,
            &self.factor,
            &self.duals,
            gram.view(),
            self.log_det,
            &mut self.places,
            &may_go_on,
        );
        if is_cancelled.get() {
            return Err(Error::Cancelled { iterations });
        }
        self.newton_steps += 1;
        let free = stepped.as_ref().map_or(0, |stepped| stepped.free);
        let is_success = stepped.is_some();
        if let Some(stepped) = stepped {
            self.duals = stepped.duals;
            self.take(stepped.learned);
        }
        self.report(Stage::Newton, free)?;
        Ok(is_success)
    }

    /// Notes an iteration and asks whether to go on.
    pub(super) fn report(&mut self, stage: Stage, active: usize) -> Result<()> {
        let found = self.certify();
        self.trace.push(TraceStep {
            stage,
            active,
            dual: found.dual,
            gap: found.gap,
        });
        let iterations = self.sweeps + self.newton_steps;
        let total = self.rows.all.len();
        let mut event = Event::new(STAGE, iterations, total - active, total);
        event.movement = found.gap;
        match self.observer.event(&event) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Cancelled { iterations }),
        }
    }

    /// Everything final is made from the duals.
    fn finish(mut self, mut stop: StopReason) -> Solution {
        if self.swept > 0 && self.rebuild().is_none() {
            stop = StopReason::MaxIterations;
        }
        let gram = self.gram;
        let precision = self.rows.sum(gram.nrows(), &self.duals);
        let found = self.rows.certify(&self.duals, &gram.view(), self.log_det);
        let pulled = self.rows.times(&self.duals, gram.view());
        let mut correction = self.rows.times(&self.duals, pulled.t());
        correction = (&correction + &correction.t()) * 0.5 - &precision;
        let mut unattainable = std::mem::take(&mut self.rows.unattainable);
        if stop == StopReason::MaxIterations {
            let missed = self.rows.missed(&gram.view(), MISSED);
            unattainable.extend(missed);
            unattainable.sort_unstable();
            unattainable.dedup();
        }
        Solution {
            duals: self.duals,
            gram,
            correction,
            precision,
            primal: found.dual + found.gap,
            dual: found.dual,
            gap: found.gap,
            violation: found.violation,
            sweeps: self.sweeps,
            newton_steps: self.newton_steps,
            stop,
            unattainable,
            trace: self.trace,
        }
    }
}
