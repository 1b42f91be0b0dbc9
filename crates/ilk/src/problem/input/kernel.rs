//! A kernel matrix.

use ndarray::{ArcArray2, Array2, ArrayRef2, ArrayView2};

use super::SYMMETRY_TOLERANCE;
use super::points::{Points, all_finite, row_major};
use crate::{Error, Result, numerics::rows_of};

/// A symmetric matrix of similarities between all points, k(i, j) = k(j, i): finite, at least 1 x 1.
///
/// It need not be positive definite. Where rounding made the two halves differ a little, both get
/// their mean, so that either half can be read. A clone shares the matrix.
///
/// ```
/// use ilk::ndarray::array;
/// use ilk::problem::KernelMatrix;
///
/// let kernel = KernelMatrix::new(array![[1.0, 0.5], [0.5 + 1e-9, 1.0]])?;
/// assert_eq!(kernel.view()[[0, 1]], kernel.view()[[1, 0]]);
/// assert!(KernelMatrix::new(array![[1.0, 0.5], [0.6, 1.0]]).is_err());
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct KernelMatrix {
    data: ArcArray2<f64>,
}

impl KernelMatrix {
    /// Checks a matrix and makes it exactly symmetric.
    ///
    /// The two halves may differ by [`SYMMETRY_TOLERANCE`] times the largest absolute value of the
    /// matrix: |k(i, j) - k(j, i)| <= 1e-6 max|k|. The scale is that of the whole matrix because an
    /// entry near 0 is often the difference of large ones and has their rounding.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::NotSquare`], [`Error::NotFinite`], [`Error::Asymmetric`].
    pub fn new(data: Array2<f64>) -> Result<Self> {
        let (rows, columns) = data.dim();
        if rows == 0 || columns == 0 {
            return Err(Error::Empty { rows, columns });
        }
        if rows != columns {
            return Err(Error::NotSquare { rows, columns });
        }
        let mut data = row_major(data);
        all_finite(rows_of(&data), columns)?;
        symmetrise(&mut data)?;
        Ok(Self { data: data.into_shared() })
    }

    /// A matrix in single precision, each value widened to the same number in double precision.
    pub fn from_f32(data: &ArrayRef2<f32>) -> Result<Self> {
        Self::new(data.mapv(f64::from))
    }

    /// The rows of the matrix as points; both share their memory.
    pub(crate) fn as_points(&self) -> Points {
        Points::of_checked(self.data.clone())
    }

    /// The matrix.
    pub fn view(&self) -> ArrayView2<'_, f64> {
        self.data.view()
    }
}

/// Gives both halves their mean, or refuses an entry whose halves differ too much.
fn symmetrise(data: &mut Array2<f64>) -> Result<()> {
    /// Rows and columns walked together, so that both halves stay in cache.
    const TILE: usize = 64;

    let n = data.nrows();
    let largest = data.iter().fold(0.0_f64, |max, value| max.max(value.abs()));
    let tolerance = SYMMETRY_TOLERANCE * largest;
    for row_tile in (0..n).step_by(TILE) {
        for column_tile in (row_tile..n).step_by(TILE) {
            for row in row_tile..n.min(row_tile + TILE) {
                for column in column_tile.max(row + 1)..n.min(column_tile + TILE) {
                    let (value, mirrored) = (data[[row, column]], data[[column, row]]);
                    if (value - mirrored).abs() > tolerance {
                        return Err(Error::Asymmetric {
                            what: "the kernel matrix",
                            row,
                            column,
                            value,
                            mirrored,
                        });
                    }
                    let mean = f64::midpoint(value, mirrored);
                    data[[row, column]] = mean;
                    data[[column, row]] = mean;
                }
            }
        }
    }
    Ok(())
}
