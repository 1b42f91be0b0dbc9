//! Points that are the same.

use rayon::prelude::*;

use super::space::Space;
use crate::group::Label;

/// Rows of which equal ones are taken for one.
pub(super) struct Distinct {
    /// The number of the distinct row that each row is.
    pub(super) place_of: Vec<usize>,
    /// The first row of each, ascending.
    pub(super) first: Vec<usize>,
}

impl Distinct {
    /// Finds equal rows of features, or of a kernel matrix, whose columns are then equal too.
    ///
    /// Points with equal kernel values are as good as one only where no squared distance from them is
    /// negative. In a graph without loops, say, two neighbours of a third have equal rows, but may do
    /// better in two clusters than in one.
    ///
    /// Nodes of a graph each count by themselves: most have no loop, and then that would be so.
    pub(super) fn new(space: Space<'_>) -> Self {
        let rows = match space {
            Space::Features(rows) | Space::Kernel(rows) => rows,
            Space::Graph(links) => {
                return Self {
                    place_of: (0..links.len()).collect(),
                    first: (0..links.len()).collect(),
                };
            }
        };
        let is_a_place = |i: usize| match space {
            Space::Features(_) | Space::Graph(_) => true,
            Space::Kernel(kernel) => {
                kernel
                    .row(i)
                    .iter()
                    .zip(kernel.diag())
                    .all(|(value, other)| {
                        let own = kernel[[i, i]];
                        own + other - 2.0 * value >= -1e-12 * (own.abs() + other.abs())
                    })
            }
        };
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
