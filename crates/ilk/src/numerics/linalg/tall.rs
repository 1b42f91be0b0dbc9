//! Matrices with many rows and few columns, stored row by row. Products with small matrices, and inner
//! products of columns, pass over them a chunk of rows at a time.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::{Array2, ArrayView2, Zip, s};
use rayon::prelude::*;

use super::{rows_of, rows_of_mut};

/// Rows that are handled together. Sums run over such chunks in their order, so that results do not
/// depend on the number of threads.
const CHUNK: usize = 1024;

/// The inner products of the columns `own` of a matrix with the columns `others` of another.
pub(super) fn inner(
    a: &Array2<f64>,
    own: Range<usize>,
    b: &Array2<f64>,
    others: Range<usize>,
) -> Array2<f64> {
    let mut total = Array2::zeros((own.len(), others.len()));
    if own.is_empty() || others.is_empty() {
        return total;
    }
    let parts: Vec<Vec<f64>> = rows_of(a)
        .par_chunks(CHUNK * a.ncols())
        .zip(rows_of(b).par_chunks(CHUNK * b.ncols()))
        .map(|(rows, other_rows)| {
            let mut part = vec![0.0; own.len() * others.len()];
            matmul(
                MatMut::from_row_major_slice_mut(&mut part, own.len(), others.len()),
                Accum::Replace,
                mat(rows, a.ncols(), &own).transpose(),
                mat(other_rows, b.ncols(), &others),
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

/// Subtracts the columns `own` of a matrix times `right` from the columns `others` of another.
pub(super) fn subtract_from(
    a: &Array2<f64>,
    own: Range<usize>,
    right: ArrayView2<'_, f64>,
    b: &mut Array2<f64>,
    others: Range<usize>,
) {
    if own.is_empty() || others.is_empty() {
        return;
    }
    let right = right.as_standard_layout();
    let columns = b.ncols();
    rows_of(a)
        .par_chunks(CHUNK * a.ncols())
        .zip(rows_of_mut(b).par_chunks_mut(CHUNK * columns))
        .for_each(|(rows, other_rows)| {
            matmul(
                mat_mut(other_rows, columns, &others),
                Accum::Add,
                mat(rows, a.ncols(), &own),
                MatRef::from_row_major_slice(rows_of(&right), own.len(), others.len()),
                -1.0,
                Par::Seq,
            );
        });
}

/// Subtracts the columns `own` times `right` from the columns `others`, all of one matrix.
pub(super) fn subtract_within(
    matrix: &mut Array2<f64>,
    own: Range<usize>,
    right: ArrayView2<'_, f64>,
    others: Range<usize>,
) {
    combine(matrix, own, right, others, Accum::Add, -1.0);
}

/// Replaces the first columns by the columns `own` times `right`.
pub(super) fn rotate(matrix: &mut Array2<f64>, own: Range<usize>, right: ArrayView2<'_, f64>) {
    let others = 0..right.ncols();
    combine(matrix, own, right, others, Accum::Replace, 1.0);
}

fn combine(
    matrix: &mut Array2<f64>,
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
    let columns = matrix.ncols();
    rows_of_mut(matrix).par_chunks_mut(CHUNK * columns).for_each_init(
        Vec::new,
        |copy: &mut Vec<f64>, rows| {
            copy.clear();
            copy.extend_from_slice(rows);
            matmul(
                mat_mut(rows, columns, &others),
                how,
                mat(copy, columns, &own),
                MatRef::from_row_major_slice(rows_of(&right), own.len(), others.len()),
                factor,
                Par::Seq,
            );
        },
    );
}

/// Copies all columns of `other` to the columns of a matrix from `at` on.
pub(super) fn put(matrix: &mut Array2<f64>, at: usize, other: &Array2<f64>) {
    Zip::from(matrix.slice_mut(s![.., at..at + other.ncols()]))
        .and(other)
        .par_for_each(|to, from| *to = *from);
}

/// The length of a column.
pub(super) fn norm(matrix: &Array2<f64>, column: usize) -> f64 {
    let column = column..column + 1;
    inner(matrix, column.clone(), matrix, column)[[0, 0]].sqrt()
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
