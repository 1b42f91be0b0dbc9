//! The density whose modes are sought, laid out for speed.
//!
//! f(x) = Σ m_i h_i^-(d+2) K(|x - x_i|² / h_i²) up to a constant, the sample-point estimator; with
//! one bandwidth for all points the powers of h cancel. One step of mean shift replaces x by the
//! weighted mean
//!
//! ```text
//! x  <-  Σ w_i x_i / Σ w_i,     w_i = m_i h_i^-(d+2) k(|x - x_i|² / h_i²)
//! ```

use rayon::prelude::*;

use super::kernel::TruncatedProfile;
use super::layout::{Widths, center_of_box, half_diagonal_sq};
use crate::numerics::blocks::{Blocks, PerLane};
use crate::numerics::distances::dist_sq;
use crate::similarity::ResolvedBandwidth;
use crate::similarity::kernel_sums::{KernelSources, weighted_sums, weighted_sums_f32};

/// A sum below this means that every exponential underflowed: the point is too far from all data for
/// the fast loop, and the exponents have to be compared as logarithms.
const UNDERFLOW: f64 = 1e-100;

/// e^-40 is beyond the last bit of a double.
const NEGLIGIBLE: f64 = 40.0;

/// e^-18 is beyond the last bit of a float.
const NEGLIGIBLE_F32: f64 = 18.0;

/// Single precision is used for data within this many bandwidths of their center: the rounding of a
/// coordinate is then below 1e-5 bandwidths.
const MAX_EXTENT_F32: f64 = 100.0;

/// Sums in single precision below this may have underflowed.
const UNDERFLOW_F32: f64 = 1e-15;

/// Rows that are shifted together.
const TILE: usize = 8;

/// Rows are padded to a multiple of this many coordinates.
const ROW: usize = 8;

/// Points, masses, bandwidths and the kernel.
pub(super) struct Density {
    pub(super) blocks: Blocks,
    all_blocks: Vec<u32>,
    /// The coordinates again, a row a slot, padded with zeros to `padded`: for kernels with bounded
    /// support, which copy and add single points.
    pub(super) rows: Vec<f64>,
    pub(super) padded: usize,
    /// Under a flat kernel: the sum of every block's rows, then its weight.
    pub(super) block_sums: Vec<f64>,
    /// Subtracted from all coordinates, so that data far from the origin lose no digits.
    origin: Vec<f64>,
    pub(super) kernel: TruncatedProfile,
    pub(super) widths: Widths,
    /// Coordinates in bandwidths and single precision, where that is enough for the first part of a
    /// trajectory.
    coords_f32: Vec<f32>,
    /// No two points are farther apart than this (squared).
    diameter_sq: f64,
}

/// Memory that a worker reuses from point to point.
#[derive(Default)]
pub(super) struct DensityScratch {
    pub(super) lane_sums: Vec<f64>,
    pub(super) sums: Vec<f64>,
    pub(super) near: Vec<u32>,
    pub(super) within: Vec<u32>,
    pub(super) slots: Vec<u32>,
    pub(super) queries_f32: Vec<f32>,
    lane_sums_f32: Vec<f32>,
}

impl Density {
    /// Lays out `points` (row by row). `weights` default to 1; bandwidths must be positive.
    pub(super) fn new(
        points: &[f64],
        dims: usize,
        weights: Option<&[f64]>,
        bandwidth: &ResolvedBandwidth,
        kernel: TruncatedProfile,
    ) -> Self {
        let n = points.len() / dims;
        let origin = center_of_box(points, dims);
        let mut centered = points.to_vec();
        translate(&mut centered, &origin, -1.0);
        let blocks = Blocks::new(&centered, dims);
        let padded = dims.div_ceil(ROW) * ROW;
        let mut rows = Vec::new();
        if kernel.support().is_some() {
            rows.resize(n * padded, 0.0);
            for (row, &i) in rows.chunks_exact_mut(padded).zip(blocks.order()) {
                let at = i as usize * dims;
                row[..dims].copy_from_slice(&centered[at..at + dims]);
            }
        }
        let widths = Widths::new(&blocks, weights, bandwidth);
        let half_sq = half_diagonal_sq(&centered, dims);
        let one_kernel = kernel.support().is_none()
            && widths.mass.is_empty()
            && widths.inverse_bandwidth_sq.is_empty();
        let coords_f32 = if one_kernel && half_sq.sqrt() < MAX_EXTENT_F32 * widths.median {
            blocks.coords_f32(1.0 / widths.median)
        } else {
            Vec::new()
        };
        let mut density = Self {
            coords_f32,
            all_blocks: (0..blocks.n_blocks() as u32).collect(),
            blocks,
            rows,
            padded,
            block_sums: Vec::new(),
            origin,
            kernel,
            widths,
            diameter_sq: 4.0 * half_sq,
        };
        density.sum_blocks();
        density
    }

    pub(super) fn dims(&self) -> usize {
        self.blocks.dims()
    }

    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// No point is farther than this from the center of the bounding box.
    pub(super) fn extent(&self) -> f64 {
        self.diameter_sq.sqrt() / 2.0
    }

    /// The original index of the point in each slot.
    pub(super) fn order(&self) -> &[u32] {
        self.blocks.order()
    }

    /// Input coordinates to the density's own, in place.
    pub(super) fn to_local(&self, rows: &mut [f64]) {
        translate(rows, &self.origin, -1.0);
    }

    /// The density's own coordinates to input coordinates, in place.
    pub(super) fn to_input(&self, rows: &mut [f64]) {
        translate(rows, &self.origin, 1.0);
    }

    /// The local coordinates of the points in slots `slots`.
    pub(super) fn starts(&self, slots: std::ops::Range<usize>) -> Vec<f64> {
        slots.flat_map(|slot| self.blocks.point(slot)).collect()
    }

    /// The points, bandwidths and masses for [`weighted_sums`].
    pub(super) fn sources(&self) -> KernelSources<'_> {
        let widths = &self.widths;
        let inverse_bandwidth_sq = if widths.inverse_bandwidth_sq.is_empty() {
            PerLane::Same(1.0 / (widths.median * widths.median))
        } else {
            PerLane::Each(&widths.inverse_bandwidth_sq)
        };
        let mass = (!widths.mass.is_empty()).then_some(widths.mass.as_slice());
        KernelSources {
            coords: self.blocks.coords(),
            dims: self.dims(),
            inverse_bandwidth_sq,
            mass,
        }
    }

    /// One step for each of `queries` (local rows, replaced by their means); returns Σ w of each in
    /// `totals`. A query outside the support of all points stays and has total 0.
    pub(super) fn shift(
        &self,
        queries: &mut [f64],
        totals: &mut Vec<f64>,
        scratch: &mut DensityScratch,
    ) {
        self.relevant_blocks(queries, NEGLIGIBLE, scratch);
        let blocks = if scratch.near.is_empty() { &self.all_blocks } else { &scratch.near };
        let dims = self.dims();
        scratch.sums.resize(queries.len() / dims * (dims + 1), 0.0);
        weighted_sums(
            self.sources(),
            self.kernel.profile,
            self.kernel.truncation,
            blocks,
            queries,
            &mut scratch.lane_sums,
            &mut scratch.sums,
        );
        totals.clear();
        let sums = scratch.sums.chunks_exact(dims + 1);
        let each = queries.chunks_exact_mut(dims).zip(sums);
        totals.extend(each.map(|(x, sums)| self.apply(x, sums)));
    }

    /// One step for all rows, in parallel; returns the longest movement. Rows stay where they are once
    /// `goes_on` says no.
    pub(super) fn shift_all(&self, rows: &mut [f64], goes_on: impl Fn() -> bool + Sync) -> f64 {
        let memory = || (DensityScratch::default(), Vec::new());
        let shift = |(scratch, totals): &mut (DensityScratch, Vec<f64>), tile: &mut [f64]| {
            if !goes_on() {
                return 0.0;
            }
            let before = tile.to_vec();
            self.shift(tile, totals, scratch);
            max_movement(&before, tile, self.dims())
        };
        let tiles = rows.par_chunks_mut(TILE * self.dims());
        tiles.map_init(memory, shift).reduce(|| 0.0, f64::max)
    }

    /// Whether [`shift_f32`](Self::shift_f32) can be used.
    pub(super) fn has_shift_f32(&self) -> bool {
        !self.coords_f32.is_empty()
    }

    /// As [`shift`](Self::shift), in single precision, accurate to about 1e-4 bandwidths. A total of 0
    /// means that a query was too far from the data, and has not moved.
    pub(super) fn shift_f32(
        &self,
        queries: &mut [f64],
        totals: &mut Vec<f64>,
        scratch: &mut DensityScratch,
    ) {
        self.relevant_blocks(queries, NEGLIGIBLE_F32, scratch);
        if scratch.near.is_empty() {
            scratch.near.extend(0..self.all_blocks.len().div_ceil(2) as u32);
        } else {
            for block in &mut scratch.near {
                *block /= 2;
            }
            scratch.near.dedup();
        }
        let dims = self.dims();
        let h = self.widths.median;
        self.to_f32(queries, &mut scratch.queries_f32);
        scratch.sums.resize(queries.len() / dims * (dims + 1), 0.0);
        let sources = KernelSources {
            coords: &self.coords_f32,
            dims,
            inverse_bandwidth_sq: PerLane::Same(1.0),
            mass: None,
        };
        weighted_sums_f32(
            sources,
            self.kernel.exponent() as f32,
            &scratch.near,
            &scratch.queries_f32,
            &mut scratch.lane_sums_f32,
            &mut scratch.sums,
        );
        totals.clear();
        let sums = scratch.sums.chunks_exact(dims + 1);
        for (x, sums) in queries.chunks_exact_mut(dims).zip(sums) {
            let total = sums[dims];
            let is_near = total > UNDERFLOW_F32;
            if is_near {
                for (x, sum) in x.iter_mut().zip(sums) {
                    *x = sum / total * h;
                }
            }
            totals.push(if is_near { total } else { 0.0 });
        }
    }

    /// Local coordinates in bandwidths and single precision.
    pub(super) fn to_f32(&self, coordinates: &[f64], out: &mut Vec<f32>) {
        let h = self.widths.median;
        out.clear();
        out.extend(coordinates.iter().map(|x| (x / h) as f32));
    }

    /// Replaces `x` by the mean in `sums` and returns the total weight.
    pub(super) fn apply(&self, x: &mut [f64], sums: &[f64]) -> f64 {
        let total = sums[sums.len() - 1];
        let is_bounded = self.kernel.support().is_some();
        if total >= UNDERFLOW || (total > 0.0 && is_bounded) {
            for (x, sum) in x.iter_mut().zip(sums) {
                *x = sum / total;
            }
            return total;
        }
        if !is_bounded {
            self.shift_by_logarithms(x);
        }
        0.0
    }

    /// Fills `scratch.near` with the blocks that matter to any of the queries; left empty, all do.
    ///
    /// Terms are left out where all of them together are below e^-`negligible` of terms that are
    /// kept.
    fn relevant_blocks(&self, queries: &[f64], negligible: f64, scratch: &mut DensityScratch) {
        scratch.near.clear();
        let support_sq = self.kernel.support().map(|support| {
            let radius = support * self.widths.widest;
            radius * radius
        });
        // The slack of unbounded support: beyond it n terms together vanish beside one block.
        let widest = self.widths.widest;
        let slack =
            widest * widest * ((self.len() as f64).ln() + negligible) / -self.kernel.exponent();
        let is_bounded = support_sq.is_some() || self.widths.inverse_bandwidth_sq.is_empty();
        let are_all_near = support_sq.unwrap_or(slack) >= self.diameter_sq;
        if !is_bounded || are_all_near || self.blocks.n_blocks() < 4 {
            return;
        }
        for x in queries.chunks_exact(self.dims()) {
            let radius_sq =
                support_sq.unwrap_or_else(|| self.blocks.nearest_block_upper_sq(x) + slack);
            self.blocks.near(x, radius_sq, &mut scratch.near);
        }
        if queries.len() > self.dims() {
            scratch.near.sort_unstable();
            scratch.near.dedup();
        }
        if scratch.near.is_empty() {
            // No block matters: one is enough to find a total of 0. An empty list means all blocks.
            scratch.near.push(0);
        }
    }

    /// A step for a point so far from the data that all weights underflow: the largest exponent is
    /// subtracted from all, which divides every weight by the largest and gives the same mean.
    fn shift_by_logarithms(&self, x: &mut [f64]) {
        let dims = self.dims();
        let sources = self.sources();
        let exponent = |slot: usize| {
            let differences = self.blocks.point(slot).zip(&*x).map(|(p, q)| p - q);
            let dist_sq: f64 = differences.map(|difference| difference.powi(2)).sum();
            let inverse = sources.inverse_bandwidth_sq.at(slot);
            self.kernel.exponent() * dist_sq * inverse
                + sources.mass.map_or(0.0, |mass| mass[slot].ln())
        };
        let exponents: Vec<f64> = (0..self.len()).map(exponent).collect();
        let largest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut total, mut sums) = (0.0, vec![0.0; dims]);
        for (slot, e) in exponents.iter().enumerate() {
            let weight = (e - largest).exp();
            total += weight;
            for (sum, p) in sums.iter_mut().zip(self.blocks.point(slot)) {
                *sum += weight * p;
            }
        }
        if total > 0.0 {
            for (x, sum) in x.iter_mut().zip(&sums) {
                *x = sum / total;
            }
        }
    }
}

/// Adds `origin` to every row, or subtracts it where the sign is -1.
fn translate(rows: &mut [f64], origin: &[f64], sign: f64) {
    for row in rows.chunks_exact_mut(origin.len()) {
        for (x, o) in row.iter_mut().zip(origin) {
            *x += sign * o;
        }
    }
}

/// The longest distance between a row before and after a step.
pub(super) fn max_movement(before: &[f64], after: &[f64], dims: usize) -> f64 {
    let rows = before.chunks_exact(dims).zip(after.chunks_exact(dims));
    rows.map(|(a, b)| dist_sq(a, b).sqrt()).fold(0.0, f64::max)
}
