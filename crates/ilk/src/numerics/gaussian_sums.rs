//! Gaussian sums in single precision, of many queries over the same sources.
//!
//! With coordinates u in units in which the weight is 2^(-|u - v|²/2), the exponent is
//!
//! ```text
//! log2(m_v) - |v|²/2 - |u|²/2 + u·v
//! ```
//!
//! one multiplication and addition a dimension instead of two, and none for the masses. Digits cancel
//! where |u| and |v| are large, so coordinates must be relative to a point nearby: at a distance of 10
//! the weights are accurate to 1e-5.

use crate::numerics::simd::{Available, Simd, simd_dispatch};

/// Sources in a vector.
pub(crate) const WIDTH: usize = 16;

/// Queries that share the loads of a source.
pub(crate) const QUERIES: usize = 4;

/// The largest number of dimensions for which there is a loop with all coordinates in registers.
pub(crate) const MAX_DIMS: usize = 8;

/// The exponent of the smallest normal power of two.
const MIN_EXPONENT: f32 = -126.0;

/// 1.5 * 2^23 plus the bias of the exponent: adding it rounds to a whole number, left in the low bits.
const ROUND_AND_BIAS: f32 = 12_582_912.0 + 127.0;

/// 2^r for |r| <= 1/2 to a relative error of 1.6e-7, constant term first.
const POWER_OF_TWO: [f32; 6] =
    [1.000_000_1, 0.693_146_94, 0.240_221_2, 0.055_507_135, 0.009_675_542, 0.001_327_647_1];

/// Writes Σ w v by dimension, then Σ w, for each query, over the vectors `chosen` of sources.
///
/// `sources` holds, for every [`WIDTH`] of them, their coordinates dimension by dimension and then
/// log2(m) - |v|²/2 of each; `queries` the coordinates of each and then -|u|²/2. The number of queries
/// is a multiple of [`QUERIES`], and there are at most [`MAX_DIMS`] dimensions.
pub(crate) fn gaussian_sums(
    dims: usize,
    sources: &[f32],
    chosen: &[u32],
    queries: &[f32],
    lane_sums: &mut Vec<f32>,
    out: &mut [f64],
) {
    lane_sums.clear();
    lane_sums.resize(out.len() * WIDTH, 0.0);
    simd_dispatch!(f32x16, sums(dims, sources, chosen, queries, lane_sums));
    for (value, lanes) in out.iter_mut().zip(lane_sums.chunks_exact(WIDTH)) {
        *value = lanes.iter().map(|&lane| f64::from(lane)).sum();
    }
}

/// Appends vectors of sources to `moved`, with coordinates relative to `center`. In `lanes` they
/// have log2(m) after their coordinates.
pub(crate) fn translate_sources(center: &[f32], lanes: &[f32], moved: &mut Vec<f32>) {
    simd_dispatch!(f32x16, translate(center, lanes, moved));
}

#[inline(always)]
fn translate<V: Simd<Scalar = f32>>(
    simd: Available<V>,
    center: &[f32],
    lanes: &[f32],
    moved: &mut Vec<f32>,
) {
    let dims = center.len();
    let size = (dims + 1) * WIDTH;
    let first = moved.len();
    moved.resize(first + lanes.len(), 0.0);
    for (from, to) in lanes.chunks_exact(size).zip(moved[first..].chunks_exact_mut(size)) {
        let mut norm_sq = simd.splat(0.0);
        for (k, &m) in center.iter().enumerate() {
            let u = simd.load(&from[k * WIDTH..]).sub(simd.splat(m));
            norm_sq = u.mul_add(u, norm_sq);
            u.store(&mut to[k * WIDTH..]);
        }
        let mass = simd.load(&from[dims * WIDTH..]);
        norm_sq.mul_add(simd.splat(-0.5), mass).store(&mut to[dims * WIDTH..]);
    }
}

#[inline(always)]
fn sums<V: Simd<Scalar = f32>>(
    simd: Available<V>,
    dims: usize,
    sources: &[f32],
    chosen: &[u32],
    queries: &[f32],
    lane_sums: &mut [f32],
) {
    match dims {
        1 => sums_in::<V, 1>(simd, sources, chosen, queries, lane_sums),
        2 => sums_in::<V, 2>(simd, sources, chosen, queries, lane_sums),
        3 => sums_in::<V, 3>(simd, sources, chosen, queries, lane_sums),
        4 => sums_in::<V, 4>(simd, sources, chosen, queries, lane_sums),
        5 => sums_in::<V, 5>(simd, sources, chosen, queries, lane_sums),
        6 => sums_in::<V, 6>(simd, sources, chosen, queries, lane_sums),
        7 => sums_in::<V, 7>(simd, sources, chosen, queries, lane_sums),
        _ => sums_in::<V, MAX_DIMS>(simd, sources, chosen, queries, lane_sums),
    }
}

#[inline(always)]
fn sums_in<V: Simd<Scalar = f32>, const D: usize>(
    simd: Available<V>,
    sources: &[f32],
    chosen: &[u32],
    queries: &[f32],
    lane_sums: &mut [f32],
) {
    let size = (D + 1) * WIDTH;
    let lane_sums = lane_sums.chunks_exact_mut(QUERIES * (D + 1) * WIDTH);
    for (queries, lane_sums) in queries.chunks_exact(QUERIES * (D + 1)).zip(lane_sums) {
        let mut sums = [[simd.splat(0.0); D]; QUERIES];
        let mut totals = [simd.splat(0.0); QUERIES];
        for &vector in chosen {
            let source = &sources[vector as usize * size..][..size];
            let coords: [V; D] = std::array::from_fn(|k| simd.load(&source[k * WIDTH..]));
            let offset = simd.load(&source[D * WIDTH..]);
            for (q, (sums, total)) in sums.iter_mut().zip(&mut totals).enumerate() {
                let query = &queries[q * (D + 1)..][..=D];
                let mut exponent = offset.add(simd.splat(query[D]));
                for (x, &u) in coords.iter().zip(query) {
                    exponent = x.mul_add(simd.splat(u), exponent);
                }
                let weight = power_of_two(exponent);
                for (sum, &x) in sums.iter_mut().zip(&coords) {
                    *sum = weight.mul_add(x, *sum);
                }
                *total = total.add(weight);
            }
        }
        let rows = lane_sums.chunks_exact_mut((D + 1) * WIDTH);
        for (row, (sums, total)) in rows.zip(sums.iter().zip(totals)) {
            for (sum, lanes) in sums.iter().zip(row.chunks_exact_mut(WIDTH)) {
                sum.store(lanes);
            }
            total.store(&mut row[D * WIDTH..]);
        }
    }
}

/// 2^t for t up to 127. Where that would be no normal number it is the smallest one or a little more.
#[inline(always)]
fn power_of_two<V: Simd<Scalar = f32>>(t: V) -> V {
    let constant = |c: f32| t.simd().splat(c);
    let t = constant(MIN_EXPONENT).max(t);
    let low_bits = t.add(constant(ROUND_AND_BIAS));
    let r = t.sub(low_bits.sub(constant(ROUND_AND_BIAS)));
    let [first @ .., last] = POWER_OF_TWO;
    let mut power = constant(last);
    for c in first.into_iter().rev() {
        power = power.mul_add(r, constant(c));
    }
    power.mul(low_bits.exponent_from_low_bits())
}

#[cfg(test)]
mod tests;
