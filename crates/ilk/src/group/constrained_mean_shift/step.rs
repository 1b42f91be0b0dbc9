//! The centres and sampling points of one iteration, in slots.

use super::{centers::Centers, params::ConstrainedMeanShift, weights::WeightMatrix};
use crate::{numerics::blocks::Blocks, problem::CannotLinkSets};

/// The data as sampling points.
pub(super) struct Samples {
    pub(super) blocks: Blocks,
    pub(super) all_blocks: Vec<u32>,
    /// How many points each slot counts for.
    pub(super) counts: Vec<f64>,
}

impl Samples {
    pub(super) fn new(rows: &[f64], dims: usize, counts: Option<&[f64]>) -> Self {
        let blocks = Blocks::new(rows, dims);
        let ones = vec![1.0; blocks.len()];
        Self::of_blocks(blocks, counts.unwrap_or(&ones))
    }

    /// Points in slots that count as often as `counts` says, in the order of the input.
    pub(super) fn of_blocks(blocks: Blocks, counts: &[f64]) -> Self {
        Self {
            all_blocks: (0..blocks.n_blocks() as u32).collect(),
            counts: blocks.arrange(counts, 0.0),
            blocks,
        }
    }
}

/// One iteration: the centres in slots, and the slot of every sampling point's centre.
pub(super) struct Step {
    pub(super) centers: Blocks,
    pub(super) pairs: Vec<CenterPair>,
    pub(super) slot_of: Vec<u32>,
    pub(super) h: f64,
}

impl Step {
    pub(super) fn new(centers: &Centers, separated: &CannotLinkSets, h: f64) -> Self {
        let blocks = Blocks::new(&centers.places, centers.dims);
        let mut slot_of = vec![0; centers.len()];
        for (slot, &center) in blocks.order().iter().enumerate() {
            slot_of[center as usize] = slot as u32;
        }
        let slot_of_point: Vec<u32> =
            centers.center_of.iter().map(|&center| slot_of[center as usize]).collect();
        Self { pairs: center_pairs(separated, &slot_of_point), centers: blocks, slot_of, h }
    }

    pub(super) fn weight_matrix<'a>(&'a self, params: &ConstrainedMeanShift) -> WeightMatrix<'a> {
        WeightMatrix {
            centers: &self.centers,
            pairs: &self.pairs,
            shape: params.shape(),
            radius_sq: params.radius_sq(),
            widest: self.h,
            narrowest: params.narrowest,
            scale: params.constraint_scale,
            keep_smallest: false,
        }
    }
}

pub(super) struct View<'a> {
    pub(super) samples: &'a Samples,
    /// The slot of the centre of the sampling point in every slot.
    pub(super) slot_of_sample: Vec<u32>,
}

/// Two separated centres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CenterPair {
    /// The smaller number first; the same twice where points that are separated share a centre.
    pub(super) centers: [u32; 2],
    /// The number of cannot-links that this stands for, counting weights.
    pub(super) times: f64,
}

/// The pairs of separated centres, sorted, each once. `center_of` gives the centre of every point.
fn center_pairs(separated: &CannotLinkSets, center_of: &[u32]) -> Vec<CenterPair> {
    let centers_of = |set: &Vec<u32>| -> Vec<(u32, f64)> {
        let mut centers: Vec<u32> = set.iter().map(|&point| center_of[point as usize]).collect();
        centers.sort_unstable();
        let runs = centers.chunk_by(|a, b| a == b);
        runs.map(|run| (run[0], run.len() as f64)).collect()
    };
    let counted: Vec<Vec<(u32, f64)>> = separated.sets().iter().map(centers_of).collect();
    let mut pairs = Vec::new();
    for (sets, weight) in separated.pairs() {
        let [left, right] = sets.map(|set| &counted[set]);
        for &(a, count_a) in left {
            pairs.extend(right.iter().map(|&(b, count_b)| CenterPair {
                centers: [a.min(b), a.max(b)],
                times: count_a * count_b * weight,
            }));
        }
    }
    pairs.sort_unstable_by_key(|pair| pair.centers);
    pairs.dedup_by(|next, kept| {
        let same = next.centers == kept.centers;
        if same {
            kept.times += next.times;
        }
        same
    });
    pairs
}
