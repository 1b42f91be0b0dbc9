//! Points laid out for vector registers.

use std::ops::Range;

use ndarray::ArrayView2;
use rayon::prelude::*;

use crate::numerics::simd::{Available, Simd, simd_dispatch};

/// Points a panel: one AVX-512 register of f64, two of AVX2, four of NEON or SSE2.
const LANES: usize = 8;

/// Rows of queries that share one pass over a panel, so that its values are loaded once.
const QUERIES: usize = 4;

/// Entries of a block that [`Panels::map_dist_sq`] hands out: 256 KiB, which stay in the cache.
const BLOCK: usize = 1 << 15;

/// A copy of points in panels of eight: within a panel the first coordinates of all eight are
/// adjacent, then the second ones. One instruction then handles eight points, in any dimension.
#[derive(Debug, Clone)]
pub struct Panels {
    data: Vec<[f64; LANES]>,
    len: usize,
    dims: usize,
}

impl Panels {
    /// Lays out the rows of `points`.
    pub fn new(points: ArrayView2<'_, f64>) -> Self {
        let (len, dims) = points.dim();
        let mut data = vec![[0.0; LANES]; len.div_ceil(LANES) * dims];
        for (i, row) in points.rows().into_iter().enumerate() {
            let panel = &mut data[i / LANES * dims..][..dims];
            for (slot, &x) in panel.iter_mut().zip(row) {
                slot[i % LANES] = x;
            }
        }
        Self { data, len, dims }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// Copies one point back into a row.
    pub(crate) fn copy_point(&self, index: usize, out: &mut [f64]) {
        let panel = &self.data[index / LANES * self.dims..][..self.dims];
        for (out, slot) in out.iter_mut().zip(panel) {
            *out = slot[index % LANES];
        }
    }

    /// Points a panel.
    pub(crate) const LANES: usize = LANES;

    /// Squared distances between `query` and the points of a panel; lanes of the last panel
    /// without a point get arbitrary values.
    #[inline(always)]
    pub(crate) fn panel_dist_sq<V: Simd<Scalar = f64>>(
        &self,
        simd: Available<V>,
        panel: usize,
        query: &[f64],
    ) -> V {
        let panel = &self.data[panel * query.len()..][..query.len()];
        one::<V, SquaredDifference>(simd, panel, query)
    }

    /// Squared distances between `queries` (rows, one after the other) and the points in `columns`,
    /// written row by row.
    ///
    /// # Panics
    /// Where `columns` exceeds the number of points, or `out` has another length than the number of
    /// queries times that of columns.
    pub fn dist_sq(&self, queries: &[f64], columns: Range<usize>, out: &mut [f64]) {
        simd_dispatch!(f64x8, fill::<_, SquaredDifference>(self, queries, columns.clone(), out));
    }

    /// Dot products between `queries` (rows, one after the other) and the points in `columns`,
    /// written row by row.
    ///
    /// # Panics
    /// As [`dist_sq`](Self::dist_sq).
    pub fn dot(&self, queries: &[f64], columns: Range<usize>, out: &mut [f64]) {
        simd_dispatch!(f64x8, fill::<_, Product>(self, queries, columns.clone(), out));
    }

    /// Visits the squared distances between every row of `queries` and every point, a few rows at a
    /// time and in parallel, and returns what `visit(rows, block)` returned, in the order of the rows.
    /// The block holds the rows one after the other, `len()` entries each. Which rows come together
    /// depends on the number of points alone.
    pub fn map_dist_sq<T: Send>(
        &self,
        queries: &[f64],
        visit: impl Fn(Range<usize>, &mut [f64]) -> T + Sync,
    ) -> Vec<T> {
        if self.len == 0 || self.dims == 0 {
            return Vec::new();
        }
        let rows = self.block_rows();
        queries
            .par_chunks(rows * self.dims)
            .enumerate()
            .map_init(Vec::new, |block, (chunk, queries)| {
                let count = queries.len() / self.dims;
                block.resize(count * self.len, 0.0);
                self.dist_sq(queries, 0..self.len, block);
                visit(chunk * rows..chunk * rows + count, block)
            })
            .collect()
    }

    /// Rows that are handled together against all points: as many as fit the cache, in fours.
    pub(crate) fn block_rows(&self) -> usize {
        (BLOCK / self.len.max(1)).clamp(1, 16) * QUERIES
    }
}

/// The term that is summed over the dimensions. No fused multiply-add: the rounding must not depend on the
/// machine, and d(a, b) must be that of the plain loop.
trait Term {
    fn of<V: Simd<Scalar = f64>>(x: V, q: V) -> V;
}

struct SquaredDifference;
struct Product;

impl Term for SquaredDifference {
    #[inline(always)]
    fn of<V: Simd<Scalar = f64>>(x: V, q: V) -> V {
        let difference = x.sub(q);
        difference.mul(difference)
    }
}

impl Term for Product {
    #[inline(always)]
    fn of<V: Simd<Scalar = f64>>(x: V, q: V) -> V {
        x.mul(q)
    }
}

#[inline(always)]
fn fill<V: Simd<Scalar = f64>, T: Term>(
    simd: Available<V>,
    points: &Panels,
    queries: &[f64],
    columns: Range<usize>,
    out: &mut [f64],
) {
    let (data, dims, width) = (points.data.as_slice(), points.dims, columns.len());
    assert!(columns.end <= points.len, "columns beyond the points");
    let size = out.len() * dims;
    assert_eq!(size, queries.len() * width, "wrong block size");
    if width == 0 || dims == 0 {
        return;
    }
    let panels = columns.start / LANES..columns.end.div_ceil(LANES);
    for (group, out) in queries.chunks(QUERIES * dims).zip(out.chunks_mut(QUERIES * width)) {
        for index in panels.clone() {
            let panel = &data[index * dims..][..dims];
            let first = index * LANES;
            let lanes = columns.start.saturating_sub(first)..(columns.end - first).min(LANES);
            let at = first + lanes.start - columns.start;
            if group.len() == QUERIES * dims {
                let sums = four::<V, T>(simd, panel, group);
                for (row, sums) in sums.into_iter().enumerate() {
                    store(sums, &lanes, &mut out[row * width + at..]);
                }
            } else {
                for (row, query) in group.chunks_exact(dims).enumerate() {
                    let sums = one::<V, T>(simd, panel, query);
                    store(sums, &lanes, &mut out[row * width + at..]);
                }
            }
        }
    }
}

/// Writes the requested lanes of a panel.
#[inline(always)]
fn store<V: Simd<Scalar = f64>>(sums: V, lanes: &Range<usize>, out: &mut [f64]) {
    let out = &mut out[..lanes.len()];
    if lanes.len() == LANES {
        sums.store(out);
    } else {
        let mut all = [0.0; LANES];
        sums.store(&mut all);
        out.copy_from_slice(&all[lanes.clone()]);
    }
}

#[inline(always)]
fn one<V: Simd<Scalar = f64>, T: Term>(
    simd: Available<V>,
    panel: &[[f64; LANES]],
    query: &[f64],
) -> V {
    let mut sum = simd.splat(0.0);
    for (x, &q) in panel.iter().zip(query) {
        sum = sum.add(T::of(simd.load(x), simd.splat(q)));
    }
    sum
}

#[inline(always)]
fn four<V: Simd<Scalar = f64>, T: Term>(
    simd: Available<V>,
    panel: &[[f64; LANES]],
    queries: &[f64],
) -> [V; QUERIES] {
    let (first, rest) = queries.split_at(panel.len());
    let (second, rest) = rest.split_at(panel.len());
    let (third, fourth) = rest.split_at(panel.len());
    let mut sums = [simd.splat(0.0); QUERIES];
    for ((((x, &a), &b), &c), &d) in panel.iter().zip(first).zip(second).zip(third).zip(fourth) {
        let x = simd.load(x);
        sums[0] = sums[0].add(T::of(x, simd.splat(a)));
        sums[1] = sums[1].add(T::of(x, simd.splat(b)));
        sums[2] = sums[2].add(T::of(x, simd.splat(c)));
        sums[3] = sums[3].add(T::of(x, simd.splat(d)));
    }
    sums
}

#[cfg(test)]
mod tests;
