//! The preconditioner of conjugate gradients on the dual.
//!
//! With C = G G' + E, G of few columns, the second derivative is
//!
//! H = V V' + rest,   V_j the entries of G' M_j G,
//!
//! and the rest, like E, is positive semi-definite. Contradictions and truncated kernels leave C few
//! directions of weight, so V V' is nearly all of H. Of the rest the diagonal is taken:
//! P = V V' + D, whose inverse is D⁻¹ - D⁻¹ V (I + V' D⁻¹ V)⁻¹ V' D⁻¹.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

use super::{factor::pivoted_cholesky, rows::SlackedRow};
use crate::numerics::linalg::{Cholesky, product};

/// Columns of G, at most: V has 820 for so many.
const COLUMNS: usize = 40;

/// The least entry of D, as a share of the diagonal of H.
const LEAST: f64 = 1e-9;

/// P⁻¹ for some rows.
pub(super) struct Preconditioner {
    /// D⁻¹.
    diagonal: Array1<f64>,
    /// D⁻¹ V.
    scaled: Array2<f64>,
    /// Of I + V' D⁻¹ V; none where P is its diagonal alone.
    inner: Option<Cholesky>,
}

impl Preconditioner {
    /// For rows of whose H the diagonal is known.
    pub(super) fn new(rows: &[&SlackedRow], gram: ArrayView2<'_, f64>, diagonal: &[f64]) -> Self {
        let heavy = pivoted_cholesky(gram, COLUMNS + 1);
        let r = heavy.ncols();
        if r > COLUMNS {
            return Self {
                diagonal: diagonal.iter().map(|x| 1.0 / x).collect(),
                scaled: Array2::zeros((0, 0)),
                inner: None,
            };
        }
        let mut v = Array2::zeros((rows.len(), r * (r + 1) / 2));
        for (row, mut out) in rows.iter().zip(v.rows_mut()) {
            row.for_each_difference(|a, b, factor| {
                let x = &heavy.row(a) - &heavy.row(b);
                let mut at = 0;
                for i in 0..r {
                    // An entry off the diagonal counts twice.
                    let twice = factor * std::f64::consts::SQRT_2 * x[i];
                    for j in 0..i {
                        out[at] += twice * x[j];
                        at += 1;
                    }
                    out[at] += factor * x[i] * x[i];
                    at += 1;
                }
            });
        }
        let rest: Array1<f64> = v
            .rows()
            .into_iter()
            .zip(diagonal)
            .map(|(v, &all): (ArrayView1<'_, f64>, &f64)| 1.0 / (all - v.dot(&v)).max(LEAST * all))
            .collect();
        let scaled = &v * &rest.view().insert_axis(Axis(1));
        let mut inner = product(v.t(), scaled.view());
        inner.diag_mut().mapv_inplace(|x| x + 1.0);
        let inner = Cholesky::factor_upper(inner).ok();
        Self {
            diagonal: match inner {
                Some(_) => rest,
                None => diagonal.iter().map(|x| 1.0 / x).collect(),
            },
            scaled,
            inner,
        }
    }

    /// P⁻¹ x.
    pub(super) fn apply(&self, x: &Array1<f64>) -> Array1<f64> {
        let mut out = x * &self.diagonal;
        if let Some(inner) = &self.inner {
            let along = self.scaled.t().dot(x);
            let solved = inner.solve(along.insert_axis(Axis(1)).view());
            out -= &self.scaled.dot(&solved.remove_axis(Axis(1)));
        }
        out
    }
}
