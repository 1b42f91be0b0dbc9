//! Cyclic ascent of the dual, a row at a time.

use super::comparison::{Comparison, Form};
use super::rows::{DualRows, SlackedRow};
use super::{current_gram::CurrentGram, pair::PairTerm};

/// The result of a sweep.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct SweepResult {
    /// Rows whose dual changed.
    pub(super) rows: usize,
    /// The change of log det.
    pub(super) log_det: f64,
}

/// A row within these tolerances is skipped.
#[derive(Debug, Clone, Copy)]
pub(super) struct SkipTolerance {
    /// The share of the gap that a skipped row may have.
    pub(super) gap: f64,
    /// The largest violation, relative to the target, of a skipped row without slack.
    pub(super) violation: f64,
}

/// Coordinate ascent over all rows once: each gets the dual that is optimal while the others are
/// fixed.
///
/// The dual never falls. A row that is optimal, or adds next to nothing to the gap, costs O(1), one
/// that changes O(c²).
pub(super) fn sweep(
    rows: &DualRows,
    state: &mut (impl CurrentGram + ?Sized),
    duals: &mut [f64],
    tolerance: SkipTolerance,
) -> SweepResult {
    let mut moved = SweepResult::default();
    for (number, row) in rows.taking_part() {
        let dual = &mut duals[number];
        let change = match row {
            SlackedRow::Pair(pair) => {
                let dist_sq = state.dist_sq(pair.a, pair.b);
                if pair.is_negligible(*dual, dist_sq, tolerance) {
                    continue;
                }
                move_pair(pair, state, dual, dist_sq)
            }
            SlackedRow::Comparison(row) => {
                let form = state.form(row.i, row.j, row.k);
                if row.is_negligible(*dual, form, tolerance) {
                    continue;
                }
                move_comparison(row, state, dual, form)
            }
        };
        moved.count(change);
    }
    moved
}

impl SweepResult {
    /// Counts a row that changed the determinant by a factor, if it did.
    pub(super) fn count(&mut self, factor: Option<f64>) {
        if let Some(factor) = factor {
            self.rows += 1;
            self.log_det += factor.ln();
        }
    }
}

/// Sets the optimal dual and returns the factor of the determinant, if the dual changed.
pub(super) fn move_pair(
    pair: &PairTerm,
    state: &mut (impl CurrentGram + ?Sized),
    dual: &mut f64,
    dist_sq: f64,
) -> Option<f64> {
    if dist_sq <= 0.0 {
        // Duplicates, up to rounding: no dual changes anything.
        return None;
    }
    let best = pair.best_dual(*dual, dist_sq);
    let step = pair.sign * (best - *dual);
    let factor = 1.0 + step * dist_sq;
    // The step divides by the distance, and rounding with it.
    let is_within_rounding = (factor - 1.0).abs() * dist_sq <= state.rounding();
    if is_within_rounding || !(factor > 0.0 && factor.is_finite()) {
        return None;
    }
    state.update_pair(pair.a, pair.b, -step / factor);
    *dual = best;
    Some(factor)
}

/// As [`move_pair`].
fn move_comparison(
    row: &Comparison,
    state: &mut (impl CurrentGram + ?Sized),
    dual: &mut f64,
    form: Form,
) -> Option<f64> {
    if !(form.uu >= 0.0 && form.vv >= 0.0) {
        return None;
    }
    let best = row.best_dual(*dual, form);
    if row.change(form, best - *dual) <= state.rounding() {
        return None;
    }
    let factor = change_comparison(row, state, dual, form, best - *dual)?;
    // A dual at its bound equals it exactly, despite rounding.
    *dual = best;
    Some(factor)
}

/// Changes a dual by a step, the kernel with it, and returns the factor of the determinant.
pub(super) fn change_comparison(
    row: &Comparison,
    state: &mut (impl CurrentGram + ?Sized),
    dual: &mut f64,
    form: Form,
    step: f64,
) -> Option<f64> {
    let factor = row.determinant(form, step);
    if !(factor > 0.0 && factor.is_finite()) {
        return None;
    }
    let update = comparison_update(row.ratio, form, step, factor);
    state.update_comparison([row.i, row.j, row.k], update);
    *dual += step;
    Some(factor)
}

/// Q = -t S (I + t P S)^-1 with S = diag(ρ, -1) and P the form, as (q11, q12, q22).
///
/// (I + t P S)^-1 = [[1 - t c, t b], [-t ρ b, 1 + t ρ a]] / (1 + t T + t² D).
fn comparison_update(ratio: f64, form: Form, step: f64, factor: f64) -> (f64, f64, f64) {
    let scale = -step / factor;
    (
        scale * ratio * (1.0 - step * form.vv),
        scale * ratio * step * form.uv,
        -scale * (1.0 + step * ratio * form.uu),
    )
}
