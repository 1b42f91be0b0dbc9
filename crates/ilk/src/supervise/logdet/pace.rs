//! Whether to go on with sweeps or to take a second-order step.
//!
//! The engine looks at no clock, so both are counted in multiplications. Sweeps shrink the gap by
//! about the same factor each; what the last few of them did says how many more there would be.

use super::kernel::{Kernel, Work};

/// Sweeps between the two gaps that give the factor.
const WINDOW: usize = 4;

/// Second-order steps that it takes to finish, and the sweeps after each of them.
const NEWTON_STEPS: f64 = 3.0;

/// How many multiplications of a sweep take as long as one of a Cholesky factor.
const BLOCKED: f64 = 2.0;

/// How often a row is looked at in a sweep and for the certificate after it.
const LOOKS: f64 = 4.0;

/// The pace of the sweeps so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Pace {
    /// How many times too large the gap was after each sweep since the last second-order step.
    excess: Vec<f64>,
    /// Sweeps to do before the next second-order step is thought of.
    rest: usize,
    /// Second-order steps that led nowhere, one after the other.
    failures: u32,
    /// Whether the last second-order step led somewhere.
    is_second_order: bool,
}

/// What an iteration of either kind costs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    pub(super) sweep: f64,
    pub(super) newton: f64,
}

impl Cost {
    /// Of a kernel with `rows` rows, of which `moved` moved in the last sweep.
    pub(super) fn new(kernel: &Kernel, rows: usize, moved: usize) -> Self {
        let Work { look, update } = kernel.work();
        let (c, rows, moved) = (kernel.len() as f64, rows as f64, moved as f64);
        Self {
            sweep: moved * update + LOOKS * look * rows,
            newton: (moved * moved * moved / 6.0 + 4.0 * moved * moved + 4.0 * c * c * c) / BLOCKED,
        }
    }
}

impl Pace {
    /// The pace at the start. From duals that are nearly right, second-order steps are best at once.
    pub(super) fn new(is_warm: bool) -> Self {
        Self {
            is_second_order: is_warm,
            ..Self::default()
        }
    }

    /// Notes that after a sweep the gap is `excess` times what it may be.
    pub(super) fn swept(&mut self, excess: f64) {
        self.excess.push(excess);
        self.rest = self.rest.saturating_sub(1);
    }

    /// Notes how a second-order step went.
    pub(super) fn stepped(&mut self, is_success: bool) {
        self.is_second_order = is_success;
        self.excess.clear();
        if is_success {
            self.failures = 0;
        } else {
            self.failures += 1;
            self.rest = 4 << self.failures.min(10);
        }
    }

    /// Whether a second-order step is the better next thing.
    pub(super) fn prefers_newton(&self, cost: Cost) -> bool {
        let Some(&last) = self.excess.last() else {
            return false;
        };
        if self.rest > 0 {
            return false;
        }
        if self.is_second_order {
            return true;
        }
        let Some(&before) = self.excess.iter().nth_back(WINDOW) else {
            return false;
        };
        let rate = (before / last).ln() / WINDOW as f64;
        let sweeps = if rate > 0.0 {
            last.ln() / rate
        } else {
            f64::INFINITY
        };
        sweeps * cost.sweep > NEWTON_STEPS * (cost.newton + cost.sweep)
    }
}
