//! A step of blurring in single precision, where the cells in which centres are merged are large
//! enough for it.
//!
//! All centres move at once, so neighbouring centres share the search for the centres that matter to
//! them. Centres are in an order that keeps neighbours together
//! ([`Blocks`](crate::numerics::blocks::Blocks)). Sixteen of them, a vector, are summed over all
//! vectors of centres that matter to any of them, which are searched in two levels, tiles and
//! vectors. The centres left out move no centre by more than a given share of the bandwidth: with d
//! the least distance to a set of centres of mass M, and D the mean distance, both in bandwidths,
//!
//! ```text
//! Σ_left out  M exp(-d²/2) D   <=   tolerance * total
//! ```
//!
//! The total is estimated first. Where the sum of weights of a centre comes out much smaller, the
//! vector is summed again with that sum as the total.

use rayon::prelude::*;

use super::blur::{Blurring, Iterate};
use super::density::max_movement;
use super::layout::{box_of, center_of_box};
use crate::numerics::gaussian_sums::{MAX_DIMS, QUERIES, WIDTH, gaussian_sums, translate_sources};
use crate::numerics::mass_boxes::{BoxWeights, MassBoxes};
use crate::{numerics::mass_boxes, observe::Progress, similarity::Profile};

/// Vectors of centres in a tile.
pub(super) const VECTORS: usize = mass_boxes::RUN;

/// Centres in a tile.
pub(super) const TILE: usize = VECTORS * WIDTH;

/// The error of a step, by the centres left out, as a share of the side of a cell.
const TOLERANCE: f64 = 0.1;

/// The smallest cells, in bandwidths, beside which the rounding of single precision is negligible.
pub(super) const SMALLEST_CELL: f64 = 1e-4;

/// Centres that extend over more than this many bandwidths in a dimension lose too many digits.
const MAX_EXTENT: f64 = 100.0;

/// The weight of a centre with less than this share of the largest mass underflows.
const MIN_MASS: f64 = 1e-20;

/// A sum of weights is expected to be at least this share of its estimate.
const ESTIMATE_MARGIN: f64 = 0.25;

/// Levels of magnitude, a factor of two each, by which sets of centres are left out.
const LEVELS: usize = 256;

/// Whether a step in single precision is accurate enough for the cells.
pub(super) fn is_enough(how: Blurring, now: &Iterate) -> bool {
    let extent = MAX_EXTENT * how.bandwidth;
    let lightest = now.masses.iter().copied().fold(f64::INFINITY, f64::min);
    how.cell >= SMALLEST_CELL
        && how.dims <= MAX_DIMS
        && how.kernel.profile == Profile::Gaussian
        && now.bandwidths.is_none()
        && box_of(&now.places, how.dims).all(|(low, high)| high - low < extent)
        && lightest > MIN_MASS * heaviest(&now.masses)
}

fn heaviest(masses: &[f64]) -> f64 {
    masses.iter().copied().fold(0.0, f64::max)
}

/// The positions after one step, and the longest movement.
pub(super) fn step(
    how: Blurring,
    now: &Iterate,
    iteration: usize,
    progress: &Progress<'_>,
) -> (Vec<f64>, f64) {
    let Blurring { dims, cell, .. } = how;
    let sources = SourceTiles::new(now, dims, how.bandwidth);
    let mut places = now.places.clone();
    let movement = places
        .par_chunks_mut(TILE * dims)
        .enumerate()
        .map_init(TileScratch::default, |scratch, (tile, places)| {
            if !progress.report(iteration, 0, 0.0, Some(now.masses.len())) {
                return 0.0;
            }
            sources.shift(tile, TOLERANCE * cell, places, scratch);
            max_movement(&now.places[tile * TILE * dims..], places, dims)
        })
        .reduce(|| 0.0, f64::max);
    (places, movement)
}

/// Memory that a worker reuses from tile to tile.
#[derive(Default)]
struct TileScratch {
    weights: BoxWeights,
    /// Tiles that matter to a tile.
    tiles: Vec<u32>,
    /// Their centres, relative to the center of the tile.
    sources: Vec<f32>,
    /// Vectors of them that matter to a vector.
    vectors: Vec<u32>,
    queries: Vec<f32>,
    lane_sums: Vec<f32>,
    sums: Vec<f64>,
}

/// All centres as sources of sums, in units in which the weight of one at distance d is 2^(-d²/2).
pub(super) struct SourceTiles {
    dims: usize,
    origin: Vec<f64>,
    /// Units in a unit of the input.
    scale: f64,
    /// By [`WIDTH`] centres: their coordinates, dimension by dimension, then log2 of their masses, which
    /// are shares of the heaviest.
    lanes: Vec<f32>,
    pub(super) vectors: MassBoxes,
    tiles: MassBoxes,
}

impl SourceTiles {
    pub(super) fn new(now: &Iterate, dims: usize, bandwidth: f64) -> Self {
        let origin = center_of_box(&now.places, dims);
        let heaviest = heaviest(&now.masses);
        let scale = std::f64::consts::LOG2_E.sqrt() / bandwidth;
        let n_tiles = now.masses.len().div_ceil(TILE);
        let size = (dims + 1) * WIDTH;
        let mut tiles = Self {
            dims,
            origin,
            scale,
            lanes: vec![0.0; n_tiles * VECTORS * size],
            vectors: MassBoxes::new(dims, n_tiles * VECTORS),
            tiles: MassBoxes::new(dims, n_tiles),
        };
        for vector in tiles.lanes.chunks_exact_mut(size) {
            vector[dims * WIDTH..].fill(f32::NEG_INFINITY);
        }
        let mut local = vec![0.0; dims];
        for (i, (place, &mass)) in now.places.chunks_exact(dims).zip(&now.masses).enumerate() {
            let vector = &mut tiles.lanes[i / WIDTH * size..][..size];
            for (k, (x, o)) in place.iter().zip(&tiles.origin).enumerate() {
                local[k] = ((x - o) * scale) as f32;
                vector[k * WIDTH + i % WIDTH] = local[k];
            }
            let mass = (mass / heaviest) as f32;
            vector[dims * WIDTH + i % WIDTH] = mass.log2();
            tiles.vectors.include(i / WIDTH, &local, mass);
            tiles.tiles.include(i / TILE, &local, mass);
        }
        // Empty vectors of the last tile get the box of the last centre: the distance to an empty box is
        // not a number.
        for vector in now.masses.len().div_ceil(WIDTH)..n_tiles * VECTORS {
            tiles.vectors.include(vector, &local, 0.0);
        }
        tiles
    }

    /// Moves the centres of a tile, whose positions are `places`.
    fn shift(&self, tile: usize, tolerance: f64, places: &mut [f64], scratch: &mut TileScratch) {
        let dims = self.dims;
        // Half of the error for each of the two levels, in the units of the sources.
        let room = 0.5 * tolerance * std::f64::consts::LOG2_E.sqrt();
        let sides = self.tiles.sides(tile);
        let tiles = self.tiles.len();
        self.tiles.weigh(&sides, &[0], tiles, &mut scratch.weights);
        let total = scratch.weights.total() * ESTIMATE_MARGIN * ESTIMATE_MARGIN;
        keep(&scratch.weights, room * total, &mut scratch.tiles);
        let center = sides.map(|(low, high)| low + (high - low) / 2.0);
        scratch.sources.clear();
        let size = VECTORS * (dims + 1) * WIDTH;
        for &tile in &scratch.tiles {
            let lanes = &self.lanes[tile as usize * size..][..size];
            translate_sources(&center[..dims], lanes, &mut scratch.sources);
        }
        for (v, places) in places.chunks_mut(WIDTH * dims).enumerate() {
            let vector = tile * VECTORS + v;
            self.write_queries(vector, &center, places.len() / dims, scratch);
            let sides = self.vectors.sides(vector);
            let weights = &mut scratch.weights;
            self.vectors.weigh(&sides, &scratch.tiles, VECTORS, weights);
            let mut total = scratch.weights.total();
            loop {
                keep(&scratch.weights, room * total, &mut scratch.vectors);
                gaussian_sums(
                    dims,
                    &scratch.sources,
                    &scratch.vectors,
                    &scratch.queries,
                    &mut scratch.lane_sums,
                    &mut scratch.sums,
                );
                let totals = scratch.sums.iter().skip(dims).step_by(dims + 1);
                let smallest = totals.fold(f64::INFINITY, |least, &total| least.min(total));
                if smallest >= ESTIMATE_MARGIN * total {
                    break;
                }
                total = smallest;
            }
            let sums = scratch.sums.chunks_exact(dims + 1);
            for (place, sums) in places.chunks_exact_mut(dims).zip(sums) {
                for (k, x) in place.iter_mut().enumerate() {
                    let mean = f64::from(center[k]) + sums[k] / sums[dims];
                    *x = self.origin[k] + mean / self.scale;
                }
            }
        }
    }

    /// Writes the first `count` centres of a vector to `scratch.queries`, relative to `center`.
    fn write_queries(
        &self,
        vector: usize,
        center: &[f32],
        count: usize,
        scratch: &mut TileScratch,
    ) {
        let dims = self.dims;
        let own = &self.lanes[vector * (dims + 1) * WIDTH..];
        scratch.queries.clear();
        for i in 0..count.next_multiple_of(QUERIES) {
            // The last one is repeated to fill up the number.
            let lane = i.min(count - 1);
            let local = (0..dims).map(|k| own[k * WIDTH + lane] - center[k]);
            let half_sq = local.clone().map(|u| u * u / 2.0).sum::<f32>();
            scratch.queries.extend(local.chain([-half_sq]));
        }
        scratch.sums.resize(scratch.queries.len(), 0.0);
    }
}

/// Writes to `kept` the boxes that matter: the upper bounds of the others add up to at most `room`.
fn keep(weights: &BoxWeights, room: f64, kept: &mut Vec<u32>) {
    let smallest = smallest_kept(&weights.upper, room);
    kept.clear();
    let each = weights.upper.iter().enumerate();
    let large = each.filter(|(_, upper)| **upper >= smallest);
    kept.extend(large.map(|(at, _)| at as u32));
}

/// A threshold such that the values below it add up to at most `room`, by levels of magnitude.
fn smallest_kept(values: &[f32], room: f64) -> f32 {
    let level = |value: f32| (value.to_bits() >> 23) as usize & (LEVELS - 1);
    let mut sums = [0.0f64; LEVELS];
    for &value in values {
        sums[level(value)] += f64::from(value);
    }
    let mut total = 0.0;
    let kept = sums.iter().position(|sum| {
        total += sum;
        total > room
    });
    kept.map_or(0.0, |level| f32::from_bits((level as u32) << 23))
}
