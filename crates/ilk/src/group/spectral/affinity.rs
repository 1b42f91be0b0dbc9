//! Affinities, dense or sparse, and what spectral clustering asks of either.

use ndarray::{Array2, ArrayView2, Axis};

use super::params::Normalisation;
use crate::numerics::linalg::{Eigen, top_eigen, top_eigen_of};
use crate::numerics::sparse::Sparse;
use crate::problem::Graph;
use crate::{Error, Result};

/// Symmetric affinities between points; negative ones count as 0.
#[derive(Debug, Clone, Copy)]
pub enum Affinity<'a> {
    /// A matrix with all of them.
    Dense(ArrayView2<'a, f64>),
    /// Those that are not 0.
    Sparse(&'a Sparse),
}

impl<'a> From<ArrayView2<'a, f64>> for Affinity<'a> {
    fn from(dense: ArrayView2<'a, f64>) -> Self {
        Self::Dense(dense)
    }
}

impl<'a> From<&'a Sparse> for Affinity<'a> {
    fn from(sparse: &'a Sparse) -> Self {
        Self::Sparse(sparse)
    }
}

impl<'a> From<&'a Graph> for Affinity<'a> {
    fn from(graph: &'a Graph) -> Self {
        Self::Sparse(graph.matrix())
    }
}

impl Affinity<'_> {
    /// Number of points.
    #[allow(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.nrows(),
            Self::Sparse(sparse) => sparse.len(),
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        let (rows, columns) = match self {
            Self::Dense(dense) => dense.dim(),
            Self::Sparse(sparse) => (sparse.len(), sparse.len()),
        };
        if rows == 0 || columns == 0 {
            return Err(Error::Empty { rows, columns });
        }
        if rows != columns {
            return Err(Error::NotSquare { rows, columns });
        }
        Ok(())
    }

    /// Row sums of the affinities that are not negative.
    pub(super) fn degrees(&self) -> Vec<f64> {
        match self {
            Self::Dense(dense) => dense.mapv(positive).sum_axis(Axis(1)).to_vec(),
            Self::Sparse(sparse) => (0..sparse.len())
                .map(|i| sparse.row(i).1.iter().map(|&value| positive(value)).sum())
                .collect(),
        }
    }

    /// Shows `visit` every other point with which a point has affinity above 0 (or NaN), and how much.
    pub(super) fn visit_others(&self, i: usize, mut visit: impl FnMut(usize, f64)) {
        let mut other = |j: usize, value: f64| {
            if j != i && positive(value) != 0.0 {
                visit(j, value);
            }
        };
        match self {
            Self::Dense(dense) => {
                let row = dense.row(i);
                row.iter()
                    .enumerate()
                    .for_each(|(j, &value)| other(j, value));
            }
            Self::Sparse(sparse) => sparse.entries(i).for_each(|(j, value)| other(j, value)),
        }
    }

    /// The largest eigenvalues of the normalised affinities, and their vectors.
    pub(super) fn top(
        &self,
        degrees: &[f64],
        normalisation: Normalisation,
        k: usize,
        tolerance: f64,
    ) -> Result<Eigen> {
        let largest = degrees.iter().fold(0.0, |most: f64, d| most.max(*d));
        let scale: Vec<f64> = match normalisation {
            Normalisation::Symmetric => degrees.iter().map(|d| d.sqrt().recip()).collect(),
            Normalisation::Additive => vec![largest.sqrt().recip(); degrees.len()],
        };
        // A point without affinity is no part of the graph: it has no entry on the diagonal either.
        let diagonal: Vec<f64> = match normalisation {
            Normalisation::Symmetric => vec![0.0; degrees.len()],
            Normalisation::Additive => degrees
                .iter()
                .map(|&d| if d == 0.0 { 0.0 } else { 1.0 - d / largest })
                .collect(),
        };
        let normal = |i: usize, j: usize, value: f64| {
            let value = positive(value);
            if value == 0.0 {
                0.0
            } else {
                value * scale[i] * scale[j]
            }
        };
        match self {
            Self::Dense(dense) => {
                let mut normalised: Array2<f64> = dense.to_owned();
                for ((i, j), value) in normalised.indexed_iter_mut() {
                    *value = normal(i, j, *value);
                }
                for (entry, add) in normalised.diag_mut().iter_mut().zip(diagonal) {
                    *entry += add;
                }
                top_eigen(normalised.view(), k, tolerance)
            }
            Self::Sparse(sparse) => {
                let mut normalised = (*sparse).clone().map(normal);
                if normalisation == Normalisation::Additive {
                    normalised = normalised.plus_diagonal(&diagonal);
                }
                top_eigen_of(sparse.len(), k, tolerance, |x| normalised.times(x))
            }
        }
    }
}

/// NaN stays, for the eigenvectors to refuse.
pub(super) fn positive(value: f64) -> f64 {
    if value < 0.0 { 0.0 } else { value }
}
