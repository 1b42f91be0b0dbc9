//! The rows of a graph's eigenvectors that spectral clustering groups.

use ndarray::{Array2, Axis};

use super::affinity::Affinity;
use super::laplacian::{Laplacian, LaplacianAxes};
use crate::observe::{Observer, Silent};
use crate::{Error, Result};

/// Eigenvalues of the normalised affinities up to this are 0 but for rounding.
const ZERO_EIGENVALUE: f64 = 1e-12;

/// Eigenvalues of the normalised affinities (all between -1 and 1) this close are one, repeated.
const REPEATED: f64 = 1e-9;

/// The rows of the `k` leading eigenvectors of the normalised affinities, one for each point; 0 for a
/// point without affinity to any, itself included.
///
/// With A the affinities, D their row sums and d the largest of these, the leading eigenvectors of
///
/// ```text
/// D^-½ A D^-½        (Ng, Jordan and Weiss 2002)
/// (A + d I - D) / d  (Kamvar, Klein and Manning 2003)
/// ```
///
/// are those of the smallest eigenvalues of [`Laplacian::Sym`] and of [`Laplacian::Unnormalized`]: the two
/// matrices are I - Lsym and I - L / d. Of the first, a point's affinity with itself is a part. The rows of the
/// second sum to 1 without any affinity being divided by the degree of its point; on a large sparse graph
/// its eigenvalues lie close together, and finding them takes long.
///
/// Eigenvectors of the normalised affinities that hold no information are left out, so that there may be
/// fewer than `k` columns: those of the eigenvalue 0, and those of a negative eigenvalue that is repeated after the
/// k-th, since which of its vectors are among the first k is arbitrary. Where all points are equally close, all but one
/// are of that kind. Where the graph has more than `k` connected components, the rows of points outside of
/// the `k` largest are 0.
///
/// # Errors
/// [`Error::TooManyClusters`] where k is above the number of points, and those of [`LaplacianAxes::new`].
pub fn spectral_rows<'a>(
    affinity: impl Into<Affinity<'a>>,
    laplacian: Laplacian,
    k: usize,
    tolerance: f64,
) -> Result<Array2<f64>> {
    spectral_rows_observed(affinity.into(), laplacian, k, tolerance, &Silent)
}

/// As [`spectral_rows`], with progress and cancellation.
pub(crate) fn spectral_rows_observed(
    affinity: Affinity<'_>,
    laplacian: Laplacian,
    k: usize,
    tolerance: f64,
    observer: &dyn Observer,
) -> Result<Array2<f64>> {
    affinity.check()?;
    let n = affinity.len();
    if k > n {
        return Err(Error::TooManyClusters { k, n });
    }
    let connected: Vec<usize> = (0..n).filter(|&i| affinity.has_affinity(i)).collect();
    if connected.len() == n {
        return informative_rows(affinity, laplacian, k, tolerance, observer);
    }
    if connected.is_empty() {
        return Ok(Array2::zeros((n, 0)));
    }
    let found = affinity.with_selected(&connected, |selected| {
        informative_rows(selected, laplacian, k, tolerance, observer)
    })?;
    let mut rows = Array2::zeros((n, found.ncols()));
    for (&point, row) in connected.iter().zip(found.rows()) {
        rows.row_mut(point).assign(&row);
    }
    Ok(rows)
}

/// The eigenvectors that [`spectral_rows`] keeps, of a graph in which every point has affinity.
fn informative_rows(
    affinity: Affinity<'_>,
    laplacian: Laplacian,
    k: usize,
    tolerance: f64,
    observer: &dyn Observer,
) -> Result<Array2<f64>> {
    let axes = |count| {
        let sought = (count, tolerance);
        LaplacianAxes::of_affinity(affinity, laplacian, true, sought, observer)
    };
    let mut found = axes(k)?;
    let mut eigenvalues = normalised_eigenvalues(&found);
    // The eigenvalue after the k-th is rarely needed, and may be hard to separate from the next ones.
    if k < affinity.len() && eigenvalues.iter().any(|&value| value < 0.0) {
        found = axes(k + 1)?;
        eigenvalues = normalised_eigenvalues(&found);
    }
    let next = eigenvalues.get(k);
    let is_informative = |value: f64| {
        let is_repeated = next.is_some_and(|next| value - next <= REPEATED);
        value > ZERO_EIGENVALUE || value < -ZERO_EIGENVALUE && !is_repeated
    };
    let kept: Vec<usize> =
        (0..k.min(eigenvalues.len())).filter(|&at| is_informative(eigenvalues[at])).collect();
    Ok(found.eigenvectors().select(Axis(1), &kept))
}

/// The eigenvalues of the normalised affinities, 1 - λ or 1 - λ / d.
fn normalised_eigenvalues(axes: &LaplacianAxes) -> Vec<f64> {
    let scale = match axes.laplacian() {
        Laplacian::Sym | Laplacian::Rw => 1.0,
        // Only self-affinities: all degrees, and all eigenvalues, are 0.
        Laplacian::Unnormalized => {
            axes.degrees().iter().fold(f64::MIN_POSITIVE, |most: f64, d| most.max(*d))
        }
    };
    axes.eigenvalues().iter().map(|value| 1.0 - value / scale).collect()
}
