//! Points in rows.

use ndarray::{ArcArray2, Array1, Array2, ArrayRef2, ArrayView2, Axis, s};

use crate::{Error, Result, numerics::rows_of};

/// Number of points of a block, see [`Points::blocks`].
const BLOCK_ROWS: usize = 4_096;

/// The largest coordinate of which squared distances are finite, with room for sums of them over columns.
const MAX_COORDINATE: f64 = 1e151;

/// The smallest difference of coordinates of which squares are normal numbers.
const MIN_SPREAD: f64 = 1e-150;

/// Points in rows: finite, at least one row and one column, stored row by row. A clone shares them.
///
/// ```
/// use ilk::problem::Points;
///
/// let points = Points::from_rows(&[vec![0.0, 1.0], vec![2.0, 3.0], vec![4.0, 5.0]])?;
/// assert_eq!((points.len(), points.dims()), (3, 2));
/// assert_eq!(points.row(1), [2.0, 3.0]);
///
/// let refused = Points::from_rows(&[vec![0.0, 1.0], vec![2.0]]).unwrap_err();
/// assert_eq!(refused.to_string(), "row 1 has 1 values, but row 0 has 2");
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    data: ArcArray2<f64>,
}

impl Points {
    /// Checks and takes a matrix with a point a row. It is copied only where it is not stored row
    /// by row.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::NotFinite`].
    pub fn new(data: Array2<f64>) -> Result<Self> {
        let (rows, columns) = data.dim();
        if rows == 0 || columns == 0 {
            return Err(Error::Empty { rows, columns });
        }
        let points = Self::of_checked(row_major(data).into_shared());
        all_finite(points.as_slice(), columns)?;
        Ok(points)
    }

    /// Points whose values are known to be finite, stored row by row.
    pub(super) fn of_checked(data: ArcArray2<f64>) -> Self {
        Self { data }
    }

    /// Points from rows of numbers.
    ///
    /// # Errors
    /// [`Error::Ragged`] where a row has another length than the first, and those of
    /// [`new`](Self::new).
    pub fn from_rows(rows: &[Vec<f64>]) -> Result<Self> {
        let columns = rows.first().map_or(0, Vec::len);
        if let Some(row) = rows.iter().position(|row| row.len() != columns) {
            return Err(Error::Ragged { row, found: rows[row].len(), expected: columns });
        }
        Self::from_shape(rows.len(), columns, rows.concat())
    }

    /// Points from all their coordinates, row by row.
    ///
    /// # Errors
    /// [`Error::WrongLength`] where there are not `rows * columns` of them, and those of
    /// [`new`](Self::new).
    pub fn from_shape(rows: usize, columns: usize, coordinates: Vec<f64>) -> Result<Self> {
        let found = coordinates.len();
        let wrong_length = |_| Error::WrongLength {
            what: "the list of coordinates",
            found,
            expected: rows.saturating_mul(columns),
        };
        Self::new(Array2::from_shape_vec((rows, columns), coordinates).map_err(wrong_length)?)
    }

    /// Points in single precision, each coordinate widened to the same number in double precision.
    pub fn from_f32(data: &ArrayRef2<f32>) -> Result<Self> {
        Self::new(data.mapv(f64::from))
    }

    /// The points in `rows`, in that order.
    ///
    /// # Panics
    /// If a row does not exist or none is asked for.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        assert!(!rows.is_empty(), "points are never empty");
        Self::of_checked(self.data.select(Axis(0), rows).into_shared())
    }

    /// The points in blocks of at most 4,096, in their order: for predictions that need more memory for a
    /// point than its label, and can be cancelled between blocks.
    pub fn blocks(&self) -> impl Iterator<Item = Self> + '_ {
        (0..self.len()).step_by(BLOCK_ROWS).map(|from| {
            let to = self.len().min(from + BLOCK_ROWS);
            Self::of_checked(self.data.slice(s![from..to, ..]).to_shared())
        })
    }

    /// The same points about their mean.
    pub(crate) fn centered(&self) -> Self {
        let origin = &self.data - &self.data.row(0);
        let mean = origin.mean_axis(Axis(0)).unwrap_or_else(|| Array1::zeros(self.dims()));
        Self::of_checked((origin - mean).into_shared())
    }

    /// Refuses coordinates of which squared distances overflow.
    pub(crate) fn check_coordinates(&self) -> Result<()> {
        match self.as_slice().iter().position(|x| x.abs() > MAX_COORDINATE) {
            None => Ok(()),
            Some(i) => {
                let (row, column) = (i / self.dims(), i % self.dims());
                Err(Error::TooFar { row, column, value: self.as_slice()[i] })
            }
        }
    }

    /// Refuses points between which squared distances overflow, or differ but underflow.
    pub(crate) fn check_distances(&self) -> Result<()> {
        self.check_coordinates()?;
        let mut spread = 0.0_f64;
        for i in 0..self.len() {
            for (x, first) in self.row(i).iter().zip(self.row(0)) {
                spread = spread.max((x - first).abs());
            }
            if spread >= MIN_SPREAD {
                return Ok(());
            }
        }
        if spread > 0.0 { Err(Error::TooClose { spread }) } else { Ok(()) }
    }

    /// The points as a matrix.
    pub fn view(&self) -> ArrayView2<'_, f64> {
        self.data.view()
    }

    /// Number of points.
    #[allow(clippy::len_without_is_empty, reason = "points are never empty")]
    pub fn len(&self) -> usize {
        self.data.nrows()
    }

    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.data.ncols()
    }

    /// All coordinates, row by row.
    pub fn as_slice(&self) -> &[f64] {
        rows_of(&self.data)
    }

    /// One point.
    pub fn row(&self, i: usize) -> &[f64] {
        let d = self.dims();
        &self.as_slice()[i * d..(i + 1) * d]
    }
}

/// The same matrix stored row by row, copied only where it is not.
pub(super) fn row_major(data: Array2<f64>) -> Array2<f64> {
    if data.is_standard_layout() { data } else { data.as_standard_layout().into_owned() }
}

/// Refuses the first value, row by row, that is NaN or infinite.
pub(super) fn all_finite(values: &[f64], columns: usize) -> Result<()> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(i) => {
            Err(Error::NotFinite { row: i / columns, column: i % columns, value: values[i] })
        }
    }
}
