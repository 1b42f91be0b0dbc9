//! The mean of all points at the origin of a kernel's space.

use ndarray::{Array1, Array2, ArrayView2, Axis};

/// The centred kernel (I - 1 qᵀ) K (I - q 1ᵀ), with q the points' shares in the mean.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Centering {
    shares: Array1<f64>,
    /// K q, the mean kernel value of every point.
    means: Array1<f64>,
    /// qᵀ K q.
    mean: f64,
}

impl Centering {
    pub(super) fn new(kernel: ArrayView2<'_, f64>, shares: Array1<f64>) -> Self {
        let means = kernel.dot(&shares);
        let mean = means.dot(&shares);
        Self { shares, means, mean }
    }

    /// The centred kernel matrix.
    pub(super) fn apply(&self, kernel: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut centered = kernel.to_owned();
        for ((i, j), value) in centered.indexed_iter_mut() {
            // In this order both halves of a symmetric matrix round alike.
            *value = *value - (self.means[i] + self.means[j]) + self.mean;
        }
        centered
    }

    /// The centred values of a new point times W are k(x, X) W' - b, with W' = W - q 1ᵀ W and b = W'ᵀ K q.
    pub(super) fn projection(&self, mut weights: Array2<f64>) -> (Array2<f64>, Array1<f64>) {
        let sums = weights.sum_axis(Axis(0));
        for (mut row, share) in weights.rows_mut().into_iter().zip(&self.shares) {
            row.scaled_add(-share, &sums);
        }
        let offset = self.means.dot(&weights);
        (weights, offset)
    }
}
