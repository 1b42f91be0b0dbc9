//! Distances within and between clusters.

use rayon::prelude::*;

use crate::numerics::distances::Panels;
use crate::problem::Points;

use super::sample::{ClusterRows, Sample};

/// One row of a sample among the clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RowDistances {
    /// The mean distance to the other rows of its cluster; none where there is no other.
    pub(super) within: Option<f64>,
    /// The smallest mean distance to the rows of another cluster; none where there is no other.
    pub(super) between: Option<f64>,
}

/// The rows of a cluster among the clusters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClusterDistances {
    /// Its rows in the sample.
    pub(super) rows: Vec<RowDistances>,
    /// The other cluster with the smallest mean distance between its rows and those of this one, and that distance.
    pub(super) nearest: Option<(usize, f64)>,
}

impl RowDistances {
    /// The silhouette (Rousseeuw 1987): (b - a) / max(a, b), with a the mean distance to the other rows of its cluster
    /// and b the smallest mean distance to those of another. 0 where the row is alone in its cluster or both are 0, none
    /// where there is one cluster only or a distance leaves the range of numbers.
    pub(super) fn silhouette(&self) -> Option<f64> {
        let b = self.between?;
        let Some(a) = self.within else {
            return Some(0.0);
        };
        let larger = a.max(b);
        let value = if larger > 0.0 { (b - a) / larger } else { 0.0 };
        value.is_finite().then_some(value)
    }
}

/// For every segment of the sample its distances to all of them. O(m² d) for m rows.
pub(super) fn cluster_distances(points: &Points, sample: &Sample) -> Vec<ClusterDistances> {
    if sample.rows.is_empty() {
        return Vec::new();
    }
    let rows = points.select(&sample.rows);
    let panels = Panels::new(rows.view());
    let d = rows.dims();
    let of_segment = |(own, segment): (usize, &ClusterRows)| {
        let queries = &rows.as_slice()[segment.range.start * d..segment.range.end * d];
        let blocks = panels.map_dist_sq(queries, |_, block| {
            let mut totals = vec![0.0; sample.segments.len()];
            let each = block.chunks_exact(sample.rows.len());
            let rows: Vec<RowDistances> =
                each.map(|dist_sq| of_row(dist_sq, &sample.segments, own, &mut totals)).collect();
            (rows, totals)
        });
        of_blocks(blocks, &sample.segments, own)
    };
    sample.segments.par_iter().enumerate().map(of_segment).collect()
}

/// The distances of one row, given their squares; the mean distance to every segment is added to its total.
fn of_row(
    dist_sq: &[f64],
    segments: &[ClusterRows],
    own: usize,
    totals: &mut [f64],
) -> RowDistances {
    let mut row = RowDistances { within: None, between: None };
    for (at, (segment, total)) in segments.iter().zip(totals).enumerate() {
        let sum: f64 = dist_sq[segment.range.clone()].iter().map(|dist_sq| dist_sq.sqrt()).sum();
        if at == own {
            let others = segment.range.len() - 1;
            row.within = (others > 0).then(|| sum / others as f64);
        } else {
            let mean = sum / segment.range.len() as f64;
            *total += mean;
            row.between = Some(row.between.map_or(mean, |least| least.min(mean)));
        }
    }
    row
}

fn of_blocks(
    blocks: Vec<(Vec<RowDistances>, Vec<f64>)>,
    segments: &[ClusterRows],
    own: usize,
) -> ClusterDistances {
    let mut totals = vec![0.0; segments.len()];
    let mut rows = Vec::with_capacity(segments[own].range.len());
    for (some, partial) in blocks {
        rows.extend(some);
        totals.iter_mut().zip(partial).for_each(|(total, partial)| *total += partial);
    }
    let others = segments.iter().zip(totals).enumerate().filter(|(at, _)| *at != own);
    let means = others.map(|(_, (segment, total))| (segment.cluster, total / rows.len() as f64));
    let nearest = means.reduce(|best, next| if next.1 < best.1 { next } else { best });
    ClusterDistances { rows, nearest }
}
