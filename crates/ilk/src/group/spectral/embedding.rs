//! From affinities to rows of unit length.

use ndarray::{Array1, Array2, ArrayView2, Axis};

use crate::numerics::linalg::top_eigen;
use crate::{Error, Result};

/// A row of eigenvectors shorter than this share of the mean length is 0 but for rounding.
const ZERO: f64 = 1e-8;

/// Eigenvalues up to this share of the largest are 0 but for rounding, and their vectors arbitrary.
const NULL: f64 = 1e-12;

/// The rows of the top `k` eigenvectors of D^-1/2 A D^-1/2, each of unit length, or 0 where a point
/// has no part in any of them. Eigenvectors of the eigenvalue 0 are left out: they tell nothing of the
/// points. Negative affinities count as 0.
///
/// # Errors
/// [`Error::Empty`], [`Error::NotSquare`], [`Error::TooManyClusters`] where k is above the number of
/// points, [`Error::NoConvergence`] for affinities that are not finite.
pub fn embedding(affinity: ArrayView2<'_, f64>, k: usize) -> Result<Array2<f64>> {
    let (rows, columns) = affinity.dim();
    if rows == 0 || columns == 0 {
        return Err(Error::Empty { rows, columns });
    }
    if rows != columns {
        return Err(Error::NotSquare { rows, columns });
    }
    if k > rows {
        return Err(Error::TooManyClusters { k, n: rows });
    }
    // NaN stays, for the eigenvectors to refuse.
    let mut normalised = affinity.mapv(|a| if a < 0.0 { 0.0 } else { a });
    let scale: Array1<f64> = normalised.sum_axis(Axis(1)).mapv(|degree| {
        if degree == 0.0 {
            0.0
        } else {
            degree.sqrt().recip()
        }
    });
    for ((i, j), a) in normalised.indexed_iter_mut() {
        *a *= scale[i] * scale[j];
    }
    let eigen = top_eigen(normalised.view(), k)?;
    let floor = NULL
        * eigen
            .values
            .iter()
            .fold(0.0, |most: f64, v| most.max(v.abs()));
    let told: Vec<usize> = (0..k).filter(|&c| eigen.values[c].abs() > floor).collect();
    let mut vectors = eigen.vectors.select(Axis(1), &told);
    let mean_sq = told.len() as f64 / rows as f64;
    for (mut row, scale) in vectors.rows_mut().into_iter().zip(scale) {
        let length_sq: f64 = row.iter().map(|x| x * x).sum();
        // Without affinity a point is an eigenvector by itself, of eigenvalue 0.
        if scale == 0.0 || length_sq <= ZERO * ZERO * mean_sq {
            row.fill(0.0);
        } else {
            row /= length_sq.sqrt();
        }
    }
    Ok(vectors)
}
