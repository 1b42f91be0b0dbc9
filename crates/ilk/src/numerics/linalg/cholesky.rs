//! The Cholesky factor of a positive definite matrix.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::{
    LltError, LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::cholesky::llt::solve::solve_in_place;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{MatMut, MatRef};
use ndarray::{Array2, ArrayView2, s};

use super::{parallelism, rows_of_mut, standard};
use crate::{Error, Result};

/// A = L Lᵀ with L lower triangular.
#[derive(Debug, Clone, PartialEq)]
pub struct Cholesky {
    /// L, stored column by column.
    lower: Array2<f64>,
}

impl Cholesky {
    /// Factors a symmetric matrix, of which only the lower half is read.
    ///
    /// # Errors
    /// [`Error::NotPositiveDefinite`] with the first pivot that is not a positive number.
    ///
    /// # Panics
    /// Where the matrix is not square.
    pub fn factor(a: ArrayView2<'_, f64>) -> Result<Self> {
        let n = a.nrows();
        assert_eq!(n, a.ncols(), "the matrix is not square");
        let mut upper = Array2::zeros((n, n));
        for i in 0..n {
            for j in 0..=i {
                upper[[j, i]] = a[[i, j]];
            }
        }
        Self::factor_upper(upper)
    }

    /// Factors a symmetric matrix in its own memory, of which only the upper half is read.
    ///
    /// # Panics
    /// Where the matrix is not square.
    pub fn factor_upper(upper: Array2<f64>) -> Result<Self> {
        let n = upper.nrows();
        assert_eq!(n, upper.ncols(), "the matrix is not square");
        // The upper half in rows is the lower half in columns, the order in which faer is fast.
        let mut upper = standard(upper);
        let scratch = cholesky_in_place_scratch::<f64>(n, parallelism(), faer::Spec::default());
        cholesky_in_place(
            MatMut::from_column_major_slice_mut(rows_of_mut(&mut upper), n, n),
            LltRegularization::default(),
            parallelism(),
            MemStack::new(&mut MemBuffer::new(scratch)),
            faer::Spec::default(),
        )
        .map_err(|LltError::NonPositivePivot { index }| Error::NotPositiveDefinite {
            pivot: index,
        })?;
        // A NaN or an infinity passes a test for "not positive".
        if let Some(pivot) = (0..n).find(|&i| !(upper[[i, i]].is_finite() && upper[[i, i]] > 0.0)) {
            return Err(Error::NotPositiveDefinite { pivot });
        }
        for i in 0..n {
            upper.slice_mut(s![i, ..i]).fill(0.0);
        }
        Ok(Self { lower: upper.reversed_axes() })
    }

    /// The factor L, zeros above its diagonal.
    pub fn lower(&self) -> ArrayView2<'_, f64> {
        self.lower.view()
    }

    /// Solves A X = B.
    ///
    /// # Panics
    /// Where `b` has another number of rows than A.
    pub fn solve(&self, b: ArrayView2<'_, f64>) -> Array2<f64> {
        self.solved(b, |lower, x| {
            let scratch = &mut MemBuffer::new(StackReq::EMPTY);
            solve_in_place(lower, x, parallelism(), MemStack::new(scratch));
        })
    }

    /// L⁻¹ B: half of what [`solve`](Self::solve) does, so that (L⁻¹ B)ᵀ (L⁻¹ B) = Bᵀ A⁻¹ B.
    ///
    /// # Panics
    /// Where `b` has another number of rows than A.
    pub fn forward_solve(&self, b: ArrayView2<'_, f64>) -> Array2<f64> {
        self.solved(b, |lower, x| {
            solve_lower_triangular_in_place(lower, x, parallelism());
        })
    }

    /// What `solve(L, X)` makes of a copy X of `b`.
    fn solved(
        &self,
        b: ArrayView2<'_, f64>,
        solve: impl FnOnce(MatRef<'_, f64>, MatMut<'_, f64>),
    ) -> Array2<f64> {
        let (n, columns) = (self.lower.nrows(), b.ncols());
        assert_eq!(n, b.nrows(), "the right-hand side has another number of rows");
        let mut x = b.as_standard_layout().into_owned();
        let lower = self.lower.t().to_slice().expect("L is stored by columns");
        solve(
            MatRef::from_column_major_slice(lower, n, n),
            MatMut::from_row_major_slice_mut(rows_of_mut(&mut x), n, columns),
        );
        x
    }

    /// The logarithm of the determinant of A.
    pub fn log_det(&self) -> f64 {
        2.0 * self.lower.diag().iter().map(|x| x.ln()).sum::<f64>()
    }
}
