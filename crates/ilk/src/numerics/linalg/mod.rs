//! Dense linear algebra: ndarray in, ndarray out.
//!
//! faer does the work and never shows; this module is its only importer. Work is always cut into the
//! same number of pieces, so that the bits do not depend on how many threads share them.

mod cholesky;
mod eigen;
mod principal;

pub use cholesky::Cholesky;
pub use eigen::{Eigen, symmetric_eigen, top_eigen};
pub use principal::{Principal, principal_axes};

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::{Array2, ArrayView2, ArrayViewMut1};

/// The product of two matrices.
///
/// # Panics
/// Where `a` has not as many columns as `b` has rows.
pub fn product(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> Array2<f64> {
    assert_eq!(a.ncols(), b.nrows(), "the inner dimensions differ");
    let (a, b) = (a.as_standard_layout(), b.as_standard_layout());
    let (rows, columns) = (a.nrows(), b.ncols());
    let mut out = Array2::zeros((rows, columns));
    if let (Some(a_slice), Some(b_slice), Some(out)) =
        (a.as_slice(), b.as_slice(), out.as_slice_mut())
    {
        matmul(
            MatMut::from_row_major_slice_mut(out, rows, columns),
            Accum::Replace,
            MatRef::from_row_major_slice(a_slice, rows, a.ncols()),
            MatRef::from_row_major_slice(b_slice, b.nrows(), columns),
            1.0,
            parallelism(),
        );
    }
    out
}

/// Pieces of work, not threads: with `rayon::current_num_threads()` here, sums would be cut in
/// other places on another machine and round differently.
fn parallelism() -> Par {
    Par::rayon(8)
}

/// Turns a vector, known up to its sign, so that its entry of largest magnitude (the first of
/// them) is positive.
fn fix_sign(mut vector: ArrayViewMut1<'_, f64>) {
    let largest = vector.iter().fold(
        0.0f64,
        |best, &x| if x.abs() > best.abs() { x } else { best },
    );
    if largest < 0.0 {
        vector.mapv_inplace(|x| -x);
    }
}

#[cfg(test)]
mod tests;
