//! Products of kernel factors over blocks of columns: the loops of the weights
//!
//! ```text
//! w_ij = Π_(x,y)  1 - k(|t_x - t_i|² / h_xy²) k(|t_y - t_j|² / h_xy²)
//! ```
//!
//! of constrained mean shift. A kernel is looked up only in the blocks where it is not 0.

use super::simd::{Available, Simd, simd_dispatch};
use super::{blocks::BLOCK_LEN, exp::exp_nonpositive};

/// Weights below this become 0: the smallest positive number of single precision, in which the
/// paper's program works. In a row whose weights sum to more than 1e-10 that is below the last bit,
/// and it avoids subnormal numbers, which processors handle slowly.
const MIN_WEIGHT: f64 = f32::from_bits(1) as f64;

/// A kernel around one point: the blocks of columns where it is not 0, and its value for every lane
/// of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Support {
    pub(crate) blocks: Vec<u32>,
    pub(crate) values: Vec<f64>,
}

impl Support {
    /// The memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.blocks) + size_of_val(&*self.values)
    }
}

/// The shape of a kernel.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    /// exp(-d²/h²), and 0 where that is below the floor.
    Truncated {
        /// The floor.
        floor: f64,
    },
    /// 1 up to distance h.
    Ball,
}

/// The kernel of width h, 1/h² = `inverse_sq`, where the squared distances are `dist_sq`. It is 0
/// wherever they are above `radius_sq`.
pub(crate) fn look_up(dist_sq: &[f64], radius_sq: f64, inverse_sq: f64, shape: Shape) -> Support {
    let mut support = Support::default();
    let Support { blocks, values } = &mut support;
    simd_dispatch!(f64x8, blocks_within(dist_sq, radius_sq, blocks));
    values.resize(blocks.len() * BLOCK_LEN, 0.0);
    let (factor, bound, ball) = match shape {
        Shape::Truncated { floor } => (-inverse_sq, floor, false),
        Shape::Ball => (inverse_sq, 1.0, true),
    };
    simd_dispatch!(f64x8, kernel_in_blocks(dist_sq, blocks, factor, bound, ball, values));
    support
}

#[inline(always)]
fn blocks_within<V: Simd<Scalar = f64>>(
    simd: Available<V>,
    dist_sq: &[f64],
    radius_sq: f64,
    found: &mut Vec<u32>,
) {
    for (block, dist_sq) in dist_sq.chunks_exact(BLOCK_LEN).enumerate() {
        let hits = {
            let radius_sq = simd.splat(radius_sq);
            dist_sq
                .chunks_exact(V::WIDTH)
                .fold(0, |hits, lanes| hits | simd.load(lanes).mask_at_most(radius_sq))
        };
        if hits != 0 {
            found.push(block as u32);
        }
    }
}

#[inline(always)]
fn kernel_in_blocks<V: Simd<Scalar = f64>>(
    simd: Available<V>,
    dist_sq: &[f64],
    blocks: &[u32],
    factor: f64,
    bound: f64,
    ball: bool,
    values: &mut [f64],
) {
    let (factor, bound, one) = (simd.splat(factor), simd.splat(bound), simd.splat(1.0));
    for (&block, values) in blocks.iter().zip(values.chunks_exact_mut(BLOCK_LEN)) {
        let from = &dist_sq[block as usize * BLOCK_LEN..][..BLOCK_LEN];
        let lanes = from.chunks_exact(V::WIDTH);
        for (from, to) in lanes.zip(values.chunks_exact_mut(V::WIDTH)) {
            let t = simd.load(from).mul(factor);
            if ball {
                t.where_at_most(bound, one).store(to);
            } else {
                let value = exp_nonpositive(t);
                bound.where_at_most(value, value).store(to);
            }
        }
    }
}

/// Rows of w, and which of their blocks of columns still have positive weights.
///
/// A few hundred factors reduce a weight to 0, and between two large components there are thousands;
/// blocks of zeros are skipped.
#[derive(Debug)]
pub(crate) struct WeightRows<'a> {
    /// [`BLOCK_LEN`] rows of weights, one after the other.
    pub(crate) weights: &'a mut [f64],
    /// For each row and block of columns, whether any weight is positive.
    pub(crate) is_positive: &'a mut [bool],
    /// Whether a weight that would become 0 stays at the smallest positive number unless one factor
    /// is below 1/2. The rounding of single precision has this effect in the paper's program, whose
    /// labels depend on whether a weight is 0.
    pub(crate) keep_smallest: bool,
}

/// Multiplies row r, column b of w by (1 - k_r k_b)^times: one direction of a constraint.
///
/// `row_kernel` holds the kernel k_r of one end at each of the rows, `columns` the kernel k_b of the
/// other end, of which the blocks from number `from` on are used.
pub(crate) fn reduce(
    rows: &mut WeightRows<'_>,
    row_kernel: &[f64],
    columns: &Support,
    from: usize,
    times: f64,
) {
    let whole = times.floor().min(f64::from(u32::MAX));
    let part = times - whole;
    let (blocks, values) = (&columns.blocks[from..], &columns.values[from * BLOCK_LEN..]);
    simd_dispatch!(f64x8, reduce_rows(rows, row_kernel, blocks, values, whole as u32, part));
}

#[inline(always)]
fn reduce_rows<V: Simd<Scalar = f64>>(
    simd: Available<V>,
    rows: &mut WeightRows<'_>,
    row_kernel: &[f64],
    blocks: &[u32],
    values: &[f64],
    whole: u32,
    part: f64,
) {
    let stride = rows.weights.len() / BLOCK_LEN;
    let each_row = rows
        .weights
        .chunks_exact_mut(stride)
        .zip(rows.is_positive.chunks_exact_mut(stride / BLOCK_LEN));
    for ((row, is_positive), &k) in each_row.zip(row_kernel) {
        if k == 0.0 {
            continue;
        }
        let (minus_k, one, min_weight) = (simd.splat(-k), simd.splat(1.0), simd.splat(MIN_WEIGHT));
        let half = simd.splat(0.5);
        for (&block, values) in blocks.iter().zip(values.chunks_exact(BLOCK_LEN)) {
            let block = block as usize;
            if !is_positive[block] {
                continue;
            }
            let at = block * BLOCK_LEN;
            let weights = row[at..at + BLOCK_LEN].chunks_exact_mut(V::WIDTH);
            let mut left = 0;
            for (weights, values) in weights.zip(values.chunks_exact(V::WIDTH)) {
                let factor = minus_k.mul_add(simd.load(values), one);
                let before = simd.load(weights);
                let product = before.mul(power(simd, factor, one, whole, part));
                let mut after = min_weight.where_at_most(product, product);
                if rows.keep_smallest {
                    let least = half.where_at_most(factor, min_weight);
                    after = after.max(min_weight.where_at_most(before, least));
                }
                left |= min_weight.mask_at_most(after);
                after.store(weights);
            }
            is_positive[block] = left != 0;
        }
    }
}

/// base^(whole + part), with 0 <= base <= 1, whole >= 0 and 0 <= part < 1.
#[inline(always)]
fn power<V: Simd<Scalar = f64>>(simd: Available<V>, base: V, one: V, whole: u32, part: f64) -> V {
    if whole == 1 && part == 0.0 {
        return base;
    }
    let min_weight = simd.splat(MIN_WEIGHT);
    let mut result = one;
    let (mut square, mut left) = (base, whole);
    while left > 0 {
        if left & 1 == 1 {
            result = result.mul(square);
        }
        square = square.mul(square);
        square = min_weight.where_at_most(square, square);
        left >>= 1;
    }
    if part > 0.0 {
        let mut lanes = [0.0; 8];
        debug_assert_eq!(lanes.len(), V::WIDTH);
        base.store(&mut lanes);
        result = result.mul(simd.load(&lanes.map(|base| base.powf(part))));
    }
    result
}

#[cfg(test)]
mod tests;
