//! The points around a position, in single precision, for the flat kernel.
//!
//! A step under a flat kernel asks which points lie in a ball. The queries run in single precision
//! and give exactly the answer of double precision: see
//! [`ball_f32`](crate::numerics::ball_f32).

use super::density::{Density, DensityScratch};
use super::neighbor_cache::Anchor;
use crate::numerics::ball_f32::F32Points;
use crate::numerics::blocks::{BLOCK_LEN, BLOCK_LEN_F32};

/// Data that extend farther than this many bandwidths from their center leave single precision too
/// much undecided.
const MAX_EXTENT: f64 = 1e5;

/// Caches that a worker keeps. Neighbouring points ascend to the same modes, so a step that leaves
/// one cache often finds another that covers it.
const MAX_CACHES: usize = 16;

/// Before another is gathered, the caches of a worker hold at most this many times all points.
const MAX_COPIES: usize = 6;

/// The points that a step can touch while its position stays within the skin of the anchor; or all
/// points, where there is no anchor. Coordinates and radii are in units of the median bandwidth.
#[derive(Default)]
pub(super) struct F32NeighborCache {
    anchor: Anchor,
    points: F32Points,
    /// All blocks of `points`.
    blocks: Vec<u32>,
}

impl F32NeighborCache {
    /// All points of the density; nothing where single precision is not enough.
    pub(super) fn of_all_points(density: &Density) -> Option<Self> {
        let h = density.widths.median;
        if density.extent() > MAX_EXTENT * h {
            return None;
        }
        let radii = density.widths.radius_sq.iter();
        let radii = radii.map(|radius_sq| (radius_sq.sqrt() / h) as f32);
        let coords = density.blocks.coords_f32(1.0 / h);
        Some(Self {
            points: F32Points::new(coords, density.dims(), radii.collect()),
            ..Self::default()
        })
    }

    /// Fills `to` with the points within the widest bandwidth plus `skin` of `x`. `self` must hold
    /// all points.
    fn gather(
        &self,
        density: &Density,
        x: &[f64],
        skin: f64,
        scratch: &mut DensityScratch,
        to: &mut Self,
    ) {
        let radius = density.widths.widest + skin;
        list_blocks(density, x, radius, scratch);
        to.anchor.set(x, skin);
        let query = &scratch.queries_f32;
        self.points.gather(&scratch.near, query, radius / density.widths.median, &mut to.points);
        let n_blocks = to.points.n_lanes() / BLOCK_LEN_F32;
        to.blocks.clear();
        to.blocks.extend(0..n_blocks as u32);
    }

    /// The mean of the points in whose flat kernel `x` lies, all of which must be here, into `mean`;
    /// returns their weight. The same bits whatever other points are here.
    fn mean_of_members(
        &self,
        density: &Density,
        x: &[f64],
        mean: &mut [f64],
        scratch: &mut DensityScratch,
    ) -> f64 {
        let blocks = if self.anchor.is_set() {
            density.to_f32(x, &mut scratch.queries_f32);
            &self.blocks
        } else {
            list_blocks(density, x, density.widths.widest, scratch);
            &scratch.near
        };
        let is_member = |slot: u32| density.is_member(slot, x);
        let (query, members) = (&scratch.queries_f32, &mut scratch.slots);
        let count = self.points.members(blocks, query, &is_member, members);
        density.mean_of(&scratch.slots[..count], mean)
    }
}

/// Writes `x` in single precision to `scratch.queries_f32`, and to `scratch.near` the blocks that
/// may hold a point within `radius` of it.
fn list_blocks(density: &Density, x: &[f64], radius: f64, scratch: &mut DensityScratch) {
    density.to_f32(x, &mut scratch.queries_f32);
    scratch.near.clear();
    density.blocks.near(x, radius * radius, &mut scratch.near);
    for block in &mut scratch.near {
        *block /= (BLOCK_LEN_F32 / BLOCK_LEN) as u32;
    }
    scratch.near.dedup();
}

/// The caches around positions that a worker used last.
#[derive(Default)]
pub(super) struct F32NeighborCaches {
    caches: Vec<F32NeighborCache>,
    /// When each was used last.
    last_used: Vec<usize>,
    now: usize,
}

impl F32NeighborCaches {
    /// As [`Density::mean_of_members`], over a cache that covers `x`. If there is none, one with
    /// this skin is gathered; without a skin, all points are searched.
    pub(super) fn mean_of_members(
        &mut self,
        all_points: &F32NeighborCache,
        density: &Density,
        x: &[f64],
        skin: Option<f64>,
        mean: &mut [f64],
        scratch: &mut DensityScratch,
    ) -> f64 {
        let covering = (0..self.caches.len()).filter(|&i| self.caches[i].anchor.covers(x));
        let smallest = covering.min_by_key(|&i| self.caches[i].points.n_lanes());
        let at = match (smallest, skin) {
            (Some(at), _) => at,
            (None, Some(skin)) => {
                let at = self.make_room(MAX_COPIES * all_points.points.n_lanes());
                all_points.gather(density, x, skin, scratch, &mut self.caches[at]);
                at
            }
            (None, None) => return all_points.mean_of_members(density, x, mean, scratch),
        };
        self.now += 1;
        self.last_used[at] = self.now;
        self.caches[at].mean_of_members(density, x, mean, scratch)
    }

    /// The index for the next cache: a new one, or that of the least recently used. Before that, the
    /// least recently used are dropped while all of them together hold more than `max_lanes`.
    fn make_room(&mut self, max_lanes: usize) -> usize {
        let oldest = |used: &[usize]| (0..used.len()).min_by_key(|&at| used[at]).unwrap_or(0);
        let lanes = |cache: &F32NeighborCache| cache.points.n_lanes();
        while self.caches.iter().map(lanes).sum::<usize>() > max_lanes {
            let at = oldest(&self.last_used);
            self.caches.swap_remove(at);
            self.last_used.swap_remove(at);
        }
        if self.caches.len() < MAX_CACHES {
            self.caches.push(F32NeighborCache::default());
            self.last_used.push(self.now);
            self.caches.len() - 1
        } else {
            oldest(&self.last_used)
        }
    }
}
