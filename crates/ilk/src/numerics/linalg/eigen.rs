//! Eigenvalues and eigenvectors of symmetric matrices.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::{MatMut, MatRef};
use ndarray::{Array1, Array2, ArrayView2};

use super::{fix_sign, parallelism};
use crate::{Error, Result};

/// Eigenvalues, the largest first, and their eigenvectors.
#[derive(Debug, Clone, PartialEq)]
pub struct Eigen {
    /// The eigenvalues, descending.
    pub values: Array1<f64>,
    /// The eigenvectors in columns, orthonormal. The entry of largest magnitude is positive.
    pub vectors: Array2<f64>,
}

/// The decomposition A = V diag(λ) Vᵀ of a symmetric matrix, of which only the lower half is read.
///
/// # Errors
/// [`Error::NoConvergence`], which finite matrices do not run into.
///
/// # Panics
/// Where the matrix is not square.
pub fn symmetric_eigen(a: ArrayView2<'_, f64>) -> Result<Eigen> {
    top_eigen(a, a.nrows())
}

/// The `k` largest eigenvalues of a symmetric matrix (all, if there are fewer). See
/// [`symmetric_eigen`]; the work is that of the full decomposition, the memory kept is n k.
///
/// # Panics
/// Where the matrix is not square.
pub fn top_eigen(a: ArrayView2<'_, f64>, k: usize) -> Result<Eigen> {
    let n = a.nrows();
    assert_eq!(n, a.ncols(), "the matrix is not square");
    let k = k.min(n);
    if a.iter().any(|x| !x.is_finite()) {
        return Err(Error::NoConvergence);
    }
    let a = a.as_standard_layout();
    let mut values = vec![0.0; n];
    // Row i holds the eigenvector of the i-th smallest eigenvalue.
    let mut vectors = Array2::zeros((n, n));
    if let (Some(a), Some(vectors)) = (a.as_slice(), vectors.as_slice_mut()) {
        let scratch = self_adjoint_evd_scratch::<f64>(
            n,
            ComputeEigenvectors::Yes,
            parallelism(),
            faer::Spec::default(),
        );
        self_adjoint_evd(
            MatRef::from_row_major_slice(a, n, n),
            DiagMut::from_slice_mut(&mut values),
            Some(MatMut::from_column_major_slice_mut(vectors, n, n)),
            parallelism(),
            MemStack::new(&mut MemBuffer::new(scratch)),
            faer::Spec::default(),
        )
        .map_err(|_| Error::NoConvergence)?;
    }
    let mut top = Array2::zeros((n, k));
    for (mut column, vector) in top
        .columns_mut()
        .into_iter()
        .zip(vectors.rows().into_iter().rev())
    {
        column.assign(&vector);
        fix_sign(column);
    }
    values.reverse();
    values.truncate(k);
    Ok(Eigen {
        values: values.into(),
        vectors: top,
    })
}
