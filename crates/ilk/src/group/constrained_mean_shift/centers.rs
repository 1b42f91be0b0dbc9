//! The distinct centres.

use std::cmp::Ordering;

use crate::numerics::cells::Cells;

/// Centres that coincide move alike for ever, so they are one centre that stands for several points.
#[derive(Debug, Clone)]
pub(super) struct Centers {
    pub(super) dims: usize,
    /// Where they are, row by row.
    pub(super) places: Vec<f64>,
    /// How many sampling points each stands for, counting weights.
    pub(super) counts: Vec<f64>,
    /// The centre of every point.
    pub(super) center_of: Vec<u32>,
}

impl Centers {
    /// One centre for every distinct row. Row i counts `counts[i]` times.
    pub(super) fn new(rows: &[f64], dims: usize, counts: Vec<f64>) -> Self {
        let n = rows.len() / dims;
        let each = Self {
            dims,
            places: Vec::new(),
            counts,
            center_of: (0..n as u32).collect(),
        };
        each.moved(rows, Cells::of_equal_places())
    }

    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    pub(super) fn place(&self, center: usize) -> &[f64] {
        &self.places[center * self.dims..(center + 1) * self.dims]
    }

    /// The same points after their centres moved to `places`. Those that come to lie in one cell are
    /// merged, at the lexicographically smallest of their places: what is merged, and where, depends
    /// on the places alone, not on any order.
    pub(super) fn moved(&self, places: &[f64], mut cells: Cells) -> Self {
        let dims = self.dims;
        let mut merged = Self {
            dims,
            places: Vec::with_capacity(places.len()),
            counts: Vec::with_capacity(self.len()),
            center_of: Vec::new(),
        };
        let renamed: Vec<u32> = places
            .chunks_exact(dims)
            .zip(&self.counts)
            .map(|(place, count)| {
                let center = cells.number(place);
                if center == merged.len() {
                    merged.places.extend_from_slice(place);
                    merged.counts.push(*count);
                } else {
                    merged.counts[center] += count;
                    if compare(place, merged.place(center)).is_lt() {
                        merged.places[center * dims..(center + 1) * dims].copy_from_slice(place);
                    }
                }
                center as u32
            })
            .collect();
        let centers = self.center_of.iter();
        merged.center_of = centers.map(|&c| renamed[c as usize]).collect();
        merged
    }
}

/// Lexicographic order.
fn compare(a: &[f64], b: &[f64]) -> Ordering {
    a.iter()
        .zip(b)
        .map(|(x, y)| x.total_cmp(y))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
