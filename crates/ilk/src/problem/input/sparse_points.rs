//! Points of which most coordinates are 0.

use ndarray::{Array2, ArrayView2};

use crate::numerics::ragged::RaggedRows;
use crate::numerics::sparse::product_of_rows;
use crate::{Error, Result, error::check_length};

/// Points in compressed sparse rows, such as counts of words: at least one row and one column, values finite. The
/// columns of a row ascend, each once; what is not stored is 0.
///
/// No method takes them as they are. [`SparseAxes`](crate::embed::SparseAxes) makes coordinates of them that every
/// method on points takes.
///
/// ```
/// use ilk::problem::SparsePoints;
///
/// let points = SparsePoints::from_parts(5, &[0, 2, 3], &[0, 4, 2], &[3.0, 4.0, 0.5])?;
/// assert_eq!((points.len(), points.dims()), (2, 5));
/// assert_eq!(points.row(0), (&[0, 4][..], &[3.0, 4.0][..]));
/// assert_eq!(points.unit_rows().row(0).1, [0.6, 0.8]);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SparsePoints {
    dims: usize,
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl SparsePoints {
    /// Points of `dims` columns from their compressed rows, as other libraries hold them: those of row i are
    /// `columns[offsets[i]..offsets[i + 1]]`, with their values beside them.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::WrongLength`], [`Error::BadSparseRows`], [`Error::NotFinite`].
    pub fn from_parts(
        dims: usize,
        offsets: &[usize],
        columns: &[usize],
        values: &[f64],
    ) -> Result<Self> {
        let rows = offsets.len().saturating_sub(1);
        if rows == 0 || dims == 0 {
            return Err(Error::Empty { rows, columns: dims });
        }
        check_length("the list of values", values.len(), columns.len())?;
        let bad = |row: usize, reason: &'static str| Error::BadSparseRows { row, reason };
        if offsets[0] != 0 {
            return Err(bad(0, "the first offset must be 0"));
        }
        if offsets[rows] != columns.len() {
            return Err(bad(rows - 1, "the last offset must be the number of values"));
        }
        if let Some(row) = offsets.windows(2).position(|two| two[0] > two[1]) {
            return Err(bad(row, "offsets must never fall"));
        }
        if u32::try_from(dims).is_err() {
            return Err(bad(0, "there can be 4,294,967,295 columns"));
        }
        for row in 0..rows {
            let range = offsets[row]..offsets[row + 1];
            let of_row = &columns[range.clone()];
            if of_row.windows(2).any(|two| two[0] >= two[1]) {
                return Err(bad(row, "columns must ascend, each once"));
            }
            if of_row.last().is_some_and(|&column| column >= dims) {
                return Err(bad(row, "a column is beyond the last one"));
            }
            if let Some(at) = range.clone().find(|&at| !values[at].is_finite()) {
                return Err(Error::NotFinite { row, column: columns[at], value: values[at] });
            }
        }
        let columns = columns.iter().map(|&column| column as u32).collect();
        Ok(Self { dims, offsets: offsets.to_vec(), columns, values: values.to_vec() })
    }

    /// Number of points.
    #[allow(clippy::len_without_is_empty, reason = "points are never empty")]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// The columns and values of one point.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[i]..self.offsets[i + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// Every value with its row and column, row by row.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, u32, f64)> + Clone + '_ {
        (0..self.len()).flat_map(|i| {
            let (columns, values) = self.row(i);
            columns.iter().zip(values).map(move |(&column, &value)| (i, column, value))
        })
    }

    /// The product with a matrix of as many rows as there are columns.
    pub(crate) fn times(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        product_of_rows(self.len(), |i| self.row(i), x)
    }

    /// Rows and columns exchanged.
    pub(crate) fn transposed(&self) -> Self {
        let turned =
            self.entries().map(|(row, column, value)| (column as usize, (row as u32, value)));
        let rows = RaggedRows::new(self.dims, turned);
        let (offsets, entries) = rows.into_parts();
        let (columns, values) = entries.into_iter().unzip();
        Self { dims: self.len(), offsets, columns, values }
    }

    /// The same points, each divided by its length; points at the origin stay there. Squared Euclidean distances
    /// between such rows are twice 1 less the cosine of the angle.
    #[must_use]
    pub fn unit_rows(mut self) -> Self {
        for ends in self.offsets.windows(2) {
            to_unit_length(&mut self.values[ends[0]..ends[1]]);
        }
        self
    }
}

/// Divides a vector by its length, unless it is 0. Squares of its values over the largest neither overflow nor vanish.
pub fn to_unit_length(row: &mut [f64]) {
    let largest = row.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    if largest == 0.0 {
        return;
    }
    for x in &mut *row {
        *x /= largest;
    }
    let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
    for x in row {
        *x /= length;
    }
}
