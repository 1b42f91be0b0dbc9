//! The best point of a quadratic model within bounds.

use ndarray::{Array1, ArrayView1};

use super::hessian::{Hessian, System};

/// The most times the rows at a bound are chosen anew.
const ROUNDS: usize = 10;

/// Where H is dear, the share of the variables, times the accuracy, that may be at the wrong place.
const MISPLACED: f64 = 0.1;

/// How well a model is to be maximised.
#[derive(Clone, Copy)]
pub(super) struct Effort<'a> {
    /// The share of the gradient that may be left where H is too large to be factored.
    pub(super) accuracy: f64,
    /// Asked before every round where H is dear; the work ends where it says no.
    pub(super) may_go_on: &'a dyn Fn() -> bool,
}

/// Where a variable of the model is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Free,
    Low,
    High,
}

/// d that maximises g'd - d'Hd / 2 with low <= d <= high, or nearly so: block pivoting, where all
/// free variables that leave their range are put at the bound, all at a bound that want to leave are
/// freed, and the free ones are solved for anew, until nothing changes or the rounds are over.
///
/// `places` are those of the last model that was maximised, if there was one, and then those of this
/// one: from one step to the next they change little, and choosing them is most of the work.
///
/// H is positive semi-definite; low <= 0 <= high. `None` where the arithmetic fails, or the work may
/// not go on.
pub(super) fn maximise(
    hessian: &Hessian<'_>,
    gradient: ArrayView1<'_, f64>,
    low: &[f64],
    high: &[f64],
    places: &mut Vec<Place>,
    effort: Effort<'_>,
) -> Option<Vec<f64>> {
    let n = gradient.len();
    let misplaced = if hessian.is_operator() {
        (MISPLACED * effort.accuracy * n as f64) as usize
    } else {
        0
    };
    if places.len() != n {
        let held = (0..n).map(|j| match gradient[j] {
            g if low[j] == 0.0 && g <= 0.0 => Place::Low,
            g if high[j] == 0.0 && g >= 0.0 => Place::High,
            _ => Place::Free,
        });
        *places = held.collect();
    }
    let mut best = vec![0.0; n];
    for _ in 0..ROUNDS {
        if hessian.is_operator() && !(effort.may_go_on)() {
            return None;
        }
        let mut d: Vec<f64> = (0..n)
            .map(|j| match places[j] {
                Place::Free => 0.0,
                Place::Low => low[j],
                Place::High => high[j],
            })
            .collect();
        let free: Vec<usize> = (0..n).filter(|&j| places[j] == Place::Free).collect();
        let mut right: Array1<f64> = free.iter().map(|&j| gradient[j]).collect();
        if d.iter().any(|&d| d != 0.0) {
            let pulled = hessian.times(&d);
            for (right, &j) in right.iter_mut().zip(&free) {
                *right -= pulled[j];
            }
        }
        let solved = hessian.solve(System {
            chosen: &free,
            right: &right,
            guess: &best,
            accuracy: effort.accuracy,
        })?;
        for (&j, &x) in free.iter().zip(&solved) {
            d[j] = x;
        }
        let rest = hessian.times(&d);
        let mut changed = 0;
        for j in 0..n {
            let slope = gradient[j] - rest[j];
            let next = match places[j] {
                Place::Free if d[j] < low[j] => Place::Low,
                Place::Free if d[j] > high[j] => Place::High,
                Place::Low if slope > 0.0 => Place::Free,
                Place::High if slope < 0.0 => Place::Free,
                place => place,
            };
            changed += usize::from(next != places[j]);
            places[j] = next;
            d[j] = d[j].clamp(low[j], high[j]);
        }
        best = d;
        if changed <= misplaced {
            break;
        }
    }
    Some(best)
}
