//! Ball queries in single precision with the answer of double precision.
//!
//! Single precision decides for nearly all points at half the memory traffic. The few points so
//! close to the edge of the ball that rounding could decide either way are decided in double
//! precision by the caller.
//!
//! Let D be the squared distance between x and a point p, D' the one computed in single precision
//! (unit roundoff u) from rounded coordinates, and A = |x|. Every difference of coordinates is off
//! by at most u (|p_k| + |x_k| + |p_k - x_k|), and |p| is at most A + √D, so that
//!
//! ```text
//! |D' - D|  <=  u (d + 6) D  +  4 u A √D  +  6 u² A²        up to higher powers of u
//! ```
//!
//! At D = r² this is the width of the band around the edge of a ball of radius r in which D' decides
//! nothing; it is doubled here. D' is monotone in D up to this error, so points below the band are
//! inside and points above it outside.

use super::blocks::{BLOCK_LEN_F32, block_dist_sq};
use super::simd::{Available, Simd, simd_dispatch};

const WIDTH: usize = 16;

const VECTORS: usize = BLOCK_LEN_F32 / WIDTH;

/// Lanes of a block that is being filled: a vector may begin in its last lane.
const STAGE: usize = BLOCK_LEN_F32 + WIDTH;

/// Points in single precision, in blocks of [`BLOCK_LEN_F32`], with the radius of a ball around
/// each.
#[derive(Debug, Default)]
pub(crate) struct F32Points {
    coords: Vec<f32>,
    /// The slot of each lane among all points, ascending.
    slots: Vec<u32>,
    /// The radius of each lane; empty where all are 1.
    radii: Vec<f32>,
}

/// How far the rounding of single precision blurs the edge of a ball of radius r around x.
#[derive(Debug, Clone, Copy)]
struct Edge {
    relative: f64,
    linear: f64,
    constant: f64,
}

impl Edge {
    fn around(x: &[f32]) -> Self {
        let u = f64::from(f32::EPSILON) / 2.0;
        let norm_sq = x.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>();
        Self {
            relative: 2.0 * u * (x.len() as f64 + 10.0),
            linear: 8.0 * u * norm_sq.sqrt(),
            constant: 16.0 * u * u * norm_sq,
        }
    }

    /// Points with a larger computed squared distance are outside the ball.
    fn high(self, radius: f64) -> f64 {
        radius * (radius * (1.0 + self.relative) + self.linear) + self.constant
    }
}

impl F32Points {
    /// All points: coordinates as in [`Blocks::coords_f32`](super::blocks::Blocks::coords_f32), and
    /// the radius of each slot, or none where all are 1.
    pub(crate) fn new(coords: Vec<f32>, dims: usize, mut radii: Vec<f32>) -> Self {
        let n_lanes = coords.len() / dims;
        if !radii.is_empty() {
            radii.resize(n_lanes, 1.0);
        }
        Self { coords, slots: (0..n_lanes as u32).collect(), radii }
    }

    /// Number of lanes, also those without a point.
    pub(crate) fn n_lanes(&self) -> usize {
        self.slots.len()
    }

    /// Writes to the front of `members` the slots, in the given blocks, of the points in whose ball
    /// `x` lies, and returns how many there are. Points too close to the edge are decided by
    /// `is_member(slot)`.
    pub(crate) fn members(
        &self,
        blocks: &[u32],
        x: &[f32],
        is_member: &dyn Fn(u32) -> bool,
        members: &mut Vec<u32>,
    ) -> usize {
        // A compressed vector is written whole, also at the end.
        if members.len() < self.n_lanes() + WIDTH {
            members.resize(self.n_lanes() + WIDTH, 0);
        }
        simd_dispatch!(f32x16, find_members(self, blocks, x, is_member, members))
    }

    /// Replaces `to` by the points, in the given blocks, that may be within `radius` of `x`.
    pub(crate) fn gather(&self, blocks: &[u32], x: &[f32], radius: f64, to: &mut Self) {
        to.coords.clear();
        to.slots.clear();
        to.radii.clear();
        let bound = Edge::around(x).high(radius) as f32;
        simd_dispatch!(f32x16, gather_within(self, blocks, x, bound, to));
    }
}

/// See [`F32Points::members`]; `members` must have room for all lanes and a vector more.
#[inline(always)]
fn find_members<V: Simd<Scalar = f32>>(
    simd: Available<V>,
    points: &F32Points,
    blocks: &[u32],
    x: &[f32],
    is_member: &dyn Fn(u32) -> bool,
    members: &mut [u32],
) -> usize {
    let size = x.len() * BLOCK_LEN_F32;
    let edge = Edge::around(x);
    let [shrunk, grown] = [1.0 - edge.relative, 1.0 + edge.relative].map(|f| simd.splat(f as f32));
    let [linear, constant] = [edge.linear, edge.constant].map(|f| simd.splat(f as f32));
    let bounds = |radius: V| {
        let low = radius.mul(radius.mul(shrunk).sub(linear)).sub(constant);
        let high = radius.mul(radius.mul(grown).add(linear)).add(constant);
        (low, high)
    };
    let same = bounds(simd.splat(1.0));
    let mut count = 0;
    for &block in blocks {
        let block = block as usize;
        let coords = &points.coords[block * size..(block + 1) * size];
        let dist_sq: [V; VECTORS] = block_dist_sq(simd, coords, x);
        for (v, dist_sq) in dist_sq.into_iter().enumerate() {
            let first = block * BLOCK_LEN_F32 + v * WIDTH;
            let (low, high) = if points.radii.is_empty() {
                same
            } else {
                bounds(simd.load(&points.radii[first..]))
            };
            let mut inside = dist_sq.mask_at_most(low);
            let mut undecided = dist_sq.mask_at_most(high) & !inside;
            let slots = &points.slots[first..];
            while undecided != 0 {
                let lane = undecided.trailing_zeros();
                undecided &= undecided - 1;
                inside |= u32::from(is_member(slots[lane as usize])) << lane;
            }
            simd.compress_u32(inside, slots, &mut members[count..]);
            count += inside.count_ones() as usize;
        }
    }
    count
}

/// Appends to `to` the points, in the given blocks of `from`, whose squared distance from `x` is at
/// most `bound`, and fills up the last block.
#[inline(always)]
fn gather_within<V: Simd<Scalar = f32>>(
    simd: Available<V>,
    from: &F32Points,
    blocks: &[u32],
    x: &[f32],
    bound: f32,
    to: &mut F32Points,
) {
    let dims = x.len();
    let size = dims * BLOCK_LEN_F32;
    let mut stage = vec![0.0f32; dims * STAGE];
    let mut filled = 0;
    let bound = simd.splat(bound);
    for &block in blocks {
        let block = block as usize;
        let coords = &from.coords[block * size..(block + 1) * size];
        let dist_sq: [V; VECTORS] = block_dist_sq(simd, coords, x);
        for (v, dist_sq) in dist_sq.into_iter().enumerate() {
            let mask = dist_sq.mask_at_most(bound);
            if mask == 0 {
                continue;
            }
            for (k, stage) in stage.chunks_exact_mut(STAGE).enumerate() {
                let lanes = simd.load(&coords[k * BLOCK_LEN_F32 + v * WIDTH..]);
                lanes.compress(mask, &mut stage[filled..]);
            }
            append_lanes(simd, from, block * BLOCK_LEN_F32 + v * WIDTH, mask, to);
            filled += mask.count_ones() as usize;
            if filled >= BLOCK_LEN_F32 {
                for stage in stage.chunks_exact_mut(STAGE) {
                    to.coords.extend_from_slice(&stage[..BLOCK_LEN_F32]);
                    stage.copy_within(BLOCK_LEN_F32.., 0);
                }
                filled -= BLOCK_LEN_F32;
            }
        }
    }
    if filled > 0 {
        for stage in stage.chunks_exact_mut(STAGE) {
            // A lane without a point is infinitely far, so never a member.
            stage[filled..].fill(f32::INFINITY);
            to.coords.extend_from_slice(&stage[..BLOCK_LEN_F32]);
        }
    }
    let n_lanes = to.coords.len() / dims;
    to.slots.resize(n_lanes, 0);
    if !to.radii.is_empty() {
        to.radii.resize(n_lanes, 1.0);
    }
}

/// Appends the slots and the radii of the lanes in `mask`, of the vector that starts at `first`.
#[inline(always)]
fn append_lanes<V: Simd<Scalar = f32>>(
    simd: Available<V>,
    from: &F32Points,
    first: usize,
    mask: u32,
    to: &mut F32Points,
) {
    let count = mask.count_ones() as usize;
    let mut slots = [0; WIDTH];
    simd.compress_u32(mask, &from.slots[first..], &mut slots);
    to.slots.extend_from_slice(&slots[..count]);
    if !from.radii.is_empty() {
        let mut radii = [0.0; WIDTH];
        simd.load(&from.radii[first..]).compress(mask, &mut radii);
        to.radii.extend_from_slice(&radii[..count]);
    }
}

#[cfg(test)]
mod tests;
