//! The inner loops of the weights w: where a constraint's kernel is not 0, and the product.

use crate::numerics::blocks::LANES;
use crate::numerics::exp::exp_nonpositive;
use crate::numerics::simd::{Simd, simd_dispatch};

/// Weights below this become 0: the smallest number above 0 of single precision, in which the
/// paper's program works. Beside a row whose weights sum to more than 1e-10, that is below the last
/// bit; and numbers so small that the processor has to treat them one by one never arise.
const VANISHED: f64 = f32::from_bits(1) as f64;

/// The kernel around one end of a constraint: the blocks of centres where it is not 0, and its value
/// for every lane of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Support {
    pub(super) blocks: Vec<u32>,
    pub(super) values: Vec<f64>,
}

impl Support {
    /// The memory it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.blocks) + size_of_val(&*self.values)
    }
}

/// Which kernel is looked up.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// exp(-d²/h²), and 0 where that is below the floor.
    Truncated {
        /// The floor.
        floor: f64,
    },
    /// 1 up to distance h.
    Ball,
}

/// The kernel of width h, 1/h² = `inverse_sq`, where the squared distances are `dist_sq`. It is 0
/// wherever they are above `reach_sq`.
pub(super) fn look_up(dist_sq: &[f64], reach_sq: f64, inverse_sq: f64, shape: Shape) -> Support {
    let mut support = Support::default();
    blocks_within(dist_sq, reach_sq, &mut support.blocks);
    support.values.resize(support.blocks.len() * LANES, 0.0);
    let (factor, bound, ball) = match shape {
        Shape::Truncated { floor } => (-inverse_sq, floor, false),
        Shape::Ball => (inverse_sq, 1.0, true),
    };
    kernel_in_blocks(
        dist_sq,
        &support.blocks,
        factor,
        bound,
        ball,
        &mut support.values,
    );
    support
}

simd_dispatch!(
    fn blocks_within(dist_sq: &[f64], reach_sq: f64, found: &mut Vec<u32>) = blocks_within_body,
    f64x8
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn blocks_within_body<V: Simd<Scalar = f64>>(
    dist_sq: &[f64],
    reach_sq: f64,
    found: &mut Vec<u32>,
) {
    for (block, dist_sq) in dist_sq.chunks_exact(LANES).enumerate() {
        // SAFETY: the caller's promise.
        let hits = unsafe {
            let reach_sq = V::splat(reach_sq);
            dist_sq.chunks_exact(V::WIDTH).fold(0, |hits, lanes| {
                hits | V::load(lanes).mask_at_most(reach_sq)
            })
        };
        if hits != 0 {
            found.push(block as u32);
        }
    }
}

simd_dispatch!(
    fn kernel_in_blocks(
        dist_sq: &[f64],
        blocks: &[u32],
        factor: f64,
        bound: f64,
        ball: bool,
        values: &mut [f64],
    ) = kernel_in_blocks_body,
    f64x8
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn kernel_in_blocks_body<V: Simd<Scalar = f64>>(
    dist_sq: &[f64],
    blocks: &[u32],
    factor: f64,
    bound: f64,
    ball: bool,
    values: &mut [f64],
) {
    // SAFETY: the caller's promise.
    unsafe {
        let (factor, bound, one) = (V::splat(factor), V::splat(bound), V::splat(1.0));
        for (&block, values) in blocks.iter().zip(values.chunks_exact_mut(LANES)) {
            let from = &dist_sq[block as usize * LANES..][..LANES];
            let lanes = from.chunks_exact(V::WIDTH);
            for (from, to) in lanes.zip(values.chunks_exact_mut(V::WIDTH)) {
                let t = V::load(from).mul(factor);
                if ball {
                    t.where_at_most(bound, one).store(to);
                } else {
                    let value = exp_nonpositive(t);
                    bound.where_at_most(value, value).store(to);
                }
            }
        }
    }
}

/// Rows of w, and which of their blocks of columns have not vanished altogether.
///
/// A few hundred factors take a weight to 0, and between two large components there are thousands;
/// what has vanished is not touched again.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    /// [`LANES`] rows of weights, one after the other.
    pub(super) weights: &'a mut [f64],
    /// For each row and block of columns, whether any weight is left.
    pub(super) alive: &'a mut [bool],
    /// Whether a weight that would vanish stays at the smallest number unless one factor is below
    /// 1/2. Rounding does that to the paper's program, and its labels ask whether a weight is 0.
    pub(super) sticky: bool,
}

/// Multiplies rows of w by one direction of a constraint: row r, column b by (1 - k_r k_b)^times.
///
/// `near_rows` holds the kernel k_r of one end at each of the rows, `columns` that of the other end,
/// whose blocks are used `from` some on.
pub(super) fn reduce(
    rows: &mut Rows<'_>,
    near_rows: &[f64],
    columns: &Support,
    from: usize,
    times: f64,
) {
    let whole = times.floor().min(f64::from(u32::MAX));
    let part = times - whole;
    let (blocks, values) = (&columns.blocks[from..], &columns.values[from * LANES..]);
    reduce_rows(rows, near_rows, blocks, values, whole as u32, part);
}

simd_dispatch!(
    fn reduce_rows(
        rows: &mut Rows<'_>,
        near_rows: &[f64],
        blocks: &[u32],
        values: &[f64],
        whole: u32,
        part: f64,
    ) = reduce_rows_body,
    f64x8
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn reduce_rows_body<V: Simd<Scalar = f64>>(
    rows: &mut Rows<'_>,
    near_rows: &[f64],
    blocks: &[u32],
    values: &[f64],
    whole: u32,
    part: f64,
) {
    let stride = rows.weights.len() / LANES;
    let each_row = rows
        .weights
        .chunks_exact_mut(stride)
        .zip(rows.alive.chunks_exact_mut(stride / LANES));
    for ((row, alive), &k) in each_row.zip(near_rows) {
        if k == 0.0 {
            continue;
        }
        // SAFETY: the caller's promise.
        unsafe {
            let (minus_k, one, vanished) = (V::splat(-k), V::splat(1.0), V::splat(VANISHED));
            let half = V::splat(0.5);
            for (&block, values) in blocks.iter().zip(values.chunks_exact(LANES)) {
                let block = block as usize;
                if !alive[block] {
                    continue;
                }
                let at = block * LANES;
                let weights = row[at..at + LANES].chunks_exact_mut(V::WIDTH);
                let mut left = 0;
                for (weights, values) in weights.zip(values.chunks_exact(V::WIDTH)) {
                    let factor = minus_k.mul_add(V::load(values), one);
                    let before = V::load(weights);
                    let product = before.mul(power(factor, one, whole, part));
                    let mut after = vanished.where_at_most(product, product);
                    if rows.sticky {
                        let least = half.where_at_most(factor, vanished);
                        after = after.max(vanished.where_at_most(before, least));
                    }
                    left |= vanished.mask_at_most(after);
                    after.store(weights);
                }
                alive[block] = left != 0;
            }
        }
    }
}

/// base^(whole + part), with 0 <= base <= 1, whole >= 0 and 0 <= part < 1.
///
/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn power<V: Simd<Scalar = f64>>(base: V, one: V, whole: u32, part: f64) -> V {
    if whole == 1 && part == 0.0 {
        return base;
    }
    // SAFETY: the caller's promise.
    unsafe {
        let vanished = V::splat(VANISHED);
        let mut result = one;
        let (mut square, mut left) = (base, whole);
        while left > 0 {
            if left & 1 == 1 {
                result = result.mul(square);
            }
            square = square.mul(square);
            square = vanished.where_at_most(square, square);
            left >>= 1;
        }
        if part > 0.0 {
            let mut lanes = [0.0; 8];
            base.store(&mut lanes);
            result = result.mul(V::load(&lanes.map(|base| base.powf(part))));
        }
        result
    }
}
