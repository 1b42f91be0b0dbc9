//! The points around one place, copied together.

use super::density::{Density, Scratch};
use crate::numerics::blocks::{LANES, PADDING, slots_within};
use crate::numerics::distances::dist_sq;
use crate::similarity::sums::{InverseSquare, weighted_sums};

/// The points around one place, copied together: all that a step can touch while the query stays
/// within `skin` of `anchor`. Exact, by the triangle inequality.
#[derive(Default)]
pub(super) struct Surroundings {
    anchor: Vec<f64>,
    skin: f64,
    coords: Vec<f64>,
    inverse_square: Vec<f64>,
    mass: Vec<f64>,
    blocks: Vec<u32>,
}

impl Surroundings {
    /// Whether a step from `x` can use these points.
    pub(super) fn cover(&self, x: &[f64]) -> bool {
        !self.anchor.is_empty() && dist_sq(&self.anchor, x) <= self.skin * self.skin
    }

    /// Forgets everything, for the next point.
    pub(super) fn clear(&mut self) {
        self.anchor.clear();
    }

    /// Copies the points within the kernel's support plus `skin` of `x`.
    pub(super) fn gather(
        &mut self,
        density: &Density,
        x: &[f64],
        skin: f64,
        scratch: &mut Scratch,
    ) {
        let dims = density.dims();
        let support = density.kernel.support().unwrap_or(f64::INFINITY);
        let reach = (support * density.widest + skin) * (1.0 + 1e-12);
        scratch.near.clear();
        density.blocks.near(x, reach * reach, &mut scratch.near);
        scratch.slots.clear();
        slots_within(
            density.blocks.coords(),
            &scratch.near,
            x,
            reach * reach,
            &mut scratch.slots,
        );

        self.anchor.clear();
        self.anchor.extend_from_slice(x);
        self.skin = skin;
        let n_blocks = scratch.slots.len().div_ceil(LANES);
        self.blocks.clear();
        self.blocks.extend(0..n_blocks as u32);
        self.coords.clear();
        self.coords.resize(n_blocks * dims * LANES, PADDING);
        for (to, &from) in scratch.slots.iter().enumerate() {
            let row = &density.rows[from as usize * density.padded..][..dims];
            let to = &mut self.coords[to / LANES * dims * LANES + to % LANES..];
            for (to, &x) in to.iter_mut().step_by(LANES).zip(row) {
                *to = x;
            }
        }
        let copy = |to: &mut Vec<f64>, from: &[f64]| {
            to.clear();
            if !from.is_empty() {
                to.extend(scratch.slots.iter().map(|&slot| from[slot as usize]));
                to.resize(n_blocks * LANES, 0.0);
            }
        };
        copy(&mut self.inverse_square, &density.inverse_square);
        copy(&mut self.mass, &density.mass);
        if !self.inverse_square.is_empty() {
            // A lane without a point must stay out of reach.
            self.inverse_square[scratch.slots.len()..].fill(1.0);
        }
    }

    /// One step of `x` over these points; returns Σ w.
    pub(super) fn shift(&self, density: &Density, x: &mut [f64], scratch: &mut Scratch) -> f64 {
        let mut lanes = density.lanes();
        lanes.coords = &self.coords;
        if !self.inverse_square.is_empty() {
            lanes.inverse_square = InverseSquare::Each(&self.inverse_square);
        }
        if !self.mass.is_empty() {
            lanes.mass = Some(&self.mass);
        }
        scratch.sums.resize(x.len() + 1, 0.0);
        weighted_sums(
            lanes,
            density.kernel.profile,
            density.kernel.truncation,
            &self.blocks,
            x,
            &mut scratch.lane_sums,
            &mut scratch.sums,
        );
        density.apply(x, &scratch.sums)
    }
}
