//! Dense linear algebra on ndarray matrices.
//!
//! faer does the work; this module alone imports it, so that no signature shows it. Work is always
//! divided into the same number of pieces, so that results do not depend on the number of threads.

mod cholesky;
mod eigen;
mod filter;
mod lanczos;
mod mirror;
mod principal;
mod subspace;
mod tall;
mod tridiagonal;

#[doc(hidden)]
pub use cholesky::Cholesky;
#[doc(hidden)]
pub use eigen::{EXACT_TOLERANCE, Eigen, symmetric_eigen, top_eigen, top_eigen_of};
pub(crate) use eigen::{symmetric_eigen_asking, top_eigen_asking, top_eigen_observed};
pub(crate) use mirror::mirror_upper;
pub use principal::{PrincipalAxes, principal_axes};
pub(crate) use subspace::leading_subspace;

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::{Array2, ArrayView2, ArrayViewMut1, CowArray, Ix2};

use super::simd::{Available, Simd, simd_dispatch};
use super::{rows_of, rows_of_mut};

/// The product of two matrices.
///
/// # Panics
/// Where `a` has not as many columns as `b` has rows.
#[doc(hidden)]
pub fn product(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> Array2<f64> {
    assert_eq!(a.ncols(), b.nrows(), "the inner dimensions differ");
    let (a, b) = (contiguous(&a), contiguous(&b));
    let (rows, columns) = (a.nrows(), b.ncols());
    let mut out = Array2::zeros((rows, columns));

    let target = MatMut::from_row_major_slice_mut(rows_of_mut(&mut out), rows, columns);
    matmul(target, Accum::Replace, mat(&a), mat(&b), 1.0, parallelism());
    out
}

/// The matrix stored row by row or column by column, copied only where it is neither.
fn contiguous<'a>(matrix: &'a ArrayView2<'_, f64>) -> CowArray<'a, f64, Ix2> {
    if matrix.t().is_standard_layout() { matrix.view().into() } else { matrix.as_standard_layout() }
}

/// The matrix stored row by row, copied only where it is not.
fn standard(matrix: Array2<f64>) -> Array2<f64> {
    if matrix.is_standard_layout() { matrix } else { matrix.as_standard_layout().into_owned() }
}

/// faer's view of a contiguous matrix.
fn mat<'a>(matrix: &'a CowArray<'_, f64, Ix2>) -> MatRef<'a, f64> {
    let (rows, columns) = matrix.dim();
    if let Some(slice) = matrix.as_slice() {
        return MatRef::from_row_major_slice(slice, rows, columns);
    }
    let by_columns = matrix.t().to_slice();
    let by_columns = by_columns.expect("the matrix is contiguous");
    MatRef::from_column_major_slice(by_columns, rows, columns)
}

/// The product of the rows in `a` (one after the other, each as long as `b` has rows) with `b`,
/// written row by row to `out`, on the calling thread: for work that is already divided among threads.
pub(crate) fn product_into(a: &[f64], b: ArrayView2<'_, f64>, out: &mut [f64]) {
    combine_into(a, b.nrows(), b, out, Accum::Replace, 1.0);
}

/// Subtracts from `out` the product of the rows in `a` with `b`. Rows start every `stride` numbers;
/// of each the first numbers are read, as many as `b` has rows. See [`product_into`].
pub(crate) fn subtract_product_into(
    a: &[f64],
    stride: usize,
    b: ArrayView2<'_, f64>,
    out: &mut [f64],
) {
    combine_into(a, stride, b, out, Accum::Add, -1.0);
}

fn combine_into(
    a: &[f64],
    stride: usize,
    b: ArrayView2<'_, f64>,
    out: &mut [f64],
    how: Accum,
    factor: f64,
) {
    let (inner, columns) = b.dim();
    let rows = out.len() / columns.max(1);
    let b = b.as_standard_layout();
    matmul(
        MatMut::from_row_major_slice_mut(out, rows, columns),
        how,
        MatRef::from_row_major_slice(a, rows, stride).subcols(0, inner),
        MatRef::from_row_major_slice(rows_of(&b), inner, columns),
        factor,
        Par::Seq,
    );
}

/// Of a product of a symmetric matrix with a vector, what some entries of a row beside its diagonal add: returns their product
/// with `x`, and adds `own` (the vector's entry of the row) times them to `y`.
pub(crate) fn times_both_ways(entries: &[f64], x: &[f64], own: f64, y: &mut [f64]) -> f64 {
    simd_dispatch!(f64x8, both_ways(entries, x, own, y))
}

#[inline(always)]
fn both_ways<V: Simd<Scalar = f64>>(
    simd: Available<V>,
    entries: &[f64],
    x: &[f64],
    own: f64,
    y: &mut [f64],
) -> f64 {
    let whole = entries.len() - entries.len() % V::WIDTH;
    let own_lanes = simd.splat(own);
    let mut sums = simd.splat(0.0);
    let lanes = entries.chunks_exact(V::WIDTH).zip(x.chunks_exact(V::WIDTH));
    for ((entries, x), y) in lanes.zip(y.chunks_exact_mut(V::WIDTH)) {
        let entries = simd.load(entries);
        sums = entries.mul_add(simd.load(x), sums);
        entries.mul_add(own_lanes, simd.load(y)).store(y);
    }
    let mut each = [0.0; 8];
    sums.store(&mut each[..V::WIDTH]);
    let mut sum = each.iter().sum();
    for ((entry, x), y) in entries[whole..].iter().zip(&x[whole..]).zip(&mut y[whole..]) {
        sum += entry * x;
        *y += entry * own;
    }
    sum
}

/// The inverse of a lower triangular matrix, of which the upper half is not read.
pub(crate) fn inverse_lower(a: ArrayView2<'_, f64>) -> Array2<f64> {
    let n = a.nrows();
    assert_eq!(n, a.ncols(), "the matrix is not square");
    let a = a.as_standard_layout();
    let mut inverse = Array2::eye(n);

    solve_lower_triangular_in_place(
        MatRef::from_row_major_slice(rows_of(&a), n, n),
        MatMut::from_row_major_slice_mut(rows_of_mut(&mut inverse), n, n),
        parallelism(),
    );
    inverse
}

/// A number of pieces, not of threads: with `rayon::current_num_threads()` here, sums would be divided
/// differently on another machine, and round differently.
fn parallelism() -> Par {
    Par::rayon(8)
}

/// Magnitudes that differ by less than this share are taken for equal.
const SAME_SIZE: f64 = 1e-9;

/// Fixes the sign of a vector that is known up to its sign: its entry of largest magnitude becomes
/// positive; of entries that are equally large up to rounding, the first. Returns whether the sign
/// changed.
pub(crate) fn fix_sign(mut vector: ArrayViewMut1<'_, f64>) -> bool {
    let largest = vector.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let first = vector.iter().find(|x| x.abs() >= (1.0 - SAME_SIZE) * largest);
    let is_flipped = first.is_some_and(|&first| first < 0.0);
    if is_flipped {
        vector.mapv_inplace(|x| -x);
    }
    is_flipped
}

#[cfg(test)]
mod tests;
