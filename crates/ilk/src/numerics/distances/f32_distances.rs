//! The nearest of a few centers to each of many points, through single precision.
//!
//! One instruction compares sixteen centers with a point, by |x - c|² = |x|² + 2 (|c|²/2 - x·c). This
//! form loses digits, and single precision loses more, but the error has a known bound. So a center
//! is certainly nearest where it leads by twice the bound, and only centers within the bound are
//! compared again, by the squared differences of double precision. The result is exactly that of the
//! plain loop.

use ndarray::ArrayView2;
use rayon::prelude::*;

use super::dist_sq;
use crate::numerics::simd::{Available, Simd, simd_dispatch};

/// Centers a panel.
const LANES: usize = 16;

/// Points that share one pass over a panel.
const TILE: usize = 8;

/// The unit roundoff of single precision.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// The largest norm, in units of the spread of the points, for which the error bound holds.
const MAX_NORM: f64 = 1e9;

/// |c|²/2 of the lanes without a center, in the last panel.
const PADDING: f32 = 1e30;

/// Many points about their mean, in single precision. Distances are in units of `scale`, a power of
/// two, so that no square overflows.
#[derive(Debug, Clone)]
pub struct F32Distances {
    rows: Vec<f32>,
    /// |x|².
    squares: Vec<f64>,
    dims: usize,
    mean: Vec<f64>,
    scale: f64,
}

/// A few centers in panels of sixteen, relative to the mean of the points.
#[derive(Debug, Clone)]
pub struct F32Centers {
    /// -c, dimension by dimension within a panel.
    panels: Vec<[f32; LANES]>,
    /// |c|²/2.
    halves: Vec<[f32; LANES]>,
    /// -c, center by center.
    rows: Vec<f32>,
    len: usize,
    /// The largest |c|.
    max_norm: f64,
}

/// The nearest center to a point, and bounds in units of [`F32Distances::scale`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestCenter {
    /// The center; of equally near ones the first.
    pub center: usize,
    /// The distance to it is at most this.
    pub upper: f64,
    /// The distance to any other is at least this.
    pub lower: f64,
}

/// The scores of some points with all centers; the memory is reused.
#[derive(Debug, Default)]
pub struct F32Scores {
    /// |c|²/2 - x·c, point by point, padded to whole panels.
    scores: Vec<f32>,
    best: Vec<NearestTwo>,
}

#[derive(Debug, Clone, Copy, Default)]
struct NearestTwo {
    center: usize,
    score: f32,
    second: f32,
}

impl F32Distances {
    /// Takes the rows of `points`, one after the other, with `dims` coordinates each, at least one.
    pub fn new(points: &[f64], dims: usize) -> Self {
        let mean = mean(points, dims);
        let widest =
            points.par_chunks(dims).map(|row| farthest(row, &mean)).reduce(|| 0.0, f64::max);
        let scale = if widest.is_normal() {
            widest.log2().ceil().clamp(-1000.0, 1000.0).exp2()
        } else {
            1.0
        };
        let mut rows = vec![0.0; points.len()];
        let squares = rows
            .par_chunks_mut(dims)
            .zip(points.par_chunks(dims))
            .map(|(out, row)| center_and_scale(row, &mean, 1.0 / scale, out))
            .collect();
        Self { rows, squares, dims, mean, scale }
    }

    /// The unit of distances.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Lays out the rows of `centers`.
    pub fn f32_centers(&self, centers: ArrayView2<'_, f64>) -> F32Centers {
        let (len, dims) = centers.dim();
        let n_panels = len.div_ceil(LANES);
        let mut panels = vec![[0.0; LANES]; n_panels * dims];
        let mut halves = vec![[PADDING; LANES]; n_panels];
        let mut rows = vec![0.0; len * dims];
        let mut max_norm: f64 = 0.0;
        let centers = centers.rows().into_iter().zip(rows.chunks_exact_mut(dims));
        for (c, (center, row)) in centers.enumerate() {
            let center = center.to_vec();
            let square = center_and_scale(&center, &self.mean, 1.0 / self.scale, row);
            halves[c / LANES][c % LANES] = (0.5 * square) as f32;
            max_norm = max_norm.max(square.sqrt());
            let panel = &mut panels[c / LANES * dims..][..dims];
            for (slot, x) in panel.iter_mut().zip(row) {
                *x = -*x;
                slot[c % LANES] = *x;
            }
        }
        if max_norm.is_nan() || max_norm > MAX_NORM {
            max_norm = f64::INFINITY;
        }
        F32Centers { panels, halves, rows, len, max_norm }
    }

    /// The error bound of a point's scores with these centers: the rounding of both to single
    /// precision, that of a sum over the dimensions, and underflow.
    fn error(&self, i: usize, centers: &F32Centers) -> f64 {
        let terms = (self.dims + 4) as f64;
        if terms * UNIT > 0.1 || centers.max_norm.is_infinite() {
            return f64::INFINITY;
        }
        let norm = self.squares[i].sqrt();
        let size = norm * centers.max_norm + 0.5 * centers.max_norm * centers.max_norm;
        terms * (1.2 * UNIT * size + 4.0 * f64::EPSILON * self.squares[i] + 1e-37)
    }

    /// An upper bound on the distance between a point and a center, in units of the scale.
    pub fn upper(&self, i: usize, centers: &F32Centers, center: usize) -> f64 {
        let row = &self.rows[i * self.dims..][..self.dims];
        let negated = &centers.rows[center * self.dims..][..self.dims];
        let product = simd_dispatch!(f32x16, dot(row, negated));
        let half = centers.halves[center / LANES][center % LANES];
        let dist_sq = self.squares[i] + 2.0 * (f64::from(half) + f64::from(product));
        (dist_sq.max(0.0) + 2.0 * self.error(i, centers)).sqrt()
    }

    /// Scores some points with all centers.
    pub fn scan(&self, points: &[usize], centers: &F32Centers, scan: &mut F32Scores) {
        let width = centers.halves.len() * LANES;
        scan.scores.resize(points.len() * width, 0.0);
        scan.best.resize(points.len(), NearestTwo::default());
        simd_dispatch!(f32x16, scores(self, points, centers, &mut scan.scores, &mut scan.best));
    }

    /// The center nearest to the point that was number `at` of a scan. Where single precision does
    /// not decide, `row` (the point itself) and `all` (the centers themselves) decide.
    pub fn nearest(
        &self,
        i: usize,
        centers: &F32Centers,
        scan: &F32Scores,
        at: usize,
        row: &[f64],
        all: ArrayView2<'_, f64>,
    ) -> NearestCenter {
        let NearestTwo { center, score, second } = scan.best[at];
        let (error, square) = (self.error(i, centers), self.squares[i]);
        let upper_sq = (square + 2.0 * f64::from(score)).max(0.0) + 2.0 * error;
        // Squared differences round too.
        let rounding = (self.dims + 4) as f64 * 4.0 * f64::EPSILON * upper_sq;
        let threshold = f64::from(score) + 2.0 * error + rounding;
        if f64::from(second) > threshold {
            return NearestCenter {
                center,
                upper: upper_sq.sqrt(),
                lower: lower(square + 2.0 * (f64::from(second) - error)),
            };
        }
        let width = centers.halves.len() * LANES;
        let scores = &scan.scores[at * width..][..centers.len];
        let (mut center, mut best, mut next) = (0, f64::INFINITY, f64::INFINITY);
        for (c, &score) in scores.iter().enumerate() {
            // A score that is not a number, where squares overflow, is compared again too.
            if f64::from(score) > threshold {
                continue;
            }
            let found = match all.row(c).to_slice() {
                Some(center) => dist_sq(row, center),
                None => dist_sq(row, &all.row(c).to_vec()),
            };
            if found < best {
                (center, next, best) = (c, best, found);
            } else {
                next = next.min(found);
            }
        }
        let others = lower(square + 2.0 * (threshold - error));
        NearestCenter {
            center,
            upper: best.sqrt() / self.scale,
            lower: others.min(next.sqrt() / self.scale),
        }
    }

    /// The squared distances between the points of a range and all centers, center by center, in the
    /// units of the points. Where the relative error of a distance is large, because it is small,
    /// that of `exact(point, center)` is taken.
    pub fn dist_sq(
        &self,
        points: std::ops::Range<usize>,
        centers: &F32Centers,
        scan: &mut F32Scores,
        exact: impl Fn(usize, usize) -> f64,
        out: &mut [f64],
    ) {
        let (count, width) = (points.len(), centers.halves.len() * LANES);
        let numbers: Vec<usize> = points.collect();
        self.scan(&numbers, centers, scan);
        for (at, &i) in numbers.iter().enumerate() {
            let inaccurate = 1e3 * self.error(i, centers);
            for (c, &score) in scan.scores[at * width..][..centers.len].iter().enumerate() {
                let found = self.squares[i] + 2.0 * f64::from(score);
                out[c * count + at] =
                    if found > inaccurate { found * self.scale * self.scale } else { exact(i, c) };
            }
        }
    }
}

/// The root of a squared distance; 0 where rounding made it negative or it is not a number.
fn lower(dist_sq: f64) -> f64 {
    if dist_sq > 0.0 { dist_sq.sqrt() } else { 0.0 }
}

/// The mean of rows, summed in blocks of fixed size. Any position near the points would do.
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

/// Sums that are taken side by side, so that none waits for another.
const SIDE_BY_SIDE: usize = 8;

/// The largest |x - mean| of a row.
fn farthest(row: &[f64], mean: &[f64]) -> f64 {
    let larger = |far: f64, x: f64, mean: f64| {
        let distance = (x - mean).abs();
        if distance > far { distance } else { far }
    };
    let mut far = [0.0; SIDE_BY_SIDE];
    let (rows, means) = (row.chunks_exact(SIDE_BY_SIDE), mean.chunks_exact(SIDE_BY_SIDE));
    let rest = rows.remainder().iter().zip(means.remainder());
    for (x, mean) in rows.zip(means) {
        for (at, far) in far.iter_mut().enumerate() {
            *far = larger(*far, x[at], mean[at]);
        }
    }
    rest.fold(far.into_iter().fold(0.0, f64::max), |far, (x, mean)| larger(far, *x, *mean))
}

/// Writes (x - mean) times `shrink` and returns the squared norm of that.
fn center_and_scale(row: &[f64], mean: &[f64], shrink: f64, out: &mut [f32]) -> f64 {
    let mut squares = [0.0; SIDE_BY_SIDE];
    let (rows, means) = (row.chunks_exact(SIDE_BY_SIDE), mean.chunks_exact(SIDE_BY_SIDE));
    let rest = rows.remainder().iter().zip(means.remainder());
    let (whole, tail) = out.split_at_mut(row.len() / SIDE_BY_SIDE * SIDE_BY_SIDE);
    for ((out, x), mean) in whole.chunks_exact_mut(SIDE_BY_SIDE).zip(rows).zip(means) {
        for (at, square) in squares.iter_mut().enumerate() {
            let x = (x[at] - mean[at]) * shrink;
            *square += x * x;
            out[at] = x as f32;
        }
    }
    let mut square = squares.iter().sum();
    for (out, (x, mean)) in tail.iter_mut().zip(rest) {
        let x = (x - mean) * shrink;
        square += x * x;
        *out = x as f32;
    }
    square
}

#[inline(always)]
fn dot<V: Simd<Scalar = f32>>(simd: Available<V>, a: &[f32], b: &[f32]) -> f32 {
    const STEP: usize = 4 * LANES;
    let mut sums = [simd.splat(0.0); 4];
    let whole = a.len() / STEP * STEP;
    for (a, b) in a[..whole].chunks_exact(STEP).zip(b[..whole].chunks_exact(STEP)) {
        for (v, sum) in sums.iter_mut().enumerate() {
            *sum = simd.load(&a[v * LANES..]).mul_add(simd.load(&b[v * LANES..]), *sum);
        }
    }
    let sum = sums[0].add(sums[1]).add(sums[2].add(sums[3]));
    let mut lanes = [0.0; LANES];
    sum.store(&mut lanes);
    let rest = a[whole..].iter().zip(&b[whole..]);
    lanes.iter().sum::<f32>() + rest.map(|(a, b)| a * b).sum::<f32>()
}

#[inline(always)]
fn scores<V: Simd<Scalar = f32>>(
    simd: Available<V>,
    distances: &F32Distances,
    points: &[usize],
    centers: &F32Centers,
    scores: &mut [f32],
    best: &mut [NearestTwo],
) {
    let (panels, halves) = (centers.panels.as_slice(), centers.halves.as_slice());
    let (rows, dims) = (distances.rows.as_slice(), distances.dims);
    let width = halves.len() * LANES;
    for ((points, scores), best) in
        points.chunks(TILE).zip(scores.chunks_mut(TILE * width)).zip(best.chunks_mut(TILE))
    {
        // The last tile is filled up with its first point.
        let row = |at: usize| {
            let i = points.get(at).unwrap_or(&points[0]);
            &rows[i * dims..][..dims]
        };
        let tile: [&[f32]; TILE] = std::array::from_fn(row);
        let mut smallest = [[simd.splat(f32::MAX); 2]; TILE];
        for (p, half) in halves.iter().enumerate() {
            let panel = &panels[p * dims..][..dims];
            let mut sums = [simd.splat(0.0); TILE];
            if V::REGISTERS == 1 {
                sums = tile_scores(simd, panel, half, tile);
            } else {
                let (first, second) = tile.split_at(TILE / 2);
                for (sums, tile) in sums.chunks_exact_mut(TILE / 2).zip([first, second]) {
                    let tile: [&[f32]; TILE / 2] = std::array::from_fn(|at| tile[at]);
                    sums.copy_from_slice(&tile_scores::<V, { TILE / 2 }>(simd, panel, half, tile));
                }
            }
            for (at, scores) in scores.chunks_exact_mut(width).enumerate() {
                let [first, second] = smallest[at];
                smallest[at] = [first.min(sums[at]), second.min(first.max(sums[at]))];
                sums[at].store(&mut scores[p * LANES..]);
            }
        }
        for ((best, scores), smallest) in
            best.iter_mut().zip(scores.chunks_exact(width)).zip(smallest)
        {
            *best = NearestTwo::of::<V>(simd, scores, smallest);
        }
    }
}

/// The scores of `N` points with the centers of a panel.
#[inline(always)]
fn tile_scores<V: Simd<Scalar = f32>, const N: usize>(
    simd: Available<V>,
    panel: &[[f32; LANES]],
    half: &[f32; LANES],
    rows: [&[f32]; N],
) -> [V; N] {
    let rows = rows.map(|row| &row[..panel.len()]);
    let mut sums = [simd.load(half); N];
    for (k, centers) in panel.iter().enumerate() {
        let centers = simd.load(centers);
        for (sum, row) in sums.iter_mut().zip(rows) {
            *sum = centers.mul_add(simd.splat(row[k]), *sum);
        }
    }
    sums
}

impl NearestTwo {
    /// The smallest score, where it stands, and the second smallest, given both of every lane.
    #[inline(always)]
    fn of<V: Simd<Scalar = f32>>(
        simd: Available<V>,
        scores: &[f32],
        [first, second]: [V; 2],
    ) -> Self {
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
        let mut center = 0;
        let bound = simd.splat(low[0]);
        for (p, scores) in scores.chunks_exact(LANES).enumerate() {
            let mask = simd.load(scores).mask_at_most(bound);
            if mask != 0 {
                center = p * LANES + mask.trailing_zeros() as usize;
                break;
            }
        }
        Self { center, score: low[0], second: next[0] }
    }
}

#[cfg(test)]
mod tests;
