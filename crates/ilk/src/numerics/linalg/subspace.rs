//! The leading eigenvectors of an operator by a fixed number of products.

use ndarray::{Array1, Array2, ArrayView2, s};

use super::{Eigen, fix_sign, product, symmetric_eigen};
use crate::Result;
use crate::numerics::rng::rng;

/// Vectors beyond those wanted, which make the last of these converge.
const EXTRA: usize = 10;

/// Products with the operator. Each shrinks what an eigenvalue μ below the wanted ones adds to them by μ/λ.
const STEPS: usize = 8;

/// Of a block that is orthonormalised, directions below this share of the longest squared are rounding.
const NEGLIGIBLE: f64 = 1e-13;

/// Nearly the `k` largest eigenvalues of a positive semi-definite operator on n dimensions, and vectors that span nearly
/// what their eigenvectors do: subspace iteration from random vectors (Halko, Martinsson and Tropp 2011). `apply`
/// takes an n x b matrix X and returns A X.
///
/// For spectra that fall slowly, such as those of text: there the exact eigenvectors are neither needed nor cheap. There
/// are fewer pairs where the operator has a lower rank.
pub(crate) fn leading_subspace(
    n: usize,
    k: usize,
    apply: impl Fn(ArrayView2<'_, f64>) -> Result<Array2<f64>>,
) -> Result<Eigen> {
    let mut rng = rng(0x5ab5_bace);
    let width = (k + EXTRA).min(n);
    let mut basis = orthonormal(&Array2::from_shape_simple_fn((n, width), || rng.normal()))?;
    for _ in 0..STEPS {
        basis = orthonormal(&apply(basis.view())?)?;
        if basis.is_empty() {
            return Ok(Eigen { values: Array1::zeros(0), vectors: basis });
        }
    }
    let small = symmetric_eigen(product(basis.t(), apply(basis.view())?.view()).view())?;
    let kept = small.n_positive().min(k);
    let mut vectors = product(basis.view(), small.vectors.slice(s![.., ..kept]));
    for vector in vectors.columns_mut() {
        fix_sign(vector);
    }
    Ok(Eigen { values: small.values.slice(s![..kept]).to_owned(), vectors })
}

/// Orthonormal columns that span what those of `block` do. Once is not enough where these are nearly parallel.
fn orthonormal(block: &Array2<f64>) -> Result<Array2<f64>> {
    let once = whitened(block)?;
    if once.is_empty() { Ok(once) } else { whitened(&once) }
}

fn whitened(block: &Array2<f64>) -> Result<Array2<f64>> {
    let gram = symmetric_eigen(product(block.t(), block.view()).view())?;
    let kept = gram.n_above(NEGLIGIBLE);
    let mut turn = gram.vectors.slice(s![.., ..kept]).to_owned();
    for (mut column, value) in turn.columns_mut().into_iter().zip(&gram.values) {
        column /= value.sqrt();
    }
    Ok(product(block.view(), turn.view()))
}
