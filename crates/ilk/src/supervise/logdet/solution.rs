//! What was learned.

use ndarray::{Array2, ArrayView2};

use crate::Result;
use crate::numerics::linalg::{Cholesky, product};
use crate::observe::StopReason;

/// What an iteration was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// A sweep over all rows.
    Sweep,
    /// A second-order step on the dual.
    Newton,
}

/// One iteration in the trace of learning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TraceStep {
    /// What it was.
    pub stage: Stage,
    /// Rows that moved, or that were free to.
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
    /// The objective of the kernel: its divergence from the start and what its misses cost.
    pub primal: f64,
    /// The value of the dual, a lower bound of the objective of any kernel.
    pub dual: f64,
    /// `primal - dual`: the objective is at most this far from its optimum. Rows that may not be
    /// missed count with |λ| times their miss.
    pub gap: f64,
    /// The largest miss of a row that may not be missed, relative to its target.
    pub violation: f64,
    /// Sweeps done.
    pub sweeps: usize,
    /// Second-order steps done.
    pub newton_steps: usize,
    /// Why it ended.
    pub stop: StopReason,
    /// Rows that no kernel can attain: cannot-links of duplicates, comparisons of parallel
    /// directions, pairs that were said to be both near and far, and what could not be missed but
    /// still was when the iterations ran out. Slack absorbs them where there is slack to; the
    /// others were left out.
    pub unattainable: Vec<usize>,
    /// What happened in each iteration.
    pub trace: Vec<TraceStep>,
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
        Ok(factor.half_solve(unit.view()).reversed_axes())
    }
}
