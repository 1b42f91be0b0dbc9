//! Which of a few places is nearest to each of many points, by way of single precision.
//!
//! Sixteen places meet a point an instruction, by |x - c|² = |x|² + 2 (|c|²/2 - x·c). That form
//! loses digits, and single precision loses more, but never more than a bound that is known. So a
//! place is nearest beyond doubt where it leads by twice the bound, and only the others that do not
//! are looked at again, with the squared differences of double precision. What comes out is what
//! the plain loop gives, to the label.

use ndarray::ArrayView2;
use rayon::prelude::*;

use super::dist_sq;
use crate::numerics::simd::{Simd, simd_dispatch};

/// Places a panel.
const LANES: usize = 16;

/// Points that share one pass over a panel.
const TILE: usize = 8;

/// The rounding of single precision.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// Beyond this norm, in units of the spread of the points, squares of single precision are not
/// trusted.
const FAR: f64 = 1e9;

/// What stands for the places that fill up the last panel.
const NOWHERE: f32 = 1e30;

/// Many points about their mean, in single precision. Distances are in units of `scale`, a power of
/// two, so that no square overflows.
#[derive(Debug, Clone)]
pub struct Rough {
    rows: Vec<f32>,
    /// |x|, and |x|².
    norms: Vec<f64>,
    squares: Vec<f64>,
    dims: usize,
    mean: Vec<f64>,
    scale: f64,
}

/// A few places in panels of sixteen, for the points that they were laid out for.
#[derive(Debug, Clone)]
pub struct Places {
    /// -c, dimension by dimension within a panel.
    panels: Vec<[f32; LANES]>,
    /// |c|²/2.
    halves: Vec<[f32; LANES]>,
    /// -c, place by place.
    rows: Vec<f32>,
    len: usize,
    /// The largest |c|.
    reach: f64,
}

/// The nearest place to a point, and bounds in units of [`Rough::scale`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// The place; of equally near ones the first.
    pub place: usize,
    /// The distance to it is at most this.
    pub upper: f64,
    /// The distance to any other is at least this.
    pub lower: f64,
}

/// What a scan of some points found; kept to be used again.
#[derive(Debug, Default)]
pub struct Scan {
    /// |c|²/2 - x·c, point by point, padded to whole panels.
    scores: Vec<f32>,
    best: Vec<Best>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Best {
    place: usize,
    score: f32,
    second: f32,
}

impl Rough {
    /// Takes the rows of `points`, one after the other, with `dims` coordinates each, at least one.
    pub fn new(points: &[f64], dims: usize) -> Self {
        let mean = mean(points, dims);
        let widest = points
            .par_chunks(dims)
            .map(|row| {
                let far = row.iter().zip(&mean).map(|(x, m)| (x - m).abs());
                far.fold(0.0, f64::max)
            })
            .reduce(|| 0.0, f64::max);
        let scale = if widest.is_normal() {
            widest.log2().ceil().clamp(-1000.0, 1000.0).exp2()
        } else {
            1.0
        };
        let mut rough = Self {
            rows: vec![0.0; points.len()],
            norms: Vec::new(),
            squares: Vec::new(),
            dims,
            mean,
            scale,
        };
        let (mean, shrink) = (&rough.mean, 1.0 / scale);
        rough.squares = rough
            .rows
            .par_chunks_mut(dims)
            .zip(points.par_chunks(dims))
            .map(|(rough, row)| shrunk(row, mean, shrink, rough))
            .collect();
        rough.norms = rough.squares.iter().map(|square| square.sqrt()).collect();
        rough
    }

    /// The unit of distances.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Lays out the rows of `places`.
    pub fn places(&self, places: ArrayView2<'_, f64>) -> Places {
        let (len, dims) = places.dim();
        let n_panels = len.div_ceil(LANES);
        let mut panels = vec![[0.0; LANES]; n_panels * dims];
        let mut halves = vec![[NOWHERE; LANES]; n_panels];
        let mut rows = vec![0.0; len * dims];
        let mut reach: f64 = 0.0;
        for (c, (place, row)) in places
            .rows()
            .into_iter()
            .zip(rows.chunks_exact_mut(dims))
            .enumerate()
        {
            let place = place.to_vec();
            let square = shrunk(&place, &self.mean, 1.0 / self.scale, row);
            halves[c / LANES][c % LANES] = (0.5 * square) as f32;
            reach = reach.max(square.sqrt());
            let panel = &mut panels[c / LANES * dims..][..dims];
            for (slot, x) in panel.iter_mut().zip(row) {
                *x = -*x;
                slot[c % LANES] = *x;
            }
        }
        if reach.is_nan() || reach > FAR {
            reach = f64::INFINITY;
        }
        Places {
            panels,
            halves,
            rows,
            len,
            reach,
        }
    }

    /// By how much the score of a point with any of these places may be off: the rounding of both
    /// to single precision, that of a sum of as many terms as there are dimensions, and underflow.
    fn error(&self, i: usize, places: &Places) -> f64 {
        let terms = (self.dims + 4) as f64;
        if terms * UNIT > 0.1 || places.reach.is_infinite() {
            return f64::INFINITY;
        }
        let size = self.norms[i] * places.reach + 0.5 * places.reach * places.reach;
        terms * (1.2 * UNIT * size + 4.0 * f64::EPSILON * self.squares[i] + 1e-37)
    }

    /// An upper bound on the distance between a point and a place, in units of the scale.
    pub fn upper(&self, i: usize, places: &Places, place: usize) -> f64 {
        let row = &self.rows[i * self.dims..][..self.dims];
        let negated = &places.rows[place * self.dims..][..self.dims];
        let mut product = 0.0;
        dot(row, negated, &mut product);
        let half = places.halves[place / LANES][place % LANES];
        let dist_sq = self.squares[i] + 2.0 * (f64::from(half) + f64::from(product));
        (dist_sq.max(0.0) + 2.0 * self.error(i, places)).sqrt()
    }

    /// Scores some points with all places.
    pub fn scan(&self, points: &[usize], places: &Places, scan: &mut Scan) {
        let width = places.halves.len() * LANES;
        scan.scores.resize(points.len() * width, 0.0);
        scan.best.resize(points.len(), Best::default());
        scores(
            &self.rows,
            self.dims,
            points,
            &places.panels,
            &places.halves,
            &mut scan.scores,
            &mut scan.best,
        );
    }

    /// The place nearest to the point that was number `at` of a scan. Where single precision leaves
    /// a doubt, `row` (the point itself) and `all` (the places themselves) decide.
    pub fn nearest(
        &self,
        i: usize,
        places: &Places,
        scan: &Scan,
        at: usize,
        row: &[f64],
        all: ArrayView2<'_, f64>,
    ) -> Nearest {
        let Best {
            place,
            score,
            second,
        } = scan.best[at];
        let (error, square) = (self.error(i, places), self.squares[i]);
        let upper_sq = (square + 2.0 * f64::from(score)).max(0.0) + 2.0 * error;
        // Squared differences round too.
        let rounding = (self.dims + 4) as f64 * 4.0 * f64::EPSILON * upper_sq;
        let doubt = f64::from(score) + 2.0 * error + rounding;
        if f64::from(second) > doubt {
            return Nearest {
                place,
                upper: upper_sq.sqrt(),
                lower: lower(square + 2.0 * (f64::from(second) - error)),
            };
        }
        let width = places.halves.len() * LANES;
        let scores = &scan.scores[at * width..][..places.len];
        let (mut place, mut best, mut next) = (0, f64::INFINITY, f64::INFINITY);
        for (c, &score) in scores.iter().enumerate() {
            // Not a number, where squares overflow, leaves a doubt as well.
            if f64::from(score) > doubt {
                continue;
            }
            let found = match all.row(c).to_slice() {
                Some(center) => dist_sq(row, center),
                None => dist_sq(row, &all.row(c).to_vec()),
            };
            if found < best {
                (place, next, best) = (c, best, found);
            } else {
                next = next.min(found);
            }
        }
        let others = lower(square + 2.0 * (doubt - error));
        Nearest {
            place,
            upper: best.sqrt() / self.scale,
            lower: others.min(next.sqrt() / self.scale),
        }
    }

    /// The squared distances between the points of a range and all places, place by place, in the
    /// units of the points. Where single precision knows little of a distance, because it is small,
    /// that of `exact(point, place)` is taken.
    pub fn dist_sq(
        &self,
        points: std::ops::Range<usize>,
        places: &Places,
        scan: &mut Scan,
        exact: impl Fn(usize, usize) -> f64,
        out: &mut [f64],
    ) {
        let (count, width) = (points.len(), places.halves.len() * LANES);
        let numbers: Vec<usize> = points.collect();
        self.scan(&numbers, places, scan);
        for (at, &i) in numbers.iter().enumerate() {
            let unsure = 1e3 * self.error(i, places);
            for (c, &score) in scan.scores[at * width..][..places.len].iter().enumerate() {
                let found = self.squares[i] + 2.0 * f64::from(score);
                out[c * count + at] = if found > unsure {
                    found * self.scale * self.scale
                } else {
                    exact(i, c)
                };
            }
        }
    }
}

impl Places {
    /// Number of places.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The root of a squared distance that may be rounded below 0, or unknown.
fn lower(dist_sq: f64) -> f64 {
    if dist_sq > 0.0 { dist_sq.sqrt() } else { 0.0 }
}

/// The mean of rows, summed in blocks of fixed size. Any place near the points would do.
fn mean(points: &[f64], dims: usize) -> Vec<f64> {
    let share = 1.0 / (points.len() / dims).max(1) as f64;
    let sums: Vec<Vec<f64>> = points
        .par_chunks(1024 * dims)
        .map(|rows| {
            let mut sums = vec![0.0; dims];
            for row in rows.chunks_exact(dims) {
                for (sum, x) in sums.iter_mut().zip(row) {
                    *sum += x * share;
                }
            }
            sums
        })
        .collect();
    let mut mean = vec![0.0; dims];
    for sums in sums {
        for (mean, sum) in mean.iter_mut().zip(sums) {
            *mean += sum;
        }
    }
    mean
}

/// Writes (x - mean) times `shrink` and returns its squared norm.
fn shrunk(row: &[f64], mean: &[f64], shrink: f64, out: &mut [f32]) -> f64 {
    let mut square = 0.0;
    for ((out, x), mean) in out.iter_mut().zip(row).zip(mean) {
        let x = (x - mean) * shrink;
        square += x * x;
        *out = x as f32;
    }
    square
}

simd_dispatch!(
    fn dot(a: &[f32], b: &[f32], out: &mut f32) = dot_body, f32x16
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn dot_body<V: Simd<Scalar = f32>>(a: &[f32], b: &[f32], out: &mut f32) {
    const STEP: usize = 4 * LANES;
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [V::splat(0.0); 4];
        let whole = a.len() / STEP * STEP;
        for (a, b) in a[..whole]
            .chunks_exact(STEP)
            .zip(b[..whole].chunks_exact(STEP))
        {
            for (v, sum) in sums.iter_mut().enumerate() {
                *sum = V::load(&a[v * LANES..]).mul_add(V::load(&b[v * LANES..]), *sum);
            }
        }
        let sum = sums[0].add(sums[1]).add(sums[2].add(sums[3]));
        let mut lanes = [0.0; LANES];
        sum.store(&mut lanes);
        let rest = a[whole..].iter().zip(&b[whole..]);
        *out = lanes.iter().sum::<f32>() + rest.map(|(a, b)| a * b).sum::<f32>();
    }
}

simd_dispatch!(
    fn scores(
        rows: &[f32],
        dims: usize,
        points: &[usize],
        panels: &[[f32; LANES]],
        halves: &[[f32; LANES]],
        scores: &mut [f32],
        best: &mut [Best],
    ) = scores_body, f32x16
);

/// # Safety
/// The machine must have the instructions of `V`.
#[allow(clippy::too_many_arguments, reason = "the arguments of an inner loop")]
#[inline(always)]
unsafe fn scores_body<V: Simd<Scalar = f32>>(
    rows: &[f32],
    dims: usize,
    points: &[usize],
    panels: &[[f32; LANES]],
    halves: &[[f32; LANES]],
    scores: &mut [f32],
    best: &mut [Best],
) {
    let width = halves.len() * LANES;
    // SAFETY: the caller's promise.
    unsafe {
        for ((points, scores), best) in points
            .chunks(TILE)
            .zip(scores.chunks_mut(TILE * width))
            .zip(best.chunks_mut(TILE))
        {
            // The last tile is filled up with its first point.
            let row = |at: usize| {
                let i = points.get(at).unwrap_or(&points[0]);
                &rows[i * dims..][..dims]
            };
            let tile: [&[f32]; TILE] = std::array::from_fn(row);
            let mut smallest = [[V::splat(f32::MAX); 2]; TILE];
            for (p, half) in halves.iter().enumerate() {
                let panel = &panels[p * dims..][..dims];
                let mut sums = [V::splat(0.0); TILE];
                if V::REGISTERS == 1 {
                    sums = met(panel, half, tile);
                } else {
                    let (first, second) = tile.split_at(TILE / 2);
                    for (sums, tile) in sums.chunks_exact_mut(TILE / 2).zip([first, second]) {
                        let tile: [&[f32]; TILE / 2] = std::array::from_fn(|at| tile[at]);
                        sums.copy_from_slice(&met::<V, { TILE / 2 }>(panel, half, tile));
                    }
                }
                for (at, scores) in scores.chunks_exact_mut(width).enumerate() {
                    let [first, second] = smallest[at];
                    smallest[at] = [first.min(sums[at]), second.min(first.max(sums[at]))];
                    sums[at].store(&mut scores[p * LANES..]);
                }
            }
            for ((best, scores), smallest) in best
                .iter_mut()
                .zip(scores.chunks_exact(width))
                .zip(smallest)
            {
                *best = Best::of::<V>(scores, smallest);
            }
        }
    }
}

/// The scores of `N` points with the places of a panel.
///
/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn met<V: Simd<Scalar = f32>, const N: usize>(
    panel: &[[f32; LANES]],
    half: &[f32; LANES],
    rows: [&[f32]; N],
) -> [V; N] {
    let rows = rows.map(|row| &row[..panel.len()]);
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [V::load(half); N];
        for (k, places) in panel.iter().enumerate() {
            let places = V::load(places);
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum = places.mul_add(V::splat(row[k]), *sum);
            }
        }
        sums
    }
}

impl Best {
    /// The smallest score, where it stands, and the second smallest, given both of every lane.
    ///
    /// # Safety
    /// The machine must have the instructions of `V`.
    #[inline(always)]
    unsafe fn of<V: Simd<Scalar = f32>>(scores: &[f32], [first, second]: [V; 2]) -> Self {
        let (mut low, mut next) = ([0.0f32; LANES], [0.0f32; LANES]);
        first.store(&mut low);
        second.store(&mut next);
        let mut half = LANES / 2;
        while half > 0 {
            for lane in 0..half {
                let (a, b) = (low[lane], low[lane + half]);
                next[lane] = next[lane].min(next[lane + half]).min(a.max(b));
                low[lane] = a.min(b);
            }
            half /= 2;
        }
        let mut place = 0;
        // SAFETY: the caller's promise.
        let bound = unsafe { V::splat(low[0]) };
        for (p, scores) in scores.chunks_exact(LANES).enumerate() {
            // SAFETY: the caller's promise.
            let mask = unsafe { V::load(scores) }.mask_at_most(bound);
            if mask != 0 {
                place = p * LANES + mask.trailing_zeros() as usize;
                break;
            }
        }
        Self {
            place,
            score: low[0],
            second: next[0],
        }
    }
}
