//! Rules that estimate a bandwidth from the data.
//!
//! Where all points coincide, every rule gives 0. Above [`SAMPLE`] points the percentile of all pairs
//! and the median distance to a neighbour use a sample, drawn with the seed.

use ndarray::Axis;

use super::Bandwidth;
use crate::numerics::neighbors::{Neighbors, SelfNeighbor};
use crate::{
    Result, numerics::distances::Panels, numerics::quantile::Quantile, numerics::rng::rng,
    numerics::rows_of, problem::Points,
};

/// With at most this many points a rule uses all of them and is exact.
pub const SAMPLE: usize = 2048;

/// The neighbour whose distance default widths are based on (Zelnik-Manor and Perona 2004).
const WIDTH_NEIGHBOR: usize = 7;

/// Points whose neighbours are sought, among all, when there are more than [`SAMPLE`].
const NEIGHBOR_SAMPLE: usize = 512;

/// The distance below which the share `share` (0 to 1) of all pairwise distances lies: their
/// quantile, interpolated linearly between the two nearest order statistics, as numpy's.
///
/// Above [`SAMPLE`] points the pairs among a random `SAMPLE` of them stand for all: two million
/// distances, whose quantile is off by a few percent of itself. 0 for a single point.
pub fn percentile(points: &Points, share: f64, seed: u64) -> f64 {
    quantile(sampled_distances_sq(points, seed), share)
}

/// As [`percentile`], of the distances above 0 alone. 0 only where all points coincide.
pub fn positive_percentile(points: &Points, share: f64, seed: u64) -> f64 {
    quantile(positive_distances_sq(points, seed), share)
}

/// Squared distances above 0 between pairs, of a sample where there are many points. Empty only where
/// all points coincide.
pub(crate) fn positive_distances_sq(points: &Points, seed: u64) -> Vec<f64> {
    let mut distances_sq = sampled_distances_sq(points, seed);
    distances_sq.retain(|&d| d > 0.0);
    if distances_sq.is_empty() {
        // All points of the sample coincide: take the distances of the first point from all others.
        distances_sq = from_first_sq(points);
        distances_sq.retain(|&d| d > 0.0);
    }
    distances_sq
}

/// Every point's distance to its `k`-th neighbour; the point itself is not counted. A point that equals
/// `k` others takes the distance to the nearest point that differs. 0 only where all points coincide.
pub fn positive_kth_neighbor(points: &Points, k: usize) -> Vec<f64> {
    let index = Neighbors::new(points.view());
    let mut distances_sq = vec![0.0; points.len()];
    let mut open: Vec<usize> = (0..points.len()).collect();
    let mut wanted = k;
    // Ask for more neighbours of the points that have found only points equal to themselves.
    loop {
        let table = index.nearest_of(&open, wanted, SelfNeighbor::Excluded);
        let mut undecided = Vec::new();
        for (at, &i) in open.iter().enumerate() {
            let row = table.row(at);
            match row.iter().skip(k.saturating_sub(1)).find(|n| n.dist_sq > 0.0) {
                Some(neighbor) => distances_sq[i] = neighbor.dist_sq,
                None => undecided.push(i),
            }
        }
        if undecided.is_empty() || wanted >= points.len() {
            return distances_sq.into_iter().map(f64::sqrt).collect();
        }
        open = undecided;
        wanted = wanted.saturating_mul(4).min(points.len());
    }
}

/// A new point's distance to its `k`-th neighbour among those indexed, as
/// [`positive_kth_neighbor`] gives it to them: an indexed point in the same place is taken to be
/// the point itself and not counted.
pub(crate) fn new_point_neighbor(index: &Neighbors, query: &[f64], k: usize) -> f64 {
    let mut wanted = k.saturating_add(1);
    loop {
        let near = index.nearest(query, wanted);
        let itself = usize::from(near.first().is_some_and(|first| first.dist_sq == 0.0));
        let counted = near.iter().skip(itself + k.saturating_sub(1));
        match counted.map(|neighbor| neighbor.dist_sq).find(|&d| d > 0.0) {
            Some(dist_sq) => return dist_sq.sqrt(),
            None if wanted >= index.len() => return 0.0,
            None => wanted = wanted.saturating_mul(4),
        }
    }
}

/// The median over points of the distance to the `k`-th neighbour. Above [`SAMPLE`] points, over a
/// random 512 of them, whose neighbours are sought among all.
pub fn kth_neighbor_median(points: &Points, k: usize, seed: u64) -> f64 {
    let rows = sample(points.len(), NEIGHBOR_SAMPLE, seed);
    let table = Neighbors::new(points.view()).nearest_of(&rows, k, SelfNeighbor::Excluded);
    quantile((0..rows.len()).map(|i| table.kth_sq(i, k)).collect(), 0.5)
}

/// The median distance between distinct points: the default width of a kernel. 1 where all points
/// coincide, since any width then gives the same kernel.
pub(crate) fn median_distance_width(points: &Points, seed: u64) -> Result<f64> {
    let median = Bandwidth::Percentile(0.5).resolve(&points.distinct(), seed)?;
    Ok(positive_or_one(median.of(0)))
}

/// The default width of a Gaussian between all points: twice the median distance to the 7th neighbour,
/// but at least the 5% quantile of the distances, both of distinct points. Without the quantile the
/// kernel of many points would be so narrow that their groups fall apart; without the neighbours
/// that of few points would. 1 where all points coincide.
pub(crate) fn dense_kernel_width(points: &Points) -> Result<f64> {
    let points = points.distinct();
    let neighbors = kth_neighbor_median(&points, WIDTH_NEIGHBOR.min(points.len() - 1), 0);
    let quantile = Bandwidth::Percentile(0.05).resolve(&points, 0)?.of(0);
    Ok(positive_or_one(quantile.max(2.0 * neighbors)))
}

/// The default width of edges between neighbours: the median distance to the 7th neighbour. Where half
/// of the points equal so many others, it is the width of [`Bandwidth::Auto`]; 1 where all points
/// coincide.
pub(crate) fn edge_width(points: &Points) -> Result<f64> {
    let mut width = kth_neighbor_median(points, WIDTH_NEIGHBOR.min(points.len() - 1), 0);
    if width == 0.0 {
        width = Bandwidth::Auto.resolve(points, 0)?.of(0);
    }
    Ok(positive_or_one(width))
}

fn positive_or_one(width: f64) -> f64 {
    if width > 0.0 { width } else { 1.0 }
}

/// Silverman's rule for a Gaussian with one bandwidth in all directions,
/// h² = tr(Σ)/l · (4/((l+2) n))^(2/(l+4)), with l the dimension and Σ the covariance (divided by
/// n - 1). It is the best choice where the data are one Gaussian; several clusters want about half.
///
/// The MSSC thesis (eq. 5.1) prints n where the dimension l belongs.
pub fn silverman(points: &Points) -> f64 {
    let (n, dims) = (points.len() as f64, points.dims() as f64);
    if points.len() < 2 {
        return 0.0;
    }
    let data = points.view();
    let variances = data.axis_iter(Axis(1)).map(|column| {
        // Equal numbers have no variance, whatever the rounding of their mean.
        if column.iter().all(|&x| x == column[0]) {
            return 0.0;
        }
        let mean = column.iter().map(|x| x / n).sum::<f64>();
        column.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)
    });
    let mean_variance = variances.sum::<f64>() / dims;
    (mean_variance * (4.0 / ((dims + 2.0) * n)).powf(2.0 / (dims + 4.0))).sqrt()
}

/// Squared distances between all pairs i < j, of a sample where there are many.
fn sampled_distances_sq(points: &Points, seed: u64) -> Vec<f64> {
    let rows = sample(points.len(), SAMPLE, seed);
    let chosen = points.view().select(Axis(0), &rows);
    let flat = rows_of(&chosen);
    let panels = Panels::new(chosen.view());
    panels
        .map_dist_sq(flat, |rows, block| {
            let mut upper = Vec::new();
            for (i, row) in rows.zip(block.chunks_exact(panels.len())) {
                upper.extend_from_slice(&row[i + 1..]);
            }
            upper
        })
        .concat()
}

/// Squared distances from the first point to all others.
fn from_first_sq(points: &Points) -> Vec<f64> {
    let first = points.row(0);
    (1..points.len()).map(|i| crate::numerics::distances::dist_sq(first, points.row(i))).collect()
}

/// All rows, or `count` of them where they are more than [`SAMPLE`], ascending.
pub(crate) fn sample(n: usize, count: usize, seed: u64) -> Vec<usize> {
    if n <= SAMPLE {
        return (0..n).collect();
    }
    rng(seed).sorted_sample(n, count)
}

/// The quantile of distances given as squares; 0 of none.
fn quantile(mut distances_sq: Vec<f64>, share: f64) -> f64 {
    Quantile::new(&mut distances_sq, share).map_or(0.0, |quantile| quantile.of(f64::sqrt))
}
