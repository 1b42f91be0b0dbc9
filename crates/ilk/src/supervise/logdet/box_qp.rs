//! The maximum of a quadratic model within bounds.

use ndarray::{Array1, ArrayView1};

use super::hessian::Hessian;

/// The most rounds of block pivoting.
const ROUNDS: usize = 10;

/// Where products with H are expensive, the share of the variables, times the accuracy, that may have
/// the wrong bound state.
const MISPLACED: f64 = 0.1;

/// Whether a variable is free or at a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundState {
    Free,
    Low,
    High,
}

/// d that maximises g'd - d'Hd / 2 with low <= d <= high, or nearly so: block pivoting, where all
/// free variables that leave their range are put at the bound, all at a bound that want to leave are
/// freed, and the free ones are solved for again, until nothing changes or the limit of rounds.
///
/// `bound_states` are those of the last model that was maximised, if there was one, and then those of
/// this one: from one step to the next they change little, and finding them is most of the work.
///
/// H is positive semi-definite; low <= 0 <= high. Where H is too large to be factored, `accuracy` is
/// the share of the gradient that may be left, and `may_go_on` is called before every round; false
/// cancels. `None` then, or where the arithmetic fails.
pub(super) fn maximise(
    hessian: &Hessian<'_>,
    gradient: ArrayView1<'_, f64>,
    low: &[f64],
    high: &[f64],
    bound_states: &mut Vec<BoundState>,
    accuracy: f64,
    may_go_on: &dyn Fn() -> bool,
) -> Option<Vec<f64>> {
    let n = gradient.len();
    let misplaced =
        if hessian.is_operator() { (MISPLACED * accuracy * n as f64) as usize } else { 0 };
    if bound_states.len() != n {
        let held = (0..n).map(|j| match gradient[j] {
            g if low[j] == 0.0 && g <= 0.0 => BoundState::Low,
            g if high[j] == 0.0 && g >= 0.0 => BoundState::High,
            _ => BoundState::Free,
        });
        *bound_states = held.collect();
    }
    let mut best = vec![0.0; n];
    for _ in 0..ROUNDS {
        if hessian.is_operator() && !may_go_on() {
            return None;
        }
        let mut d: Vec<f64> = (0..n)
            .map(|j| match bound_states[j] {
                BoundState::Free => 0.0,
                BoundState::Low => low[j],
                BoundState::High => high[j],
            })
            .collect();
        let free: Vec<usize> = (0..n).filter(|&j| bound_states[j] == BoundState::Free).collect();
        let mut right: Array1<f64> = free.iter().map(|&j| gradient[j]).collect();
        if d.iter().any(|&d| d != 0.0) {
            let pulled = hessian.times(&d);
            for (right, &j) in right.iter_mut().zip(&free) {
                *right -= pulled[j];
            }
        }
        let solved = hessian.solve(&free, &right, &best, accuracy)?;
        for (&j, &x) in free.iter().zip(&solved) {
            d[j] = x;
        }
        let rest = hessian.times(&d);
        let mut changed = 0;
        for j in 0..n {
            let slope = gradient[j] - rest[j];
            let next = match bound_states[j] {
                BoundState::Free if d[j] < low[j] => BoundState::Low,
                BoundState::Free if d[j] > high[j] => BoundState::High,
                BoundState::Low if slope > 0.0 => BoundState::Free,
                BoundState::High if slope < 0.0 => BoundState::Free,
                place => place,
            };
            changed += usize::from(next != bound_states[j]);
            bound_states[j] = next;
            d[j] = d[j].clamp(low[j], high[j]);
        }
        best = d;
        if changed <= misplaced {
            break;
        }
    }
    Some(best)
}
