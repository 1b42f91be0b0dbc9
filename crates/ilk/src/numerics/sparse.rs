//! Symmetric sparse matrices.

#[cfg(test)]
mod tests;

use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;

use super::{ragged::RaggedRows, rows_of};

/// Rows that one task works on.
const BLOCK: usize = 1024;

/// A symmetric sparse matrix in compressed rows: the columns of the entries of a row, ascending, and
/// their values, row after row. Both halves are stored, so that a row is contiguous.
///
/// ```
/// use ilk::numerics::sparse::Sparse;
///
/// let matrix = Sparse::from_entries(3, [(0, 1, 2.0), (2, 2, 1.0), (1, 0, 0.5)]);
/// assert_eq!(matrix.row(1), (&[0][..], &[2.5][..]));
/// assert_eq!(matrix.row_sums(), [2.5, 2.5, 1.0]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Sparse {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Sparse {
    /// The matrix without entries.
    pub fn empty(n: usize) -> Self {
        Self { offsets: vec![0; n + 1], columns: Vec::new(), values: Vec::new() }
    }

    /// Takes entries in any order, of (i, j) and (j, i) only one; values of the same place are added
    /// up. O(n + m log d) for m entries and at most d in a row.
    ///
    /// # Panics
    /// Where an entry is outside of the matrix.
    pub fn from_entries(n: usize, entries: impl IntoIterator<Item = (usize, usize, f64)>) -> Self {
        let entries: Vec<(usize, usize, f64)> = entries.into_iter().collect();
        let both = entries.iter().flat_map(|&(i, j, value)| {
            let mirrored = (i != j).then_some((j, (i as u32, value)));
            std::iter::once((i, (j as u32, value))).chain(mirrored)
        });
        let ends = RaggedRows::new(n, both);
        Self::from_rows((0..n).into_par_iter().map(|i| summed(ends.row(i).to_vec())))
    }

    /// Puts rows one below the other; each has its columns ascending, and the matrix is symmetric.
    pub(crate) fn from_rows(rows: impl IndexedParallelIterator<Item = Vec<(u32, f64)>>) -> Self {
        let mut collected = Vec::new();
        rows.collect_into_vec(&mut collected);
        let mut matrix = Self::with_capacity(collected.len(), collected.iter().map(Vec::len).sum());
        for row in collected {
            for (column, value) in row {
                matrix.push(column, value);
            }
            matrix.end_row();
        }
        matrix
    }

    /// A matrix without rows, to which `n` will be added.
    pub(crate) fn with_capacity(n: usize, entries: usize) -> Self {
        let mut offsets = Vec::with_capacity(n + 1);
        offsets.push(0);
        Self { offsets, columns: Vec::with_capacity(entries), values: Vec::with_capacity(entries) }
    }

    /// Appends an entry to the row that is being built.
    pub(crate) fn push(&mut self, column: u32, value: f64) {
        self.columns.push(column);
        self.values.push(value);
    }

    pub(crate) fn end_row(&mut self) {
        self.offsets.push(self.columns.len());
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of entries, both halves.
    pub fn n_entries(&self) -> usize {
        self.columns.len()
    }

    /// Where the entries of every row begin, and the end of the last.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The columns of all entries, row after row.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The values of all entries, row after row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// As [`values`](Self::values), to be changed.
    pub(crate) fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The columns and values of a row's entries.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[i]..self.offsets[i + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// The entries of a row.
    pub fn entries(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (columns, values) = self.row(i);
        columns.iter().map(|&j| j as usize).zip(values.iter().copied())
    }

    /// The position of the entry of row i and column j among all entries.
    pub(crate) fn position(&self, i: usize, j: usize) -> Option<usize> {
        let (columns, _) = self.row(i);
        let place = columns.binary_search(&(j as u32)).ok()?;
        Some(self.offsets[i] + place)
    }

    /// A value, 0 where there is no entry. O(log d).
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.position(i, j).map_or(0.0, |at| self.values[at])
    }

    /// The diagonal.
    pub fn diagonal(&self) -> Vec<f64> {
        (0..self.len()).map(|i| self.get(i, i)).collect()
    }

    /// The sum of every row.
    pub fn row_sums(&self) -> Vec<f64> {
        (0..self.len()).into_par_iter().map(|i| self.row(i).1.iter().sum()).collect()
    }

    /// The sum of two matrices of the same size.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self::from_rows((0..self.len()).into_par_iter().map(|i| {
            let both = self.entries(i).chain(other.entries(i));
            summed(both.map(|(j, value)| (j as u32, value)).collect())
        }))
    }

    /// The sum with a diagonal matrix.
    #[must_use]
    pub fn plus_diagonal(&self, diagonal: &[f64]) -> Self {
        let entries = diagonal.iter().enumerate().map(|(i, &value)| (i, i, value));
        self.plus(&Self::from_entries(self.len(), entries))
    }

    /// Every entry replaced by `change(row, column, value)`, which must treat both halves alike.
    #[must_use]
    pub fn map(mut self, change: impl Fn(usize, usize, f64) -> f64 + Sync) -> Self {
        let rows = self.offsets.windows(2);
        for (i, row) in rows.enumerate() {
            for at in row[0]..row[1] {
                self.values[at] = change(i, self.columns[at] as usize, self.values[at]);
            }
        }
        self
    }

    /// The product with a matrix of as many rows. Every entry of it is summed in the same order on
    /// any number of threads.
    ///
    /// # Panics
    /// Where the number of rows is another.
    pub fn times(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        assert_eq!(x.nrows(), self.len(), "as many rows as columns");
        product_of_rows(self.len(), |i| self.row(i), x)
    }

    /// The dense matrix.
    pub fn to_dense(&self) -> Array2<f64> {
        let mut dense = Array2::zeros((self.len(), self.len()));
        for i in 0..self.len() {
            for (j, value) in self.entries(i) {
                dense[[i, j]] = value;
            }
        }
        dense
    }

    /// All entries of a square matrix that are not 0.
    pub fn from_dense(dense: ArrayView2<'_, f64>) -> Self {
        let rows = (0..dense.nrows()).into_par_iter().map(|i| {
            let row = dense.row(i);
            let entries = row.iter().enumerate().filter(|(_, value)| **value != 0.0);
            entries.map(|(j, &value)| (j as u32, value)).collect()
        });
        Self::from_rows(rows)
    }
}

/// The product of `n` sparse rows, each its columns and values, with a matrix. Every entry of it is summed in the same
/// order on any number of threads.
pub(crate) fn product_of_rows<'a>(
    n: usize,
    row: impl Fn(usize) -> (&'a [u32], &'a [f64]) + Sync,
    x: ArrayView2<'_, f64>,
) -> Array2<f64> {
    let width = x.ncols();
    let x = x.as_standard_layout();
    let x_values = rows_of(&x);
    let mut product = vec![0.0; n * width];
    product.par_chunks_mut((BLOCK * width).max(1)).enumerate().for_each(|(block, out)| {
        for (at, out) in out.chunks_exact_mut(width.max(1)).enumerate() {
            let (columns, values) = row(block * BLOCK + at);
            for (&j, value) in columns.iter().zip(values) {
                let from = &x_values[j as usize * width..(j as usize + 1) * width];
                for (out, x) in out.iter_mut().zip(from) {
                    *out += value * x;
                }
            }
        }
    });
    Array2::from_shape_vec((n, width), product).expect("a row of the product for each row")
}

/// Entries of a row with their columns ascending; values of the same column are added up in their order.
pub(crate) fn summed(mut row: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    row.sort_by_key(|&(column, _)| column);
    row.dedup_by(|later, kept| {
        let is_same = later.0 == kept.0;
        if is_same {
            kept.1 += later.1;
        }
        is_same
    });
    row
}
