//! Matrices that are written in blocks of rows.

use std::ops::Range;

use ndarray::Array2;
use rayon::prelude::*;

use crate::numerics::rows_of_mut;

/// Number of rows of `columns` values that are handled together: about 2 MiB, and at least 32 rows, so
/// that a matrix product with them is efficient. It depends on the shape alone, so that results do
/// not depend on the number of threads.
pub(super) fn rows_per_block(columns: usize) -> usize {
    ((1 << 18) / columns.max(1)).clamp(32, 1024)
}

/// A matrix whose rows `fill(scratch, rows, out)` writes, `step` rows at a time, in parallel.
pub(super) fn filled_rows(
    rows: usize,
    columns: usize,
    step: usize,
    fill: impl Fn(&mut Vec<f64>, Range<usize>, &mut [f64]) + Sync,
) -> Array2<f64> {
    let mut matrix = Array2::zeros((rows, columns));
    rows_of_mut(&mut matrix).par_chunks_mut((step * columns).max(1)).enumerate().for_each_init(
        Vec::new,
        |scratch, (block, out)| {
            let first = block * step;
            fill(scratch, first..first + out.len() / columns, out);
        },
    );
    matrix
}
