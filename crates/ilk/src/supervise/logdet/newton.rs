//! Second-order steps on the dual.
//!
//! Sweeps converge slowly where many rows act on few dimensions. A step of projected Newton then
//! changes all rows together: those held at a bound stay, the others move along d with H d = g, g the gradient
//! and -H the second derivative of the dual,
//!
//! H_jk = tr(C M_j C M_k) + the curvature of the slack,
//!
//! as far as the dual rises and no bound is crossed.

use ndarray::{Array1, ArrayView2};

use super::box_qp::{BoundState, maximise};
use super::factor::{GramAtDuals, GramFactor};
use super::hessian::Hessian;
use super::rows::{Certificate, DualRows, SlackedRow};

/// The share of the rise predicted by the gradient that a step must attain (Armijo).
const ARMIJO: f64 = 1e-4;

/// The most halvings of a step.
const HALVINGS: usize = 30;

/// A must-link with slack goes at most this share of the way to its largest dual.
const WITHIN: f64 = 0.95;

/// A predicted rise below this part of the dual is hidden by rounding.
const MIN_RISE: f64 = 1e-11;

/// The range of the accuracy of a step.
const COARSE: f64 = 0.1;
const FINE: f64 = 1e-5;

/// One step from duals with the kernel `gram`: the new duals, their kernel, and how many rows were free
/// to move. `None` where none is found that makes the dual rise.
pub(super) fn step(
    rows: &DualRows,
    factor: &GramFactor,
    duals: &[f64],
    gram: ArrayView2<'_, f64>,
    log_det: f64,
    bound_states: &mut Vec<BoundState>,
    may_go_on: &dyn Fn() -> bool,
) -> Option<(Vec<f64>, GramAtDuals, usize)> {
    let chosen: Vec<usize> = rows.taking_part().map(|(number, _)| number).collect();
    let each = || rows.taking_part().map(|(number, row)| (row, duals[number]));
    let gradient: Array1<f64> =
        each().map(|(row, dual)| row.value(&gram) + row.slack_slope(dual)).collect();
    let (low, high): (Vec<f64>, Vec<f64>) = each().map(|(row, dual)| room(row, dual)).unzip();
    let hessian = Hessian::new(rows, duals, gram, &chosen);
    let before = rows.certify(duals, &gram, log_det);
    let direction = maximise(
        &hessian,
        gradient.view(),
        &low,
        &high,
        bound_states,
        accuracy(before),
        may_go_on,
    )?;
    let free = direction.iter().filter(|d| **d != 0.0).count();
    let predicted: f64 = direction.iter().zip(&gradient).map(|(d, g)| d * g).sum();
    if predicted <= 0.0 {
        return None;
    }
    let mut length = 1.0;
    for _ in 0..HALVINGS {
        let mut next = duals.to_vec();
        for ((&number, &d), (low, high)) in chosen.iter().zip(&direction).zip(low.iter().zip(&high))
        {
            // A dual at its bound equals it exactly, despite rounding.
            let (from, d) = (duals[number], length * d);
            next[number] = if d <= *low && *low > f64::NEG_INFINITY {
                rows.all[number].bounds().0
            } else if d >= *high && rows.all[number].bounds().1 == from + *high {
                from + *high
            } else {
                from + d
            };
        }
        if let Ok(learned) = factor.learn(rows, &next) {
            let after = rows.certify(&next, &learned.gram.view(), learned.log_det);
            let is_better = if predicted < MIN_RISE * before.dual.abs().max(1.0) {
                after.gap < before.gap
            } else {
                after.dual >= before.dual + ARMIJO * length * predicted
            };
            if is_better {
                return Some((next, learned, free));
            }
        }
        length *= 0.5;
    }
    None
}

/// The accuracy of a step: a coarse one suffices far from the optimum; near it the error must shrink
/// faster than the gap, so that convergence stays superlinear.
fn accuracy(found: Certificate) -> f64 {
    let gap = found.gap / found.dual.abs().max(1.0);
    (COARSE * gap.sqrt()).clamp(FINE, COARSE)
}

/// How far down and up a dual may go in one step.
fn room(row: &SlackedRow, dual: f64) -> (f64, f64) {
    let (low, high) = row.bounds();
    match row {
        SlackedRow::Pair(_) => (low - dual, WITHIN * (high - dual)),
        SlackedRow::Comparison(_) => (low - dual, high - dual),
    }
}
