//! Matrices with many rows and few columns.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;

/// Rows that are handled together. Sums run over such chunks in their order, so that results do not
/// depend on the number of threads.
const CHUNK: usize = 1024;

/// A tall matrix, stored row by row. Products with small matrices, and inner products of its columns,
/// pass over it a chunk of rows at a time.
#[derive(Debug, Clone)]
pub(super) struct Tall {
    data: Vec<f64>,
    columns: usize,
}

impl Tall {
    pub(super) fn zeros(rows: usize, columns: usize) -> Self {
        Self {
            data: vec![0.0; rows * columns],
            columns,
        }
    }

    pub(super) fn new(matrix: Array2<f64>) -> Self {
        let columns = matrix.ncols();
        let data = if matrix.is_standard_layout() {
            matrix.into_raw_vec_and_offset().0
        } else {
            matrix.iter().copied().collect()
        };
        Self { data, columns }
    }

    /// The matrix.
    pub(super) fn view(&self) -> ArrayView2<'_, f64> {
        let rows = self.data.len() / self.columns;
        ArrayView2::from_shape((rows, self.columns), &self.data)
            .unwrap_or_else(|_| ArrayView2::from(&[[0.0; 0]; 0]))
    }

    /// A column, for writing.
    pub(super) fn column_mut(&mut self, column: usize) -> impl Iterator<Item = &mut f64> {
        self.data.iter_mut().skip(column).step_by(self.columns)
    }

    /// The inner products of some columns with some columns of another matrix.
    pub(super) fn inner(
        &self,
        own: Range<usize>,
        other: &Self,
        others: Range<usize>,
    ) -> Array2<f64> {
        let mut total = Array2::zeros((own.len(), others.len()));
        if own.is_empty() || others.is_empty() {
            return total;
        }
        let parts: Vec<Vec<f64>> = self
            .data
            .par_chunks(CHUNK * self.columns)
            .zip(other.data.par_chunks(CHUNK * other.columns))
            .map(|(a, b)| {
                let mut part = vec![0.0; own.len() * others.len()];
                matmul(
                    MatMut::from_row_major_slice_mut(&mut part, own.len(), others.len()),
                    Accum::Replace,
                    mat(a, self.columns, &own).transpose(),
                    mat(b, other.columns, &others),
                    1.0,
                    Par::Seq,
                );
                part
            })
            .collect();
        for part in parts {
            for (total, x) in total.iter_mut().zip(part) {
                *total += x;
            }
        }
        total
    }

    /// Subtracts the columns `own` times `right` from the columns `others` of another matrix.
    pub(super) fn subtract_from(
        &self,
        own: Range<usize>,
        right: ArrayView2<'_, f64>,
        other: &mut Self,
        others: Range<usize>,
    ) {
        if own.is_empty() || others.is_empty() {
            return;
        }
        let right = right.as_standard_layout();
        let right = right.as_slice().unwrap_or(&[]);
        let columns = other.columns;
        self.data
            .par_chunks(CHUNK * self.columns)
            .zip(other.data.par_chunks_mut(CHUNK * columns))
            .for_each(|(a, b)| {
                matmul(
                    mat_mut(b, columns, &others),
                    Accum::Add,
                    mat(a, self.columns, &own),
                    MatRef::from_row_major_slice(right, own.len(), others.len()),
                    -1.0,
                    Par::Seq,
                );
            });
    }

    /// Subtracts the columns `own` times `right` from the columns `others`, all of this matrix.
    pub(super) fn subtract_within(
        &mut self,
        own: Range<usize>,
        right: ArrayView2<'_, f64>,
        others: Range<usize>,
    ) {
        self.combine(own, right, others, Accum::Add, -1.0);
    }

    /// Replaces the first columns by the columns `own` times `right`.
    pub(super) fn rotate(&mut self, own: Range<usize>, right: ArrayView2<'_, f64>) {
        let others = 0..right.ncols();
        self.combine(own, right, others, Accum::Replace, 1.0);
    }

    fn combine(
        &mut self,
        own: Range<usize>,
        right: ArrayView2<'_, f64>,
        others: Range<usize>,
        how: Accum,
        factor: f64,
    ) {
        if own.is_empty() || others.is_empty() {
            return;
        }
        let right = right.as_standard_layout();
        let right = right.as_slice().unwrap_or(&[]);
        let columns = self.columns;
        self.data.par_chunks_mut(CHUNK * columns).for_each_init(
            Vec::new,
            |copy: &mut Vec<f64>, rows| {
                copy.clear();
                copy.extend_from_slice(rows);
                matmul(
                    mat_mut(rows, columns, &others),
                    how,
                    mat(copy, columns, &own),
                    MatRef::from_row_major_slice(right, own.len(), others.len()),
                    factor,
                    Par::Seq,
                );
            },
        );
    }

    /// Copies all columns of another matrix to the columns from `at` on.
    pub(super) fn put(&mut self, at: usize, other: &Self) {
        let columns = self.columns;
        self.data
            .par_chunks_mut(columns)
            .zip(other.data.par_chunks(other.columns))
            .with_min_len(CHUNK)
            .for_each(|(row, other)| row[at..at + other.len()].copy_from_slice(other));
    }

    /// Multiplies a column.
    pub(super) fn scale(&mut self, column: usize, factor: f64) {
        for x in self.column_mut(column) {
            *x *= factor;
        }
    }

    /// The length of a column.
    pub(super) fn norm(&self, column: usize) -> f64 {
        let column = column..column + 1;
        self.inner(column.clone(), self, column)[[0, 0]].sqrt()
    }
}

/// Some columns of rows of `width` numbers.
fn mat<'a>(rows: &'a [f64], width: usize, columns: &Range<usize>) -> MatRef<'a, f64> {
    MatRef::from_row_major_slice(rows, rows.len() / width, width)
        .subcols(columns.start, columns.len())
}

fn mat_mut<'a>(rows: &'a mut [f64], width: usize, columns: &Range<usize>) -> MatMut<'a, f64> {
    let count = rows.len() / width;
    MatMut::from_row_major_slice_mut(rows, count, width).subcols_mut(columns.start, columns.len())
}
