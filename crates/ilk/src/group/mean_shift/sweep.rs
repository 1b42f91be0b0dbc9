//! A step of blurring in single precision, as far as the cells in which centres meet allow it.
//!
//! All centres move at once, so those that are near each other can share the search for what is near
//! them, and its layout in registers. Centres come in an order that keeps neighbours together
//! ([`Blocks`](crate::numerics::blocks::Blocks)); a few of them are summed over all vectors of centres that
//! matter to any, and these are looked for in two steps, of tiles and of vectors. What is left out moves
//! no centre by more than a given share of the bandwidth: with d the least distance to a set of centres
//! of mass M and D about the largest, both in bandwidths,
//!
//! ```text
//! Σ_left out  M exp(-d²/2) D   <=   tolerance * total
//! ```
//!
//! for a total that is estimated first; where a centre's sum of weights then comes out much smaller, its
//! vector is done again with that.

use rayon::prelude::*;

use super::blur::Iterate;
use super::kernel::Kernel;
use super::layout::{box_of, center_of_box};
use super::watch::Watch;
use crate::numerics::distances::dist_sq;
use crate::numerics::exp::exp_in_place_f32;
use crate::numerics::simd::{Simd, simd_dispatch};
use crate::similarity::Profile;
use crate::similarity::gaussian_sums::{MAX_DIMS, QUERIES, WIDTH, as_seen_from, gaussian_sums};

/// Vectors of centres in a tile.
const VECTORS: usize = 8;

/// Centres in a tile.
const TILE: usize = VECTORS * WIDTH;

/// Steps are off by this share of the cells' side: rounding and what was left out.
const OF_CELL: f64 = 0.1;

/// The smallest cells, in bandwidths, beside which rounding in single precision is nothing.
const SMALLEST_CELL: f64 = 1e-4;

/// Centres that lie in a dimension farther apart than this many bandwidths are too coarse in single precision.
const EXTENT: f64 = 100.0;

/// The weight of a centre of less than this share of the heaviest is lost among the smallest numbers that
/// there are in single precision.
const LIGHTEST: f64 = 1e-20;

/// An estimate of a sum of weights is not expected to be off by more than this factor.
const UNSURE: f64 = 0.25;

/// Levels of magnitude, a factor of two each, by which blocks are left out.
const LEVELS: usize = 256;

/// Whether a step in single precision is good enough for cells of this many bandwidths.
pub(super) fn is_enough(
    now: &Iterate,
    dims: usize,
    bandwidth: f64,
    kernel: Kernel,
    cell: f64,
) -> bool {
    cell >= SMALLEST_CELL
        && dims <= MAX_DIMS
        && kernel.profile == Profile::Gaussian
        && now.bandwidths.is_none()
        && box_of(&now.places, dims).all(|(low, high)| high - low < EXTENT * bandwidth)
        && lightest(&now.masses) > LIGHTEST * heaviest(&now.masses)
}

fn lightest(masses: &[f64]) -> f64 {
    masses.iter().copied().fold(f64::INFINITY, f64::min)
}

fn heaviest(masses: &[f64]) -> f64 {
    masses.iter().copied().fold(0.0, f64::max)
}

/// The places after one step, and the longest movement.
pub(super) fn sweep(
    now: &Iterate,
    dims: usize,
    bandwidth: f64,
    cell: f64,
    iteration: usize,
    watch: &Watch<'_>,
) -> (Vec<f64>, f64) {
    let crowd = Crowd::new(now, dims, bandwidth);
    let mut places = now.places.clone();
    let movement = places
        .par_chunks_mut(TILE * dims)
        .enumerate()
        .map_init(Scratch::default, |scratch, (tile, places)| {
            if !watch.report(iteration, 0, 0.0, Some(now.masses.len())) {
                return 0.0;
            }
            crowd.shift(tile, OF_CELL * cell, places, scratch);
            let before = now.places[tile * TILE * dims..].chunks_exact(dims);
            let moved = before.zip(places.chunks_exact(dims));
            moved.map(|(a, b)| dist_sq(a, b).sqrt()).fold(0.0, f64::max)
        })
        .reduce(|| 0.0, f64::max);
    (places, movement)
}

/// Memory that a worker reuses from tile to tile.
#[derive(Default)]
struct Scratch {
    weights: Weights,
    /// Tiles that matter to a tile.
    tiles: Vec<u32>,
    /// Their centres, as seen from the middle of the tile.
    sources: Vec<f32>,
    /// Vectors of them that matter to a vector.
    vectors: Vec<u32>,
    queries: Vec<f32>,
    lane_sums: Vec<f32>,
    sums: Vec<f64>,
}

/// What boxes of centres mean to the centres in another.
#[derive(Default)]
struct Weights {
    /// What each may add to a sum of weights, times how far it is.
    most: Vec<f32>,
    /// What each adds, more or less.
    about: Vec<f32>,
    distances: Vec<f32>,
}

/// Boxes around runs of centres.
struct Boxes {
    /// A row a dimension.
    low: Vec<Vec<f32>>,
    high: Vec<Vec<f32>>,
    /// The mass of the centres in each.
    mass: Vec<f32>,
}

/// The sides of a box, a dimension each.
type Sides = [(f32, f32); MAX_DIMS];

impl Boxes {
    fn new(dims: usize, count: usize) -> Self {
        Self {
            low: vec![vec![f32::INFINITY; count]; dims],
            high: vec![vec![f32::NEG_INFINITY; count]; dims],
            mass: vec![0.0; count],
        }
    }

    fn include(&mut self, at: usize, place: &[f32], mass: f32) {
        for (k, &u) in place.iter().enumerate() {
            self.low[k][at] = self.low[k][at].min(u);
            self.high[k][at] = self.high[k][at].max(u);
        }
        self.mass[at] += mass;
    }

    fn sides(&self, at: usize) -> Sides {
        let mut sides = [(0.0, 0.0); MAX_DIMS];
        for (side, (low, high)) in sides.iter_mut().zip(self.low.iter().zip(&self.high)) {
            *side = (low[at], high[at]);
        }
        sides
    }

    /// What boxes mean to the centres within `sides`: for every run of `runs`, the boxes from
    /// `run * width` to `run * width + width - 1`.
    fn weigh(&self, sides: &Sides, runs: &[u32], width: usize, weights: &mut Weights) {
        let Weights {
            most,
            about,
            distances,
        } = weights;
        for each in [&mut *most, &mut *about, &mut *distances] {
            each.clear();
            each.resize(runs.len() * width, 0.0);
        }
        for ((low, high), &side) in self.low.iter().zip(&self.high).zip(sides) {
            add_distances(low, high, side, runs, width, most, about);
        }
        for (distance, mean) in distances.iter_mut().zip(&*about) {
            *distance = mean.sqrt();
        }
        for dist_sq in most.iter_mut().chain(about.iter_mut()) {
            *dist_sq *= -std::f32::consts::LN_2 / 2.0;
        }
        exp_in_place_f32(most);
        exp_in_place_f32(about);
        let masses = runs
            .iter()
            .flat_map(|&run| &self.mass[run as usize * width..][..width]);
        let sums = most.iter_mut().zip(about.iter_mut()).zip(distances);
        for (((most, about), distance), mass) in sums.zip(masses) {
            *most *= mass * *distance;
            *about *= mass;
        }
    }
}

/// All centres, in units in which the weight of one at distance d is 2^(-d²/2).
struct Crowd {
    dims: usize,
    origin: Vec<f64>,
    /// Units in a unit of the input.
    scale: f64,
    /// By [`WIDTH`] centres: their coordinates, dimension by dimension, then log2 of their masses, which
    /// are shares of the heaviest.
    lanes: Vec<f32>,
    vectors: Boxes,
    tiles: Boxes,
}

impl Crowd {
    fn new(now: &Iterate, dims: usize, bandwidth: f64) -> Self {
        let origin = center_of_box(&now.places, dims);
        let heaviest = heaviest(&now.masses);
        let scale = std::f64::consts::LOG2_E.sqrt() / bandwidth;
        let tiles = now.masses.len().div_ceil(TILE);
        let size = (dims + 1) * WIDTH;
        let mut crowd = Self {
            dims,
            origin,
            scale,
            lanes: vec![0.0; tiles * VECTORS * size],
            vectors: Boxes::new(dims, tiles * VECTORS),
            tiles: Boxes::new(dims, tiles),
        };
        for vector in crowd.lanes.chunks_exact_mut(size) {
            vector[dims * WIDTH..].fill(f32::NEG_INFINITY);
        }
        let mut local = vec![0.0; dims];
        for (i, (place, &mass)) in now.places.chunks_exact(dims).zip(&now.masses).enumerate() {
            let vector = &mut crowd.lanes[i / WIDTH * size..][..size];
            for (k, (x, o)) in place.iter().zip(&crowd.origin).enumerate() {
                local[k] = ((x - o) * scale) as f32;
                vector[k * WIDTH + i % WIDTH] = local[k];
            }
            let mass = (mass / heaviest) as f32;
            vector[dims * WIDTH + i % WIDTH] = mass.log2();
            crowd.vectors.include(i / WIDTH, &local, mass);
            crowd.tiles.include(i / TILE, &local, mass);
        }
        // Vectors of the last tile that hold no centre are in the last one's place: a box from infinity to
        // minus infinity has no distance.
        for vector in now.masses.len().div_ceil(WIDTH)..tiles * VECTORS {
            crowd.vectors.include(vector, &local, 0.0);
        }
        crowd
    }

    /// Moves the centres of a tile, whose places are those in `places`.
    fn shift(&self, tile: usize, tolerance: f64, places: &mut [f64], scratch: &mut Scratch) {
        let dims = self.dims;
        // Half of what may be left out in each of the two steps; in the units here.
        let room = 0.5 * tolerance * std::f64::consts::LOG2_E.sqrt();
        let sides = self.tiles.sides(tile);
        let tiles = self.tiles.mass.len();
        self.tiles.weigh(&sides, &[0], tiles, &mut scratch.weights);
        let total = scratch.weights.about() * UNSURE * UNSURE;
        scratch.weights.keep(room * total, &mut scratch.tiles);
        let middle = sides.map(|(low, high)| low + (high - low) / 2.0);
        scratch.sources.clear();
        let size = VECTORS * (dims + 1) * WIDTH;
        for &tile in &scratch.tiles {
            let lanes = &self.lanes[tile as usize * size..][..size];
            as_seen_from(&middle[..dims], lanes, &mut scratch.sources);
        }
        for (v, places) in places.chunks_mut(WIDTH * dims).enumerate() {
            let vector = tile * VECTORS + v;
            self.ask(vector, &middle, places.len() / dims, scratch);
            let sides = self.vectors.sides(vector);
            let weights = &mut scratch.weights;
            self.vectors.weigh(&sides, &scratch.tiles, VECTORS, weights);
            let mut total = scratch.weights.about();
            loop {
                scratch.weights.keep(room * total, &mut scratch.vectors);
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
                if smallest >= UNSURE * total {
                    break;
                }
                total = smallest;
            }
            let sums = scratch.sums.chunks_exact(dims + 1);
            for (place, sums) in places.chunks_exact_mut(dims).zip(sums) {
                for (k, x) in place.iter_mut().enumerate() {
                    let mean = f64::from(middle[k]) + sums[k] / sums[dims];
                    *x = self.origin[k] + mean / self.scale;
                }
            }
        }
    }

    /// Writes the first `count` centres of a vector to `scratch.queries`, as seen from `middle`.
    fn ask(&self, vector: usize, middle: &[f32], count: usize, scratch: &mut Scratch) {
        let dims = self.dims;
        let own = &self.lanes[vector * (dims + 1) * WIDTH..];
        scratch.queries.clear();
        for i in 0..count.next_multiple_of(QUERIES) {
            // The last one again, where there are too few.
            let lane = i.min(count - 1);
            let local = (0..dims).map(|k| own[k * WIDTH + lane] - middle[k]);
            let half_sq = local.clone().map(|u| u * u / 2.0).sum::<f32>();
            scratch.queries.extend(local.chain([-half_sq]));
        }
        scratch.sums.resize(scratch.queries.len(), 0.0);
    }
}

impl Weights {
    /// A sum of all weights, more or less.
    fn about(&self) -> f64 {
        self.about.iter().map(|&about| f64::from(about)).sum()
    }

    /// Writes which matter to `kept`: what the others may add is at most `room`.
    fn keep(&self, room: f64, kept: &mut Vec<u32>) {
        let smallest = smallest_kept(&self.most, room);
        kept.clear();
        let most = self.most.iter().enumerate();
        let most = most.filter(|(_, most)| **most >= smallest);
        kept.extend(most.map(|(at, _)| at as u32));
    }
}

simd_dispatch!(
    /// Adds the squares of what boxes are apart in one dimension from a box with this side: of what is
    /// between them, and of the mean distance of what is in them.
    fn add_distances(
        low: &[f32],
        high: &[f32],
        side: (f32, f32),
        runs: &[u32],
        width: usize,
        near: &mut [f32],
        mean: &mut [f32],
    ) = add_distances_body,
    f32x16
);

/// # Safety
/// None is needed: the compiler vectorises it with the instructions that `V` stands for.
#[inline(always)]
unsafe fn add_distances_body<V: Simd<Scalar = f32>>(
    low: &[f32],
    high: &[f32],
    side: (f32, f32),
    runs: &[u32],
    width: usize,
    near: &mut [f32],
    mean: &mut [f32],
) {
    if width == VECTORS {
        add_runs::<VECTORS>(low, high, side, runs, near, mean);
    } else {
        for &run in runs {
            let boxes = run as usize * width..(run as usize + 1) * width;
            add_run(&low[boxes.clone()], &high[boxes], side, near, mean);
        }
    }
}

#[inline(always)]
fn add_runs<const N: usize>(
    low: &[f32],
    high: &[f32],
    side: (f32, f32),
    runs: &[u32],
    near: &mut [f32],
    mean: &mut [f32],
) {
    let sums = near.as_chunks_mut::<N>().0.iter_mut();
    let sums = sums.zip(mean.as_chunks_mut::<N>().0);
    let (low, high) = (low.as_chunks::<N>().0, high.as_chunks::<N>().0);
    for ((near, mean), &run) in sums.zip(runs) {
        add_run(&low[run as usize], &high[run as usize], side, near, mean);
    }
}

#[inline(always)]
fn add_run(low: &[f32], high: &[f32], (from, to): (f32, f32), near: &mut [f32], mean: &mut [f32]) {
    let sums = near.iter_mut().zip(mean);
    for ((near, mean), (&low, &high)) in sums.zip(low.iter().zip(high)) {
        let gap = (low - to).max(from - high).max(0.0);
        *near += gap * gap;
        // The mean square between two uniform distributions.
        let between = low + high - from - to;
        let (width, other) = (high - low, to - from);
        *mean += between * between / 4.0 + (width * width + other * other) / 12.0;
    }
}

/// The value below which those of all blocks add up to at most `room`.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn iterate(places: Vec<f64>, dims: usize) -> Iterate {
        Iterate {
            masses: vec![1.0; places.len() / dims],
            places,
            bandwidths: None,
        }
    }

    #[test]
    fn a_last_tile_that_is_not_full_has_weights_that_are_numbers() {
        let places = (0..TILE + WIDTH + 3).map(|i| 0.1 * i as f64).collect();
        let crowd = Crowd::new(&iterate(places, 1), 1, 1.0);
        let mut weights = Weights::default();
        let sides = crowd.vectors.sides(0);
        crowd.vectors.weigh(&sides, &[0, 1], VECTORS, &mut weights);
        assert!(weights.about() > 0.0 && weights.about().is_finite());
        assert!(weights.most.iter().all(|most| most.is_finite()));
    }

    #[test]
    fn single_precision_is_refused_for_how_far_centres_spread_not_for_where_they_lie() {
        let is_enough = |places: Vec<f64>| {
            let kernel = Kernel {
                profile: Profile::Gaussian,
                truncation: 0.0,
            };
            is_enough(&iterate(places, 2), 2, 1.0, kernel, SMALLEST_CELL)
        };
        assert!(is_enough(vec![0.0, 1e4, 99.0, 1e4 + 99.0]));
        assert!(!is_enough(vec![0.0, 0.0, 1.0, 101.0]));
    }
}
