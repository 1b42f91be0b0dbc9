//! The axes of a kernel between groups of points.

use ndarray::{Array1, Array2, ArrayView2, Axis};

use super::AxisChoice;
use crate::numerics::linalg::{Eigen, symmetric_eigen, top_eigen};
use crate::{Error, Result};

/// Of up to this many groups all axes are computed.
const ALL: usize = 1000;

/// Of more groups so many axes more than are kept are looked at, as those of most entropy need not be
/// those of the largest eigenvalues.
const MORE: usize = 40;

/// The coordinates of groups of points along the axes of a kernel between them, where a group of mass m
/// counts as m points in one place: with M the diagonal matrix of masses,
///
/// ```text
/// M^½ K M^½ = E Λ Eᵀ,     coordinates M^-½ E Λ^½,     ψ_j = λ_j (Σ_a √m_a E_aj)²
/// ```
///
/// These are the coordinates that each group's points would have, were they listed one by one; with
/// masses of 1 they are those of [`KernelAxes`](super::KernelAxes).
#[derive(Debug, Clone)]
pub struct GroupAxes {
    coordinates: Array2<f64>,
    /// M^½ E Λ^-½: what kernel values with all groups are multiplied by.
    weights: Array2<f64>,
    /// Where the mean was moved to the origin: the mean kernel value of every group, and of all.
    means: Option<(Array1<f64>, f64, Array1<f64>)>,
}

impl GroupAxes {
    /// The first `n_components` axes, in the order of `choice`; as many as there are groups where more
    /// are asked for. Negative eigenvalues count as 0. Masses are positive.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::NotSquare`], [`Error::WrongLength`], [`Error::NoConvergence`] for values
    /// that are not finite.
    pub fn new(
        kernel: ArrayView2<'_, f64>,
        masses: &[f64],
        choice: AxisChoice,
        n_components: usize,
        tolerance: f64,
    ) -> Result<Self> {
        let (n, columns) = kernel.dim();
        if n == 0 || columns == 0 || n_components == 0 {
            return Err(Error::Empty { rows: n, columns });
        }
        if n != columns {
            return Err(Error::NotSquare { rows: n, columns });
        }
        if masses.len() != n {
            return Err(Error::WrongLength {
                what: "the list of masses",
                found: masses.len(),
                expected: n,
            });
        }
        let total: f64 = masses.iter().sum();
        let shares: Array1<f64> = masses.iter().map(|mass| mass / total).collect();
        let roots: Array1<f64> = masses.iter().map(|mass| mass.sqrt()).collect();
        let means = matches!(choice, AxisChoice::Variance { center: true }).then(|| {
            let means = kernel.dot(&shares);
            let mean = means.dot(&shares);
            (means, mean, shares)
        });
        let mut weighted = kernel.to_owned();
        for ((a, b), value) in weighted.indexed_iter_mut() {
            if let Some((means, mean, _)) = &means {
                *value = *value - (means[a] + means[b]) + mean;
            }
            *value *= roots[a] * roots[b];
        }
        let wanted = n_components.min(n);
        let Eigen { values, vectors } = if n <= ALL {
            symmetric_eigen(weighted.view())?
        } else {
            top_eigen(weighted.view(), (wanted + MORE).min(n), tolerance)?
        };
        let largest = values.first().copied().unwrap_or(0.0);
        let rounding = (n as f64 * f64::EPSILON * largest).max(0.0);
        let values = values.mapv(|value| if value > rounding { value } else { 0.0 });
        let mut order: Vec<usize> = (0..values.len()).collect();
        if choice == AxisChoice::Entropy {
            let sums = vectors.t().dot(&roots);
            let entropies = &values * &sums * &sums;
            order.sort_by(|&a, &b| entropies[b].total_cmp(&entropies[a]));
        }
        order.truncate(wanted);
        let (values, vectors) = (
            values.select(Axis(0), &order),
            vectors.select(Axis(1), &order),
        );
        let column = roots.insert_axis(Axis(1));
        let lengths = values.mapv(f64::sqrt);
        let inverse = lengths.mapv(|length| if length > 0.0 { length.recip() } else { 0.0 });
        Ok(Self {
            coordinates: &vectors * &lengths / &column,
            weights: vectors * &inverse * &column,
            means,
        })
    }

    /// One row a group.
    pub fn coordinates(&self) -> ArrayView2<'_, f64> {
        self.coordinates.view()
    }

    /// The coordinates of other groups, from their kernel values with these in rows.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn project(&self, kernel: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        if kernel.ncols() != self.weights.nrows() {
            return Err(Error::WrongDimensions {
                found: kernel.ncols(),
                expected: self.weights.nrows(),
            });
        }
        let Some((means, mean, shares)) = &self.means else {
            return Ok(kernel.dot(&self.weights));
        };
        let own = kernel.dot(shares);
        let mut centered = kernel.to_owned();
        for ((a, b), value) in centered.indexed_iter_mut() {
            *value = *value - (own[a] + means[b]) + mean;
        }
        Ok(centered.dot(&self.weights))
    }
}
