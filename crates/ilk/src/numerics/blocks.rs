//! Points laid out for SIMD, in an order that keeps neighbours together.
//!
//! Points are sorted by a k-d split and cut into blocks of [`LANES`]. Inside a block the coordinates
//! are interleaved: all first coordinates, then all second ones, and so on, so that one register
//! holds the same coordinate of several points. A block has a bounding box, and so has a group of
//! [`LANES`] blocks; a search looks at boxes first and touches only the blocks that can matter.
//!
//! The order depends on the coordinates alone (ties fall back on the index), so a permutation of
//! the input gives the same blocks.

use super::simd::{Simd, simd_dispatch};

/// Points in a block: four registers of the widest kind in double precision, which hides the
/// latency of a fused multiply-add.
pub const LANES: usize = 32;

/// Points in a block in single precision, likewise four registers.
pub const LANES_F32: usize = 2 * LANES;

/// [`PADDING`] in single precision.
const PADDING_F32: f32 = 1e15;

/// The coordinate of a lane that holds no point: so far away that every squared distance is
/// beyond any bandwidth, yet small enough that even the smallest normal weight times it is next to
/// nothing.
pub const PADDING: f64 = 1e150;

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
    /// At most `u32::MAX` points; the doors refuse more long before.
    pub fn new(points: &[f64], dims: usize) -> Self {
        let len = points.len() / dims;
        let mut order: Vec<u32> = (0..len as u32).collect();
        split(points, dims, &mut order);
        let mut coords = vec![PADDING; len.div_ceil(LANES) * dims * LANES];
        for (slot, &i) in order.iter().enumerate() {
            let (block, lane) = (slot / LANES, slot % LANES);
            for k in 0..dims {
                coords[(block * dims + k) * LANES + lane] = points[i as usize * dims + k];
            }
        }
        let block_boxes = Boxes::around(dims, order.chunks(LANES), |&i, k| {
            let value = points[i as usize * dims + k];
            (value, value)
        });
        let n_blocks = len.div_ceil(LANES);
        let numbers: Vec<usize> = (0..n_blocks).collect();
        let group_boxes = Boxes::around(dims, numbers.chunks(LANES), |&block, k| {
            block_boxes.side(block, k)
        });
        Self {
            dims,
            len,
            order,
            coords,
            block_boxes,
            group_boxes,
        }
    }

    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of blocks.
    pub fn n_blocks(&self) -> usize {
        self.len.div_ceil(LANES)
    }

    /// The original index of the point in each slot; slot = block * [`LANES`] + lane.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// All coordinates: block by block, dimension by dimension, lane by lane.
    pub fn coords(&self) -> &[f64] {
        &self.coords
    }

    /// All coordinates times `scale` in single precision, in blocks of [`LANES_F32`]: block b holds
    /// blocks 2b and 2b + 1. The products should be moderate: their squares must not overflow.
    pub fn coords_f32(&self, scale: f64) -> Vec<f32> {
        let size = self.dims * LANES;
        let mut narrow = vec![PADDING_F32; self.n_blocks().div_ceil(2) * self.dims * LANES_F32];
        for (block, coords) in self.coords.chunks_exact(size).enumerate() {
            let filled = LANES.min(self.len - block * LANES);
            for (k, lanes) in coords.chunks_exact(LANES).enumerate() {
                let at = (block / 2 * self.dims + k) * LANES_F32 + block % 2 * LANES;
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
        let mut slots = vec![padding; self.n_blocks() * LANES];
        for (slot, &i) in self.order.iter().enumerate() {
            slots[slot] = values[i as usize];
        }
        slots
    }

    /// Appends to `found` every block that may hold a point within squared distance `reach_sq` of
    /// `x`, in ascending order. No such block is missed.
    pub fn near(&self, x: &[f64], reach_sq: f64, found: &mut Vec<u32>) {
        // Rounding in the box distance must not lose a point that lies exactly at the reach.
        let reach_sq = reach_sq * (1.0 + 1e-12);
        let n_blocks = self.n_blocks();
        let mut lower = [0.0; LANES];
        let mut inner = [0.0; LANES];
        for supergroup in 0..self.group_boxes.chunks() {
            self.group_boxes.lower_sq(supergroup, x, &mut lower);
            for (lane, &group_lower) in lower.iter().enumerate() {
                let group = supergroup * LANES + lane;
                if group * LANES >= n_blocks || group_lower > reach_sq {
                    continue;
                }
                self.block_boxes.lower_sq(group, x, &mut inner);
                let last = LANES.min(n_blocks - group * LANES);
                for (lane, &block_lower) in inner[..last].iter().enumerate() {
                    if block_lower <= reach_sq {
                        found.push((group * LANES + lane) as u32);
                    }
                }
            }
        }
    }

    /// As [`near`](Self::near), but blocks that lie wholly within `reach_sq` go to `whole` instead.
    pub fn near_or_within(
        &self,
        x: &[f64],
        reach_sq: f64,
        found: &mut Vec<u32>,
        whole: &mut Vec<u32>,
    ) {
        let first = found.len();
        self.near(x, reach_sq, found);
        let inside = reach_sq * (1.0 - 1e-12);
        let mut upper = [0.0; LANES];
        let mut known = usize::MAX;
        let mut kept = first;
        for at in first..found.len() {
            let block = found[at] as usize;
            if known != block / LANES {
                known = block / LANES;
                self.block_boxes.upper_sq(known, x, &mut upper);
            }
            if upper[block % LANES] <= inside {
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
        dist_sq.resize(self.n_blocks() * LANES, 0.0);
        distances(&self.coords, x, dist_sq);
    }

    /// An upper bound on the squared distance from `x` to all points of some block: at least one
    /// block lies wholly within it.
    pub fn nearest_block_upper_sq(&self, x: &[f64]) -> f64 {
        let mut upper = [0.0; LANES];
        let mut best = f64::INFINITY;
        for group in 0..self.block_boxes.chunks() {
            self.block_boxes.upper_sq(group, x, &mut upper);
            let last = LANES.min(self.n_blocks() - group * LANES);
            best = upper[..last].iter().fold(best, |a, &b| a.min(b));
        }
        best
    }
}

/// Orders points so that any aligned run of [`LANES`] of them is compact: splits at the median of
/// the widest dimension, at a multiple of [`LANES`], until a block is left. The depth is
/// logarithmic in the number of points.
fn split(points: &[f64], dims: usize, order: &mut [u32]) {
    if order.len() <= LANES {
        // A fixed order inside the block, so that equal sets of points give equal blocks.
        order.sort_unstable_by(|&a, &b| by_coordinates(points, dims, a, b));
        return;
    }
    let coordinate = |i: u32, k: usize| points[i as usize * dims + k];
    let spread = |k: usize| {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &i in order.iter() {
            low = low.min(coordinate(i, k));
            high = high.max(coordinate(i, k));
        }
        high - low
    };
    let widest = (0..dims)
        .map(|k| (k, spread(k)))
        .fold(
            (0, -1.0),
            |best, next| {
                if next.1 > best.1 { next } else { best }
            },
        );
    let blocks = order.len().div_ceil(LANES);
    let middle = blocks / 2 * LANES;
    let k = widest.0;
    order.select_nth_unstable_by(middle, |&a, &b| {
        coordinate(a, k)
            .total_cmp(&coordinate(b, k))
            .then_with(|| by_coordinates(points, dims, a, b))
    });
    let (left, right) = order.split_at_mut(middle);
    if left.len() > 4096 {
        rayon::join(|| split(points, dims, left), || split(points, dims, right));
    } else {
        split(points, dims, left);
        split(points, dims, right);
    }
}

/// Lexicographic order of two points, then by index.
fn by_coordinates(points: &[f64], dims: usize, a: u32, b: u32) -> std::cmp::Ordering {
    let row = |i: u32| &points[i as usize * dims..(i as usize + 1) * dims];
    row(a)
        .iter()
        .zip(row(b))
        .map(|(x, y)| x.total_cmp(y))
        .find(|o| o.is_ne())
        .unwrap_or(a.cmp(&b))
}

/// Bounding boxes, interleaved in chunks of [`LANES`] like the points.
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
        let size = sets.len().div_ceil(LANES) * dims * LANES;
        let mut boxes = Self {
            dims,
            low: vec![PADDING; size],
            high: vec![PADDING; size],
        };
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
        (number / LANES * self.dims + k) * LANES + number % LANES
    }

    fn side(&self, number: usize, k: usize) -> (f64, f64) {
        let at = self.at(number, k);
        (self.low[at], self.high[at])
    }

    fn chunks(&self) -> usize {
        self.low.len() / (self.dims * LANES)
    }

    /// Squared distance from `x` to the nearest point of each box of a chunk.
    fn lower_sq(&self, chunk: usize, x: &[f64], out: &mut [f64; LANES]) {
        let range = chunk * self.dims * LANES..(chunk + 1) * self.dims * LANES;
        box_lower_sq(&self.low[range.clone()], &self.high[range], x, out);
    }

    /// Squared distance from `x` to the farthest point of each box of a chunk.
    fn upper_sq(&self, chunk: usize, x: &[f64], out: &mut [f64; LANES]) {
        let range = chunk * self.dims * LANES..(chunk + 1) * self.dims * LANES;
        box_upper_sq(&self.low[range.clone()], &self.high[range], x, out);
    }
}

simd_dispatch!(
    fn box_lower_sq(low: &[f64], high: &[f64], x: &[f64], out: &mut [f64; LANES]) = lower_body,
    f64x8
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn lower_body<V: Simd<Scalar = f64>>(
    low: &[f64],
    high: &[f64],
    x: &[f64],
    out: &mut [f64; LANES],
) {
    // SAFETY: the caller's promise.
    unsafe {
        let zero = V::splat(0.0);
        for lane in (0..LANES).step_by(V::WIDTH) {
            let mut sum = zero;
            for (k, &q) in x.iter().enumerate() {
                let (q, at) = (V::splat(q), k * LANES + lane);
                let outside = V::load(&low[at..])
                    .sub(q)
                    .max(q.sub(V::load(&high[at..])))
                    .max(zero);
                sum = outside.mul_add(outside, sum);
            }
            sum.store(&mut out[lane..]);
        }
    }
}

simd_dispatch!(
    fn box_upper_sq(low: &[f64], high: &[f64], x: &[f64], out: &mut [f64; LANES]) = upper_body,
    f64x8
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn upper_body<V: Simd<Scalar = f64>>(
    low: &[f64],
    high: &[f64],
    x: &[f64],
    out: &mut [f64; LANES],
) {
    // SAFETY: the caller's promise.
    unsafe {
        for lane in (0..LANES).step_by(V::WIDTH) {
            let mut sum = V::splat(0.0);
            for (k, &q) in x.iter().enumerate() {
                let (q, at) = (V::splat(q), k * LANES + lane);
                let farthest = q.sub(V::load(&low[at..])).max(V::load(&high[at..]).sub(q));
                sum = farthest.mul_add(farthest, sum);
            }
            sum.store(&mut out[lane..]);
        }
    }
}

simd_dispatch!(
    /// Appends to `found` the slots, in the given blocks, of the points within squared distance
    /// `reach_sq` of `x`.
    pub fn slots_within(
        coords: &[f64],
        blocks: &[u32],
        x: &[f64],
        reach_sq: f64,
        found: &mut Vec<u32>,
    ) = slots_within_body,
    f64x8
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn slots_within_body<V: Simd<Scalar = f64>>(
    coords: &[f64],
    blocks: &[u32],
    x: &[f64],
    reach_sq: f64,
    found: &mut Vec<u32>,
) {
    let size = x.len() * LANES;
    let mut dist_sq = [0.0; LANES];
    for &block in blocks {
        let at = block as usize * size;
        // SAFETY: the caller's promise.
        let lanes: [V; LANES / 8] = unsafe { block_dist_sq(&coords[at..at + size], x) };
        for (lane, values) in lanes.into_iter().enumerate() {
            values.store(&mut dist_sq[lane * V::WIDTH..]);
        }
        let mut slots = [0u32; LANES];
        let mut count = 0;
        for (l, &value) in dist_sq.iter().enumerate() {
            slots[count] = block * LANES as u32 + l as u32;
            count += usize::from(value <= reach_sq);
        }
        found.extend_from_slice(&slots[..count]);
    }
}

simd_dispatch!(
    fn distances(coords: &[f64], x: &[f64], dist_sq: &mut [f64]) = distances_body,
    f64x8
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn distances_body<V: Simd<Scalar = f64>>(coords: &[f64], x: &[f64], dist_sq: &mut [f64]) {
    let blocks = coords.chunks_exact(x.len() * LANES);
    for (block, dist_sq) in blocks.zip(dist_sq.chunks_exact_mut(LANES)) {
        // SAFETY: the caller's promise.
        let lanes: [V; LANES / 8] = unsafe { block_dist_sq(block, x) };
        for (lanes, dist_sq) in lanes.into_iter().zip(dist_sq.chunks_exact_mut(V::WIDTH)) {
            lanes.store(dist_sq);
        }
    }
}

/// Squared distances from `x` to the points of a block, in `N` vectors.
///
/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
pub(crate) unsafe fn block_dist_sq<V: Simd<Scalar: Copy>, const N: usize>(
    block: &[V::Scalar],
    x: &[V::Scalar],
) -> [V; N]
where
    V::Scalar: super::exp::ExpConstants,
{
    use super::exp::ExpConstants;
    // SAFETY: the caller's promise.
    unsafe {
        let mut dist_sq = [V::splat(V::Scalar::ZERO); N];
        for (lanes, &q) in block.chunks_exact(N * V::WIDTH).zip(x) {
            let q = V::splat(q);
            for (v, dist_sq) in dist_sq.iter_mut().enumerate() {
                let difference = V::load(&lanes[v * V::WIDTH..]).sub(q);
                *dist_sq = difference.mul_add(difference, *dist_sq);
            }
        }
        dist_sq
    }
}
