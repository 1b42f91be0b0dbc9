//! The points in and around a ball, in single precision.
//!
//! A step under a flat kernel asks which points lie in a ball. Single precision answers for nearly
//! all of them at half the traffic; the few that lie so close to the edge that rounding could tell
//! either way are asked again in double precision. The answer is therefore exactly that of double
//! precision.
//!
//! In units of the bandwidth, let D be the squared distance between x and a point p, D' the one
//! computed in single precision (unit roundoff u) from rounded coordinates, and A = |x|. Every
//! difference of coordinates is off by at most u (|p_k| + |x_k| + |p_k - x_k|), and |p| is at most
//! A + √D, so that
//!
//! ```text
//! |D' - D|  <=  u (d + 6) D  +  4 u A √D  +  6 u² A²        up to higher powers of u
//! ```
//!
//! At D = r² this is the width of the band around the edge of a ball of radius r in which D' decides
//! nothing; it is doubled here. Below the band D' only gets smaller, above it larger.

use super::density::{Density, Scratch};
use crate::numerics::blocks::{LANES, LANES_F32, block_dist_sq};
use crate::numerics::distances::dist_sq;
use crate::numerics::simd::{Simd, simd_dispatch};

/// Lanes of a vector.
const WIDTH: usize = 16;

/// Vectors in a block.
const VECTORS: usize = LANES_F32 / WIDTH;

/// Lanes of a block under construction: a vector may begin in its last lane.
const STAGE: usize = LANES_F32 + WIDTH;

/// Data that reach farther than this many bandwidths from their middle leave single precision too
/// much undecided.
const FARTHEST: f64 = 1e5;

/// Vicinities that a worker keeps. Neighbouring points climb to the same modes, and with this many
/// four in five steps that need another vicinity than the last find it there.
const KEPT: usize = 16;

/// Before another is gathered, the vicinities of a worker hold at most this many times all points,
/// in single precision.
const ROOM: usize = 6;

/// The points that a step can touch while its place stays within `skin` of `anchor`; or all points.
#[derive(Default)]
pub(super) struct Vicinity {
    anchor: Vec<f64>,
    skin: f64,
    /// Coordinates in bandwidths, in blocks of [`LANES_F32`].
    coords: Vec<f32>,
    /// The slot of each lane, ascending.
    slots: Vec<u32>,
    /// The bandwidth of the point in each lane, in median bandwidths; empty where all are the same.
    radii: Vec<f32>,
    blocks: Vec<u32>,
}

/// The edge of a ball of radius r around a place: below `low` a point is inside, above `high`
/// outside.
#[derive(Debug, Clone, Copy)]
struct Edge {
    relative: f64,
    linear: f64,
    constant: f64,
}

impl Edge {
    /// The edge of balls around the place `narrow`, which is in bandwidths.
    fn around(narrow: &[f32]) -> Self {
        let u = f64::from(f32::EPSILON) / 2.0;
        let out = narrow.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>();
        Self {
            relative: 2.0 * u * (narrow.len() as f64 + 10.0),
            linear: 8.0 * u * out.sqrt(),
            constant: 16.0 * u * u * out,
        }
    }

    fn high(self, radius: f64) -> f64 {
        radius * (radius * (1.0 + self.relative) + self.linear) + self.constant
    }
}

impl Vicinity {
    /// All points of the density; nothing where single precision is not enough.
    pub(super) fn everything(density: &Density) -> Option<Self> {
        let h = density.bandwidth;
        if density.extent() > FARTHEST * h {
            return None;
        }
        let coords = density.blocks.coords_f32(1.0 / h);
        let lanes = coords.len() / density.dims();
        let mut radii: Vec<f32> = density
            .reach_sq
            .iter()
            .map(|reach_sq| (reach_sq.sqrt() / h) as f32)
            .collect();
        if !radii.is_empty() {
            radii.resize(lanes, 1.0);
        }
        Some(Self {
            coords,
            slots: (0..lanes as u32).collect(),
            radii,
            ..Self::default()
        })
    }

    fn covers(&self, x: &[f64]) -> bool {
        dist_sq(&self.anchor, x) <= self.skin * self.skin
    }

    fn lanes(&self) -> usize {
        self.slots.len()
    }

    /// Fills `to` with the points within the widest bandwidth plus `skin` of `x`. `self` must hold
    /// all points.
    fn gather(
        &self,
        density: &Density,
        x: &[f64],
        skin: f64,
        scratch: &mut Scratch,
        to: &mut Self,
    ) {
        let reach = density.widest + skin;
        list_blocks(density, x, reach, scratch);
        let high = Edge::around(&scratch.narrow).high(reach / density.bandwidth) as f32;
        to.anchor.clear();
        to.anchor.extend_from_slice(x);
        to.skin = skin;
        to.coords.clear();
        to.slots.clear();
        to.radii.clear();
        gather_within(self, &scratch.near, &scratch.narrow, high, to);
        to.blocks.clear();
        to.blocks
            .extend(0..(to.coords.len() / (x.len() * LANES_F32)) as u32);
    }

    /// The mean of the points in whose flat kernel `x` lies, all of which must be here, into `mean`;
    /// returns their weight. The same bits whatever else is here.
    fn mean_of_members(
        &self,
        density: &Density,
        x: &[f64],
        mean: &mut [f64],
        scratch: &mut Scratch,
    ) -> f64 {
        let blocks = if self.anchor.is_empty() {
            list_blocks(density, x, density.widest, scratch);
            &scratch.near
        } else {
            density.narrow_to(x, &mut scratch.narrow);
            &self.blocks
        };
        let place = Place {
            exact: x,
            narrow: &scratch.narrow,
            edge: Edge::around(&scratch.narrow),
        };
        if scratch.slots.len() < self.lanes() + WIDTH {
            scratch.slots.resize(self.lanes() + WIDTH, 0);
        }
        let mut count = 0;
        find_in_ball(density, self, blocks, place, &mut scratch.slots, &mut count);
        density.mean_of(&scratch.slots[..count], mean)
    }
}

/// Writes `x` in bandwidths to `scratch.narrow`, and to `scratch.near` the blocks that
/// may hold a point within `reach` of it.
fn list_blocks(density: &Density, x: &[f64], reach: f64, scratch: &mut Scratch) {
    density.narrow_to(x, &mut scratch.narrow);
    scratch.near.clear();
    density.blocks.near(x, reach * reach, &mut scratch.near);
    for block in &mut scratch.near {
        *block /= (LANES_F32 / LANES) as u32;
    }
    scratch.near.dedup();
}

/// A place in both precisions.
#[derive(Clone, Copy)]
struct Place<'a> {
    exact: &'a [f64],
    narrow: &'a [f32],
    edge: Edge,
}

/// Vicinities of places that a worker has been at lately.
#[derive(Default)]
pub(super) struct Vicinities {
    kept: Vec<Vicinity>,
    /// When each was last of use.
    used: Vec<usize>,
    now: usize,
}

impl Vicinities {
    /// As [`Density::mean_of_members`], over a vicinity of `x` that reaches `skin` farther than the
    /// kernel if it has to be gathered.
    pub(super) fn mean_of_members(
        &mut self,
        everything: &Vicinity,
        density: &Density,
        x: &[f64],
        skin: Option<f64>,
        mean: &mut [f64],
        scratch: &mut Scratch,
    ) -> f64 {
        let covering = (0..self.kept.len()).filter(|&i| self.kept[i].covers(x));
        let at = match (covering.min_by_key(|&i| self.kept[i].lanes()), skin) {
            (Some(at), _) => at,
            (None, Some(skin)) => {
                let at = self.place(ROOM * everything.lanes());
                everything.gather(density, x, skin, scratch, &mut self.kept[at]);
                at
            }
            (None, None) => return everything.mean_of_members(density, x, mean, scratch),
        };
        self.now += 1;
        self.used[at] = self.now;
        self.kept[at].mean_of_members(density, x, mean, scratch)
    }

    /// Where the next vicinity goes: a new place, or that of the one unused for longest. Before that,
    /// as many of those are dropped as hold more than `room` points together.
    fn place(&mut self, room: usize) -> usize {
        let oldest = |used: &[usize]| (0..used.len()).min_by_key(|&at| used[at]).unwrap_or(0);
        while self.kept.iter().map(Vicinity::lanes).sum::<usize>() > room {
            let at = oldest(&self.used);
            self.kept.swap_remove(at);
            self.used.swap_remove(at);
        }
        if self.kept.len() < KEPT {
            self.kept.push(Vicinity::default());
            self.used.push(self.now);
            self.kept.len() - 1
        } else {
            oldest(&self.used)
        }
    }
}

simd_dispatch!(
    /// Writes to `members` the slots of the points in whose ball the place lies, and to `count` how
    /// many there are. `members` must have room for all lanes and a vector more.
    fn find_in_ball(
        density: &Density,
        vicinity: &Vicinity,
        blocks: &[u32],
        place: Place<'_>,
        members: &mut [u32],
        count: &mut usize,
    ) = find_body,
    f32x16
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn find_body<V: Simd<Scalar = f32>>(
    density: &Density,
    vicinity: &Vicinity,
    blocks: &[u32],
    place: Place<'_>,
    members: &mut [u32],
    count: &mut usize,
) {
    let size = place.narrow.len() * LANES_F32;
    let edge = place.edge;
    // SAFETY: the caller's promise.
    unsafe {
        let [shrunk, grown] =
            [1.0 - edge.relative, 1.0 + edge.relative].map(|f| V::splat(f as f32));
        let [linear, constant] = [edge.linear, edge.constant].map(|f| V::splat(f as f32));
        let bounds = |radius: V| {
            let low = radius.mul(radius.mul(shrunk).sub(linear)).sub(constant);
            let high = radius.mul(radius.mul(grown).add(linear)).add(constant);
            (low, high)
        };
        let same = bounds(V::splat(1.0));
        for &block in blocks {
            let block = block as usize;
            let coords = &vicinity.coords[block * size..(block + 1) * size];
            let dist_sq: [V; VECTORS] = block_dist_sq(coords, place.narrow);
            for (v, dist_sq) in dist_sq.into_iter().enumerate() {
                let first = block * LANES_F32 + v * WIDTH;
                let (low, high) = if vicinity.radii.is_empty() {
                    same
                } else {
                    bounds(V::load(&vicinity.radii[first..]))
                };
                let mut inside = dist_sq.mask_at_most(low);
                let mut undecided = dist_sq.mask_at_most(high) & !inside;
                let slots = &vicinity.slots[first..];
                while undecided != 0 {
                    let lane = undecided.trailing_zeros();
                    undecided &= undecided - 1;
                    let within = density.is_member(slots[lane as usize], place.exact);
                    inside |= u32::from(within) << lane;
                }
                V::compress_u32(inside, slots, &mut members[*count..]);
                *count += inside.count_ones() as usize;
            }
        }
    }
}

simd_dispatch!(
    /// Appends to `to` the points, in the given blocks of `from`, whose squared distance from `x` is
    /// at most `bound`, and fills up the last block.
    fn gather_within(from: &Vicinity, blocks: &[u32], x: &[f32], bound: f32, to: &mut Vicinity) = gather_body,
    f32x16
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn gather_body<V: Simd<Scalar = f32>>(
    from: &Vicinity,
    blocks: &[u32],
    x: &[f32],
    bound: f32,
    to: &mut Vicinity,
) {
    let dims = x.len();
    let size = dims * LANES_F32;
    let mut stage = vec![0.0f32; dims * STAGE];
    let mut filled = 0;
    let mut slots = [0; WIDTH];
    // SAFETY: the caller's promise.
    unsafe {
        let bound = V::splat(bound);
        for &block in blocks {
            let block = block as usize;
            let coords = &from.coords[block * size..(block + 1) * size];
            let dist_sq: [V; VECTORS] = block_dist_sq(coords, x);
            for (v, dist_sq) in dist_sq.into_iter().enumerate() {
                let mask = dist_sq.mask_at_most(bound);
                if mask == 0 {
                    continue;
                }
                let (count, first) = (mask.count_ones() as usize, block * LANES_F32 + v * WIDTH);
                for (k, stage) in stage.chunks_exact_mut(STAGE).enumerate() {
                    let lanes = V::load(&coords[k * LANES_F32 + v * WIDTH..]);
                    lanes.compress(mask, &mut stage[filled..]);
                }
                V::compress_u32(mask, &from.slots[first..], &mut slots);
                to.slots.extend_from_slice(&slots[..count]);
                if !from.radii.is_empty() {
                    let mut radii = [0.0; WIDTH];
                    V::load(&from.radii[first..]).compress(mask, &mut radii);
                    to.radii.extend_from_slice(&radii[..count]);
                }
                filled += count;
                if filled >= LANES_F32 {
                    for stage in stage.chunks_exact_mut(STAGE) {
                        to.coords.extend_from_slice(&stage[..LANES_F32]);
                        stage.copy_within(LANES_F32.., 0);
                    }
                    filled -= LANES_F32;
                }
            }
        }
    }
    if filled > 0 {
        for stage in stage.chunks_exact_mut(STAGE) {
            // Infinitely far, so never a member.
            stage[filled..].fill(f32::INFINITY);
            to.coords.extend_from_slice(&stage[..LANES_F32]);
        }
    }
    let lanes = to.coords.len() / dims;
    to.slots.resize(lanes, 0);
    if !to.radii.is_empty() {
        to.radii.resize(lanes, 1.0);
    }
}
