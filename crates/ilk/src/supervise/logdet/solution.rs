//! The result of learning.

use ndarray::{Array2, ArrayView2};

use crate::{Result, numerics::linalg::Cholesky, numerics::linalg::product, observe::StopReason};

/// The kind of an iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IterationKind {
    /// A sweep over all rows.
    Sweep,
    /// A Newton step on the dual.
    Newton,
}

/// One iteration in the trace of learning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogDetIteration {
    /// Its kind.
    pub stage: IterationKind,
    /// Rows that changed, or that were free to.
    pub active: usize,
    /// The value of the dual after it.
    pub dual: f64,
    /// The duality gap after it.
    pub gap: f64,
}

/// The learned kernel on the constrained points, and how good it is.
///
/// With P the constrained points, the learned kernel of any two points is
/// k(x, y) + k(x, P) S k(P, y), S the `correction`.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// λ, one a row; where rows were left out, 0.
    pub duals: Vec<f64>,
    /// C, the learned kernel on the constrained points.
    pub gram: Array2<f64>,
    /// S = -A + A C A.
    pub correction: Array2<f64>,
    /// A = C^-1 - C0^-1, the sum of all λ M.
    pub precision: Array2<f64>,
    /// The objective of the kernel: its divergence from the initial kernel and the cost of violations.
    pub primal: f64,
    /// The value of the dual, a lower bound of the objective of any kernel.
    pub dual: f64,
    /// `primal - dual`: the objective is at most this far from its optimum. Rows without slack count
    /// with |λ| times their violation.
    pub gap: f64,
    /// The largest violation of a row without slack, relative to its target.
    pub violation: f64,
    /// Sweeps done.
    pub sweeps: usize,
    /// Newton steps done.
    pub newton_steps: usize,
    /// Why it ended.
    pub stop: StopReason,
    /// Rows that no kernel can attain: cannot-links of duplicates, comparisons of parallel
    /// directions, pairs with a must-link and a cannot-link, and rows without slack that were still
    /// violated after the last iteration. Slack absorbs them where there is slack to; the
    /// others were left out.
    pub unattainable: Vec<usize>,
    /// What happened in each iteration.
    pub trace: Vec<LogDetIteration>,
}

impl Solution {
    /// For features F of the constrained points (c x r) in which C0 = F F': the r x r matrix T by
    /// which the features f of any point become those of the learned kernel, f T. It is upper
    /// triangular, T T' = (I + F'AF)^-1.
    ///
    /// # Errors
    /// [`Error::NotPositiveDefinite`](crate::Error::NotPositiveDefinite) where these are not the
    /// features that were learned from.
    ///
    /// # Panics
    /// Where the features have another number of rows than the kernel.
    pub fn transform(&self, features: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        let shifted = product(self.precision.view(), features);
        let mut middle = product(features.t(), shifted.view());
        middle.diag_mut().mapv_inplace(|x| x + 1.0);
        let factor = Cholesky::factor(middle.view())?;
        let unit = Array2::eye(features.ncols());
        Ok(factor.forward_solve(unit.view()).reversed_axes())
    }
}
