//! The second derivative of the dual.
//!
//! H_jk = tr(C M_j C M_k), for two pairs δ_j δ_k (z_j' C z_k)², and the curvature of the slack on the
//! diagonal. Up to some thousand rows it is a matrix. Beyond that it is never formed: with
//! B = Σ d_j M_j, entry j of H d is tr(M_j C B C), two products of c x c matrices.
//!
//! A system is about the rows that are not held at a bound, often few of many. Where they are some
//! thousand at most, it is solved by the Cholesky factor of their part of H, otherwise by conjugate
//! gradients, as accurately as the step needs it.

use ndarray::{Array1, Array2, ArrayView2, Axis, parallel::prelude::*};

use super::{precondition::Preconditioner, rows::DualRows, rows::SlackedRow};
use crate::numerics::linalg::{Cholesky, product, times_both_ways};
use crate::numerics::{rows_of, rows_of_mut};

/// The most rows of which H, or a part of it, is made a matrix, of 128 MB.
const MOST_ROWS: usize = 4000;

/// The most such rows for every point. A factor of f rows takes f³ / 3 multiplications, and some
/// dozens of products with the operator, which make a solution, 4 c³ each.
const MOST_ROWS_A_POINT: usize = 8;

/// The most steps of conjugate gradients.
const MOST_STEPS: usize = 300;

/// H over some rows.
pub(super) enum Hessian<'a> {
    /// The upper half is filled.
    Matrix(Array2<f64>),
    /// Known by its products.
    Operator {
        rows: Vec<&'a SlackedRow>,
        gram: ArrayView2<'a, f64>,
        slack: Vec<f64>,
        diagonal: Vec<f64>,
        /// The most rows of which a matrix is made.
        most_rows: usize,
    },
}

impl<'a> Hessian<'a> {
    pub(super) fn new(
        rows: &'a DualRows,
        duals: &[f64],
        gram: ArrayView2<'a, f64>,
        chosen: &[usize],
    ) -> Self {
        let most_rows = MOST_ROWS.min(MOST_ROWS_A_POINT * gram.nrows());
        Self::with_limit(rows, duals, gram, chosen, most_rows)
    }

    fn with_limit(
        rows: &'a DualRows,
        duals: &[f64],
        gram: ArrayView2<'a, f64>,
        chosen: &[usize],
        most_rows: usize,
    ) -> Self {
        let shapes: Vec<&SlackedRow> = chosen.iter().map(|&number| &rows.all[number]).collect();
        let slack: Vec<f64> =
            chosen.iter().map(|&number| rows.all[number].slack_curvature(duals[number])).collect();
        if chosen.len() <= most_rows {
            return Self::Matrix(matrix(&shapes, &slack, gram));
        }
        let diagonal = shapes.par_iter().zip(&slack);
        let diagonal = diagonal.map(|(row, slack)| entry(row, row, gram) + slack);
        Self::Operator { diagonal: diagonal.collect(), rows: shapes, gram, slack, most_rows }
    }

    /// H d.
    pub(super) fn times(&self, d: &[f64]) -> Vec<f64> {
        match self {
            Self::Matrix(upper) => times_upper(upper, d),
            Self::Operator { rows, gram, slack, .. } => {
                let mut sum = Array2::zeros(gram.dim());
                for (row, &d) in rows.iter().zip(d) {
                    row.add_to(d, &mut sum);
                }
                let pulled = product(product(*gram, sum.view()).view(), *gram);
                let pulled = pulled.view();
                let along = rows.par_iter().zip(slack.par_iter().zip(d));
                let along = along.map(|(row, (slack, d))| row.value(&pulled) + slack * d);
                along.collect()
            }
        }
    }

    /// Whether products are expensive.
    pub(super) fn is_operator(&self) -> bool {
        matches!(self, Self::Operator { .. })
    }

    /// x with H x = `right`, where all but the `chosen` variables are 0; `right` and the result are of
    /// the chosen ones. Where the solution is an iteration, it starts from `guess`, of all variables, and
    /// leaves `accuracy` of the right-hand side. `None` where the arithmetic fails.
    pub(super) fn solve(
        &self,
        chosen: &[usize],
        right: &Array1<f64>,
        guess: &[f64],
        accuracy: f64,
    ) -> Option<Array1<f64>> {
        let of_chosen =
            |values: &[f64]| -> Vec<f64> { chosen.iter().map(|&j| values[j]).collect() };
        match self {
            Self::Matrix(upper) => by_factor(|| part(upper, chosen), right),
            Self::Operator { rows, gram, slack, diagonal, most_rows } => {
                let rows: Vec<&SlackedRow> = chosen.iter().map(|&j| rows[j]).collect();
                if chosen.len() <= *most_rows {
                    let slack = of_chosen(slack);
                    return by_factor(|| matrix(&rows, &slack, *gram), right);
                }
                let by = Preconditioner::new(&rows, *gram, &of_chosen(diagonal));
                self.by_gradients(&by, chosen, right, guess, accuracy)
            }
        }
    }

    /// Conjugate gradients, preconditioned.
    fn by_gradients(
        &self,
        by: &Preconditioner,
        chosen: &[usize],
        right: &Array1<f64>,
        guess: &[f64],
        accuracy: f64,
    ) -> Option<Array1<f64>> {
        let mut whole = vec![0.0; guess.len()];
        let mut pull = |d: &Array1<f64>| -> Array1<f64> {
            for (&j, &d) in chosen.iter().zip(d) {
                whole[j] = d;
            }
            let pulled = self.times(&whole);
            chosen.iter().map(|&j| pulled[j]).collect()
        };
        let mut x: Array1<f64> = chosen.iter().map(|&j| guess[j]).collect();
        let mut rest = right.clone();
        if x.iter().any(|&x| x != 0.0) {
            rest -= &pull(&x);
        }
        let mut direction = by.apply(&rest);
        let mut size = rest.dot(&direction);
        let enough = accuracy.powi(2) * right.dot(&by.apply(right));
        for _ in 0..MOST_STEPS {
            if size <= enough {
                break;
            }
            let pulled = pull(&direction);
            let curvature = direction.dot(&pulled);
            if curvature <= 0.0 || !curvature.is_finite() {
                break;
            }
            let step = size / curvature;
            x.scaled_add(step, &direction);
            rest.scaled_add(-step, &pulled);
            let nearer = by.apply(&rest);
            let next = rest.dot(&nearer);
            direction = nearer + (next / size) * &direction;
            size = next;
        }
        x.iter().all(|x| x.is_finite()).then_some(x)
    }
}

/// tr(C M_j C M_k).
fn entry(j: &SlackedRow, k: &SlackedRow, gram: ArrayView2<'_, f64>) -> f64 {
    let mut sum = 0.0;
    j.for_each_difference(|a, b, factor| {
        let w = |i: usize| gram[[a, i]] - gram[[b, i]];
        sum += factor * k.quadratic(|a, b| w(a) - w(b));
    });
    sum
}

/// The upper half of H.
fn matrix(rows: &[&SlackedRow], slack: &[f64], gram: ArrayView2<'_, f64>) -> Array2<f64> {
    let mut hessian = Array2::zeros((rows.len(), rows.len()));
    hessian.axis_iter_mut(Axis(0)).into_par_iter().enumerate().for_each(|(j, mut out)| {
        rows[j].for_each_difference(|a, b, factor| {
            let w: Vec<f64> = gram.row(a).iter().zip(gram.row(b)).map(|(a, b)| a - b).collect();
            for (h, other) in rows_of_mut(&mut out)[j..].iter_mut().zip(&rows[j..]) {
                *h += factor * other.quadratic(|a, b| w[a] - w[b]);
            }
        });
        out[j] += slack[j];
    });
    hessian
}

/// The rows and columns of some variables, upper half.
fn part(upper: &Array2<f64>, chosen: &[usize]) -> Array2<f64> {
    let mut part = Array2::zeros((chosen.len(), chosen.len()));
    for (at, (mut out, &j)) in part.rows_mut().into_iter().zip(chosen).enumerate() {
        let row = upper.row(j);
        for (out, &k) in out.iter_mut().zip(chosen).skip(at) {
            *out = row[k];
        }
    }
    part
}

/// H x, of a matrix with its upper half filled.
fn times_upper(upper: &Array2<f64>, x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for (j, row) in upper.rows().into_iter().enumerate() {
        let (_, row) = rows_of(&row).split_at(j);
        let ((own, x), (y_own, y)) = (x[j..].split_at(1), y[j..].split_at_mut(1));
        y_own[0] += row[0] * own[0] + times_both_ways(&row[1..], x, own[0], y);
    }
    y
}

/// H x = g, with the smallest addition to the diagonal for which the factor exists. The upper half of
/// H is computed again for every try.
fn by_factor(upper: impl Fn() -> Array2<f64>, right: &Array1<f64>) -> Option<Array1<f64>> {
    let mut ridge = 1e-14;
    for _ in 0..6 {
        let mut upper = upper();
        let scale = upper.diag().iter().copied().fold(0.0, f64::max);
        upper.diag_mut().mapv_inplace(|x| x + ridge * scale);
        if let Ok(factor) = Cholesky::factor_upper(upper) {
            let solved = factor.solve(right.view().insert_axis(Axis(1)));
            return Some(solved.remove_axis(Axis(1)));
        }
        ridge *= 100.0;
    }
    None
}

#[cfg(test)]
mod tests;
