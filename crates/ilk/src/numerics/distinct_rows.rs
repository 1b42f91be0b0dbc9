//! Equal rows of a matrix.

use ndarray::{Array2, ArrayView1, ArrayView2, Axis};
use rayon::prelude::*;

/// The distinct rows of a matrix, numbered in the order of their first appearance.
///
/// Rows are equal where all their values are; 0 and -0 are equal. Rows are hashed in parallel and
/// only rows of equal hashes are compared, so n rows cost O(n log n).
#[derive(Debug, Clone, PartialEq)]
pub struct DistinctRows {
    /// The number of the distinct row that each row equals.
    pub distinct_row_of: Vec<usize>,
    /// The first row of each distinct row, ascending.
    pub first: Vec<usize>,
}

impl DistinctRows {
    /// Finds equal rows.
    pub fn new(rows: ArrayView2<'_, f64>) -> Self {
        Self::new_where(rows, |_| true)
    }

    /// Finds equal rows; a row for which `may_merge` is false stays a distinct row of its own.
    pub(crate) fn new_where(rows: ArrayView2<'_, f64>, may_merge: impl Fn(usize) -> bool) -> Self {
        let mut hashes: Vec<(u64, usize)> =
            (0..rows.nrows()).into_par_iter().map(|i| (hash(rows.row(i)), i)).collect();
        hashes.par_sort_unstable();
        let mut first_equal: Vec<usize> = (0..rows.nrows()).collect();
        for same_hash in hashes.chunk_by(|a, b| a.0 == b.0) {
            for (position, &(_, i)) in same_hash.iter().enumerate() {
                let equal = same_hash[..position]
                    .iter()
                    .find(|&&(_, j)| first_equal[j] == j && rows.row(j) == rows.row(i));
                let equal = equal.filter(|_| may_merge(i));
                first_equal[i] = equal.map_or(i, |&(_, j)| j);
            }
        }
        let mut distinct_row_of = vec![0; first_equal.len()];
        let mut first = Vec::new();
        for (i, &equal) in first_equal.iter().enumerate() {
            if equal == i {
                distinct_row_of[i] = first.len();
                first.push(i);
            } else {
                distinct_row_of[i] = distinct_row_of[equal];
            }
        }
        Self { distinct_row_of, first }
    }

    /// `n` rows of which no two are taken for equal.
    pub(crate) fn all_distinct(n: usize) -> Self {
        Self { distinct_row_of: (0..n).collect(), first: (0..n).collect() }
    }

    /// Number of distinct rows.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether no two rows are equal.
    pub(crate) fn are_all_distinct(&self) -> bool {
        self.first.len() == self.distinct_row_of.len()
    }

    /// One row of `rows` for each distinct row: that of its first appearance.
    pub(crate) fn select(&self, rows: ArrayView2<'_, f64>) -> Array2<f64> {
        rows.select(Axis(0), &self.first)
    }

    /// One value for each row from one value for each distinct row.
    pub(crate) fn spread<T: Copy>(&self, values: &[T]) -> Vec<T> {
        self.distinct_row_of.iter().map(|&row| values[row]).collect()
    }

    /// For each distinct row, the first given value among the rows that equal it.
    pub(crate) fn first_given<T: Copy>(&self, given: &[Option<T>]) -> Vec<Option<T>> {
        let mut values = vec![None; self.len()];
        for (&row, &value) in self.distinct_row_of.iter().zip(given) {
            values[row] = values[row].or(value);
        }
        values
    }

    /// How many rows equal each distinct row.
    pub(crate) fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.len()];
        for &row in &self.distinct_row_of {
            counts[row] += 1;
        }
        counts
    }

    /// The sum of the weights of the rows that equal each distinct row; every row weighs 1 where no
    /// weights are given.
    pub(crate) fn weights(&self, weights: Option<&[f64]>) -> Vec<f64> {
        let mut sums = vec![0.0; self.len()];
        for (i, &row) in self.distinct_row_of.iter().enumerate() {
            sums[row] += weights.map_or(1.0, |weights| weights[i]);
        }
        sums
    }
}

/// Hashes that are taken side by side, so that none waits for another.
const SIDE_BY_SIDE: usize = 4;

/// A hash of a row.
fn hash(row: ArrayView1<'_, f64>) -> u64 {
    let Some(values) = row.as_slice() else {
        return hash(row.to_owned().view());
    };
    let mut hashes = [0; SIDE_BY_SIDE];
    let chunks = values.chunks_exact(SIDE_BY_SIDE);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (hash, &x) in hashes.iter_mut().zip(chunk) {
            *hash = mix(*hash, x);
        }
    }
    let whole = hashes.into_iter().fold(0, mix_bits);
    rest.iter().fold(whole, |hash, &x| mix(hash, x))
}

/// One round of a multiplicative hash. Adding 0 turns -0 into 0, which it equals.
fn mix(hash: u64, x: f64) -> u64 {
    mix_bits(hash, (x + 0.0).to_bits())
}

fn mix_bits(hash: u64, bits: u64) -> u64 {
    let mixed = (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 32)
}

#[cfg(test)]
mod tests;
