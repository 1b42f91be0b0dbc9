//! Kernel-weighted sums over points in blocks: the loops of
//! [`similarity::kernel_sums`](crate::similarity::kernel_sums), one for each kernel profile.
//!
//! A loop works on a block of lanes at a time: squared distances, then the profile, then the sums,
//! all in registers or in the first-level cache.

use super::blocks::{BLOCK_LEN, PerLane, blocks_dist_sq};
use super::exp::{ExpConstants, exp_nonpositive};
use super::simd::{Available, Simd, simd_dispatch};

/// Lanes of a vector in double precision.
pub(crate) const WIDTH: usize = 8;

/// Lanes of a vector in single precision.
pub(crate) const WIDTH_F32: usize = 16;

/// Points in blocks, with their bandwidths and masses.
#[derive(Debug, Clone, Copy)]
pub struct KernelSources<'a, T = f64> {
    /// Coordinates as in [`Blocks::coords`](super::blocks::Blocks::coords).
    pub coords: &'a [T],
    /// Number of dimensions.
    pub dims: usize,
    /// 1/h² of each slot.
    pub inverse_bandwidth_sq: PerLane<'a, T>,
    /// The mass m of each slot; `None`: all 1.
    pub mass: Option<&'a [T]>,
}

/// Vectors in a block, in either precision.
const VECTORS: usize = BLOCK_LEN / WIDTH;

/// Defines the loop of a profile k: adds Σ m_i k(t_i) x_i by dimension, then Σ m_i k(t_i), lane by
/// lane, to the `sums` of each query. `$t` is factor * |x - x_i|² / h_i². `$ends` is whether the
/// profile is 0 somewhere, so that blocks may add nothing.
macro_rules! profile_loop {
    ($name:ident = $body:ident, $scalar:ty, $vectors:tt, $ends:expr,
     |$t:ident, $parameter:ident| $weight:expr) => {
        pub(crate) fn $name(
            sources: KernelSources<'_, $scalar>,
            factor: $scalar,
            parameter: $scalar,
            blocks: &[u32],
            queries: &[$scalar],
            sums: &mut [$scalar],
        ) {
            simd_dispatch!($vectors, $body(sources, factor, parameter, blocks, queries, sums));
        }

        #[inline(always)]
        fn $body<V: Simd<Scalar = $scalar>>(
            simd: Available<V>,
            sources: KernelSources<'_, $scalar>,
            factor: $scalar,
            parameter: $scalar,
            blocks: &[u32],
            queries: &[$scalar],
            sums: &mut [$scalar],
        ) {
            let $parameter = simd.splat(parameter);
            profile_sums(
                simd,
                sources,
                factor,
                blocks,
                queries,
                sums,
                $ends,
                #[inline(always)]
                |$t: V| $weight,
            );
        }
    };
}

profile_loop! { exponential_sums = exponential_sums_body, f64, f64x8, false,
|t, _none| exp_nonpositive(t) }
profile_loop! { truncated_sums = truncated_sums_body, f64, f64x8, true,
|t, floor| {
    let value = exp_nonpositive(t);
    floor.where_at_most(value, value)
} }
profile_loop! { flat_sums = flat_sums_body, f64, f64x8, true,
|t, one| t.where_at_most(one, one) }
profile_loop! { epanechnikov_sums = epanechnikov_sums_body, f64, f64x8, true,
|t, one| one.add(t).max(one.sub(one)) }
profile_loop! { exponential_sums_f32 = exponential_sums_f32_body, f32, f32x16, false,
|t, _none| exp_nonpositive(t) }

/// Queries that share the coordinates that are loaded where a vector is one register: loading, and not arithmetic, would
/// be the limit for one query.
const TOGETHER: usize = 2;

#[allow(clippy::too_many_arguments, reason = "the arguments of an inner loop")]
#[inline(always)]
fn profile_sums<V: Simd<Scalar: ExpConstants>>(
    simd: Available<V>,
    sources: KernelSources<'_, V::Scalar>,
    factor: V::Scalar,
    blocks: &[u32],
    queries: &[V::Scalar],
    sums: &mut [V::Scalar],
    ends: bool,
    weight: impl Fn(V) -> V,
) {
    let dims = sources.dims;
    let in_groups = match V::REGISTERS {
        1 => queries.len() / (TOGETHER * dims) * TOGETHER,
        _ => 0,
    };
    let (grouped, single) = queries.split_at(in_groups * dims);
    let (sums_of_grouped, sums_of_single) = sums.split_at_mut(in_groups * (dims + 1) * V::WIDTH);
    for &block in blocks {
        let block = SourceBlock { sources: &sources, factor, block: block as usize };
        let each_sums = sums_of_grouped.chunks_exact_mut(TOGETHER * (dims + 1) * V::WIDTH);
        for (queries, sums) in grouped.chunks_exact(TOGETHER * dims).zip(each_sums) {
            block.add_to::<V, TOGETHER>(simd, queries, sums, ends, &weight);
        }
        let each_sums = sums_of_single.chunks_exact_mut((dims + 1) * V::WIDTH);
        for (query, sums) in single.chunks_exact(dims).zip(each_sums) {
            block.add_to::<V, 1>(simd, query, sums, ends, &weight);
        }
    }
}

/// The points of one block.
struct SourceBlock<'a, T> {
    sources: &'a KernelSources<'a, T>,
    factor: T,
    block: usize,
}

impl<T: ExpConstants> SourceBlock<'_, T> {
    /// Adds the weighted points to the sums of `QUERIES` queries.
    #[inline(always)]
    fn add_to<V: Simd<Scalar = T>, const QUERIES: usize>(
        &self,
        simd: Available<V>,
        queries: &[T],
        sums: &mut [T],
        ends: bool,
        weight: &impl Fn(V) -> V,
    ) {
        let Self { sources, factor, block } = *self;
        let dims = sources.dims;
        let width = VECTORS * V::WIDTH;
        let coords = &sources.coords[block * dims * width..][..dims * width];
        let factor = simd.splat(factor);
        let mut weights: [[V; VECTORS]; QUERIES] = blocks_dist_sq(simd, coords, queries);
        for v in 0..VECTORS {
            let slot = block * width + v * V::WIDTH;
            let scale = sources.inverse_bandwidth_sq.lanes(simd, slot).mul(factor);
            for weights in &mut weights {
                weights[v] = weight(weights[v].mul(scale));
            }
            if let Some(mass) = sources.mass {
                let mass = simd.load(&mass[slot..]);
                for weights in &mut weights {
                    weights[v] = weights[v].mul(mass);
                }
            }
        }
        let zero = simd.splat(T::ZERO);
        let is_zero = |w: &V| w.mask_at_most(zero) == (1 << V::WIDTH) - 1;
        if ends && weights.as_flattened().iter().all(is_zero) {
            return;
        }
        let stride = (dims + 1) * V::WIDTH;
        for (weights, sums) in weights.iter().zip(sums.chunks_exact_mut(stride)) {
            let total = &mut sums[dims * V::WIDTH..];
            let sum = weights.iter().fold(simd.load(total), |sum, w| sum.add(*w));
            sum.store(total);
        }
        for (dim, lanes) in coords.chunks_exact(width).enumerate() {
            let lanes: [V; VECTORS] = std::array::from_fn(|v| simd.load(&lanes[v * V::WIDTH..]));
            for (weights, sums) in weights.iter().zip(sums.chunks_exact_mut(stride)) {
                let total = &mut sums[dim * V::WIDTH..][..V::WIDTH];
                let mut sum = simd.load(total);
                for (w, lanes) in weights.iter().zip(lanes) {
                    sum = w.mul_add(lanes, sum);
                }
                sum.store(total);
            }
        }
    }
}

#[cfg(test)]
mod tests;
