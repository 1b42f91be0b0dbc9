//! Eigenvalues and eigenvectors of symmetric matrices.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::{MatMut, MatRef};
use ndarray::{Array1, Array2, ArrayView2, s};

use super::filter::filtered;
use super::lanczos::{Outcome, Sizes, lanczos};
use super::tridiagonal::{Ask, eigen_in_steps};
use super::{fix_sign, parallelism, product, rows_of, rows_of_mut};
use crate::{Error, Result};

/// The tolerance of [`top_eigen`] and [`top_eigen_of`] at which little but rounding is left.
pub const EXACT_TOLERANCE: f64 = 1e-12;

/// From this size on, few eigenvalues are found by an iteration.
const LARGE: usize = 500;

/// "Few" eigenvalues are at most one in so many.
const FEW: usize = 20;

/// Up to this size an operator becomes a dense matrix where the iteration fails.
const DENSE: usize = 5000;

/// Vectors that are multiplied with a larger operator before it is filtered.
const PATIENCE: usize = 3000;

/// From this size on a matrix is decomposed in steps, so that it may be cancelled.
const LONG: usize = 1000;

/// Powers of two beyond which the unit of a matrix is changed before its entries are squared.
const MAX_EXPONENT: i32 = 300;

/// Number of unit vectors in one product.
const UNITS: usize = 64;

/// Eigenvalues, the largest first, and their eigenvectors.
#[derive(Debug, Clone, PartialEq)]
pub struct Eigen {
    /// The eigenvalues, descending.
    pub values: Array1<f64>,
    /// The eigenvectors in columns, orthonormal. The entry of largest magnitude is positive.
    pub vectors: Array2<f64>,
}

impl Eigen {
    /// Eigenvalues up to this are rounding: n ε λ_1 of a matrix with n rows, at least 0.
    pub(crate) fn rounding(&self) -> f64 {
        self.floor(self.vectors.nrows() as f64 * f64::EPSILON)
    }

    /// Number of eigenvalues that are positive by more than rounding.
    pub(crate) fn n_positive(&self) -> usize {
        self.n_above(self.vectors.nrows() as f64 * f64::EPSILON)
    }

    /// Number of positive eigenvalues above this share of the largest.
    pub(crate) fn n_above(&self, share: f64) -> usize {
        let floor = self.floor(share);
        self.values.iter().take_while(|&&v| v > floor).count()
    }

    fn floor(&self, share: f64) -> f64 {
        (share * self.values.first().copied().unwrap_or(0.0)).max(0.0)
    }
}

/// The decomposition A = V diag(λ) Vᵀ of a symmetric matrix, of which only the lower half is read.
///
/// # Errors
/// [`Error::NoConvergence`], which finite matrices do not run into.
///
/// # Panics
/// Where the matrix is not square.
pub fn symmetric_eigen(a: ArrayView2<'_, f64>) -> Result<Eigen> {
    decompose(a, a.nrows(), &|| Ok(()))
}

/// As [`symmetric_eigen`], with a question before every step of a large matrix, which may end it.
pub(crate) fn symmetric_eigen_asking(a: ArrayView2<'_, f64>, ask: Ask<'_>) -> Result<Eigen> {
    decompose(a, a.nrows(), ask)
}

/// The `k` largest eigenvalues of a symmetric matrix (all, if there are fewer), both halves of which
/// are read.
///
/// Few eigenvalues of a large matrix come from products with it, as in [`top_eigen_of`], which says
/// what `tolerance` is; where those do not get there soon, and else, from the full decomposition.
///
/// # Panics
/// Where the matrix is not square.
pub fn top_eigen(a: ArrayView2<'_, f64>, k: usize, tolerance: f64) -> Result<Eigen> {
    top_eigen_asking(a, k, tolerance, &|| Ok(()))
}

/// As [`top_eigen`], with a question before every step of a large matrix, which may end it.
pub(crate) fn top_eigen_asking(
    a: ArrayView2<'_, f64>,
    k: usize,
    tolerance: f64,
    ask: Ask<'_>,
) -> Result<Eigen> {
    let n = a.nrows();
    assert_eq!(n, a.ncols(), "the matrix is not square");
    let sizes = Sizes::new(k);
    if k > 0 && n >= LARGE && k <= n / FEW && sizes.fit(n) {
        finite(a)?;
        let a = a.as_standard_layout();
        // So many products cost about half of what the decomposition does.
        let budget = n + 16 * k;
        let apply = |x: ArrayView2<'_, f64>| {
            ask()?;
            Ok(product(a.view(), x))
        };
        if let Outcome::Found(eigen) = lanczos(n, sizes, tolerance, budget, apply)? {
            return Ok(eigen);
        }
    }
    decompose(a, k, ask)
}

/// The `k` largest eigenvalues (not magnitudes) of a symmetric operator on n dimensions, given by its
/// products with blocks of vectors: `apply` takes an n x b matrix X and returns A X.
///
/// Found by thick-restart block Lanczos with full reorthogonalisation, to residuals |A v - λ v| below
/// the share `tolerance` of the largest |λ| ([`EXACT_TOLERANCE`] for all that can be had; eigenvalues are then off
/// by no more, and where the nearest other one is g away, vectors by about residual / g), repeated
/// eigenvalues as often as they are repeated. The
/// memory is that of about k + 7 min(k, 32) vectors. The start is the same every time. Where there is no
/// room for that (k near n, or n small), A is made from its products with unit vectors.
///
/// # Errors
/// [`Error::NoConvergence`] where products are not finite, or eigenvalues so close together that polynomials of the
/// operator do not separate them either.
///
/// # Panics
/// Where `apply` returns another shape than it was given.
pub fn top_eigen_of(
    n: usize,
    k: usize,
    tolerance: f64,
    apply: impl Fn(ArrayView2<'_, f64>) -> Array2<f64>,
) -> Result<Eigen> {
    top_eigen_observed(n, k, tolerance, |x| Ok(apply(x)), &|| Ok(()))
}

/// As [`top_eigen_of`], where a product may fail, such as when an observer cancels; then so does the search. `ask` is the same
/// for the steps of a decomposition that follows where the search fails.
pub(crate) fn top_eigen_observed(
    n: usize,
    k: usize,
    tolerance: f64,
    apply: impl Fn(ArrayView2<'_, f64>) -> Result<Array2<f64>>,
    ask: Ask<'_>,
) -> Result<Eigen> {
    let k = k.min(n);
    let sizes = Sizes::new(k);
    if k > 0 && sizes.fit(n) {
        let budget = if n <= DENSE { 4 * n } else { PATIENCE };
        match lanczos(n, sizes, tolerance, budget, &apply)? {
            Outcome::Found(eigen) => return Ok(eigen),
            Outcome::Slow(_) if n <= DENSE => {}
            Outcome::Slow(spectrum) => {
                let found = filtered(n, sizes, tolerance, spectrum, &apply)?;
                return found.ok_or(Error::NoConvergence);
            }
        }
    }
    let mut a = Array2::zeros((n, n));
    for from in (0..n).step_by(UNITS) {
        let to = n.min(from + UNITS);
        let units =
            Array2::from_shape_fn((n, to - from), |(i, j)| f64::from(u8::from(i == from + j)));
        a.slice_mut(s![.., from..to]).assign(&apply(units.view())?);
    }
    decompose(a.view(), k, ask)
}

/// Refuses a matrix with an entry that is NaN or infinite.
fn finite(a: ArrayView2<'_, f64>) -> Result<()> {
    if a.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Error::NoConvergence) }
}

/// The full decomposition, of which the `k` largest pairs are returned.
fn decompose(a: ArrayView2<'_, f64>, k: usize, ask: Ask<'_>) -> Result<Eigen> {
    let n = a.nrows();
    assert_eq!(n, a.ncols(), "the matrix is not square");
    let k = k.min(n);
    finite(a)?;
    // Row i holds the eigenvector of the i-th smallest eigenvalue, or of the i-th smallest of the k largest.
    let (mut values, vectors) = if n < LONG {
        eigen_at_once(a)?
    } else {
        let unit = unit_of(a);
        let (mut values, vectors) = eigen_in_steps(a.mapv(|x| x / unit), k, ask)?;
        for value in &mut values {
            *value *= unit;
        }
        (values, vectors)
    };
    let mut top = Array2::zeros((n, k));
    for (mut column, vector) in top.columns_mut().into_iter().zip(vectors.rows().into_iter().rev())
    {
        column.assign(&vector);
        fix_sign(column);
    }
    values.reverse();
    values.truncate(k);
    Ok(Eigen { values: values.into(), vectors: top })
}

/// The power of two by which a matrix is divided so that its entries may be squared: 1 for usual ones.
fn unit_of(a: ArrayView2<'_, f64>) -> f64 {
    let largest = a.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let exponent = if largest > 0.0 { largest.log2() as i32 } else { 0 };
    if exponent.abs() <= MAX_EXPONENT { 1.0 } else { f64::from(exponent).exp2() }
}

/// All eigenvalues, ascending, and the eigenvectors in rows, by a call that cannot be cancelled.
fn eigen_at_once(a: ArrayView2<'_, f64>) -> Result<(Vec<f64>, Array2<f64>)> {
    let n = a.nrows();
    let a = a.as_standard_layout();
    let mut values = vec![0.0; n];
    let mut vectors = Array2::zeros((n, n));

    let scratch = self_adjoint_evd_scratch::<f64>(
        n,
        ComputeEigenvectors::Yes,
        parallelism(),
        faer::Spec::default(),
    );
    self_adjoint_evd(
        MatRef::from_row_major_slice(rows_of(&a), n, n),
        DiagMut::from_slice_mut(&mut values),
        Some(MatMut::from_column_major_slice_mut(rows_of_mut(&mut vectors), n, n)),
        parallelism(),
        MemStack::new(&mut MemBuffer::new(scratch)),
        faer::Spec::default(),
    )
    .map_err(|_| Error::NoConvergence)?;
    Ok((values, vectors))
}
