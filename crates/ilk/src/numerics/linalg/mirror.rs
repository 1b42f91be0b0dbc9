//! Symmetric matrices from one half.

use ndarray::{ArrayViewMut2, Axis};

/// Copies the upper half of a square matrix into the lower. It divides the matrix into quarters,
/// again and again, so that both sides of a copy stay in the cache.
pub(crate) fn mirror_upper(matrix: ArrayViewMut2<'_, f64>) {
    const SMALL: usize = 64;
    let n = matrix.nrows();
    if n <= SMALL {
        let mut matrix = matrix;
        for i in 0..n {
            for j in 0..i {
                matrix[[i, j]] = matrix[[j, i]];
            }
        }
        return;
    }
    let half = n / 2;
    let (top, bottom) = matrix.split_at(Axis(0), half);
    let (top_left, top_right) = top.split_at(Axis(1), half);
    let (bottom_left, bottom_right) = bottom.split_at(Axis(1), half);
    rayon::join(
        || rayon::join(|| mirror_upper(top_left), || mirror_upper(bottom_right)),
        || transpose(top_right, bottom_left),
    );
}

/// Writes the transpose of `from` into `to`.
fn transpose(from: ArrayViewMut2<'_, f64>, mut to: ArrayViewMut2<'_, f64>) {
    const SMALL: usize = 64;
    let (rows, columns) = from.dim();
    if rows.max(columns) <= SMALL {
        to.assign(&from.t());
    } else if rows >= columns {
        let (top, bottom) = from.split_at(Axis(0), rows / 2);
        let (left, right) = to.split_at(Axis(1), rows / 2);
        rayon::join(|| transpose(top, left), || transpose(bottom, right));
    } else {
        let (left, right) = from.split_at(Axis(1), columns / 2);
        let (top, bottom) = to.split_at(Axis(0), columns / 2);
        rayon::join(|| transpose(left, top), || transpose(right, bottom));
    }
}
