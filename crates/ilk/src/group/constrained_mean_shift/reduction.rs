//! The weights w of one iteration, a few rows at a time.

use rayon::prelude::*;

use super::apart::CenterPair;
use super::product::{Rows, Shape, Support, look_up, reduce};
use crate::numerics::blocks::{Blocks, LANES};

/// Rows of w in memory at a time take at most this.
const ROW_BYTES: usize = 1 << 30;

/// Kernels of constraints in memory at a time take at most this.
const SUPPORT_BYTES: usize = 512 << 20;

/// What the weights w depend on.
pub(super) struct Reduction<'a> {
    /// The distinct centres.
    pub(super) centers: &'a Blocks,
    /// The slots of centres that are apart.
    pub(super) pairs: &'a [CenterPair],
    /// The kernel around the ends of a constraint.
    pub(super) shape: Shape,
    /// Its reach, squared, in widths.
    pub(super) reach_sq: f64,
    /// No constraint's kernel is wider than this, the bandwidth.
    pub(super) widest: f64,
    /// None is narrower than this.
    pub(super) narrowest: f64,
    /// Its width by the length of the constraint.
    pub(super) scale: f64,
    /// Whether weights vanish as in the paper's program: see [`Rows::sticky`].
    pub(super) sticky: bool,
}

/// Memory for rows of w, reused from one iteration to the next.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    weights: Vec<f64>,
    alive: Vec<bool>,
}

/// One end of a constraint.
#[derive(Clone, Copy)]
struct End {
    slot: u32,
    other: u32,
    pair: u32,
    side: u8,
}

/// Where a block of rows lies in the kernel of one end of a constraint.
#[derive(Clone, Copy)]
struct Touch {
    pair: u32,
    end: u8,
    /// Which of the blocks of that end's support it is.
    position: u32,
}

impl Reduction<'_> {
    /// Calls `consume` with every block of rows, as (number of the block, its [`LANES`] rows, one
    /// after the other), and returns what it returned, in the order of the blocks. Rows and columns
    /// are slots of centres; the last block may hold rows without a centre.
    pub(super) fn rows<R: Send>(
        &self,
        buffer: &mut Buffer,
        consume: impl Fn(usize, &[f64]) -> R + Sync,
    ) -> Vec<R> {
        let blocks = self.centers.n_blocks();
        let stride = blocks * LANES;
        let block_len = LANES * stride;
        let blocks_at_once = (ROW_BYTES / (8 * block_len)).clamp(1, blocks.max(1));
        // w is symmetric: where all rows fit, the columns before a row's own are those of other rows.
        let symmetric = blocks_at_once == blocks;
        let mut kept = None;
        let mut results = Vec::with_capacity(blocks);
        for first in (0..blocks).step_by(blocks_at_once) {
            let part = first..blocks.min(first + blocks_at_once);
            let Buffer { weights, alive } = &mut *buffer;
            weights.clear();
            weights.resize(part.len() * block_len, 1.0);
            alive.clear();
            alive.resize(part.len() * stride, true);
            let mut done = 0;
            while done < self.pairs.len() {
                let batch = kept.take().unwrap_or_else(|| self.look_up(done));
                weights
                    .par_chunks_exact_mut(block_len)
                    .zip(alive.par_chunks_exact_mut(stride))
                    .zip(part.clone())
                    .for_each(|((weights, alive), block)| {
                        let first = if symmetric { block } else { 0 };
                        let sticky = self.sticky;
                        let mut rows = Rows {
                            weights,
                            alive,
                            sticky,
                        };
                        batch.apply(block, first, &mut rows);
                    });
                done += batch.pairs.len();
                if batch.pairs.len() == self.pairs.len() {
                    kept = Some(batch);
                }
            }
            let weights = &*weights;
            results.par_extend(
                part.clone()
                    .into_par_iter()
                    .map_init(Vec::new, |copy, block| {
                        let at = (block - part.start) * block_len;
                        let rows = &weights[at..at + block_len];
                        if symmetric && block > 0 {
                            copy.clear();
                            copy.extend_from_slice(rows);
                            mirror(weights, stride, block, copy);
                            consume(block, copy)
                        } else {
                            consume(block, rows)
                        }
                    }),
            );
        }
        results
    }

    /// The kernels of as many pairs, from number `first` on, as there is memory for.
    fn look_up(&self, first: usize) -> Batch<'_> {
        let blocks = self.centers.n_blocks();
        // Even if every kernel reached every centre, this many would fit.
        let certain = (SUPPORT_BYTES / 2 / (2 * 8 * blocks * LANES)).max(1);
        let mut supports: Vec<[Support; 2]> = Vec::new();
        let mut bytes = 0;
        for pairs in self.pairs[first..].chunks(certain) {
            let found = self.supports_of(pairs);
            bytes += found.iter().flatten().map(Support::bytes).sum::<usize>();
            supports.extend(found);
            if bytes > SUPPORT_BYTES / 2 {
                break;
            }
        }
        let pairs = &self.pairs[first..first + supports.len()];
        Batch::new(pairs, supports, blocks)
    }

    /// The kernels of both ends of every pair. Pairs that share an end share its distances.
    fn supports_of(&self, pairs: &[CenterPair]) -> Vec<[Support; 2]> {
        let mut ends: Vec<End> = pairs
            .iter()
            .enumerate()
            .flat_map(|(pair, CenterPair { centers, .. })| {
                [0, 1].map(|side| End {
                    slot: centers[side],
                    other: centers[1 - side],
                    pair: pair as u32,
                    side: side as u8,
                })
            })
            .collect();
        ends.sort_unstable_by_key(|end| (end.slot, end.pair, end.side));
        let by_slot: Vec<&[End]> = ends.chunk_by(|a, b| a.slot == b.slot).collect();
        let found: Vec<Vec<Support>> = by_slot
            .par_iter()
            .map_init(Vec::new, |dist_sq, ends| self.supports(ends, dist_sq))
            .collect();
        let mut supports = vec![[Support::default(), Support::default()]; pairs.len()];
        for (end, support) in ends.iter().zip(found.into_iter().flatten()) {
            supports[end.pair as usize][end.side as usize] = support;
        }
        supports
    }

    /// The kernels of constraints that end in one centre.
    fn supports(&self, ends: &[End], dist_sq: &mut Vec<f64>) -> Vec<Support> {
        let Some(first) = ends.first() else {
            return Vec::new();
        };
        let x = self.place(first.slot as usize);
        self.centers.distances(&x, dist_sq);
        ends.iter()
            .map(|end| {
                let length = dist_sq[end.other as usize].sqrt();
                let width = (self.scale * length).max(self.narrowest).min(self.widest);
                let width_sq = width * width;
                // The kernel itself decides at its edge, where rounding may go either way.
                let reach_sq = self.reach_sq * width_sq * (1.0 + 1e-12);
                look_up(dist_sq, reach_sq, 1.0 / width_sq, self.shape)
            })
            .collect()
    }

    fn place(&self, slot: usize) -> Vec<f64> {
        let dims = self.centers.dims();
        let at = slot / LANES * dims * LANES + slot % LANES;
        (0..dims)
            .map(|k| self.centers.coords()[at + k * LANES])
            .collect()
    }
}

/// Some constraints with their kernels, by the blocks of rows that they touch.
struct Batch<'a> {
    pairs: &'a [CenterPair],
    supports: Vec<[Support; 2]>,
    offsets: Vec<usize>,
    touches: Vec<Touch>,
}

impl<'a> Batch<'a> {
    fn new(pairs: &'a [CenterPair], supports: Vec<[Support; 2]>, blocks: usize) -> Self {
        let mut offsets = vec![0; blocks + 1];
        for block in supports.iter().flatten().flat_map(|end| &end.blocks) {
            offsets[*block as usize + 1] += 1;
        }
        for block in 0..blocks {
            offsets[block + 1] += offsets[block];
        }
        let nowhere = Touch {
            pair: 0,
            end: 0,
            position: 0,
        };
        let mut touches = vec![nowhere; offsets[blocks]];
        let mut next = offsets.clone();
        for (pair, ends) in supports.iter().enumerate() {
            for (end, support) in ends.iter().enumerate() {
                for (position, &block) in support.blocks.iter().enumerate() {
                    touches[next[block as usize]] = Touch {
                        pair: pair as u32,
                        end: end as u8,
                        position: position as u32,
                    };
                    next[block as usize] += 1;
                }
            }
        }
        Self {
            pairs,
            supports,
            offsets,
            touches,
        }
    }

    /// Multiplies the rows of a block, from the block of columns `first` on, by all factors that
    /// touch them.
    fn apply(&self, block: usize, first: usize, rows: &mut Rows<'_>) {
        for touch in &self.touches[self.offsets[block]..self.offsets[block + 1]] {
            let pair = touch.pair as usize;
            let ends = &self.supports[pair];
            let (here, there) = (&ends[touch.end as usize], &ends[1 - touch.end as usize]);
            let at = touch.position as usize * LANES;
            let near_rows = &here.values[at..at + LANES];
            let from = there.blocks.partition_point(|&b| (b as usize) < first);
            reduce(rows, near_rows, there, from, self.pairs[pair].times);
        }
    }
}

/// Fills in the columns before a block of rows from the rows of those columns.
fn mirror(all: &[f64], stride: usize, block: usize, rows: &mut [f64]) {
    let own = block * LANES;
    for other in 0..block {
        for column in other * LANES..(other + 1) * LANES {
            let from = &all[column * stride + own..][..LANES];
            for (lane, &w) in from.iter().enumerate() {
                rows[lane * stride + column] = w;
            }
        }
    }
}
