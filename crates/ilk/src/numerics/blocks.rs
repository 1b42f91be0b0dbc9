//! Points laid out for SIMD, in an order that keeps neighbours together.
//!
//! Points are sorted by a k-d split and cut into blocks of [`BLOCK_LEN`]. Inside a block the coordinates
//! are interleaved: all first coordinates, then all second ones, and so on, so that one register
//! holds the same coordinate of several points. A block has a bounding box, and so has a group of
//! [`BLOCK_LEN`] blocks; a search looks at boxes first and touches only the blocks that can matter.
//!
//! The order depends on the coordinates alone (ties fall back on the index), so a permutation of
//! the input gives the same blocks.

use super::exp::ExpConstants;
use super::kd_order::{LEAF, bounding_box, split_widest};
use super::simd::{Available, Simd, simd_dispatch};

/// Points in a block: four registers of the widest kind in double precision, which hides the
/// latency of a fused multiply-add.
pub const BLOCK_LEN: usize = LEAF;

/// Points in a block in single precision, likewise four registers.
pub const BLOCK_LEN_F32: usize = 2 * BLOCK_LEN;

/// [`PADDING`] in single precision.
const PADDING_F32: f32 = 1e15;

/// The coordinate of a lane that holds no point: so far away that every squared distance is
/// beyond any bandwidth, yet small enough that even the smallest normal weight times it is next to
/// nothing.
pub const PADDING: f64 = 1e150;

/// A number for every slot: the same for all, or one each.
#[derive(Debug, Clone, Copy)]
pub enum PerLane<'a, T = f64> {
    /// The same for all.
    Same(T),
    /// One a slot.
    Each(&'a [T]),
}

impl<T: Copy> PerLane<'_, T> {
    /// The number of a slot.
    pub fn at(&self, slot: usize) -> T {
        match self {
            Self::Same(value) => *value,
            Self::Each(values) => values[slot],
        }
    }

    /// The numbers of a vector of slots, from `slot` on.
    #[inline(always)]
    pub(crate) fn lanes<V: Simd<Scalar = T>>(self, simd: Available<V>, slot: usize) -> V {
        match self {
            Self::Same(value) => simd.splat(value),
            Self::Each(values) => simd.load(&values[slot..]),
        }
    }
}

/// The coordinates of the point in a slot of `coords`, which are in blocks.
pub(crate) fn point_in(
    coords: &[f64],
    dims: usize,
    slot: usize,
) -> impl ExactSizeIterator<Item = f64> {
    let first = slot / BLOCK_LEN * dims * BLOCK_LEN + slot % BLOCK_LEN;
    (0..dims).map(move |k| coords[first + k * BLOCK_LEN])
}

/// Points in blocks, with boxes around blocks and around groups of blocks.
#[derive(Debug, Clone)]
pub struct Blocks {
    dims: usize,
    len: usize,
    order: Vec<u32>,
    coords: Vec<f64>,
    block_boxes: Boxes,
    group_boxes: Boxes,
}

impl Blocks {
    /// Lays out `points`, given row by row with `dims` coordinates each.
    ///
    /// At most `u32::MAX` points, more than memory holds.
    pub fn new(points: &[f64], dims: usize) -> Self {
        let len = points.len() / dims;
        let mut order: Vec<u32> = (0..len as u32).collect();
        sort_by_splits(points, dims, &mut order);
        let mut coords = vec![PADDING; len.div_ceil(BLOCK_LEN) * dims * BLOCK_LEN];
        for (slot, &i) in order.iter().enumerate() {
            let (block, lane) = (slot / BLOCK_LEN, slot % BLOCK_LEN);
            for k in 0..dims {
                coords[(block * dims + k) * BLOCK_LEN + lane] = points[i as usize * dims + k];
            }
        }
        let block_boxes = Boxes::around(dims, order.chunks(BLOCK_LEN), |&i, k| {
            let value = points[i as usize * dims + k];
            (value, value)
        });
        let n_blocks = len.div_ceil(BLOCK_LEN);
        let numbers: Vec<usize> = (0..n_blocks).collect();
        let group_boxes =
            Boxes::around(dims, numbers.chunks(BLOCK_LEN), |&block, k| block_boxes.side(block, k));
        Self { dims, len, order, coords, block_boxes, group_boxes }
    }

    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Number of blocks.
    pub fn n_blocks(&self) -> usize {
        self.len.div_ceil(BLOCK_LEN)
    }

    /// The original index of the point in each slot; slot = block * [`BLOCK_LEN`] + lane.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// All coordinates: block by block, dimension by dimension, lane by lane.
    pub fn coords(&self) -> &[f64] {
        &self.coords
    }

    pub(crate) fn point(&self, slot: usize) -> impl ExactSizeIterator<Item = f64> {
        point_in(&self.coords, self.dims, slot)
    }

    /// All coordinates times `scale` in single precision, in blocks of [`BLOCK_LEN_F32`]: block b holds
    /// blocks 2b and 2b + 1. The products should be moderate: their squares must not overflow.
    pub fn coords_f32(&self, scale: f64) -> Vec<f32> {
        let size = self.dims * BLOCK_LEN;
        let mut narrow = vec![PADDING_F32; self.n_blocks().div_ceil(2) * self.dims * BLOCK_LEN_F32];
        for (block, coords) in self.coords.chunks_exact(size).enumerate() {
            let filled = BLOCK_LEN.min(self.len - block * BLOCK_LEN);
            for (k, lanes) in coords.chunks_exact(BLOCK_LEN).enumerate() {
                let at = (block / 2 * self.dims + k) * BLOCK_LEN_F32 + block % 2 * BLOCK_LEN;
                for (to, from) in narrow[at..at + filled].iter_mut().zip(lanes) {
                    *to = (from * scale) as f32;
                }
            }
        }
        narrow
    }

    /// A list of values, one an original point, rearranged into slots; lanes without a point get
    /// `padding`.
    pub fn arrange(&self, values: &[f64], padding: f64) -> Vec<f64> {
        let mut slots = vec![padding; self.n_blocks() * BLOCK_LEN];
        for (slot, &i) in self.order.iter().enumerate() {
            slots[slot] = values[i as usize];
        }
        slots
    }

    /// Appends to `found` every block that may hold a point within squared distance `radius_sq` of
    /// `x`, in ascending order. No such block is missed.
    pub fn near(&self, x: &[f64], radius_sq: f64, found: &mut Vec<u32>) {
        // Rounding in the box distance must not lose a point that lies exactly at the radius.
        let radius_sq = radius_sq * (1.0 + 1e-12);
        let n_blocks = self.n_blocks();
        let mut lower = [0.0; BLOCK_LEN];
        let mut inner = [0.0; BLOCK_LEN];
        for supergroup in 0..self.group_boxes.chunks() {
            self.group_boxes.dist_sq::<NEAREST>(supergroup, x, &mut lower);
            for (lane, &group_lower) in lower.iter().enumerate() {
                let group = supergroup * BLOCK_LEN + lane;
                if group * BLOCK_LEN >= n_blocks || group_lower > radius_sq {
                    continue;
                }
                self.block_boxes.dist_sq::<NEAREST>(group, x, &mut inner);
                let last = BLOCK_LEN.min(n_blocks - group * BLOCK_LEN);
                for (lane, &block_lower) in inner[..last].iter().enumerate() {
                    if block_lower <= radius_sq {
                        found.push((group * BLOCK_LEN + lane) as u32);
                    }
                }
            }
        }
    }

    /// As [`near`](Self::near), but blocks that lie wholly within `radius_sq` go to `whole` instead.
    pub fn near_or_within(
        &self,
        x: &[f64],
        radius_sq: f64,
        found: &mut Vec<u32>,
        whole: &mut Vec<u32>,
    ) {
        let first = found.len();
        self.near(x, radius_sq, found);
        let inside = radius_sq * (1.0 - 1e-12);
        let mut upper = [0.0; BLOCK_LEN];
        let mut known = usize::MAX;
        let mut kept = first;
        for at in first..found.len() {
            let block = found[at] as usize;
            if known != block / BLOCK_LEN {
                known = block / BLOCK_LEN;
                self.block_boxes.dist_sq::<FARTHEST>(known, x, &mut upper);
            }
            if upper[block % BLOCK_LEN] <= inside {
                whole.push(block as u32);
            } else {
                found[kept] = block as u32;
                kept += 1;
            }
        }
        found.truncate(kept);
    }

    /// Squared distances from `x` to the points of all slots, into `dist_sq`; those of lanes without
    /// a point are huge.
    pub fn distances(&self, x: &[f64], dist_sq: &mut Vec<f64>) {
        dist_sq.resize(self.n_blocks() * BLOCK_LEN, 0.0);
        simd_dispatch!(f64x8, distances(&self.coords, x, dist_sq));
    }

    /// An upper bound on the squared distance from `x` to all points of some block: at least one
    /// block lies wholly within it.
    pub fn nearest_block_upper_sq(&self, x: &[f64]) -> f64 {
        let mut upper = [0.0; BLOCK_LEN];
        let mut best = f64::INFINITY;
        for group in 0..self.block_boxes.chunks() {
            self.block_boxes.dist_sq::<FARTHEST>(group, x, &mut upper);
            let last = BLOCK_LEN.min(self.n_blocks() - group * BLOCK_LEN);
            best = upper[..last].iter().fold(best, |a, &b| a.min(b));
        }
        best
    }
}

/// Orders points so that any aligned run of [`BLOCK_LEN`] of them is compact, by k-d splits. The depth
/// is logarithmic in the number of points.
fn sort_by_splits(points: &[f64], dims: usize, order: &mut [u32]) {
    if order.len() <= BLOCK_LEN {
        // A fixed order inside the block, so that equal sets of points give equal blocks.
        order.sort_unstable_by(|&a, &b| by_coordinates(points, dims, a, b));
        return;
    }
    let (mut low, mut high) = (vec![0.0; dims], vec![0.0; dims]);
    let rows = order.iter().map(|&i| i as usize);
    bounding_box(points, dims, rows, &mut low, &mut high);
    let middle = split_widest(
        order,
        &low,
        &high,
        |&i, k| points[i as usize * dims + k],
        |&a, &b| by_coordinates(points, dims, a, b),
    );
    let (left, right) = order.split_at_mut(middle);
    if left.len() > 4096 {
        rayon::join(|| sort_by_splits(points, dims, left), || sort_by_splits(points, dims, right));
    } else {
        sort_by_splits(points, dims, left);
        sort_by_splits(points, dims, right);
    }
}

/// Lexicographic order of two points, then by index.
fn by_coordinates(points: &[f64], dims: usize, a: u32, b: u32) -> std::cmp::Ordering {
    let row = |i: u32| &points[i as usize * dims..(i as usize + 1) * dims];
    super::lexicographic(row(a), row(b)).then(a.cmp(&b))
}

/// Bounding boxes, interleaved in chunks of [`BLOCK_LEN`] like the points.
#[derive(Debug, Clone)]
struct Boxes {
    dims: usize,
    low: Vec<f64>,
    high: Vec<f64>,
}

impl Boxes {
    /// One box around each set; `side(item, k)` is an item's extent in dimension k.
    fn around<'a, T: 'a>(
        dims: usize,
        sets: impl ExactSizeIterator<Item = &'a [T]>,
        side: impl Fn(&T, usize) -> (f64, f64),
    ) -> Self {
        let size = sets.len().div_ceil(BLOCK_LEN) * dims * BLOCK_LEN;
        let mut boxes = Self { dims, low: vec![PADDING; size], high: vec![PADDING; size] };
        for (number, set) in sets.enumerate() {
            for k in 0..dims {
                let at = boxes.at(number, k);
                (boxes.low[at], boxes.high[at]) = set
                    .iter()
                    .map(|item| side(item, k))
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (a, b)| {
                        (low.min(a), high.max(b))
                    });
            }
        }
        boxes
    }

    fn at(&self, number: usize, k: usize) -> usize {
        (number / BLOCK_LEN * self.dims + k) * BLOCK_LEN + number % BLOCK_LEN
    }

    fn side(&self, number: usize, k: usize) -> (f64, f64) {
        let at = self.at(number, k);
        (self.low[at], self.high[at])
    }

    fn chunks(&self) -> usize {
        self.low.len() / (self.dims * BLOCK_LEN)
    }

    /// Squared distance from `x` to the nearest, or the farthest, point of each box of a chunk.
    fn dist_sq<const TO: bool>(&self, chunk: usize, x: &[f64], out: &mut [f64; BLOCK_LEN]) {
        let range = chunk * self.dims * BLOCK_LEN..(chunk + 1) * self.dims * BLOCK_LEN;
        let (low, high) = (&self.low[range.clone()], &self.high[range]);
        simd_dispatch!(f64x8, box_dist_sq::<_, TO>(low, high, x, out));
    }
}

/// To which point of a box a distance is measured.
const NEAREST: bool = false;
const FARTHEST: bool = true;

#[inline(always)]
fn box_dist_sq<V: Simd<Scalar = f64>, const TO: bool>(
    simd: Available<V>,
    low: &[f64],
    high: &[f64],
    x: &[f64],
    out: &mut [f64; BLOCK_LEN],
) {
    let zero = simd.splat(0.0);
    for lane in (0..BLOCK_LEN).step_by(V::WIDTH) {
        let mut sum = zero;
        for (k, &q) in x.iter().enumerate() {
            let (q, at) = (simd.splat(q), k * BLOCK_LEN + lane);
            let (low, high) = (simd.load(&low[at..]), simd.load(&high[at..]));
            let along = if TO == FARTHEST {
                q.sub(low).max(high.sub(q))
            } else {
                low.sub(q).max(q.sub(high)).max(zero)
            };
            sum = along.mul_add(along, sum);
        }
        sum.store(&mut out[lane..]);
    }
}

#[inline(always)]
fn distances<V: Simd<Scalar = f64>>(
    simd: Available<V>,
    coords: &[f64],
    x: &[f64],
    dist_sq: &mut [f64],
) {
    let blocks = coords.chunks_exact(x.len() * BLOCK_LEN);
    for (block, dist_sq) in blocks.zip(dist_sq.chunks_exact_mut(BLOCK_LEN)) {
        let lanes: [V; BLOCK_LEN / 8] = block_dist_sq(simd, block, x);
        for (lanes, dist_sq) in lanes.into_iter().zip(dist_sq.chunks_exact_mut(V::WIDTH)) {
            lanes.store(dist_sq);
        }
    }
}

/// Squared distances from `x` to the points of a block, in `N` vectors.
#[inline(always)]
pub(crate) fn block_dist_sq<V: Simd<Scalar: ExpConstants>, const N: usize>(
    simd: Available<V>,
    block: &[V::Scalar],
    x: &[V::Scalar],
) -> [V; N] {
    let [dist_sq] = blocks_dist_sq::<V, N, 1>(simd, block, x);
    dist_sq
}

/// The same from each of `QUERIES` places, whose coordinates stand one after the other.
#[inline(always)]
pub(crate) fn blocks_dist_sq<
    V: Simd<Scalar: ExpConstants>,
    const N: usize,
    const QUERIES: usize,
>(
    simd: Available<V>,
    block: &[V::Scalar],
    queries: &[V::Scalar],
) -> [[V; N]; QUERIES] {
    let dims = queries.len() / QUERIES;
    let mut dist_sq = [[simd.splat(V::Scalar::ZERO); N]; QUERIES];
    for (dim, lanes) in block.chunks_exact(N * V::WIDTH).take(dims).enumerate() {
        let lanes: [V; N] = std::array::from_fn(|v| simd.load(&lanes[v * V::WIDTH..]));
        for (dist_sq, query) in dist_sq.iter_mut().zip(queries.chunks_exact(dims)) {
            let x = simd.splat(query[dim]);
            for (dist_sq, lanes) in dist_sq.iter_mut().zip(lanes) {
                let difference = lanes.sub(x);
                *dist_sq = difference.mul_add(difference, *dist_sq);
            }
        }
    }
    dist_sq
}

#[cfg(test)]
mod tests;
