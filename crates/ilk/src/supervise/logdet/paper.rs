//! The procedures of the papers.

use super::sweep::{SweepResult, change_comparison, move_pair};
use super::{comparison::Comparison, fit::DualAscent, rows::SlackedRow, solution::IterationKind};
use crate::{Result, observe::StopReason};

/// The relative change of the duals of pairs in a sweep at which the program that goes with the
/// paper stops.
const DUAL_CHANGE: f64 = 0.01;

impl DualAscent<'_> {
    /// Pairs: cyclic projections until ‖λ - λ'‖₁ < 0.01 (‖λ‖₂ + ‖λ'‖₂), λ' the duals a sweep ago.
    /// Comparisons: each that does not hold is projected onto, in the given order, until all hold,
    /// up to the tolerance.
    pub(super) fn follow_papers(&mut self) -> Result<StopReason> {
        let start = (0..self.state.len()).map(|i| self.state.value(i, i));
        let tolerance = self.params.tol * start.fold(0.0, f64::max);
        while self.sweeps < self.params.max_iter {
            let before = self.duals.clone();
            let (moved, is_all_held) = self.project(tolerance);
            self.log_det += moved.log_det;
            self.sweeps += 1;
            self.report(IterationKind::Sweep, moved.rows)?;
            if self.keep_exact().is_none() {
                return Ok(StopReason::MaxIterations);
            }
            if is_all_held && self.pair_change(&before) < DUAL_CHANGE {
                return Ok(StopReason::Converged);
            }
        }
        Ok(StopReason::MaxIterations)
    }

    /// One sweep, and whether every comparison held when its turn came.
    fn project(&mut self, tolerance: f64) -> (SweepResult, bool) {
        let mut moved = SweepResult::default();
        let mut is_all_held = true;
        for (number, row) in self.rows.taking_part() {
            let dual = &mut self.duals[number];
            let factor = match row {
                SlackedRow::Pair(pair) => {
                    let dist_sq = self.state.dist_sq(pair.a, pair.b);
                    move_pair(pair, &mut *self.state, dual, dist_sq)
                }
                SlackedRow::Comparison(row) => {
                    let form = self.state.form(row.i, row.j, row.k);
                    if is_missed(row, row.value(form), tolerance) {
                        is_all_held = false;
                        let step = row.projection(form);
                        change_comparison(row, &mut *self.state, dual, form, step)
                    } else {
                        None
                    }
                }
            };
            moved.count(factor);
        }
        (moved, is_all_held)
    }

    /// The relative change of the duals of pairs; 0 where there are none.
    fn pair_change(&self, before: &[f64]) -> f64 {
        let (mut change, mut now_sq, mut before_sq) = (0.0, 0.0, 0.0);
        for (number, row) in self.rows.taking_part() {
            if let SlackedRow::Pair(_) = row {
                let (now, then) = (self.duals[number], before[number]);
                change += (now - then).abs();
                now_sq += now * now;
                before_sq += then * then;
            }
        }
        if change > 0.0 { change / (now_sq.sqrt() + before_sq.sqrt()) } else { 0.0 }
    }
}

fn is_missed(row: &Comparison, value: f64, tolerance: f64) -> bool {
    value > tolerance || row.is_equality && value < -tolerance
}
