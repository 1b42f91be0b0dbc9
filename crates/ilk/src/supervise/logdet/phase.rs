//! The choice between sweeps and Newton steps.
//!
//! Results must not depend on time, so costs are counted in multiplications. Sweeps reduce the gap by
//! about the same factor each; the last few of them predict how many more are needed.

use super::current_gram::CurrentGram;

/// Sweeps between the two gaps that give the factor.
const WINDOW: usize = 4;

/// Second-order steps that it takes to finish, and the sweeps after each of them.
const NEWTON_STEPS: f64 = 3.0;

/// The multiplications of a blocked Cholesky factor that take as long as one of a sweep.
const BLOCKED: f64 = 2.0;

/// Distances read per row, in a sweep and for the certificate after it.
const LOOKS: f64 = 4.0;

/// The progress of the sweeps so far, which decides what comes next.
#[derive(Debug, Clone, Default)]
pub(super) struct PhaseSwitch {
    /// The gap, relative to the allowed gap, after each sweep since the last Newton step.
    excess: Vec<f64>,
    /// Sweeps before the next Newton step is considered.
    wait: usize,
    /// Consecutive Newton steps without a rise of the dual.
    failures: u32,
    /// Whether the last Newton step raised the dual.
    is_second_order: bool,
}

impl PhaseSwitch {
    /// The start. From nearly optimal duals Newton steps are the better choice at once.
    pub(super) fn new(is_warm: bool) -> Self {
        Self { is_second_order: is_warm, ..Self::default() }
    }

    /// Records that after a sweep the gap is `excess` times the allowed one.
    pub(super) fn swept(&mut self, excess: f64) {
        self.excess.push(excess);
        self.wait = self.wait.saturating_sub(1);
    }

    /// Records whether a Newton step raised the dual.
    pub(super) fn stepped(&mut self, is_success: bool) {
        self.is_second_order = is_success;
        self.excess.clear();
        if is_success {
            self.failures = 0;
        } else {
            self.failures += 1;
            self.wait = 4 << self.failures.min(10);
        }
    }

    /// Whether a Newton step should be next, for `rows` rows of which `moved` moved in the last sweep.
    pub(super) fn prefers_newton(
        &self,
        kernel: &dyn CurrentGram,
        rows: usize,
        moved: usize,
    ) -> bool {
        let Some(&last) = self.excess.last().filter(|_| self.wait == 0) else {
            return false;
        };
        if self.is_second_order {
            return true;
        }
        let Some(&before) = self.excess.iter().nth_back(WINDOW) else {
            return false;
        };
        let rate = (before / last).ln() / WINDOW as f64;
        let sweeps = if rate > 0.0 { last.ln() / rate } else { f64::INFINITY };
        let [look, update] = kernel.work();
        let (c, rows, moved) = (kernel.len() as f64, rows as f64, moved as f64);
        let sweep = moved * update + LOOKS * look * rows;
        let newton = moved * moved * moved / 6.0 + 4.0 * moved * moved + 4.0 * c * c * c;
        sweeps * sweep > NEWTON_STEPS * (newton / BLOCKED + sweep)
    }
}
