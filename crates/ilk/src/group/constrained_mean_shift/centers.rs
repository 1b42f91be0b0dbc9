//! The distinct centres.

use std::cmp::Ordering;

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
        each.moved(rows.to_vec(), 0.0)
    }

    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    pub(super) fn place(&self, center: usize) -> &[f64] {
        &self.places[center * self.dims..(center + 1) * self.dims]
    }

    /// The same points after their centres moved to `places`. Those that come to lie in one cell of
    /// a grid with sides of `cell` are merged (0: those that are equal), at the lexicographically
    /// smallest of their places. The partition depends on the places alone, not on any order.
    pub(super) fn moved(&self, places: Vec<f64>, cell: f64) -> Self {
        let dims = self.dims;
        let keys: Vec<f64> = if cell > 0.0 {
            places.iter().map(|x| (x / cell).round() + 0.0).collect()
        } else {
            places.iter().map(|x| x + 0.0).collect()
        };
        let row = |values: &'_ [f64], center: u32| -> std::ops::Range<usize> {
            debug_assert!(values.len() == places.len());
            center as usize * dims..(center as usize + 1) * dims
        };
        let by_key = |a: u32, b: u32| compare(&keys[row(&keys, a)], &keys[row(&keys, b)]);
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| {
            by_key(a, b)
                .then_with(|| compare(&places[row(&places, a)], &places[row(&places, b)]))
                .then(a.cmp(&b))
        });
        let mut merged = Self {
            dims,
            places: Vec::with_capacity(places.len()),
            counts: Vec::with_capacity(self.len()),
            center_of: Vec::new(),
        };
        let mut renamed = vec![0; self.len()];
        for same in order.chunk_by(|&a, &b| by_key(a, b) == Ordering::Equal) {
            for &center in same {
                renamed[center as usize] = merged.counts.len() as u32;
            }
            merged
                .places
                .extend_from_slice(&places[row(&places, same[0])]);
            let count = same.iter().map(|&c| self.counts[c as usize]).sum();
            merged.counts.push(count);
        }
        merged.center_of = self
            .center_of
            .iter()
            .map(|&c| renamed[c as usize])
            .collect();
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
