//! The axes of a kernel's space: those of most variance, or of most entropy.

use ndarray::{Array1, Array2, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

use super::affinity::Affinity;
use super::at_least_one;
use crate::Result;
use crate::numerics::linalg::{Eigen, fix_sign, product, symmetric_eigen, top_eigen};

/// Up to this many points all axes are computed.
const ALL: usize = 1000;

/// Of more points, no more than one axis in so many is looked at.
const FEW: usize = 20;

/// Which axes of a kernel's space are kept.
///
/// With K = E Λ Eᵀ the kernel matrix, the coordinates of the points along all axes are the rows of
/// E Λ^½, whose dot products are K.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AxisChoice {
    /// Those of the largest eigenvalues: kernel principal component analysis (Schölkopf, Smola and
    /// Müller 1998).
    Variance {
        /// Whether the mean of all points, in the kernel's space, is moved to the origin first. Then
        /// the eigenvalues are n times variances; otherwise they are second moments.
        center: bool,
    },
    /// Those that hold most of the quadratic Renyi entropy of the density that the kernel estimates,
    /// 1ᵀ K 1 = Σ ψ_j with ψ_j = (√λ_j e_jᵀ 1)²: kernel entropy component analysis (Jenssen 2010; MSSC
    /// (4.6) to (4.13)). An axis along which the points cancel out, as within a ring, holds none however large its
    /// eigenvalue is.
    Entropy,
}

/// The axes that were kept, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelAxes {
    /// λ of every axis. Negative ones, and those that are rounding alone, are 0.
    pub eigenvalues: Array1<f64>,
    /// e of every axis, in columns of unit length. The entry of largest magnitude is positive.
    pub eigenvectors: Array2<f64>,
    /// λ of every axis that was looked at, the largest first.
    pub spectrum: Array1<f64>,
    /// ψ of the same axes.
    pub entropies: Array1<f64>,
    /// The positions of the same axes in the order in which they are chosen: the first of these are
    /// those that were kept.
    pub order: Vec<usize>,
    /// Whether an axis that was not looked at cannot be among those that were to be kept.
    pub is_certain: bool,
}

impl KernelAxes {
    /// The axes of a symmetric kernel matrix; as many as there are points where more are asked for.
    ///
    /// Of up to 1,000 points all axes are looked at. Of more, those of the largest eigenvalues are, to
    /// the `tolerance` of [`top_eigen`]. For the [entropy](AxisChoice::Entropy) more and more of them are,
    /// until what all others hold together is less than what the last one kept holds (then the choice
    /// is certain), until the second half of them added none to those kept, or until one in 20 was
    /// looked at.
    ///
    /// # Errors
    /// [`Error::Empty`](crate::Error::Empty), [`Error::NotSquare`](crate::Error::NotSquare),
    /// [`Error::BadParameter`](crate::Error::BadParameter) for no axes at all,
    /// [`Error::NoConvergence`](crate::Error::NoConvergence) for values that are not finite.
    pub fn of_kernel(
        kernel: ArrayView2<'_, f64>,
        choice: AxisChoice,
        n_components: usize,
        tolerance: f64,
    ) -> Result<Self> {
        Affinity::from(kernel).check()?;
        let n = kernel.nrows();
        match choice {
            AxisChoice::Variance { center: true } => {
                let shares = Array1::from_elem(n, (n as f64).recip());
                let centered = Centering::new(kernel, shares).apply(kernel);
                Self::along(centered.view(), &ones(n), choice, n_components, tolerance)
            }
            _ => Self::along(kernel, &ones(n), choice, n_components, tolerance),
        }
    }

    /// The axes of a symmetric matrix that is not empty, with ψ_j = (√λ_j e_jᵀ u)² for a direction u in
    /// place of 1.
    pub(super) fn along(
        kernel: ArrayView2<'_, f64>,
        direction: &Array1<f64>,
        choice: AxisChoice,
        n_components: usize,
        tolerance: f64,
    ) -> Result<Self> {
        at_least_one(n_components)?;
        let n = kernel.nrows();
        let wanted = n_components.min(n);
        if choice == AxisChoice::Entropy {
            return Self::of_entropy(kernel, direction, wanted, tolerance);
        }
        let eigen = first(kernel, if n <= ALL { n } else { wanted }, tolerance)?;
        Ok(Self::chosen(eigen, direction, choice, wanted))
    }

    /// Looks at more and more axes until the rest cannot matter.
    fn of_entropy(
        kernel: ArrayView2<'_, f64>,
        direction: &Array1<f64>,
        wanted: usize,
        tolerance: f64,
    ) -> Result<Self> {
        let n = kernel.nrows();
        let total = direction.dot(&kernel.dot(direction));
        let most = (n / FEW).max(wanted);
        let mut count = if n <= ALL {
            n
        } else {
            most.min(2 * wanted + 8)
        };
        loop {
            let eigen = first(kernel, count, tolerance)?;
            let mut axes = Self::chosen(eigen, direction, AxisChoice::Entropy, wanted);
            let last = axes.entropies[axes.order[wanted - 1]];
            axes.is_certain = count == n || total - axes.entropies.sum() <= last;
            let are_settled = axes.kept().iter().all(|&at| at < count / 2);
            if axes.is_certain || are_settled || count == most {
                return Ok(axes);
            }
            count = most.min(2 * count);
        }
    }

    /// The axes of the kernel F Fᵀ, with F the features of the points in rows, already centred where
    /// that is asked for; and the matrix V that turns features into coordinates F V.
    pub(super) fn of_features(
        features: ArrayView2<'_, f64>,
        choice: AxisChoice,
        n_components: usize,
    ) -> Result<(Self, Array2<f64>)> {
        at_least_one(n_components)?;
        let inner = symmetric_eigen(product(features.t(), features).view())?;
        let mut vectors = product(features, inner.vectors.view());
        let mut turn = inner.vectors;
        for ((mut along, mut axis), &value) in vectors
            .columns_mut()
            .into_iter()
            .zip(turn.columns_mut())
            .zip(&inner.values)
        {
            if fix_sign(along.view_mut()) {
                axis.mapv_inplace(|x| -x);
            }
            if value > 0.0 {
                along /= value.sqrt();
            }
        }
        let eigen = Eigen {
            values: inner.values,
            vectors,
        };
        let wanted = n_components.min(turn.ncols());
        let axes = Self::chosen(eigen, &ones(features.nrows()), choice, wanted);
        let turn = turn.select(Axis(1), axes.kept());
        Ok((axes, turn))
    }

    /// Orders axes, and keeps the first.
    fn chosen(eigen: Eigen, direction: &Array1<f64>, choice: AxisChoice, wanted: usize) -> Self {
        let Eigen { values, vectors } = eigen;
        let largest = values.first().copied().unwrap_or(0.0);
        let rounding = (vectors.nrows() as f64 * f64::EPSILON * largest).max(0.0);
        let spectrum = values.mapv(|value| if value > rounding { value } else { 0.0 });
        let sums = vectors.t().dot(direction);
        let entropies = &spectrum * &sums * &sums;
        let mut order: Vec<usize> = (0..spectrum.len()).collect();
        if choice == AxisChoice::Entropy {
            order.sort_by(|&a, &b| entropies[b].total_cmp(&entropies[a]));
        }
        let kept = &order[..wanted];
        Self {
            eigenvalues: spectrum.select(Axis(0), kept),
            eigenvectors: vectors.select(Axis(1), kept),
            is_certain: true,
            spectrum,
            entropies,
            order,
        }
    }

    /// The same with at most so many axes kept.
    #[must_use]
    pub(super) fn truncated(self, count: usize) -> Self {
        let kept: Vec<usize> = (0..count.min(self.eigenvalues.len())).collect();
        Self {
            eigenvalues: self.eigenvalues.select(Axis(0), &kept),
            eigenvectors: self.eigenvectors.select(Axis(1), &kept),
            ..self
        }
    }

    /// The positions of the axes that were kept.
    pub fn kept(&self) -> &[usize] {
        &self.order[..self.eigenvalues.len()]
    }

    /// The coordinates of the points: the rows of E Λ^½ (MSSC (4.7), transposed).
    pub fn coordinates(&self) -> Array2<f64> {
        &self.eigenvectors * &self.eigenvalues.mapv(f64::sqrt)
    }

    /// What kernel values of a new point with all points are multiplied by: E Λ^-½, 0 for an axis
    /// without extent.
    pub(super) fn weights(&self) -> Array2<f64> {
        let scale = self.eigenvalues.mapv(|value| {
            if value > 0.0 {
                value.sqrt().recip()
            } else {
                0.0
            }
        });
        &self.eigenvectors * &scale
    }
}

/// The eigenpairs of the largest eigenvalues.
fn first(matrix: ArrayView2<'_, f64>, count: usize, tolerance: f64) -> Result<Eigen> {
    if count == matrix.nrows() {
        symmetric_eigen(matrix)
    } else {
        top_eigen(matrix, count, tolerance)
    }
}

fn ones(n: usize) -> Array1<f64> {
    Array1::ones(n)
}

/// How the mean of all points is moved to the origin of a kernel's space: (I - 1 qᵀ) K (I - q 1ᵀ), with q
/// the points' shares in the mean.
#[derive(Debug, Clone)]
pub(super) struct Centering {
    shares: Array1<f64>,
    /// The mean kernel value of every point, and of all.
    means: Array1<f64>,
    mean: f64,
}

impl Centering {
    pub(super) fn new(kernel: ArrayView2<'_, f64>, shares: Array1<f64>) -> Self {
        let means = kernel.dot(&shares);
        let mean = means.dot(&shares);
        Self {
            shares,
            means,
            mean,
        }
    }

    /// Rows of kernel values of any points with these, as they are with the mean at the origin.
    pub(super) fn apply(&self, rows: ArrayView2<'_, f64>) -> Array2<f64> {
        let own = rows.dot(&self.shares);
        let mut centered = rows.to_owned();
        for ((i, j), value) in centered.indexed_iter_mut() {
            // In this order both halves of a symmetric matrix round alike.
            *value = *value - (own[i] + self.means[j]) + self.mean;
        }
        centered
    }
}
