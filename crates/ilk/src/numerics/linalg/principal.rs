//! Principal components.

use ndarray::{Array1, Array2, ArrayView2, Axis};

use super::{EXACT_TOLERANCE, fix_sign, product, top_eigen};
use crate::{Error, Result};

/// The directions in which points vary most.
#[derive(Debug, Clone, PartialEq)]
pub struct PrincipalAxes {
    /// The mean of the points.
    pub center: Array1<f64>,
    /// The axes in columns, orthonormal, the widest first. The entry of largest magnitude is positive.
    pub axes: Array2<f64>,
    /// The variance along each axis (divided by n - 1).
    pub variances: Array1<f64>,
}

/// The first `k` principal axes of the rows of `points`; fewer where there are fewer dimensions.
///
/// They are the top eigenvectors of the d x d covariance, or, where there are fewer points than
/// dimensions, come from the n x n Gram matrix of the centred points: then only directions in which
/// the points vary are given.
///
/// # Errors
/// [`Error::Empty`] without points; [`Error::NoConvergence`] where squares overflow.
pub fn principal_axes(points: ArrayView2<'_, f64>, k: usize) -> Result<PrincipalAxes> {
    let (n, dims) = points.dim();
    let empty = Error::Empty { rows: n, columns: dims };
    let center = points.mean_axis(Axis(0)).ok_or(empty)?;
    let centred = &points - &center;
    let scale = (n.max(2) - 1) as f64;
    let top = |square: Array2<f64>| top_eigen(square.view(), k, EXACT_TOLERANCE);
    if dims <= n {
        let eigen = top(product(centred.t(), centred.view()))?;
        return Ok(PrincipalAxes {
            center,
            axes: eigen.vectors,
            variances: eigen.values.mapv(|v| v.max(0.0) / scale),
        });
    }
    // Xc Xcᵀ u = λ u gives the axis Xcᵀ u / sqrt(λ).
    let eigen = top(product(centred.view(), centred.t()))?;
    let kept = eigen.n_positive();
    let values = eigen.values.slice(ndarray::s![..kept]);
    let mut axes = product(centred.t(), eigen.vectors.slice(ndarray::s![.., ..kept]));
    for (mut axis, value) in axes.columns_mut().into_iter().zip(values) {
        axis /= value.sqrt();
        fix_sign(axis);
    }
    Ok(PrincipalAxes { center, variances: values.mapv(|v| v / scale), axes })
}

impl PrincipalAxes {
    /// The coordinates of points along the axes.
    ///
    /// # Panics
    /// Where `points` has another number of dimensions.
    pub fn project(&self, points: ArrayView2<'_, f64>) -> Array2<f64> {
        product((&points - &self.center).view(), self.axes.view())
    }
}
