//! From affinities to rows of unit length.

use ndarray::{Array2, Axis};

use super::affinity::Affinity;
use super::params::Normalisation;
use crate::{Error, Result};

/// A row of eigenvectors shorter than this share of the mean length is 0 but for rounding.
const ZERO: f64 = 1e-8;

/// Eigenvalues up to this share of the largest are 0 but for rounding, and their vectors arbitrary.
const NULL: f64 = 1e-12;

/// Eigenvalues this close are one, repeated; all are between -1 and 1.
const SHARED: f64 = 1e-9;

/// The rows of the top `k` eigenvectors of the [normalised](Normalisation) affinities, each of unit
/// length, or 0 where a point has no part in any of them. Eigenvectors of the eigenvalue 0 are left
/// out: they tell nothing of the points. So are those of a negative eigenvalue that others after the
/// k-th share, as which of them are the first k is arbitrary; between points that are all equally close
/// all but one are of that kind. Negative affinities count as 0.
///
/// # Errors
/// [`Error::Empty`], [`Error::NotSquare`], [`Error::TooManyClusters`] where k is above the number of
/// points, [`Error::NoConvergence`] for affinities that are not finite, and for eigenvalues of a
/// large sparse matrix that are too close together.
pub fn embedding<'a>(
    affinity: impl Into<Affinity<'a>>,
    k: usize,
    normalisation: Normalisation,
    tolerance: f64,
) -> Result<Array2<f64>> {
    let affinity = affinity.into();
    affinity.check()?;
    let n = affinity.len();
    if k > n {
        return Err(Error::TooManyClusters { k, n });
    }
    let degrees = affinity.degrees();
    let mut eigen = affinity.top(&degrees, normalisation, k, tolerance)?;
    // The next one is rarely needed, and may be hard to tell from those after it.
    if k < n && eigen.values.iter().any(|&value| value < 0.0) {
        eigen = affinity.top(&degrees, normalisation, k + 1, tolerance)?;
    }
    let floor = NULL
        * eigen
            .values
            .iter()
            .fold(0.0, |most: f64, v| most.max(v.abs()));
    let next = eigen.values.get(k);
    let is_told = |value: f64| {
        let is_shared = next.is_some_and(|next| value - next <= SHARED);
        value > floor || value < -floor && !is_shared
    };
    let told: Vec<usize> = (0..k).filter(|&c| is_told(eigen.values[c])).collect();
    let mut vectors = eigen.vectors.select(Axis(1), &told);
    let mean_sq = told.len() as f64 / n as f64;
    for (mut row, degree) in vectors.rows_mut().into_iter().zip(degrees) {
        let length_sq: f64 = row.iter().map(|x| x * x).sum();
        // Without affinity a point is an eigenvector by itself, of eigenvalue 0.
        if degree == 0.0 || length_sq <= ZERO * ZERO * mean_sq {
            row.fill(0.0);
        } else {
            row /= length_sq.sqrt();
        }
    }
    Ok(vectors)
}
