//! The weights w of one iteration, a few rows at a time.

use rayon::prelude::*;

use super::step::CenterPair;
use crate::numerics::blocks::{BLOCK_LEN, Blocks};
use crate::numerics::ragged::RaggedRows;
use crate::numerics::weight_products::{Shape, Support, WeightRows, look_up, reduce};

/// Rows of w in memory at a time take at most this.
const ROW_BYTES: usize = 1 << 30;

/// Kernels of constraints in memory at a time take at most this.
const SUPPORT_BYTES: usize = 512 << 20;

/// The inputs of the weights w.
pub(super) struct WeightMatrix<'a> {
    /// The distinct centres.
    pub(super) centers: &'a Blocks,
    /// The slots of centres with a cannot-link between them.
    pub(super) pairs: &'a [CenterPair],
    /// The kernel around the ends of a constraint.
    pub(super) shape: Shape,
    /// The squared radius of its support, in widths.
    pub(super) radius_sq: f64,
    /// No constraint's kernel is wider than this, the bandwidth.
    pub(super) widest: f64,
    /// None is narrower than this.
    pub(super) narrowest: f64,
    /// Its width by the length of the constraint.
    pub(super) scale: f64,
    /// Whether weights become 0 as in the paper's program: see [`WeightRows::keep_smallest`].
    pub(super) keep_smallest: bool,
}

/// Memory for rows of w, reused from one iteration to the next.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    weights: Vec<f64>,
    is_positive: Vec<bool>,
}

#[derive(Clone, Copy)]
struct PairEnd {
    slot: u32,
    other: u32,
    pair: u32,
    side: u8,
}

/// A block of rows in the support of the kernel of one end of a constraint.
#[derive(Clone, Copy, Default)]
struct Overlap {
    pair: u32,
    end: u8,
    /// The index of the block in that support.
    position: u32,
}

impl WeightMatrix<'_> {
    /// Calls `consume` with every block of rows, as (number of the block, its [`BLOCK_LEN`] rows, one
    /// after the other), and returns what it returned, in the order of the blocks. Rows and columns
    /// are slots of centres; the last block may hold rows without a centre.
    pub(super) fn rows<R: Send>(
        &self,
        buffer: &mut Buffer,
        consume: impl Fn(usize, &[f64]) -> R + Sync,
    ) -> Vec<R> {
        let blocks = self.centers.n_blocks();
        let stride = blocks * BLOCK_LEN;
        let block_len = BLOCK_LEN * stride;
        let blocks_at_once = (ROW_BYTES / (8 * block_len)).clamp(1, blocks.max(1));
        // w is symmetric: where all rows fit, the columns before a row's own are those of other rows.
        let symmetric = blocks_at_once == blocks;
        let mut kept = None;
        let mut results = Vec::with_capacity(blocks);
        for first in (0..blocks).step_by(blocks_at_once) {
            let part = first..blocks.min(first + blocks_at_once);
            let Buffer { weights, is_positive } = &mut *buffer;
            weights.clear();
            weights.resize(part.len() * block_len, 1.0);
            is_positive.clear();
            is_positive.resize(part.len() * stride, true);
            let mut done = 0;
            while done < self.pairs.len() {
                let batch = kept.take().unwrap_or_else(|| self.look_up(done));
                weights
                    .par_chunks_exact_mut(block_len)
                    .zip(is_positive.par_chunks_exact_mut(stride))
                    .zip(part.clone())
                    .for_each(|((weights, is_positive), block)| {
                        let first = if symmetric { block } else { 0 };
                        let mut rows =
                            WeightRows { weights, is_positive, keep_smallest: self.keep_smallest };
                        batch.apply(block, first, &mut rows);
                    });
                done += batch.pairs.len();
                if batch.pairs.len() == self.pairs.len() {
                    kept = Some(batch);
                }
            }
            let weights = &*weights;
            results.par_extend(part.clone().into_par_iter().map_init(Vec::new, |copy, block| {
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
            }));
        }
        results
    }

    /// The kernels of as many pairs, from number `first` on, as there is memory for.
    fn look_up(&self, first: usize) -> Batch<'_> {
        let blocks = self.centers.n_blocks();
        // Even if every kernel covered every centre, this many would fit.
        let batch_len = (SUPPORT_BYTES / 2 / (2 * 8 * blocks * BLOCK_LEN)).max(1);
        let mut supports: Vec<[Support; 2]> = Vec::new();
        let mut bytes = 0;
        for pairs in self.pairs[first..].chunks(batch_len) {
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
        let mut ends: Vec<PairEnd> = pairs
            .iter()
            .enumerate()
            .flat_map(|(pair, CenterPair { centers, .. })| {
                [0, 1].map(|side| PairEnd {
                    slot: centers[side],
                    other: centers[1 - side],
                    pair: pair as u32,
                    side: side as u8,
                })
            })
            .collect();
        ends.sort_unstable_by_key(|end| (end.slot, end.pair, end.side));
        let by_slot: Vec<&[PairEnd]> = ends.chunk_by(|a, b| a.slot == b.slot).collect();
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
    fn supports(&self, ends: &[PairEnd], dist_sq: &mut Vec<f64>) -> Vec<Support> {
        let Some(first) = ends.first() else {
            return Vec::new();
        };
        let x: Vec<f64> = self.centers.point(first.slot as usize).collect();
        self.centers.distances(&x, dist_sq);
        ends.iter()
            .map(|end| {
                let length = dist_sq[end.other as usize].sqrt();
                let width = (self.scale * length).max(self.narrowest).min(self.widest);
                let width_sq = width * width;
                // A little more than the support: the kernel itself is 0 beyond its edge.
                let radius_sq = self.radius_sq * width_sq * (1.0 + 1e-12);
                look_up(dist_sq, radius_sq, 1.0 / width_sq, self.shape)
            })
            .collect()
    }
}

/// Some constraints with their kernels, by the blocks of rows that they overlap.
struct Batch<'a> {
    pairs: &'a [CenterPair],
    supports: Vec<[Support; 2]>,
    /// Those of every block of rows.
    overlaps: RaggedRows<Overlap>,
}

impl<'a> Batch<'a> {
    fn new(pairs: &'a [CenterPair], supports: Vec<[Support; 2]>, blocks: usize) -> Self {
        let ends = (0..).zip(&supports);
        let ends = ends.flat_map(|(pair, ends)| (0..).zip(ends).map(move |end| (pair, end)));
        let overlaps = ends.flat_map(|(pair, (end, support))| {
            (0..).zip(&support.blocks).map(move |(position, &block)| {
                let overlap = Overlap { pair, end, position };
                (block as usize, overlap)
            })
        });
        Self { overlaps: RaggedRows::new(blocks, overlaps), pairs, supports }
    }

    /// Multiplies the rows of a block, from the block of columns `first` on, by all factors that
    /// overlap them.
    fn apply(&self, block: usize, first: usize, rows: &mut WeightRows<'_>) {
        for overlap in self.overlaps.row(block) {
            let pair = overlap.pair as usize;
            let ends = &self.supports[pair];
            let (here, there) = (&ends[overlap.end as usize], &ends[1 - overlap.end as usize]);
            let at = overlap.position as usize * BLOCK_LEN;
            let row_kernel = &here.values[at..at + BLOCK_LEN];
            let from = there.blocks.partition_point(|&b| (b as usize) < first);
            reduce(rows, row_kernel, there, from, self.pairs[pair].times);
        }
    }
}

/// Fills in the columns before a block of rows from the rows of those columns.
fn mirror(all: &[f64], stride: usize, block: usize, rows: &mut [f64]) {
    let own = block * BLOCK_LEN;
    for other in 0..block {
        for column in other * BLOCK_LEN..(other + 1) * BLOCK_LEN {
            let from = &all[column * stride + own..][..BLOCK_LEN];
            for (lane, &w) in from.iter().enumerate() {
                rows[lane * stride + column] = w;
            }
        }
    }
}
