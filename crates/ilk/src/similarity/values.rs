//! Kernel values, from points or from a matrix.

use std::ops::Range;

use ndarray::{Array2, CowArray, Ix2};
use rayon::prelude::*;

use super::gram::check_size;
use super::{Gram, Landmarks};
use crate::Result;
use crate::problem::{KernelMatrix, Points};

/// Kernel values between all points of an input, whichever way they come: computed from the points
/// when they are asked for, or read from a matrix that was given.
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
    Gram(Gram<'a>),
    /// A kernel matrix.
    Matrix(&'a KernelMatrix),
}

impl<'a> From<Gram<'a>> for KernelValues<'a> {
    fn from(gram: Gram<'a>) -> Self {
        Self::Gram(gram)
    }
}

impl<'a> From<&'a KernelMatrix> for KernelValues<'a> {
    fn from(matrix: &'a KernelMatrix) -> Self {
        Self::Matrix(matrix)
    }
}

impl KernelValues<'_> {
    /// Number of points.
    #[allow(clippy::len_without_is_empty, reason = "an input is never empty")]
    pub fn len(&self) -> usize {
        match self {
            Self::Gram(gram) => gram.len(),
            Self::Matrix(matrix) => matrix.view().nrows(),
        }
    }

    /// The value between points `i` and `j`.
    ///
    /// # Panics
    /// Where a point does not exist.
    pub fn value(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Gram(gram) => gram.value(i, j),
            Self::Matrix(matrix) => matrix.view()[[i, j]],
        }
    }

    /// Every point's value with itself.
    pub fn diagonal(&self) -> Vec<f64> {
        match self {
            Self::Gram(gram) => (0..gram.len())
                .into_par_iter()
                .map(|i| gram.value(i, i))
                .collect(),
            Self::Matrix(matrix) => matrix.view().diag().to_vec(),
        }
    }

    /// The values between all points, in rows, and the points `chosen`, in columns: n x l.
    ///
    /// # Errors
    /// [`Error::TooLarge`](crate::Error::TooLarge) above [`MAX_BYTES`](super::MAX_BYTES).
    ///
    /// # Panics
    /// Where a point does not exist.
    pub fn columns(&self, chosen: &[usize]) -> Result<Array2<f64>> {
        check_size(self.len(), chosen.len())?;
        let l = chosen.len();
        let mut columns = Array2::zeros((self.len(), l));
        if l == 0 {
            return Ok(columns);
        }
        let step = rows_a_block(l);
        if let Some(all) = columns.as_slice_mut() {
            self.with_columns(chosen, |fill| {
                all.par_chunks_mut(step * l)
                    .enumerate()
                    .for_each(|(at, out)| fill(at * step..at * step + out.len() / l, out));
            });
        }
        Ok(columns)
    }

    /// Lends `run` a function that writes the values between a range of points and the points
    /// `chosen`, row by row.
    pub(super) fn with_columns<T>(
        &self,
        chosen: &[usize],
        run: impl FnOnce(&(dyn Fn(Range<usize>, &mut [f64]) + Sync)) -> T,
    ) -> T {
        match self {
            Self::Gram(gram) => {
                let points = gram.points().select(chosen);
                let part = gram.on(chosen, &points);
                let (all, dims) = (gram.points().as_slice(), points.dims());
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

    /// Lends `run` a function that writes the values between one of the points `chosen` and a range of
    /// them; both are positions in `chosen`.
    pub(super) fn with_part<T>(
        &self,
        chosen: &[usize],
        run: impl FnOnce(&(dyn Fn(usize, Range<usize>, &mut [f64]) + Sync)) -> T,
    ) -> T {
        match self {
            Self::Gram(gram) => {
                let points = gram.points().select(chosen);
                let part = gram.on(chosen, &points);
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
    ///
    /// # Panics
    /// Where a point does not exist.
    pub fn among(&self, chosen: &[usize]) -> Array2<f64> {
        let l = chosen.len();
        match self {
            Self::Gram(_) if l == 0 => Array2::zeros((0, 0)),
            Self::Gram(gram) => {
                let points = gram.points().select(chosen);
                let part = gram.on(chosen, &points);
                let mut values = Array2::zeros((l, l));
                let step = rows_a_block(l);
                if let Some(all) = values.as_slice_mut() {
                    all.par_chunks_mut(step * l)
                        .enumerate()
                        .for_each(|(at, out)| {
                            part.block(at * step..at * step + out.len() / l, 0..l, out);
                        });
                }
                values
            }
            Self::Matrix(matrix) => {
                let matrix = matrix.view();
                Array2::from_shape_fn((l, l), |(i, j)| matrix[[chosen[i], chosen[j]]])
            }
        }
    }

    /// The whole matrix.
    ///
    /// # Errors
    /// [`Error::TooLarge`](crate::Error::TooLarge) above [`MAX_BYTES`](super::MAX_BYTES).
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
    ///
    /// # Errors
    /// None that a checked matrix runs into.
    pub(crate) fn as_points(&self) -> Result<std::borrow::Cow<'_, Points>> {
        Ok(match self {
            Self::Gram(gram) => std::borrow::Cow::Borrowed(gram.points()),
            Self::Matrix(matrix) => std::borrow::Cow::Owned(Points::new(matrix.view().to_owned())?),
        })
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

/// Rows of `columns` values that are handled together: about 2 MiB, and never few, so that a product
/// with them pays. It depends on the shape alone, so results do not depend on the number of threads.
pub(super) fn rows_a_block(columns: usize) -> usize {
    ((1 << 18) / columns.max(1)).clamp(32, 1024)
}

#[cfg(test)]
mod tests;
