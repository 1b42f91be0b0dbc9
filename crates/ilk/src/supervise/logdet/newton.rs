//! Second-order steps on the dual.
//!
//! Sweeps crawl where many rows pull on few dimensions. A step of projected Newton then takes all
//! rows together: those held at a bound stay, the others move along d with H d = g, g the gradient
//! and -H the second derivative of the dual,
//!
//! H_jk = tr(C M_j C M_k) + the curvature of the slack,
//!
//! as far as the dual rises and no bound is crossed.

use ndarray::{Array1, ArrayView2};

use super::bounded::{Effort, Place, maximise};
use super::factor::{Factor, Learned};
use super::hessian::Hessian;
use super::rows::{Certificate, Rows, Slacked};

/// The share of the rise that the gradient promises which a step must keep.
const ARMIJO: f64 = 1e-4;

/// The most halvings of a step.
const HALVINGS: usize = 30;

/// A must-link with slack goes at most this share of the way to its largest dual.
const WITHIN: f64 = 0.95;

/// Where the promised rise is this small a part of the dual, rounding hides it.
const HIDDEN: f64 = 1e-11;

/// The accuracy of a step at the worst, and at the best.
const ROUGH: f64 = 0.1;
const FINE: f64 = 1e-5;

/// Duals after a step, and their kernel.
#[derive(Debug)]
pub(super) struct Stepped {
    pub(super) duals: Vec<f64>,
    pub(super) learned: Learned,
    /// Rows that were free to move.
    pub(super) free: usize,
}

/// One step from duals with the kernel `gram`; `None` where none is found that makes the dual rise.
pub(super) fn step(
    rows: &Rows,
    factor: &Factor,
    duals: &[f64],
    gram: ArrayView2<'_, f64>,
    log_det: f64,
    places: &mut Vec<Place>,
    may_go_on: &dyn Fn() -> bool,
) -> Option<Stepped> {
    let chosen: Vec<usize> = rows.taking_part().map(|(number, _)| number).collect();
    let gradient: Array1<f64> = chosen
        .iter()
        .map(|&number| {
            let row = &rows.all[number];
            row.value(&gram) + row.slack_slope(duals[number])
        })
        .collect();
    let (low, high): (Vec<f64>, Vec<f64>) = chosen
        .iter()
        .map(|&number| room(&rows.all[number], duals[number]))
        .unzip();
    let hessian = Hessian::new(rows, duals, gram, &chosen);
    let before = rows.certify(duals, &gram, log_det);
    let effort = Effort {
        accuracy: accuracy(before),
        may_go_on,
    };
    let direction = maximise(&hessian, gradient.view(), &low, &high, places, effort)?;
    let free = direction.iter().filter(|d| **d != 0.0).count();
    let promised: f64 = direction.iter().zip(&gradient).map(|(d, g)| d * g).sum();
    if promised <= 0.0 {
        return None;
    }
    let mut length = 1.0;
    for _ in 0..HALVINGS {
        let mut next = duals.to_vec();
        for ((&number, &d), (low, high)) in chosen.iter().zip(&direction).zip(low.iter().zip(&high))
        {
            // A bound is met exactly, whatever the rounding.
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
            let is_better = if promised < HIDDEN * before.dual.abs().max(1.0) {
                after.gap < before.gap
            } else {
                after.dual >= before.dual + ARMIJO * length * promised
            };
            if is_better {
                return Some(Stepped {
                    duals: next,
                    learned,
                    free,
                });
            }
        }
        length *= 0.5;
    }
    None
}

/// How accurate a step has to be: far from the optimum a rough one is as good, and near it the error
/// must shrink faster than the gap for the last steps to be short.
fn accuracy(found: Certificate) -> f64 {
    let gap = found.gap / found.dual.abs().max(1.0);
    (ROUGH * gap.sqrt()).clamp(FINE, ROUGH)
}

/// How far down and up a dual may go in one step.
fn room(row: &Slacked, dual: f64) -> (f64, f64) {
    let (low, high) = row.bounds();
    match row {
        Slacked::Pair(_) => (low - dual, WITHIN * (high - dual)),
        Slacked::Comparison(_) => (low - dual, high - dual),
    }
}
