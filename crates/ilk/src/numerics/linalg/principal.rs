//! Principal components.

use ndarray::{Array1, Array2, ArrayView2, Axis};

use super::{EXACT, fix_sign, product, top_eigen};
use crate::{Error, Result};

/// The directions in which points vary most.
#[derive(Debug, Clone, PartialEq)]
pub struct Principal {
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
pub fn principal_axes(points: ArrayView2<'_, f64>, k: usize) -> Result<Principal> {
    let (n, dims) = points.dim();
    let empty = Error::Empty {
        rows: n,
        columns: dims,
    };
    let center = points.mean_axis(Axis(0)).ok_or(empty)?;
    let centred = &points - &center;
    let scale = (n.max(2) - 1) as f64;
    if dims <= n {
        let eigen = top_eigen(product(centred.t(), centred.view()).view(), k, EXACT)?;
        return Ok(Principal {
            center,
            axes: eigen.vectors,
            variances: eigen.values.mapv(|v| v.max(0.0) / scale),
        });
    }
    // Xc Xcᵀ u = λ u gives the axis Xcᵀ u / sqrt(λ).
    let eigen = top_eigen(product(centred.view(), centred.t()).view(), k, EXACT)?;
    let noise = eigen
        .values
        .first()
        .map_or(0.0, |v| v * n as f64 * f64::EPSILON);
    let kept = eigen.values.iter().take_while(|&&v| v > noise).count();
    let values = eigen.values.slice(ndarray::s![..kept]);
    let mut axes = product(centred.t(), eigen.vectors.slice(ndarray::s![.., ..kept]));
    for (mut axis, value) in axes.columns_mut().into_iter().zip(values) {
        axis /= value.sqrt();
        fix_sign(axis);
    }
    Ok(Principal {
        center,
        variances: values.mapv(|v| v / scale),
        axes,
    })
}

impl Principal {
    /// The coordinates of points along the axes.
    ///
    /// # Panics
    /// Where `points` has another number of dimensions.
    pub fn project(&self, points: ArrayView2<'_, f64>) -> Array2<f64> {
        product((&points - &self.center).view(), self.axes.view())
    }
}
