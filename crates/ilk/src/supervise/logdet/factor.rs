//! The kernel of given duals, through a factor of the initial kernel.

use ndarray::{Array2, ArrayView2, Axis};

use super::{InitialGram, rows::DualRows};
use crate::numerics::linalg::{Cholesky, mirror_upper, product};
use crate::{Error, Result, error::check_length};

/// Pivots below this part of the largest diagonal entry may be rounding errors.
const MIN_PIVOT: f64 = 1e-10;

/// C0 = L L', L of c rows and as few columns as C0 has dimensions.
///
/// With C^-1 = C0^-1 + A, C = L (I + L'AL)^-1 L' even where C0 has no inverse, and
/// log det (I + C0 A) = log det (I + L'AL).
#[derive(Debug, Clone)]
pub(super) struct GramFactor {
    lower: Array2<f64>,
    /// Whether L is features that were given.
    is_given: bool,
}

/// The kernel at some duals.
#[derive(Debug, Clone)]
pub(super) struct GramAtDuals {
    pub(super) gram: Array2<f64>,
    /// log det (I + C0 A).
    pub(super) log_det: f64,
    /// Of I + L'AL.
    pub(super) middle: Cholesky,
}

impl GramFactor {
    /// The factor, and C0 itself.
    pub(super) fn new(start: InitialGram<'_>, c: usize) -> Result<(Self, Array2<f64>)> {
        let (InitialGram::Gram(given) | InitialGram::Features(given)) = start;
        let (rows, columns) = given.dim();
        check_length("the kernel on the constrained points", rows, c)?;
        if let Some(((row, column), &value)) = given.indexed_iter().find(|(_, x)| !x.is_finite()) {
            return Err(Error::NotFinite { row, column, value });
        }
        let (gram, is_given) = match start {
            InitialGram::Gram(_) if rows != columns => {
                return Err(Error::NotSquare { rows, columns });
            }
            InitialGram::Gram(_) => (mirrored(given.to_owned()), false),
            InitialGram::Features(_) => (mirrored(product(given, given.t())), columns <= rows),
        };
        let lower = if is_given { given.to_owned() } else { root(gram.view()) };
        Ok((Self { lower, is_given }, gram))
    }

    /// The kernel of some duals, with C^-1 = C0^-1 + A.
    pub(super) fn learn(&self, rows: &DualRows, duals: &[f64]) -> Result<GramAtDuals> {
        let pulled = rows.times(duals, self.lower.view());
        let mut middle = product(self.lower.t(), pulled.view());
        middle.diag_mut().mapv_inplace(|x| x + 1.0);
        // I + L'AL = R R', so that C = (R^-1 L')' (R^-1 L').
        let middle = Cholesky::factor_upper(middle)?;
        let half = middle.forward_solve(self.lower.t());
        Ok(GramAtDuals {
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

/// The matrix with its lower half copied to the upper.
fn mirrored(mut gram: Array2<f64>) -> Array2<f64> {
    mirror_upper(gram.view_mut().reversed_axes());
    gram
}

/// L with C0 = L L', by the plain Cholesky factor where C0 is safely invertible.
fn root(gram: ArrayView2<'_, f64>) -> Array2<f64> {
    let largest = gram.diag().iter().copied().fold(0.0, f64::max);
    if let Ok(factor) = Cholesky::factor(gram) {
        let lower = factor.lower();
        if lower.diag().iter().all(|x| x * x > MIN_PIVOT * largest) {
            return lower.as_standard_layout().into_owned();
        }
    }
    pivoted_cholesky(gram, gram.nrows())
}

/// L with C0 = L L' up to rounding: the largest remaining diagonal entry is taken first, and what
/// remains below the rounding error of the matrix is treated as 0. Only the lower half is read. Of more
/// than `most` columns the first are made, and C0 - L L' is what they leave.
///
/// [`similarity::pivoted_cholesky`](crate::similarity::pivoted_cholesky) is for kernels of any number of points: it computes the values of
/// the columns that it takes, and keeps rows in chunks. Here the matrix is at hand and small, so that one pivot at a
/// time, with whole columns in memory, is all that is needed.
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
    columns.slice(ndarray::s![..rank, ..]).t().as_standard_layout().into_owned()
}
