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
use crate::numerics::blocks::{LANES, block_dist_sq};
use crate::numerics::exp::exp_nonpositive;
use crate::numerics::simd::{Simd, simd_dispatch};

/// Lanes of one accumulator.
const WIDTH: usize = 8;

/// Vectors in a block.
const VECTORS: usize = LANES / WIDTH;

/// 1/h²: the same for all points, or one a slot.
#[derive(Debug, Clone, Copy)]
pub enum InverseSquare<'a> {
    /// The same for all points.
    Same(f64),
    /// One a slot.
    Each(&'a [f64]),
}

/// Points in blocks with what a weighted sum needs to know of them.
#[derive(Debug, Clone, Copy)]
pub struct Lanes<'a> {
    /// Coordinates as in [`Blocks::coords`](crate::numerics::blocks::Blocks::coords).
    pub coords: &'a [f64],
    /// Number of dimensions.
    pub dims: usize,
    /// 1/h².
    pub inverse_square: InverseSquare<'a>,
    /// m, one a slot; `None`: all 1.
    pub mass: Option<&'a [f64]>,
}

/// Adds, for each query, its kernel-weighted sums over `blocks`.
///
/// `queries` holds `dims` coordinates a query, `out` gets `dims + 1` values a query: Σ w x by
/// dimension, then Σ w.
pub fn weighted_sums(
    lanes: Lanes<'_>,
    profile: Profile,
    truncation: f64,
    blocks: &[u32],
    queries: &[f64],
    scratch: &mut Vec<[f64; WIDTH]>,
    out: &mut [f64],
) {
    let rows = (lanes.dims + 1) * (queries.len() / lanes.dims);
    scratch.clear();
    scratch.resize(rows, [0.0; WIDTH]);
    match profile {
        Profile::Gaussian => exponential(lanes, -0.5, 0.0, blocks, queries, scratch),
        Profile::Rbf => exponential(lanes, -1.0, 0.0, blocks, queries, scratch),
        Profile::Truncated => truncated(lanes, -1.0, truncation, blocks, queries, scratch),
        Profile::Flat => flat(lanes, 1.0, 1.0, blocks, queries, scratch),
        Profile::Epanechnikov => epanechnikov(lanes, -1.0, 1.0, blocks, queries, scratch),
    }
    for (value, lane_sums) in out.iter_mut().zip(scratch.iter()) {
        let [a, b, c, d, e, f, g, h] = *lane_sums;
        *value = ((a + e) + (c + g)) + ((b + f) + (d + h));
    }
}

/// Names the inner loop of a profile for every instruction set. `$t` is factor * |x - x_i|² / h_i².
macro_rules! profile_loop {
    ($name:ident, $body:ident, |$t:ident, $parameter:ident| $weight:expr) => {
        simd_dispatch!(
            fn $name(
                lanes: Lanes<'_>,
                factor: f64,
                parameter: f64,
                blocks: &[u32],
                queries: &[f64],
                sums: &mut [[f64; WIDTH]],
            ) = $body,
            Avx512x64, Avx2x64, Portable64
        );

        /// # Safety
        /// The machine must have the instructions of `V`.
        #[inline(always)]
        unsafe fn $body<V: Simd<Scalar = f64>>(
            lanes: Lanes<'_>,
            factor: f64,
            parameter: f64,
            blocks: &[u32],
            queries: &[f64],
            sums: &mut [[f64; WIDTH]],
        ) {
            // SAFETY: the caller's promise.
            unsafe {
                let $parameter = V::splat(parameter);
                run::<V>(lanes, factor, blocks, queries, sums, #[inline(always)] |$t: V| $weight);
            }
        }
    };
}

profile_loop!(exponential, exponential_body, |t, _none| exp_nonpositive(t));
profile_loop!(truncated, truncated_body, |t, floor| {
    let value = exp_nonpositive(t);
    floor.where_at_most(value, value)
});
profile_loop!(flat, flat_body, |t, one| t.where_at_most(one, one));
profile_loop!(epanechnikov, epanechnikov_body, |t, one| one
    .add(t)
    .max(one.sub(one)));

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn run<V: Simd<Scalar = f64>>(
    lanes: Lanes<'_>,
    factor: f64,
    blocks: &[u32],
    queries: &[f64],
    sums: &mut [[f64; WIDTH]],
    weight: impl Fn(V) -> V,
) {
    let dims = lanes.dims;
    let size = dims * LANES;
    for &block in blocks {
        let block = block as usize;
        let coords = &lanes.coords[block * size..(block + 1) * size];
        for (x, sums) in queries
            .chunks_exact(dims)
            .zip(sums.chunks_exact_mut(dims + 1))
        {
            // SAFETY: the caller's promise.
            unsafe {
                let mut w: [V; VECTORS] = block_dist_sq(coords, x);
                for (v, w) in w.iter_mut().enumerate() {
                    let slot = block * LANES + v * WIDTH;
                    let scale = match lanes.inverse_square {
                        InverseSquare::Same(inverse) => V::splat(inverse * factor),
                        InverseSquare::Each(inverse) => {
                            V::load(&inverse[slot..]).mul(V::splat(factor))
                        }
                    };
                    *w = weight(w.mul(scale));
                    if let Some(mass) = lanes.mass {
                        *w = w.mul(V::load(&mass[slot..]));
                    }
                }
                let total = &mut sums[dims];
                let mut sum = V::load(total);
                for w in w {
                    sum = sum.add(w);
                }
                sum.store(total);
                for (lanes, total) in coords.chunks_exact(LANES).zip(sums) {
                    let mut sum = V::load(total);
                    for (v, w) in w.iter().enumerate() {
                        sum = w.mul_add(V::load(&lanes[v * WIDTH..]), sum);
                    }
                    sum.store(total);
                }
            }
        }
    }
}
