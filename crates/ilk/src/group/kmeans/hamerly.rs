//! Hamerly's bounds (2010): which points can have changed their cluster.
//!
//! By the triangle inequality a point keeps its centre while an upper bound of its distance to that
//! centre is below a lower bound of its distance to all others. When centres move, the upper bound
//! grows by the movement of the own centre, and the lower bound falls by the largest movement of the
//! others. A point also keeps its centre when it is nearer to it than half the distance from that
//! centre to the next. Distances here are in units of
//! [`F32Distances::scale`](crate::numerics::distances::F32Distances::scale).

use ndarray::ArrayView2;
use rayon::prelude::*;

use super::data::{BLOCK, KMeansData, scan};
use super::sums::Reassignment;
use crate::group::seeding::fill_empty_clusters;
use crate::numerics::distances::{F32Scores, NearestCenter, Panels, dist_sq};
use crate::numerics::rows_of;

/// Bounds are compared with this margin, relative to the distance and to the spread of the points. It
/// covers the rounding of the bounds and of the distances that the plain loop would compare.
const MARGIN: f64 = 1e-9;

/// The movements of the centres in one iteration.
pub(super) struct Moves {
    each: Vec<f64>,
    /// The largest movement and its cluster.
    largest: (f64, usize),
    second: f64,
}

impl Moves {
    pub(super) fn between(before: ArrayView2<'_, f64>, after: ArrayView2<'_, f64>) -> Self {
        let rows = before.rows().into_iter().zip(after.rows());
        let each: Vec<f64> = rows.map(|(a, b)| dist_sq(&a.to_vec(), &b.to_vec()).sqrt()).collect();
        let (mut largest, mut second) = ((0.0, 0), 0.0);
        for (c, &moved) in each.iter().enumerate() {
            if moved > largest.0 {
                second = largest.0;
                largest = (moved, c);
            } else {
                second = moved.max(second);
            }
        }
        Self { each, largest, second }
    }

    pub(super) fn largest(&self) -> f64 {
        self.largest.0
    }

    pub(super) fn total_sq(&self) -> f64 {
        self.each.iter().map(|moved| moved * moved).sum()
    }

    fn of_others(&self, c: usize) -> f64 {
        if c == self.largest.1 { self.second } else { self.largest.0 }
    }
}

/// By how much the bounds of a cluster's points change, in units of the scale.
#[derive(Clone, Copy)]
struct Drift {
    /// The movement of the own centre.
    own: f64,
    /// The largest movement of another centre.
    others: f64,
    /// Half the distance to the nearest other centre.
    half_gap: f64,
}

impl Drift {
    fn of_clusters(moves: &Moves, centers: ArrayView2<'_, f64>, scale: f64) -> Vec<Self> {
        let half_gaps = half_gap(centers, scale).into_iter().enumerate();
        let of_cluster = |(c, half_gap)| Self {
            own: moves.each[c] / scale,
            others: moves.of_others(c) / scale,
            half_gap,
        };
        half_gaps.map(of_cluster).collect()
    }
}

/// The cluster of every point, and bounds of its distances to the centres.
pub(super) struct Bounds {
    /// The cluster; none before the first assignment.
    pub(super) labels: Vec<Option<usize>>,
    /// Upper bound of the distance to the own centre, and lower bound of that to all others.
    pub(super) upper: Vec<f64>,
    lower: Vec<f64>,
}

impl Bounds {
    pub(super) fn new(n: usize) -> Self {
        Self { labels: vec![None; n], upper: vec![f64::INFINITY; n], lower: vec![0.0; n] }
    }

    /// Assigns every point to the nearest centre, given how the centres moved since the last
    /// assignment. Returns the points that changed their cluster, in order.
    pub(super) fn assign(
        &mut self,
        data: &KMeansData<'_>,
        centers: ArrayView2<'_, f64>,
        moves: Option<&Moves>,
    ) -> Vec<Reassignment> {
        let f32_distances = &data.f32_distances;
        let centers_f32 = f32_distances.f32_centers(centers);
        let drift = moves.map(|moves| Drift::of_clusters(moves, centers, f32_distances.scale()));
        let slack = MARGIN * (data.dims() as f64).sqrt();
        let points = self.labels.par_chunks_mut(BLOCK);
        let bounds = self.upper.par_chunks_mut(BLOCK).zip(self.lower.par_chunks_mut(BLOCK));
        let changes: Vec<Vec<Reassignment>> = points
            .zip(bounds)
            .enumerate()
            .map_init(
                || (Vec::new(), F32Scores::default()),
                |(open, buffer), (block, (labels, (upper, lower)))| {
                    let first = block * BLOCK;
                    open.clear();
                    let bounds = upper.iter_mut().zip(lower.iter_mut());
                    for (at, (label, (upper, lower))) in labels.iter().zip(bounds).enumerate() {
                        if let (Some(c), Some(drift)) = (*label, &drift) {
                            let Drift { own, others, half_gap } = drift[c];
                            *upper += own;
                            *lower -= others;
                            let bound = lower.max(half_gap) - slack;
                            if *upper * (1.0 + MARGIN) < bound {
                                continue;
                            }
                            *upper = upper.min(f32_distances.upper(first + at, &centers_f32, c));
                            if *upper * (1.0 + MARGIN) < bound {
                                continue;
                            }
                        }
                        open.push(first + at);
                    }
                    let mut changes = Vec::new();
                    let visit = |number: usize, found: NearestCenter| {
                        let (point, to) = (open[number], found.center);
                        let at = point - first;
                        (upper[at], lower[at]) = (found.upper, found.lower);
                        let from = labels[at].replace(to);
                        if from != Some(to) {
                            changes.push(Reassignment { point, from, to });
                        }
                    };
                    scan(f32_distances, open, data.rows(), &centers_f32, centers, buffer, visit);
                    changes
                },
            )
            .collect();
        changes.concat()
    }

    /// Gives every empty cluster a point, as [`fill_empty_clusters`] does, and adds that to the
    /// changes. The centres are those by which the points were assigned.
    pub(super) fn reseed(
        &mut self,
        data: &KMeansData<'_>,
        centers: ArrayView2<'_, f64>,
        mut sizes: Vec<usize>,
        changes: &mut Vec<Reassignment>,
    ) {
        for change in changes.iter() {
            if let Some(from) = change.from {
                sizes[from] -= 1;
            }
            sizes[change.to] += 1;
        }
        if sizes.iter().all(|&size| size > 0) {
            return;
        }
        let far_sq: Vec<f64> = self
            .labels
            .par_iter()
            .enumerate()
            .map(|(i, label)| {
                let c = label.expect("every point is assigned");
                let center = centers.row(c);
                dist_sq(data.row(i), rows_of(&center))
            })
            .collect();
        let moves = fill_empty_clusters(|i| self.labels[i], &mut sizes, &far_sq);
        for (point, from, to) in moves {
            self.labels[point] = Some(to);
            (self.upper[point], self.lower[point]) = (f64::INFINITY, 0.0);
            let from = Some(from);
            changes.push(Reassignment { point, from, to });
        }
    }
}

/// Half the distance from every centre to the nearest other one, in units of the scale.
fn half_gap(centers: ArrayView2<'_, f64>, scale: f64) -> Vec<f64> {
    let k = centers.nrows();
    let rows = rows_of(&centers);
    let blocks = Panels::new(centers).map_dist_sq(rows, |range, block| {
        let each = range.zip(block.chunks_exact(k));
        each.map(|(c, dist_sq)| {
            let others = dist_sq.iter().enumerate().filter(|&(other, _)| other != c);
            let next_sq = others.fold(f64::INFINITY, |next, (_, &dist_sq)| next.min(dist_sq));
            0.5 * next_sq.sqrt() / scale
        })
        .collect::<Vec<_>>()
    });
    blocks.concat()
}
