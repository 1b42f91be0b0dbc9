//! Kernel-weighted sums over points in blocks: the inner loop of every mean shift.
//!
//! For a query x, with t_i = |x - x_i|² / h_i², a kernel profile k and masses m_i, one pass gives
//!
//! ```text
//! total = Σ m_i k(t_i)        sums = Σ m_i k(t_i) x_i
//! ```
//!
//! The loops are in [`numerics`](crate::numerics). Their sums, one a lane, are added up at the end
//! in a fixed order, so the result depends on the blocks alone, never on threads.

use super::Profile;
pub use crate::numerics::blocks::PerLane;
pub use crate::numerics::kernel_sums::KernelSources;
use crate::numerics::kernel_sums::{
    WIDTH, WIDTH_F32, epanechnikov_sums, exponential_sums, exponential_sums_f32, flat_sums,
    truncated_sums,
};

/// Writes, for each query, its kernel-weighted sums over `blocks`.
///
/// `queries` holds `dims` coordinates a query, `out` gets `dims + 1` values a query: Σ w x by
/// dimension, then Σ w.
pub fn weighted_sums(
    sources: KernelSources<'_>,
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
        Profile::Gaussian => exponential_sums(sources, -0.5, 0.0, blocks, queries, scratch),
        Profile::Rbf => exponential_sums(sources, -1.0, 0.0, blocks, queries, scratch),
        Profile::Truncated => truncated_sums(sources, -1.0, truncation, blocks, queries, scratch),
        Profile::Flat => flat_sums(sources, 1.0, 1.0, blocks, queries, scratch),
        Profile::Epanechnikov => epanechnikov_sums(sources, -1.0, 1.0, blocks, queries, scratch),
    }
    for (value, lane_sums) in out.iter_mut().zip(scratch.chunks_exact(WIDTH)) {
        *value = lane_sums.iter().sum();
    }
}

/// As [`weighted_sums`] for weights exp(factor t), factor < 0, in single precision: accurate to
/// about five digits. Coordinates as in
/// [`Blocks::coords_f32`](crate::numerics::blocks::Blocks::coords_f32), in blocks of that kind.
pub fn weighted_sums_f32(
    sources: KernelSources<'_, f32>,
    factor: f32,
    blocks: &[u32],
    queries: &[f32],
    scratch: &mut Vec<f32>,
    out: &mut [f64],
) {
    scratch.clear();
    scratch.resize(out.len() * WIDTH_F32, 0.0);
    exponential_sums_f32(sources, factor, 0.0, blocks, queries, scratch);
    for (value, lane_sums) in out.iter_mut().zip(scratch.chunks_exact(WIDTH_F32)) {
        *value = lane_sums.iter().map(|&v| f64::from(v)).sum();
    }
}
