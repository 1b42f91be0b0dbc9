//! Kernel-weighted sums over points in blocks: the inner loop of every mean shift.
//!
//! For a query x, with t_i = |x - x_i|² / h_i², a kernel profile k and masses m_i, one pass gives
//!
//! ```text
//! total = Σ m_i k(t_i)        sums = Σ m_i k(t_i) x_i
//! ```
//!
//! The loop works on a block of lanes at a time: squared distances, then the profile, then the
//! sums, all in registers or in the first-level cache. Lane sums are added up at the end in a fixed
//! order, so the result depends on the blocks alone, never on threads.

use super::Profile;
use crate::numerics::blocks::{LANES, LANES_F32, block_dist_sq};
use crate::numerics::exp::{ExpConstants, exp_nonpositive};
use crate::numerics::simd::{Simd, simd_dispatch};

/// Lanes of a vector in double precision.
const WIDTH: usize = 8;

/// Lanes of a vector in single precision.
const WIDTH_F32: usize = 16;

/// 1/h²: the same for all points, or one a slot.
#[derive(Debug, Clone, Copy)]
pub enum InverseSquare<'a, T = f64> {
    /// The same for all points.
    Same(T),
    /// One a slot.
    Each(&'a [T]),
}

/// Points in blocks with what a weighted sum needs to know of them.
#[derive(Debug, Clone, Copy)]
pub struct Lanes<'a, T = f64> {
    /// Coordinates as in [`Blocks::coords`](crate::numerics::blocks::Blocks::coords).
    pub coords: &'a [T],
    /// Number of dimensions.
    pub dims: usize,
    /// 1/h².
    pub inverse_square: InverseSquare<'a, T>,
    /// m, one a slot; `None`: all 1.
    pub mass: Option<&'a [T]>,
}

/// Writes, for each query, its kernel-weighted sums over `blocks`.
///
/// `queries` holds `dims` coordinates a query, `out` gets `dims + 1` values a query: Σ w x by
/// dimension, then Σ w.
pub fn weighted_sums(
    lanes: Lanes<'_>,
    profile: Profile,
    truncation: f64,
    blocks: &[u32],
    queries: &[f64],
    scratch: &mut Vec<f64>,
    out: &mut [f64],
) {
    scratch.clear();
    scratch.resize(out.len() * WIDTH, 0.0);
    match profile {
        Profile::Gaussian => exponential(lanes, -0.5, 0.0, blocks, queries, scratch),
        Profile::Rbf => exponential(lanes, -1.0, 0.0, blocks, queries, scratch),
        Profile::Truncated => truncated(lanes, -1.0, truncation, blocks, queries, scratch),
        Profile::Flat => flat(lanes, 1.0, 1.0, blocks, queries, scratch),
        Profile::Epanechnikov => epanechnikov(lanes, -1.0, 1.0, blocks, queries, scratch),
    }
    for (value, lane_sums) in out.iter_mut().zip(scratch.chunks_exact(WIDTH)) {
        *value = lane_sums.iter().sum();
    }
}

/// As [`weighted_sums`] for weights exp(factor t), factor < 0, in single precision: more than twice
/// as fast, and good to about five digits. Coordinates as in
/// [`Blocks::coords_f32`](crate::numerics::blocks::Blocks::coords_f32), in blocks of that kind.
pub fn weighted_sums_f32(
    lanes: Lanes<'_, f32>,
    factor: f32,
    blocks: &[u32],
    queries: &[f32],
    scratch: &mut Vec<f32>,
    out: &mut [f64],
) {
    scratch.clear();
    scratch.resize(out.len() * WIDTH_F32, 0.0);
    exponential_f32(lanes, factor, 0.0, blocks, queries, scratch);
    for (value, lane_sums) in out.iter_mut().zip(scratch.chunks_exact(WIDTH_F32)) {
        *value = lane_sums.iter().map(|&v| f64::from(v)).sum();
    }
}

/// Names the inner loop of a profile for every instruction set. `$ends` says whether it is 0
/// somewhere, so that blocks may be left out. `$t` is factor * |x - x_i|² / h_i².
macro_rules! profile_loop {
    ($name:ident, $body:ident, $scalar:ty, $vectors:tt, $count:expr, $ends:expr,
     |$t:ident, $parameter:ident| $weight:expr) => {
        simd_dispatch!(
            fn $name(
                lanes: Lanes<'_, $scalar>,
                factor: $scalar,
                parameter: $scalar,
                blocks: &[u32],
                queries: &[$scalar],
                sums: &mut [$scalar],
            ) = $body,
            $vectors
        );

        /// # Safety
        /// The machine must have the instructions of `V`.
        #[inline(always)]
        unsafe fn $body<V: Simd<Scalar = $scalar>>(
            lanes: Lanes<'_, $scalar>,
            factor: $scalar,
            parameter: $scalar,
            blocks: &[u32],
            queries: &[$scalar],
            sums: &mut [$scalar],
        ) {
            // SAFETY: the caller's promise.
            unsafe {
                let $parameter = V::splat(parameter);
                run::<V, { $count }>(
                    lanes, factor, blocks, queries, sums, $ends, #[inline(always)] |$t: V| $weight,
                );
            }
        }
    };
}

profile_loop!(
    exponential,
    exponential_body,
    f64,
    f64x8,
    LANES / WIDTH,
    false,
    |t, _none| exp_nonpositive(t)
);
profile_loop!(
    truncated,
    truncated_body,
    f64,
    f64x8,
    LANES / WIDTH,
    true,
    |t, floor| {
        let value = exp_nonpositive(t);
        floor.where_at_most(value, value)
    }
);
profile_loop!(
    flat,
    flat_body,
    f64,
    f64x8,
    LANES / WIDTH,
    true,
    |t, one| t.where_at_most(one, one)
);
profile_loop!(
    epanechnikov,
    epanechnikov_body,
    f64,
    f64x8,
    LANES / WIDTH,
    true,
    |t, one| { one.add(t).max(one.sub(one)) }
);
profile_loop!(
    exponential_f32,
    exponential_f32_body,
    f32,
    f32x16,
    LANES_F32 / WIDTH_F32,
    false,
    |t, _none| { exp_nonpositive(t) }
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn run<V: Simd<Scalar: ExpConstants>, const VECTORS: usize>(
    lanes: Lanes<'_, V::Scalar>,
    factor: V::Scalar,
    blocks: &[u32],
    queries: &[V::Scalar],
    sums: &mut [V::Scalar],
    ends: bool,
    weight: impl Fn(V) -> V,
) {
    let dims = lanes.dims;
    let width = VECTORS * V::WIDTH;
    let size = dims * width;
    for &block in blocks {
        let block = block as usize;
        let coords = &lanes.coords[block * size..(block + 1) * size];
        let each_sums = sums.chunks_exact_mut((dims + 1) * V::WIDTH);
        for (x, sums) in queries.chunks_exact(dims).zip(each_sums) {
            // SAFETY: the caller's promise.
            unsafe {
                let factor = V::splat(factor);
                let mut w: [V; VECTORS] = block_dist_sq(coords, x);
                for (v, w) in w.iter_mut().enumerate() {
                    let slot = block * width + v * V::WIDTH;
                    let scale = match lanes.inverse_square {
                        InverseSquare::Same(inverse) => V::splat(inverse).mul(factor),
                        InverseSquare::Each(inverse) => V::load(&inverse[slot..]).mul(factor),
                    };
                    *w = weight(w.mul(scale));
                    if let Some(mass) = lanes.mass {
                        *w = w.mul(V::load(&mass[slot..]));
                    }
                }
                let zero = V::splat(V::Scalar::ZERO);
                if ends
                    && w.iter()
                        .all(|w| w.mask_at_most(zero) == (1 << V::WIDTH) - 1)
                {
                    continue;
                }
                let (sums, total) = sums.split_at_mut(dims * V::WIDTH);
                let mut sum = V::load(total);
                for w in w {
                    sum = sum.add(w);
                }
                sum.store(total);
                for (lanes, total) in coords
                    .chunks_exact(width)
                    .zip(sums.chunks_exact_mut(V::WIDTH))
                {
                    let mut sum = V::load(total);
                    for (v, w) in w.iter().enumerate() {
                        sum = w.mul_add(V::load(&lanes[v * V::WIDTH..]), sum);
                    }
                    sum.store(total);
                }
            }
        }
    }
}
