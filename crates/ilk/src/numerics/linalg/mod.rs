//! Dense linear algebra: ndarray in, ndarray out.
//!
//! faer does the work and never shows; this module is its only importer. Work is always cut into the
//! same number of pieces, so that the bits do not depend on how many threads share them.

mod cholesky;
mod eigen;
mod lanczos;
mod principal;
mod tall;

pub use cholesky::Cholesky;
pub use eigen::{EXACT, Eigen, symmetric_eigen, top_eigen, top_eigen_of};
pub use principal::{Principal, principal_axes};

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::{Array2, ArrayView2, ArrayViewMut1, CowArray, Ix2};

/// The product of two matrices.
///
/// # Panics
/// Where `a` has not as many columns as `b` has rows.
pub fn product(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> Array2<f64> {
    assert_eq!(a.ncols(), b.nrows(), "the inner dimensions differ");
    let (a, b) = (contiguous(&a), contiguous(&b));
    let (rows, columns) = (a.nrows(), b.ncols());
    let mut out = Array2::zeros((rows, columns));
    if let (Some(a), Some(b), Some(out)) = (mat(&a), mat(&b), out.as_slice_mut()) {
        let out = MatMut::from_row_major_slice_mut(out, rows, columns);
        matmul(out, Accum::Replace, a, b, 1.0, parallelism());
    }
    out
}

/// The matrix stored row by row or column by column, copied only where it is neither.
fn contiguous<'a>(matrix: &'a ArrayView2<'_, f64>) -> CowArray<'a, f64, Ix2> {
    if matrix.t().is_standard_layout() {
        matrix.view().into()
    } else {
        matrix.as_standard_layout()
    }
}

/// faer's view of a contiguous matrix.
fn mat<'a>(matrix: &'a CowArray<'_, f64, Ix2>) -> Option<MatRef<'a, f64>> {
    let (rows, columns) = matrix.dim();
    if let Some(slice) = matrix.as_slice() {
        return Some(MatRef::from_row_major_slice(slice, rows, columns));
    }
    let slice = matrix.t().to_slice()?;
    Some(MatRef::from_column_major_slice(slice, rows, columns))
}

/// The product of the rows in `a` (one after the other, each as long as `b` has rows) with `b`,
/// written row by row to `out`, on the calling thread: for work that is already cut into pieces.
///
/// # Panics
/// Where the lengths do not fit.
pub(crate) fn product_into(a: &[f64], b: ArrayView2<'_, f64>, out: &mut [f64]) {
    let (inner, columns) = b.dim();
    let rows = out.len() / columns.max(1);
    let b = b.as_standard_layout();
    if let Some(b) = b.as_slice() {
        matmul(
            MatMut::from_row_major_slice_mut(out, rows, columns),
            Accum::Replace,
            MatRef::from_row_major_slice(a, rows, inner),
            MatRef::from_row_major_slice(b, inner, columns),
            1.0,
            Par::Seq,
        );
    }
}

/// Subtracts from `out` the product of rows, which start every `stride` numbers in `a` and of which the
/// first ones, as many as `b` has rows, count, with `b`. See [`product_into`].
///
/// # Panics
/// Where the lengths do not fit.
pub(crate) fn subtract_product_into(
    a: &[f64],
    stride: usize,
    b: ArrayView2<'_, f64>,
    out: &mut [f64],
) {
    let (inner, columns) = b.dim();
    let rows = out.len() / columns.max(1);
    let b = b.as_standard_layout();
    if let Some(b) = b.as_slice() {
        matmul(
            MatMut::from_row_major_slice_mut(out, rows, columns),
            Accum::Add,
            MatRef::from_row_major_slice(a, rows, stride).subcols(0, inner),
            MatRef::from_row_major_slice(b, inner, columns),
            -1.0,
            Par::Seq,
        );
    }
}

/// The inverse of a lower triangular matrix, of which the upper half is not read.
///
/// # Panics
/// Where the matrix is not square.
pub fn inverse_lower(a: ArrayView2<'_, f64>) -> Array2<f64> {
    let n = a.nrows();
    assert_eq!(n, a.ncols(), "the matrix is not square");
    let a = a.as_standard_layout();
    let mut inverse = Array2::eye(n);
    if let (Some(a), Some(inverse)) = (a.as_slice(), inverse.as_slice_mut()) {
        solve_lower_triangular_in_place(
            MatRef::from_row_major_slice(a, n, n),
            MatMut::from_row_major_slice_mut(inverse, n, n),
            parallelism(),
        );
    }
    inverse
}

/// Pieces of work, not threads: with `rayon::current_num_threads()` here, sums would be cut in
/// other places on another machine and round differently.
fn parallelism() -> Par {
    Par::rayon(8)
}

/// Magnitudes that differ by less than this share are equal but for rounding.
const SAME_SIZE: f64 = 1e-9;

/// Turns a vector, known up to its sign, so that its entry of largest magnitude is positive; of those
/// that are equally large but for rounding, the first. Returns whether it was turned.
pub(crate) fn fix_sign(mut vector: ArrayViewMut1<'_, f64>) -> bool {
    let largest = vector
        .iter()
        .fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let first = vector
        .iter()
        .find(|x| x.abs() >= (1.0 - SAME_SIZE) * largest);
    let is_turned = first.is_some_and(|&first| first < 0.0);
    if is_turned {
        vector.mapv_inplace(|x| -x);
    }
    is_turned
}

#[cfg(test)]
mod tests;
