//! Kernel values, from points or from a matrix.

use std::ops::Range;

use ndarray::{Array2, CowArray, Ix2};
use rayon::prelude::*;

use super::fill_rows::{filled_rows, rows_per_block};
use super::{Gram, Landmarks, gram::check_matrix_size};
use crate::Result;
use crate::problem::{KernelMatrix, Points};

/// Kernel values between all points of an input: computed from the points on demand, or read from a
/// given matrix.
///
/// ```
/// use ilk::ndarray::array;
/// use ilk::problem::KernelMatrix;
/// use ilk::similarity::KernelValues;
///
/// let matrix = KernelMatrix::new(array![[2.0, 1.0], [1.0, 3.0]])?;
/// let values = KernelValues::Matrix(&matrix);
/// assert_eq!(values.diagonal(), [2.0, 3.0]);
/// assert_eq!(values.columns(&[1])?, array![[1.0], [3.0]]);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone)]
pub enum KernelValues<'a> {
    /// A kernel fitted to points.
    Gram(Gram),
    /// A kernel matrix.
    Matrix(&'a KernelMatrix),
}

impl KernelValues<'_> {
    /// Number of points.
    pub fn len(&self) -> usize {
        match self {
            Self::Gram(gram) => gram.len(),
            Self::Matrix(matrix) => matrix.view().nrows(),
        }
    }

    /// The value between points `i` and `j`.
    pub fn value(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Gram(gram) => gram.value(i, j),
            Self::Matrix(matrix) => matrix.view()[[i, j]],
        }
    }

    /// Every point's value with itself.
    pub fn diagonal(&self) -> Vec<f64> {
        match self {
            Self::Gram(gram) => (0..gram.len()).into_par_iter().map(|i| gram.value(i, i)).collect(),
            Self::Matrix(matrix) => matrix.view().diag().to_vec(),
        }
    }

    /// The values between all points, in rows, and the points `chosen`, in columns: n x l.
    pub fn columns(&self, chosen: &[usize]) -> Result<Array2<f64>> {
        check_matrix_size(self.len(), chosen.len())?;
        let (n, l) = (self.len(), chosen.len());
        if l == 0 {
            return Ok(Array2::zeros((n, 0)));
        }
        Ok(self.with_columns(chosen, |fill| {
            filled_rows(n, l, rows_per_block(l), |_, rows, out| fill(rows, out))
        }))
    }

    /// Calls `run` with a function that writes the values between a range of points and the points
    /// `chosen`, row by row.
    pub(super) fn with_columns<T>(
        &self,
        chosen: &[usize],
        run: impl FnOnce(&(dyn Fn(Range<usize>, &mut [f64]) + Sync)) -> T,
    ) -> T {
        match self {
            Self::Gram(gram) => {
                let part = gram.restricted(chosen);
                let (all, dims) = (gram.points().as_slice(), gram.points().dims());
                run(&|rows, out| {
                    let coordinates = &all[rows.start * dims..rows.end * dims];
                    let width = |i| gram.width(rows.start + i);
                    part.fill(coordinates, width, &(0..chosen.len()), out);
                })
            }
            Self::Matrix(matrix) => {
                let matrix = matrix.view();
                run(&|rows, out| {
                    for (i, out) in rows.zip(out.chunks_exact_mut(chosen.len())) {
                        for (out, &j) in out.iter_mut().zip(chosen) {
                            *out = matrix[[i, j]];
                        }
                    }
                })
            }
        }
    }

    /// Calls `run` with a function that writes the values between one of the points `chosen` and a range of
    /// them; both are positions in `chosen`.
    pub(super) fn with_part<T>(
        &self,
        chosen: &[usize],
        run: impl FnOnce(&(dyn Fn(usize, Range<usize>, &mut [f64]) + Sync)) -> T,
    ) -> T {
        match self {
            Self::Gram(gram) => {
                let part = gram.restricted(chosen);
                run(&|at, others, out| part.block(at..at + 1, others, out))
            }
            Self::Matrix(matrix) => {
                let matrix = matrix.view();
                run(&|at, others, out| {
                    for (out, other) in out.iter_mut().zip(others) {
                        *out = matrix[[chosen[at], chosen[other]]];
                    }
                })
            }
        }
    }

    /// The values among the points `chosen`: l x l, symmetric to the bit.
    pub fn among(&self, chosen: &[usize]) -> Array2<f64> {
        let l = chosen.len();
        match self {
            Self::Gram(_) if l == 0 => Array2::zeros((0, 0)),
            Self::Gram(gram) => {
                let part = gram.restricted(chosen);
                filled_rows(l, l, rows_per_block(l), |_, rows, out| {
                    part.block(rows, 0..l, out);
                })
            }
            Self::Matrix(matrix) => {
                let matrix = matrix.view();
                Array2::from_shape_fn((l, l), |(i, j)| matrix[[chosen[i], chosen[j]]])
            }
        }
    }

    /// The whole matrix.
    pub fn full(&self) -> Result<Array2<f64>> {
        Ok(self.dense()?.into_owned())
    }

    /// The whole matrix, not copied where it was given.
    pub(crate) fn dense(&self) -> Result<CowArray<'_, f64, Ix2>> {
        match self {
            Self::Gram(gram) => Ok(gram.full()?.into()),
            Self::Matrix(matrix) => Ok(matrix.view().into()),
        }
    }

    /// The training points as new points are given: coordinates, or rows of the kernel matrix.
    pub(crate) fn training_inputs(&self) -> Points {
        match self {
            Self::Gram(gram) => gram.points().clone(),
            Self::Matrix(matrix) => matrix.as_points(),
        }
    }

    /// What is needed of the points `chosen` to compute the values of new points with them.
    ///
    /// # Panics
    /// Where a point does not exist, or none is chosen.
    pub fn landmarks(&self, chosen: &[usize]) -> Landmarks {
        match self {
            Self::Gram(gram) => Landmarks::of_points(gram, chosen),
            Self::Matrix(matrix) => Landmarks::of_columns(matrix.view().nrows(), chosen),
        }
    }
}

#[cfg(test)]
mod tests;
