//! The axes of a kernel between groups of points.

use ndarray::{Array1, Array2, ArrayView2, Axis};

use super::affinity::Affinity;
use super::kernel_axes::{AxisChoice, Centering, KernelAxes};
use crate::{Error, Result};

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
    centering: Option<Centering>,
}

impl GroupAxes {
    /// The first `n_components` axes, in the order of `choice`; as many as there are groups where more
    /// are asked for. Negative eigenvalues count as 0. Masses are positive.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::NotSquare`], [`Error::WrongLength`], [`Error::BadParameter`] for no axes at
    /// all, [`Error::NoConvergence`] for values that are not finite.
    pub fn new(
        kernel: ArrayView2<'_, f64>,
        masses: &[f64],
        choice: AxisChoice,
        n_components: usize,
        tolerance: f64,
    ) -> Result<Self> {
        Affinity::from(kernel).check()?;
        let n = kernel.nrows();
        if masses.len() != n {
            return Err(Error::WrongLength {
                what: "the list of masses",
                found: masses.len(),
                expected: n,
            });
        }
        let roots: Array1<f64> = masses.iter().map(|mass| mass.sqrt()).collect();
        let total: f64 = masses.iter().sum();
        let centering = (choice == AxisChoice::Variance { center: true })
            .then(|| Centering::new(kernel, masses.iter().map(|mass| mass / total).collect()));
        let mut weighted = match &centering {
            Some(centering) => centering.apply(kernel),
            None => kernel.to_owned(),
        };
        for ((a, b), value) in weighted.indexed_iter_mut() {
            *value *= roots[a] * roots[b];
        }
        let axes = KernelAxes::along(weighted.view(), &roots, choice, n_components, tolerance)?;
        let roots = roots.insert_axis(Axis(1));
        Ok(Self {
            coordinates: axes.coordinates() / &roots,
            weights: axes.weights() * &roots,
            centering,
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
        Ok(match &self.centering {
            Some(centering) => centering.apply(kernel).dot(&self.weights),
            None => kernel.dot(&self.weights),
        })
    }
}
