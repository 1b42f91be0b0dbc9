//! Sums of the points of every cluster, updated without accumulating rounding errors.

use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;

use super::data::KMeansData;
use crate::numerics::simd::{Available, Simd, simd_dispatch};

/// Coordinates that are added up together.
const CHUNK: usize = 128;

/// A point that changed its cluster, or got its first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reassignment {
    pub(super) point: usize,
    pub(super) from: Option<usize>,
    pub(super) to: usize,
}

/// The sums of weighted points, cluster by cluster. `low` holds what rounding takes from `high`, so
/// that a sum after thousands of changes is as accurate as a fresh one.
pub(super) struct ClusterSums {
    high: Vec<f64>,
    low: Vec<f64>,
    /// The weight of all points, in the same two parts.
    masses: Vec<[f64; 2]>,
    pub(super) counts: Vec<usize>,
    dims: usize,
}

impl ClusterSums {
    pub(super) fn new(k: usize, dims: usize) -> Self {
        Self {
            high: vec![0.0; k * dims],
            low: vec![0.0; k * dims],
            masses: vec![[0.0; 2]; k],
            counts: vec![0; k],
            dims,
        }
    }

    /// Updates the sums after points changed their clusters.
    pub(super) fn update(&mut self, data: &KMeansData<'_>, changes: &[Reassignment]) {
        let mut moves = vec![Vec::new(); self.counts.len()];
        for change in changes {
            let weight = data.weights[change.point];
            if let Some(from) = change.from {
                moves[from].push((change.point, -weight));
                self.counts[from] -= 1;
            }
            moves[change.to].push((change.point, weight));
            self.counts[change.to] += 1;
        }
        let parts = self.high.par_chunks_mut(self.dims).zip(self.low.par_chunks_mut(self.dims));
        parts.zip(&moves).for_each(|((high, low), moves)| {
            let chunks = high.par_chunks_mut(CHUNK).zip(low.par_chunks_mut(CHUNK));
            chunks.enumerate().for_each(|(chunk, (high, low))| {
                let columns = chunk * CHUNK..chunk * CHUNK + high.len();
                let rows = moves.iter().map(|&(i, weight)| (weight, &data.row(i)[columns.clone()]));
                simd_dispatch!(f64x8, add_rows(rows.clone(), high, low));
            });
        });
        for ([high, low], moves) in self.masses.iter_mut().zip(&moves) {
            for &(_, weight) in moves {
                add(high, low, weight);
            }
        }
    }

    pub(super) fn mass(&self, c: usize) -> f64 {
        let [high, low] = self.masses[c];
        high + low
    }

    pub(super) fn sum(&self, c: usize) -> impl Iterator<Item = f64> {
        let range = c * self.dims..(c + 1) * self.dims;
        let parts = self.high[range.clone()].iter().zip(&self.low[range]);
        parts.map(|(high, low)| high + low)
    }

    pub(super) fn norm(&self, c: usize) -> f64 {
        self.sum(c).map(|x| x * x).sum::<f64>().sqrt()
    }

    /// The sums over `divisor(cluster)`; a cluster without points, or with a divisor of 0, stays where
    /// it was.
    pub(super) fn centers(
        &self,
        before: ArrayView2<'_, f64>,
        divisor: impl Fn(usize) -> f64,
    ) -> Array2<f64> {
        let mut centers = before.to_owned();
        for (c, mut center) in centers.rows_mut().into_iter().enumerate() {
            let divisor = divisor(c);
            if self.counts[c] > 0 && divisor > 0.0 {
                center.iter_mut().zip(self.sum(c)).for_each(|(x, sum)| *x = sum / divisor);
            }
        }
        centers
    }
}

/// Adds weighted rows to sums in two parts.
#[inline(always)]
fn add_rows<'a, V: Simd<Scalar = f64>>(
    simd: Available<V>,
    rows: impl Iterator<Item = (f64, &'a [f64])>,
    high: &mut [f64],
    low: &mut [f64],
) {
    let whole = high.len() / V::WIDTH * V::WIDTH;
    for (weight, row) in rows {
        let factor = simd.splat(weight);
        let parts = high.chunks_exact_mut(V::WIDTH).zip(low.chunks_exact_mut(V::WIDTH));
        for ((high, low), row) in parts.zip(row.chunks_exact(V::WIDTH)) {
            let (before, x) = (simd.load(high), factor.mul(simd.load(row)));
            let sum = before.add(x);
            let part = sum.sub(before);
            let lost = before.sub(sum.sub(part)).add(x.sub(part));
            simd.load(low).add(lost).store(low);
            sum.store(high);
        }
        let rest = high[whole..].iter_mut().zip(&mut low[whole..]);
        for ((high, low), x) in rest.zip(&row[whole..]) {
            add(high, low, weight * x);
        }
    }
}

/// Adds to a sum in two parts (Knuth's exact sum of two numbers).
#[inline]
fn add(high: &mut f64, low: &mut f64, x: f64) {
    let sum = *high + x;
    let part = sum - *high;
    *low += (*high - (sum - part)) + (x - part);
    *high = sum;
}
