//! Kernels of other crates: any function of two points.

use ndarray::Array2;
use rayon::prelude::*;

use super::check_matrix_size;
use crate::Result;
use crate::problem::{KernelMatrix, Points};

/// A kernel given as a function of two points. Closures are kernels; a type of another crate implements the
/// trait.
///
/// Every method that takes a kernel matrix runs on its [`matrix`](Self::matrix). New points are then
/// [`rows`](Self::rows) of kernel values with the points of the fit.
///
/// ```
/// use ilk::method::{KernelKMeans, Method};
/// use ilk::observe::Silent;
/// use ilk::problem::{Points, Problem};
/// use ilk::similarity::KernelFunction;
///
/// // The Laplacian kernel, which this crate does not have.
/// let laplacian = |x: &[f64], y: &[f64]| {
///     let distance: f64 = x.iter().zip(y).map(|(a, b)| (a - b).abs()).sum();
///     (-distance).exp()
/// };
/// let points = Points::from_rows(&[[0.0], [0.2], [0.1], [5.0], [5.2]].map(Vec::from))?;
/// let method = KernelKMeans { n_clusters: 2.into(), ..KernelKMeans::default() };
/// let fit = method.fit(&Problem::unsupervised(laplacian.matrix(&points)?), &Silent)?;
/// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1].map(Some));
///
/// let new = Points::from_rows(&[vec![4.0]])?;
/// assert_eq!(fit.model.predict(&laplacian.rows(&new, &points)?)?, [Some(1)]);
/// # Ok::<(), ilk::Error>(())
/// ```
pub trait KernelFunction: Sync {
    /// k(x, y), which is symmetric.
    fn value(&self, x: &[f64], y: &[f64]) -> f64;

    /// The kernel matrix of points.
    ///
    /// # Errors
    /// Those of [`KernelMatrix::new`]: values that are not finite or not symmetric.
    fn matrix(&self, points: &Points) -> Result<KernelMatrix> {
        KernelMatrix::new(values(self, points, points)?)
    }

    /// The kernel values of every new point with all training points, one row each.
    ///
    /// # Errors
    /// Those of [`Points::new`]: values that are not finite.
    fn rows(&self, new: &Points, training: &Points) -> Result<Points> {
        Points::new(values(self, new, training)?)
    }
}

impl<F: Fn(&[f64], &[f64]) -> f64 + Sync> KernelFunction for F {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self(x, y)
    }
}

fn values<K: KernelFunction + ?Sized>(kernel: &K, x: &Points, y: &Points) -> Result<Array2<f64>> {
    check_matrix_size(x.len(), y.len())?;
    let rows: Vec<f64> = (0..x.len())
        .into_par_iter()
        .flat_map_iter(|i| (0..y.len()).map(move |j| kernel.value(x.row(i), y.row(j))))
        .collect();
    let matrix = Array2::from_shape_vec((x.len(), y.len()), rows);
    Ok(matrix.expect("a value for every pair"))
}
