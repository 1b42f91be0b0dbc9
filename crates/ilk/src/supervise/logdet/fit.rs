//! The loop of sweeps and Newton steps, and the certificate that ends it.

use std::cell::Cell;

use ndarray::{Array2, ArrayView2};

use super::current_gram::{CurrentGram, initial};
use super::distance_constraints::DistanceConstraints;
use super::factor::{GramAtDuals, GramFactor};
use super::rows::{Certificate, DualRows};
use super::solution::{IterationKind, LogDetIteration, Solution};
use super::sweep::SkipTolerance;
use super::{LogDet, Projection, SlackedRow, box_qp::BoundState, newton, phase::PhaseSwitch};
use crate::observe::{Event, Observer, StopReason, report};
use crate::{Error, Result, error::check_length};

/// A row without slack that is violated by more than this part of its target after the last iteration
/// is unattainable, and not only slow.
const MAX_VIOLATION: f64 = 1e-3;

/// Sweeps after which the kernel is computed again from the duals.
const EXACT_EVERY: usize = 50;

/// The same happens when its largest value has grown by this factor: so many digits are lost.
const MAX_GROWTH: f64 = 1e6;

/// Before a Newton step, which needs more digits, it is computed again sooner.
const MAX_GROWTH_NEWTON: f64 = 10.0;

/// The most halvings of a step to duals that have no kernel.
const HALVINGS: usize = 20;

/// The share of the allowed gap that the rows skipped by a sweep may add, all together.
const SKIP_SHARE: f64 = 0.1;

/// Within this many sweeps the dual must rise by more than `MIN_RISE` of itself, or the excess must
/// halve; otherwise only rounding is left.
const LOOK_BACK: usize = 100;
const MIN_RISE: f64 = 1e-13;

/// The name of the stage in events.
const STAGE: &str = "learning the kernel";

/// The kernel before learning.
#[derive(Debug, Clone, Copy)]
pub enum InitialGram<'a> {
    /// C0, the kernel on the constrained points, c x c and symmetric; the lower half is read.
    Gram(ArrayView2<'a, f64>),
    /// Features F of the constrained points, c x r, with C0 = F F'.
    Features(ArrayView2<'a, f64>),
}

impl LogDet {
    /// Learns the kernel nearest to `start` that satisfies `terms`, up to slack.
    ///
    /// `warm` holds initial duals, one a row: those of an earlier solution for rows that were there
    /// before, 0 for new ones. The optimum does not depend on them, the time does.
    ///
    /// # Errors
    /// [`Error::BadParameter`], [`Error::WrongLength`] and [`Error::NotSquare`] where shapes do not
    /// fit, [`Error::NotFinite`], [`Error::Cancelled`].
    pub fn solve(
        &self,
        start: InitialGram<'_>,
        terms: &DistanceConstraints,
        warm: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<Solution> {
        self.check()?;
        terms.check()?;
        let (factor, start) = GramFactor::new(start, terms.points().len())?;
        let scale = start.diag().iter().copied().fold(0.0, f64::max);
        let rows = DualRows::new(self, terms, &start.view(), scale);
        let n_rows = terms.rows().len();
        let mut run = DualAscent {
            params: self,
            state: initial(&factor, &start),
            factor,
            rows,
            duals: vec![0.0; n_rows],
            gram: start,
            log_det: 0.0,
            exact: vec![0.0; n_rows],
            exact_value: 0.0,
            swept: 0,
            bound_states: Vec::new(),
            trace: Vec::new(),
            sweeps: 0,
            newton_steps: 0,
            observer,
        };
        if let Some(warm) = warm {
            run.start_at(warm)?;
        }
        let stop = match self.projection {
            Projection::Dual | Projection::Sweeps => run.ascend(warm.is_some())?,
            Projection::Paper => run.follow_papers()?,
        };
        Ok(run.finish(stop))
    }
}

/// A problem being solved.
pub(super) struct DualAscent<'a> {
    pub(super) params: &'a LogDet,
    pub(super) factor: GramFactor,
    pub(super) rows: DualRows,
    pub(super) duals: Vec<f64>,
    pub(super) state: Box<dyn CurrentGram>,
    pub(super) log_det: f64,
    /// The kernel when it was last computed from duals, these duals, and the value of the dual.
    gram: Array2<f64>,
    exact: Vec<f64>,
    exact_value: f64,
    /// Sweeps since then.
    swept: usize,
    /// The rows that the last Newton step held at a bound.
    bound_states: Vec<BoundState>,
    pub(super) trace: Vec<LogDetIteration>,
    pub(super) sweeps: usize,
    pub(super) newton_steps: usize,
    pub(super) observer: &'a dyn Observer,
}

impl DualAscent<'_> {
    /// Starts from given duals, as far as they are feasible.
    fn start_at(&mut self, warm: &[f64]) -> Result<()> {
        let n_rows = self.duals.len();
        check_length("the list of duals to begin with", warm.len(), n_rows)?;
        let mut duals = vec![0.0; warm.len()];
        for (number, row) in self.rows.taking_part() {
            let (low, high) = row.bounds();
            let most = match row {
                SlackedRow::Pair(_) => high * (1.0 - 1e-6),
                SlackedRow::Comparison(_) => high,
            };
            if warm[number].is_finite() {
                duals[number] = warm[number].clamp(low, most);
            }
        }
        // After rows were removed, the remaining duals of cannot-links may have no kernel; those of
        // must-links alone always have one.
        let mut share = 1.0;
        for _ in 0..60 {
            for (dual, row) in duals.iter_mut().zip(&self.rows.all) {
                if !matches!(row, SlackedRow::Pair(pair) if pair.sign > 0.0) {
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

    /// Continues from a kernel that was computed from the duals.
    fn take(&mut self, learned: GramAtDuals) {
        self.state.reset_to(&learned);
        self.log_det = learned.log_det;
        self.gram = learned.gram;
        self.exact.clone_from(&self.duals);
        self.exact_value = self.rows.dual_value(&self.duals, self.log_det);
        self.swept = 0;
    }

    /// Computes the kernel again from the duals, which removes the rounding of many updates.
    ///
    /// Constraints that contradict each other can make the kernel so large that only rounding is left
    /// of it, and the duals found with it have no kernel. Then a step is taken from the last duals that
    /// had one towards the new ones, halved until the dual rises. Where it does not rise at all, the
    /// last duals are restored, and the ascent ends: `None`.
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
        if self.swept < EXACT_EVERY && self.state.growth() < MAX_GROWTH {
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
        self.state.certify(&self.rows, &self.duals, self.log_det)
    }

    fn ascend(&mut self, is_warm: bool) -> Result<StopReason> {
        let mut phase = PhaseSwitch::new(is_warm);
        let mut active = 0;
        let mut before = (f64::NEG_INFINITY, f64::INFINITY);
        loop {
            if self.is_reached() {
                return Ok(StopReason::Converged);
            }
            if self.sweeps + self.newton_steps >= self.params.max_iter {
                return Ok(StopReason::MaxIterations);
            }
            if self.params.projection == Projection::Dual
                && phase.prefers_newton(&*self.state, self.duals.len(), active)
            {
                phase.stepped(self.newton()?);
                continue;
            }
            active = self.sweep()?;
            let is_exact = self.swept == 0;
            if self.keep_exact().is_none() || active == 0 && self.rebuild().is_none() {
                return Ok(StopReason::MaxIterations);
            }
            if active == 0 && is_exact {
                return Ok(self.stalled());
            }
            let found = self.certify();
            let excess = self.excess(found);
            if self.sweeps.is_multiple_of(LOOK_BACK) {
                let (value_before, excess_before) = before;
                let rise = found.dual - value_before;
                if rise <= MIN_RISE * found.dual.abs().max(1.0) && excess > 0.5 * excess_before {
                    return Ok(self.stalled());
                }
                before = (found.dual, excess);
            }
            phase.swept(excess);
        }
    }

    /// The stop reason where only rounding changes the duals. That is also so where contradictions
    /// have reduced distances to 0.
    fn stalled(&self) -> StopReason {
        StopReason::of_descent(self.certify().violation <= MAX_VIOLATION)
    }

    /// Whether the gap is small enough, certified without the rounding of earlier updates.
    fn is_reached(&mut self) -> bool {
        let is_small = self.excess(self.certify()) <= 1.0;
        is_small
            && (self.swept == 0 || self.rebuild().is_some() && self.excess(self.certify()) <= 1.0)
    }

    /// A sweep; returns the number of rows that changed.
    fn sweep(&mut self) -> Result<usize> {
        let value = self.rows.dual_value(&self.duals, self.log_det);
        let allowed = self.params.tol * value.abs().max(1.0);
        let tolerance = SkipTolerance {
            gap: SKIP_SHARE * allowed / self.duals.len() as f64,
            violation: SKIP_SHARE * self.params.tol,
        };
        let moved = self.state.sweep(&self.rows, &mut self.duals, tolerance);
        self.log_det += moved.log_det;
        self.sweeps += 1;
        self.report(IterationKind::Sweep, moved.rows)?;
        Ok(moved.rows)
    }

    /// A Newton step from the kernel of the duals; returns whether the dual rose.
    fn newton(&mut self) -> Result<bool> {
        if self.swept > 0 && self.state.growth() > MAX_GROWTH_NEWTON {
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
            &mut self.bound_states,
            &may_go_on,
        );
        if is_cancelled.get() {
            return Err(Error::Cancelled { iterations });
        }
        self.newton_steps += 1;
        let free = stepped.as_ref().map(|(.., free)| *free);
        if let Some((duals, learned, _)) = stepped {
            self.duals = duals;
            self.take(learned);
        }
        self.report(IterationKind::Newton, free.unwrap_or(0))?;
        Ok(free.is_some())
    }

    /// Notes an iteration and asks whether to go on.
    pub(super) fn report(&mut self, stage: IterationKind, active: usize) -> Result<()> {
        let found = self.certify();
        self.trace.push(LogDetIteration { stage, active, dual: found.dual, gap: found.gap });
        let iterations = self.sweeps + self.newton_steps;
        let total = self.rows.all.len();
        let mut event = Event::new(STAGE, iterations, total - active, total);
        event.movement = found.gap;
        report(self.observer, &event)
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
            let missed = self.rows.violated(&gram.view(), MAX_VIOLATION);
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
