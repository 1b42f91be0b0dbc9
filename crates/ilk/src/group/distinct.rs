//! Points that are the same.

use ndarray::ArrayView2;
use rayon::prelude::*;

use super::Label;

/// Rows of which equal ones are taken for one.
pub(super) struct Distinct {
    /// The number of the distinct row that each row is.
    pub(super) place_of: Vec<usize>,
    /// The first row of each, ascending.
    pub(super) first: Vec<usize>,
}

impl Distinct {
    /// Finds equal rows; those for which `is_a_place` says no each count by themselves.
    pub(super) fn new(rows: ArrayView2<'_, f64>, is_a_place: impl Fn(usize) -> bool) -> Self {
        let mut hashes: Vec<(u64, usize)> = (0..rows.nrows())
            .into_par_iter()
            .map(|i| (rows.row(i).iter().fold(0, |hash, &x| mix(hash, x)), i))
            .collect();
        hashes.par_sort_unstable();
        // The first row that each equals.
        let mut same_as: Vec<usize> = (0..rows.nrows()).collect();
        for alike in hashes.chunk_by(|a, b| a.0 == b.0) {
            for (at, &(_, i)) in alike.iter().enumerate() {
                let same = alike[..at]
                    .iter()
                    .find(|&&(_, j)| same_as[j] == j && rows.row(j) == rows.row(i));
                let same = same.filter(|_| is_a_place(i));
                same_as[i] = same.map_or(i, |&(_, j)| j);
            }
        }
        let mut place_of = vec![0; same_as.len()];
        let mut first = Vec::new();
        for (i, &same) in same_as.iter().enumerate() {
            if same == i {
                place_of[i] = first.len();
                first.push(i);
            } else {
                place_of[i] = place_of[same];
            }
        }
        Self { place_of, first }
    }

    /// Every row counts by itself.
    pub(super) fn none_equal(n: usize) -> Self {
        Self {
            place_of: (0..n).collect(),
            first: (0..n).collect(),
        }
    }

    /// Whether every row counts by itself.
    pub(super) fn is_all(&self) -> bool {
        self.first.len() == self.place_of.len()
    }

    /// What is given for the first row of each that has anything.
    pub(super) fn starts(&self, given: &[Label]) -> Vec<Label> {
        let mut starts = vec![None; self.first.len()];
        for (&place, &label) in self.place_of.iter().zip(given) {
            starts[place] = starts[place].or(label);
        }
        starts
    }

    /// The sums of the weights of equal rows, 1 each where none are given.
    pub(super) fn weights(&self, weights: Option<&[f64]>) -> Vec<f64> {
        let mut sums = vec![0.0; self.first.len()];
        for (i, &place) in self.place_of.iter().enumerate() {
            sums[place] += weights.map_or(1.0, |weights| weights[i]);
        }
        sums
    }
}

/// One round of a hash over numbers. Adding 0 makes a negative zero, which equals 0, positive.
fn mix(hash: u64, x: f64) -> u64 {
    let mixed = (hash ^ (x + 0.0).to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 32)
}
