//! The density whose modes are sought, laid out for speed.
//!
//! f(x) = Σ m_i h_i^-(d+2) K(|x - x_i|² / h_i²) up to a constant, the sample-point estimator; with
//! one bandwidth for all points the powers of h cancel. One step of mean shift replaces x by the
//! weighted mean
//!
//! ```text
//! x  <-  Σ w_i x_i / Σ w_i,     w_i = m_i h_i^-(d+2) k(|x - x_i|² / h_i²)
//! ```

use super::flat::{Haystack, Reach, find_members, is_within, sum_rows};
use super::kernel::Kernel;
use super::layout::{Widths, center_of_box, half_diagonal_sq};
use crate::numerics::blocks::{Blocks, LANES};
use crate::similarity::sums::{InverseSquare, Lanes, weighted_sums, weighted_sums_f32};
use crate::similarity::{Profile, Resolved};

/// Sums below this mean that every exponential underflowed: the point is too far from all data for
/// the fast loop, and the exponents have to be compared as logarithms.
const UNDERFLOW: f64 = 1e-100;

/// e^-40 is beyond the last bit of a double.
const NEGLIGIBLE: f64 = 40.0;

/// e^-18 is beyond the last bit of a float.
const NARROW_NEGLIGIBLE: f64 = 18.0;

/// Single precision is used for data within this many bandwidths of their middle: the rounding of a
/// coordinate is then below 1e-5 bandwidths.
const NARROW_EXTENT: f64 = 100.0;

/// Sums in single precision below this may have underflowed.
const NARROW_UNDERFLOW: f64 = 1e-15;

/// Rows are padded to a multiple of this many coordinates.
const ROW: usize = 8;

/// Points, masses, bandwidths and the kernel.
pub(super) struct Density {
    pub(super) blocks: Blocks,
    all_blocks: Vec<u32>,
    /// The coordinates again, a row a slot, padded with zeros to `padded`: for kernels that end,
    /// which copy and add single points.
    pub(super) rows: Vec<f64>,
    pub(super) padded: usize,
    /// Under a flat kernel: the sum of every block's rows, then its weight.
    block_sums: Vec<f64>,
    /// Subtracted from all coordinates, so that data far from the origin lose no digits.
    origin: Vec<f64>,
    pub(super) kernel: Kernel,
    /// 1/h² of every slot; empty where all are the same.
    pub(super) inverse_square: Vec<f64>,
    /// h² of every slot; empty where all are the same.
    pub(super) reach_sq: Vec<f64>,
    /// m_i h_i^-(d+2) of every slot, relative to the largest; empty where all are 1.
    pub(super) mass: Vec<f64>,
    /// The largest bandwidth.
    pub(super) widest: f64,
    /// The median bandwidth.
    pub(super) bandwidth: f64,
    /// Coordinates in bandwidths and single precision, where that is enough for the first part of a
    /// climb.
    narrow: Vec<f32>,
    /// No two points are farther apart than this (squared).
    diameter_sq: f64,
}

/// Memory that a worker reuses from point to point.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) lane_sums: Vec<f64>,
    pub(super) sums: Vec<f64>,
    pub(super) near: Vec<u32>,
    whole: Vec<u32>,
    pub(super) slots: Vec<u32>,
    pub(super) narrow: Vec<f32>,
    narrow_sums: Vec<f32>,
}

impl Density {
    /// Lays out `points` (row by row). `weights` default to 1; bandwidths must be positive.
    pub(super) fn new(
        points: &[f64],
        dims: usize,
        weights: Option<&[f64]>,
        bandwidth: &Resolved,
        kernel: Kernel,
    ) -> Self {
        let n = points.len() / dims;
        let origin = center_of_box(points, dims);
        let mut centered = points.to_vec();
        for row in centered.chunks_exact_mut(dims) {
            for (x, o) in row.iter_mut().zip(&origin) {
                *x -= o;
            }
        }
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
        let Widths {
            inverse_square,
            reach_sq,
            mass,
            widest,
            median,
        } = Widths::new(&blocks, weights, bandwidth);
        let half_sq = half_diagonal_sq(&centered, dims);
        let one_kernel = kernel.support().is_none() && mass.is_empty() && inverse_square.is_empty();
        let narrow = if one_kernel && half_sq.sqrt() < NARROW_EXTENT * median {
            blocks.coords_f32(1.0 / median)
        } else {
            Vec::new()
        };
        let mut density = Self {
            narrow,
            all_blocks: (0..blocks.n_blocks() as u32).collect(),
            blocks,
            rows,
            padded,
            block_sums: Vec::new(),
            origin,
            kernel,
            inverse_square,
            reach_sq,
            mass,
            widest,
            bandwidth: median,
            diameter_sq: 4.0 * half_sq,
        };
        density.sum_blocks();
        density
    }

    /// Fills in `block_sums` where they will be used.
    fn sum_blocks(&mut self) {
        if self.kernel.profile != Profile::Flat || !self.reach_sq.is_empty() {
            return;
        }
        let slots: Vec<u32> = (0..self.len() as u32).collect();
        let mut sums = vec![0.0; self.padded];
        for block in slots.chunks(LANES) {
            let weight = self.sum_of(block, &mut sums);
            self.block_sums.extend_from_slice(&sums);
            self.block_sums.push(weight);
        }
    }

    pub(super) fn dims(&self) -> usize {
        self.blocks.dims()
    }

    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// No point is farther than this from the middle of all.
    pub(super) fn extent(&self) -> f64 {
        self.diameter_sq.sqrt() / 2.0
    }

    /// The original index of the point in each slot.
    pub(super) fn order(&self) -> &[u32] {
        self.blocks.order()
    }

    /// Input coordinates to the density's own, in place.
    pub(super) fn to_local(&self, rows: &mut [f64]) {
        for row in rows.chunks_exact_mut(self.dims()) {
            for (x, o) in row.iter_mut().zip(&self.origin) {
                *x -= o;
            }
        }
    }

    /// The density's own coordinates to input coordinates, in place.
    pub(super) fn to_input(&self, rows: &mut [f64]) {
        for row in rows.chunks_exact_mut(self.dims()) {
            for (x, o) in row.iter_mut().zip(&self.origin) {
                *x += o;
            }
        }
    }

    /// The local coordinates of the points in slots `slots`.
    pub(super) fn starts(&self, slots: std::ops::Range<usize>) -> Vec<f64> {
        let dims = self.dims();
        let mut rows = Vec::with_capacity(slots.len() * dims);
        for slot in slots {
            let at = slot / LANES * dims * LANES + slot % LANES;
            rows.extend((0..dims).map(|k| self.blocks.coords()[at + k * LANES]));
        }
        rows
    }

    pub(super) fn lanes(&self) -> Lanes<'_> {
        let inverse_square = if self.inverse_square.is_empty() {
            InverseSquare::Same(1.0 / (self.bandwidth * self.bandwidth))
        } else {
            InverseSquare::Each(&self.inverse_square)
        };
        let mass = (!self.mass.is_empty()).then_some(self.mass.as_slice());
        Lanes {
            coords: self.blocks.coords(),
            dims: self.dims(),
            inverse_square,
            mass,
        }
    }

    /// One step for each of `queries` (local rows, replaced by their means); returns Σ w of each in
    /// `totals`. A query with no point in reach stays and has total 0.
    pub(super) fn shift(&self, queries: &mut [f64], totals: &mut Vec<f64>, scratch: &mut Scratch) {
        self.relevant_blocks(queries, NEGLIGIBLE, scratch);
        let blocks = if scratch.near.is_empty() {
            &self.all_blocks
        } else {
            &scratch.near
        };
        let dims = self.dims();
        scratch.sums.resize(queries.len() / dims * (dims + 1), 0.0);
        weighted_sums(
            self.lanes(),
            self.kernel.profile,
            self.kernel.truncation,
            blocks,
            queries,
            &mut scratch.lane_sums,
            &mut scratch.sums,
        );
        totals.clear();
        for (x, sums) in queries
            .chunks_exact_mut(dims)
            .zip(scratch.sums.chunks_exact(dims + 1))
        {
            totals.push(self.apply(x, sums));
        }
    }

    /// Whether [`rough_shift`](Self::rough_shift) can be used.
    pub(super) fn has_rough_shift(&self) -> bool {
        !self.narrow.is_empty()
    }

    /// As [`shift`](Self::shift), in single precision: more than twice as fast, and good to about
    /// 1e-4 bandwidths. A total of 0 says that a query was too far out, and has not moved.
    pub(super) fn rough_shift(
        &self,
        queries: &mut [f64],
        totals: &mut Vec<f64>,
        scratch: &mut Scratch,
    ) {
        self.relevant_blocks(queries, NARROW_NEGLIGIBLE, scratch);
        if scratch.near.is_empty() {
            scratch
                .near
                .extend(0..self.all_blocks.len().div_ceil(2) as u32);
        } else {
            for block in &mut scratch.near {
                *block /= 2;
            }
            scratch.near.dedup();
        }
        let dims = self.dims();
        let h = self.bandwidth;
        self.narrow_to(queries, &mut scratch.narrow);
        scratch.sums.resize(queries.len() / dims * (dims + 1), 0.0);
        let lanes = Lanes {
            coords: &self.narrow,
            dims,
            inverse_square: InverseSquare::Same(1.0),
            mass: None,
        };
        weighted_sums_f32(
            lanes,
            self.kernel.exponent() as f32,
            &scratch.near,
            &scratch.narrow,
            &mut scratch.narrow_sums,
            &mut scratch.sums,
        );
        totals.clear();
        for (x, sums) in queries
            .chunks_exact_mut(dims)
            .zip(scratch.sums.chunks_exact(dims + 1))
        {
            let total = if sums[dims] > NARROW_UNDERFLOW {
                sums[dims]
            } else {
                0.0
            };
            if total > 0.0 {
                for (x, sum) in x.iter_mut().zip(sums) {
                    *x = sum / total * h;
                }
            }
            totals.push(total);
        }
    }

    /// Local coordinates in bandwidths and single precision.
    pub(super) fn narrow_to(&self, coordinates: &[f64], narrow: &mut Vec<f32>) {
        let h = self.bandwidth;
        narrow.clear();
        narrow.extend(coordinates.iter().map(|x| (x / h) as f32));
    }

    /// Replaces `x` by the mean in `sums` and returns the total weight.
    pub(super) fn apply(&self, x: &mut [f64], sums: &[f64]) -> f64 {
        let total = sums[sums.len() - 1];
        if total >= UNDERFLOW || (total > 0.0 && self.kernel.support().is_some()) {
            for (x, sum) in x.iter_mut().zip(sums) {
                *x = sum / total;
            }
            total
        } else if self.kernel.support().is_none() {
            self.shift_from_afar(x);
            0.0
        } else {
            0.0
        }
    }

    /// The mean of the points in whose flat kernel `x` lies, into `mean` (padded like a row);
    /// returns their weight. A pure function of `x`: see [`flat`](super::flat).
    pub(super) fn mean_of_members(
        &self,
        x: &[f64],
        mean: &mut [f64],
        scratch: &mut Scratch,
    ) -> f64 {
        scratch.near.clear();
        scratch.whole.clear();
        let coords = self.blocks.coords();
        let reach_sq = if self.reach_sq.is_empty() {
            let reach_sq = self.bandwidth * self.bandwidth;
            self.blocks
                .near_or_within(x, reach_sq, &mut scratch.near, &mut scratch.whole);
            Reach::Same(reach_sq)
        } else {
            self.blocks
                .near(x, self.widest * self.widest, &mut scratch.near);
            Reach::Each(&self.reach_sq)
        };
        let haystack = Haystack {
            coords,
            blocks: &scratch.near,
            reach_sq,
        };
        scratch.slots.clear();
        find_members(haystack, x, &mut scratch.slots);
        let mut weight = self.sum_of(&scratch.slots, mean);
        for &block in &scratch.whole {
            let sums = &self.block_sums[block as usize * (self.padded + 1)..][..=self.padded];
            for (total, sum) in mean.iter_mut().zip(sums) {
                *total += sum;
            }
            weight += sums[self.padded];
        }
        divide(mean, weight);
        weight
    }

    /// Whether `x` lies in the flat kernel of the point in `slot`.
    pub(super) fn is_member(&self, slot: u32, x: &[f64]) -> bool {
        let slot = slot as usize;
        let h_sq = self.bandwidth * self.bandwidth;
        let reach_sq = self.reach_sq.get(slot).copied().unwrap_or(h_sq);
        let mut within = false;
        let row = &self.rows[slot * self.padded..];
        is_within(row, x, reach_sq, &mut within);
        within
    }

    /// The weighted mean of the points in `slots`, and their weight.
    pub(super) fn mean_of(&self, slots: &[u32], mean: &mut [f64]) -> f64 {
        let weight = self.sum_of(slots, mean);
        divide(mean, weight);
        weight
    }

    /// The weighted sum of the points in `slots`, and their weight.
    fn sum_of(&self, slots: &[u32], sums: &mut [f64]) -> f64 {
        sum_rows(&self.rows, &self.mass, slots, sums);
        if self.mass.is_empty() {
            slots.len() as f64
        } else {
            slots.iter().map(|&slot| self.mass[slot as usize]).sum()
        }
    }

    /// Fills `scratch.near` with the blocks that matter to any of the queries; left empty, all do.
    ///
    /// Terms are left out where all of them together are below e^-`negligible` of terms that are
    /// kept.
    fn relevant_blocks(&self, queries: &[f64], negligible: f64, scratch: &mut Scratch) {
        scratch.near.clear();
        let reach = self.kernel.support().map(|support| {
            let reach = support * self.widest;
            reach * reach
        });
        // The slack of an endless kernel: beyond it n terms together vanish beside one block.
        let slack = self.widest * self.widest * ((self.len() as f64).ln() + negligible)
            / -self.kernel.exponent();
        let ends = reach.is_some() || self.inverse_square.is_empty();
        if !ends || reach.unwrap_or(slack) >= self.diameter_sq || self.blocks.n_blocks() < 4 {
            return;
        }
        for x in queries.chunks_exact(self.dims()) {
            let reach_sq = reach.unwrap_or_else(|| self.blocks.nearest_block_upper_sq(x) + slack);
            self.blocks.near(x, reach_sq, &mut scratch.near);
        }
        if queries.len() > self.dims() {
            scratch.near.sort_unstable();
            scratch.near.dedup();
        }
        if scratch.near.is_empty() {
            // Nothing in reach: one block is enough to find that out.
            scratch.near.push(0);
        }
    }

    /// A step for a point so far out that all weights underflow: the exponents are compared as
    /// logarithms first, which is the same mean with every weight divided by the largest.
    fn shift_from_afar(&self, x: &mut [f64]) {
        let dims = self.dims();
        let lanes = self.lanes();
        let exponent = |slot: usize| {
            let at = slot / LANES * dims * LANES + slot % LANES;
            let dist_sq: f64 = x
                .iter()
                .enumerate()
                .map(|(k, q)| (lanes.coords[at + k * LANES] - q).powi(2))
                .sum();
            let inverse = match lanes.inverse_square {
                InverseSquare::Same(inverse) => inverse,
                InverseSquare::Each(inverse) => inverse[slot],
            };
            self.kernel.exponent() * dist_sq * inverse
                + lanes.mass.map_or(0.0, |mass| mass[slot].ln())
        };
        let exponents: Vec<f64> = (0..self.len()).map(exponent).collect();
        let largest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut total, mut sums) = (0.0, vec![0.0; dims]);
        for (slot, e) in exponents.iter().enumerate() {
            let weight = (e - largest).exp();
            let at = slot / LANES * dims * LANES + slot % LANES;
            total += weight;
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum += weight * lanes.coords[at + k * LANES];
            }
        }
        if total > 0.0 {
            for (x, sum) in x.iter_mut().zip(&sums) {
                *x = sum / total;
            }
        }
    }
}

/// Divides sums by a weight, if there is any.
fn divide(sums: &mut [f64], weight: f64) {
    if weight > 0.0 {
        for sum in sums {
            *sum /= weight;
        }
    }
}
