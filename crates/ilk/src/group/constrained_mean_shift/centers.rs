//! The distinct centres.

use ndarray::Array2;

use crate::numerics::{cells::Cells, distinct_rows::DistinctRows, lexicographic, view_rows};

/// Centres that coincide move alike in all later iterations, so they are one centre for several
/// points.
#[derive(Debug, Clone)]
pub(super) struct Centers {
    pub(super) dims: usize,
    /// Their positions, row by row.
    pub(super) places: Vec<f64>,
    /// The number of sampling points of each, or their weight.
    pub(super) counts: Vec<f64>,
    /// The centre of every point.
    pub(super) center_of: Vec<u32>,
}

impl Centers {
    /// One centre for every distinct row. Row i counts `counts[i]` times.
    pub(super) fn new(rows: &[f64], dims: usize, counts: &[f64]) -> Self {
        let distinct = DistinctRows::new(view_rows(rows, dims));
        let places = distinct.first.iter().flat_map(|&i| &rows[i * dims..(i + 1) * dims]);
        Self {
            dims,
            places: places.copied().collect(),
            counts: distinct.weights(Some(counts)),
            center_of: distinct.distinct_row_of.iter().map(|&c| c as u32).collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    pub(super) fn place(&self, center: usize) -> &[f64] {
        &self.places[center * self.dims..(center + 1) * self.dims]
    }

    /// The centres of the first `n` points, one row each.
    pub(super) fn of_points(&self, n: usize) -> Array2<f64> {
        Array2::from_shape_fn((n, self.dims), |(i, k)| self.place(self.center_of[i] as usize)[k])
    }

    /// The same points after their centres moved to `places`. Those that come to lie in one cell are
    /// merged, at the lexicographically smallest of their positions: the result depends on the
    /// positions alone, not on their order.
    pub(super) fn moved(&self, places: &[f64], mut cells: Cells) -> Self {
        let merged = cells.merge_rows(
            (places, self.dims),
            &self.counts,
            |_| None,
            |both| {
                if lexicographic(both.row, both.kept).is_lt() {
                    both.kept.copy_from_slice(both.row);
                }
            },
        );
        let centers = self.center_of.iter();
        Self {
            dims: self.dims,
            places: merged.rows,
            counts: merged.weights,
            center_of: centers.map(|&center| merged.cell_of[center as usize] as u32).collect(),
        }
    }
}
