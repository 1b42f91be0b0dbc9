//! The smallest and the largest distance of points.

use ndarray::Axis;
use rayon::prelude::*;

use crate::Result;
use crate::numerics::distances::dist_sq;
use crate::numerics::neighbors::{Neighbors, SelfNeighbor};
use crate::observe::{Observer, ask};
use crate::problem::Points;

/// Points whose distances to all others are looked at between two questions whether the run is cancelled.
const BLOCK: usize = 64;

/// Room for the rounding of radii.
const ROUNDING: f64 = 1e-9;

/// The smallest distance above 0 and the largest one; `None` where all points coincide.
pub(super) fn extent(points: &Points, observer: &dyn Observer) -> Result<Option<(f64, f64)>> {
    let distinct = points.distinct();
    let goes_on = |_| ask(observer);
    let neighbors = Neighbors::new(distinct.view());
    let nearest = neighbors.try_nearest_all(1, SelfNeighbor::Excluded, goes_on)?;
    let low_sq = (0..distinct.len())
        .filter_map(|i| nearest.row(i).first())
        .map(|neighbor| neighbor.dist_sq)
        .filter(|&dist_sq| dist_sq > 0.0)
        .fold(f64::INFINITY, f64::min);
    let (low, high) = (low_sq.sqrt(), diameter_sq(&distinct, observer)?.sqrt());
    Ok((low.is_finite() && high.is_finite()).then_some((low, high)))
}

/// The largest squared distance. Two points are no farther apart than both are from the mean, so points near the mean
/// need not be looked at once two are known that are far apart. O(n²) where all are about as far from the mean.
fn diameter_sq(points: &Points, observer: &dyn Observer) -> Result<f64> {
    let Some(mean) = points.view().mean_axis(Axis(0)) else { return Ok(0.0) };
    let mean = mean.to_vec();
    let to_mean = |i: usize| dist_sq(points.row(i), &mean).sqrt() * (1.0 + ROUNDING);
    let mut by_radius: Vec<(f64, usize)> =
        (0..points.len()).into_par_iter().map(|i| (to_mean(i), i)).collect();
    by_radius.par_sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut largest_sq = 0.0_f64;
    for start in (0..by_radius.len()).step_by(BLOCK) {
        ask(observer)?;
        let largest = largest_sq.sqrt();
        if 2.0 * by_radius[start].0 < largest {
            break;
        }
        let block = start..(start + BLOCK).min(by_radius.len());
        let of_block = block.into_par_iter().map(|at| {
            let (radius, i) = by_radius[at];
            let others = by_radius[at + 1..].iter();
            let others = others.take_while(|(other, _)| radius + other >= largest);
            others.map(|&(_, j)| dist_sq(points.row(i), points.row(j))).fold(0.0, f64::max)
        });
        largest_sq = largest_sq.max(of_block.reduce(|| 0.0, f64::max));
    }
    Ok(largest_sq)
}

#[cfg(test)]
mod tests;
