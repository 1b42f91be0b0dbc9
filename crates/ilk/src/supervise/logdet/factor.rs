//! From duals back to the kernel, through a factor of the start.

use ndarray::{Array2, ArrayView2, Axis};

use super::Start;
use super::rows::Rows;
use crate::numerics::linalg::{Cholesky, product};
use crate::{Error, Result};

/// Pivots below this part of the largest diagonal entry may be rounding.
const DOUBT: f64 = 1e-10;

/// C0 = L L', L of c rows and as few columns as C0 has dimensions.
///
/// With C^-1 = C0^-1 + A, C = L (I + L'AL)^-1 L' even where C0 has no inverse, and
/// log det (I + C0 A) = log det (I + L'AL).
#[derive(Debug, Clone)]
pub(super) struct Factor {
    lower: Array2<f64>,
    /// Whether L is features that were given.
    is_given: bool,
}

/// The kernel at some duals.
#[derive(Debug, Clone)]
pub(super) struct Learned {
    pub(super) gram: Array2<f64>,
    /// log det (I + C0 A).
    pub(super) log_det: f64,
    /// Of I + L'AL.
    pub(super) middle: Cholesky,
}

impl Factor {
    /// The factor, and C0 itself.
    pub(super) fn new(start: Start<'_>, c: usize) -> Result<(Self, Array2<f64>)> {
        let (rows, columns) = match start {
            Start::Gram(gram) | Start::Features(gram) => gram.dim(),
        };
        if rows != c {
            return Err(Error::WrongLength {
                what: "the kernel on the constrained points",
                found: rows,
                expected: c,
            });
        }
        let values = match start {
            Start::Gram(values) | Start::Features(values) => values,
        };
        if let Some(((row, column), &value)) =
            values.indexed_iter().find(|(_, value)| !value.is_finite())
        {
            return Err(Error::NotFinite { row, column, value });
        }
        match start {
            Start::Gram(gram) => {
                if rows != columns {
                    return Err(Error::NotSquare { rows, columns });
                }
                let lower = root(gram);
                let factor = Self {
                    lower,
                    is_given: false,
                };
                Ok((factor, mirrored(gram.to_owned())))
            }
            Start::Features(features) => {
                let gram = mirrored(product(features, features.t()));
                let is_given = columns <= rows;
                let lower = if is_given {
                    features.to_owned()
                } else {
                    root(gram.view())
                };
                Ok((Self { lower, is_given }, gram))
            }
        }
    }

    /// The kernel of some duals, with C^-1 = C0^-1 + A.
    ///
    /// # Errors
    /// [`Error::NotPositiveDefinite`] where there is none.
    pub(super) fn learn(&self, rows: &Rows, duals: &[f64]) -> Result<Learned> {
        let pulled = rows.times(duals, self.lower.view());
        let mut middle = product(self.lower.t(), pulled.view());
        middle.diag_mut().mapv_inplace(|x| x + 1.0);
        // I + L'AL = R R', so that C = (R^-1 L')' (R^-1 L').
        let middle = Cholesky::factor_upper(middle)?;
        let half = middle.half_solve(self.lower.t());
        Ok(Learned {
            gram: mirrored(product(half.t(), half.view())),
            log_det: middle.log_det(),
            middle,
        })
    }

    /// The features that were given, where they are the factor.
    pub(super) fn features(&self) -> Option<ArrayView2<'_, f64>> {
        self.is_given.then(|| self.lower.view())
    }
}

/// The matrix with its lower half in the place of the upper.
fn mirrored(mut gram: Array2<f64>) -> Array2<f64> {
    for i in 0..gram.nrows() {
        for j in 0..i {
            gram[[j, i]] = gram[[i, j]];
        }
    }
    gram
}

/// L with C0 = L L', by the plain factor where C0 has an inverse beyond doubt.
fn root(gram: ArrayView2<'_, f64>) -> Array2<f64> {
    let largest = gram.diag().iter().copied().fold(0.0, f64::max);
    if let Ok(factor) = Cholesky::factor(gram) {
        let lower = factor.lower();
        if lower.diag().iter().all(|x| x * x > DOUBT * largest) {
            return lower.as_standard_layout().into_owned();
        }
    }
    pivoted_cholesky(gram, gram.nrows())
}

/// L with C0 = L L' up to rounding: the largest remaining diagonal entry is taken first, and what
/// remains below the rounding of the matrix is taken for nothing. Only the lower half is read. Of more
/// than `most` columns the first are made, and C0 - L L' is what they leave.
pub(super) fn pivoted_cholesky(gram: ArrayView2<'_, f64>, most: usize) -> Array2<f64> {
    let c = gram.nrows();
    let mut rest = gram.diag().to_vec();
    let largest = rest.iter().copied().fold(0.0, f64::max);
    let nothing = c as f64 * f64::EPSILON * largest;
    // Row k holds column k of L.
    let mut columns = Array2::<f64>::zeros((most.min(c), c));
    let mut rank = 0;
    while rank < most.min(c) {
        let pivot = (0..c).fold(0, |best, i| if rest[i] > rest[best] { i } else { best });
        if rest[pivot] <= nothing {
            break;
        }
        let (before, mut after) = columns.view_mut().split_at(Axis(0), rank);
        let mut column = after.row_mut(0);
        for (i, value) in column.iter_mut().enumerate() {
            *value = gram[[i.max(pivot), i.min(pivot)]];
        }
        for earlier in before.rows() {
            column.scaled_add(-earlier[pivot], &earlier);
        }
        let root = rest[pivot].sqrt();
        column /= root;
        for (i, rest) in rest.iter_mut().enumerate() {
            if i == pivot {
                *rest = f64::NEG_INFINITY;
                column[i] = root;
            } else if *rest == f64::NEG_INFINITY {
                column[i] = 0.0;
            } else {
                *rest -= column[i] * column[i];
            }
        }
        rank += 1;
    }
    columns
        .slice(ndarray::s![..rank, ..])
        .t()
        .as_standard_layout()
        .into_owned()
}
