//! The points around a position, copied together, for kernels with bounded support.
//!
//! A step needs only the points within the kernel's support. A cache holds those within the support
//! plus a skin, so that it stays exact, by the triangle inequality, while the position moves by less
//! than the skin (a Verlet list).

use super::density::{Density, DensityScratch};
use crate::numerics::blocks::{BLOCK_LEN, PADDING, PerLane};
use crate::numerics::{ball::slots_within, distances::dist_sq};
use crate::similarity::kernel_sums::weighted_sums;

/// The position that a cache was gathered around, and how far from it the cache can be used.
#[derive(Debug, Default)]
pub(super) struct Anchor {
    position: Vec<f64>,
    skin: f64,
}

impl Anchor {
    pub(super) fn set(&mut self, position: &[f64], skin: f64) {
        self.position.clear();
        self.position.extend_from_slice(position);
        self.skin = skin;
    }

    pub(super) fn clear(&mut self) {
        self.position.clear();
    }

    pub(super) fn is_set(&self) -> bool {
        !self.position.is_empty()
    }

    /// Whether a step from `x` can use the cache.
    pub(super) fn covers(&self, x: &[f64]) -> bool {
        self.is_set() && dist_sq(&self.position, x) <= self.skin * self.skin
    }
}

/// The skin before the first step, in bandwidths.
const FIRST_SKIN: f64 = 0.25;
/// The skin after a step, as a multiple of its length. Steps shorten as a point nears its mode, so a
/// few times the last one covers the rest of the way.
const SKIN_PER_STEP: f64 = 2.5;
/// The range of skins, in bandwidths.
const SKIN_RANGE: [f64; 2] = [0.02, 0.5];

/// The skin, in bandwidths, after a step of this many bandwidths, or before any.
pub(super) fn skin_after(step: Option<f64>) -> f64 {
    let [smallest, largest] = SKIN_RANGE;
    step.map_or(FIRST_SKIN, |step| (SKIN_PER_STEP * step).clamp(smallest, largest))
}

/// The points that a step can touch while its position stays within the skin of the anchor.
#[derive(Default)]
pub(super) struct NeighborCache {
    anchor: Anchor,
    coords: Vec<f64>,
    inverse_bandwidth_sq: Vec<f64>,
    mass: Vec<f64>,
    blocks: Vec<u32>,
}

impl NeighborCache {
    /// Whether a step from `x` can use these points.
    pub(super) fn covers(&self, x: &[f64]) -> bool {
        self.anchor.covers(x)
    }

    /// Forgets all points, for the next trajectory.
    pub(super) fn clear(&mut self) {
        self.anchor.clear();
    }

    /// Copies the points within the kernel's support plus `skin` of `x`.
    pub(super) fn gather(
        &mut self,
        density: &Density,
        x: &[f64],
        skin: f64,
        scratch: &mut DensityScratch,
    ) {
        let dims = density.dims();
        let support = density.kernel.support().unwrap_or(f64::INFINITY);
        let radius = (support * density.widths.widest + skin) * (1.0 + 1e-12);
        let radius_sq = radius * radius;
        scratch.near.clear();
        density.blocks.near(x, radius_sq, &mut scratch.near);
        scratch.slots.clear();
        slots_within(
            density.blocks.coords(),
            &scratch.near,
            x,
            PerLane::Same(radius_sq),
            &mut scratch.slots,
        );

        self.anchor.set(x, skin);
        let n_blocks = scratch.slots.len().div_ceil(BLOCK_LEN);
        self.blocks.clear();
        self.blocks.extend(0..n_blocks as u32);
        self.coords.clear();
        self.coords.resize(n_blocks * dims * BLOCK_LEN, PADDING);
        for (to, &from) in scratch.slots.iter().enumerate() {
            let row = &density.rows[from as usize * density.padded..][..dims];
            let to = &mut self.coords[to / BLOCK_LEN * dims * BLOCK_LEN + to % BLOCK_LEN..];
            for (to, &x) in to.iter_mut().step_by(BLOCK_LEN).zip(row) {
                *to = x;
            }
        }
        let copy = |to: &mut Vec<f64>, from: &[f64], padding: f64| {
            to.clear();
            if !from.is_empty() {
                to.extend(scratch.slots.iter().map(|&slot| from[slot as usize]));
                to.resize(n_blocks * BLOCK_LEN, padding);
            }
        };
        // With a bandwidth of 1, a lane without a point is outside every support.
        let each = &density.widths.inverse_bandwidth_sq;
        copy(&mut self.inverse_bandwidth_sq, each, 1.0);
        copy(&mut self.mass, &density.widths.mass, 0.0);
    }

    /// One step of `x` over these points; returns Σ w.
    pub(super) fn shift(
        &self,
        density: &Density,
        x: &mut [f64],
        scratch: &mut DensityScratch,
    ) -> f64 {
        let mut sources = density.sources();
        sources.coords = &self.coords;
        if !self.inverse_bandwidth_sq.is_empty() {
            sources.inverse_bandwidth_sq = PerLane::Each(&self.inverse_bandwidth_sq);
        }
        if !self.mass.is_empty() {
            sources.mass = Some(&self.mass);
        }
        scratch.sums.resize(x.len() + 1, 0.0);
        weighted_sums(
            sources,
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
