//! What one iteration works on: centres and sampling points in slots.

use super::apart::{Apart, CenterPair};
use super::centers::Centers;
use super::reduction::Reduction;
use super::shift::ConstrainedMeanShift;
use crate::numerics::blocks::{Blocks, LANES};

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
        let counts = if let Some(counts) = counts {
            blocks.arrange(counts, 0.0)
        } else {
            let mut ones = vec![1.0; blocks.len()];
            ones.resize(blocks.n_blocks() * LANES, 0.0);
            ones
        };
        Self {
            all_blocks: (0..blocks.n_blocks() as u32).collect(),
            blocks,
            counts,
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
    pub(super) fn new(centers: &Centers, apart: &Apart, h: f64) -> Self {
        let blocks = Blocks::new(&centers.places, centers.dims);
        let mut slot_of = vec![0; centers.len()];
        for (slot, &center) in blocks.order().iter().enumerate() {
            slot_of[center as usize] = slot as u32;
        }
        let slot_of_point: Vec<u32> = centers
            .center_of
            .iter()
            .map(|&center| slot_of[center as usize])
            .collect();
        Self {
            pairs: apart.center_pairs(&slot_of_point),
            centers: blocks,
            slot_of,
            h,
        }
    }

    pub(super) fn reduction<'a>(&'a self, params: &ConstrainedMeanShift) -> Reduction<'a> {
        Reduction {
            centers: &self.centers,
            pairs: &self.pairs,
            shape: params.shape(),
            reach_sq: params.reach_sq(),
            widest: self.h,
            narrowest: params.narrowest,
            scale: params.constraint_scale,
            sticky: false,
        }
    }
}

/// The sampling points as one iteration sees them.
pub(super) struct View<'a> {
    pub(super) samples: &'a Samples,
    /// The slot of the centre of the sampling point in every slot.
    pub(super) slot_of_sample: Vec<u32>,
}
