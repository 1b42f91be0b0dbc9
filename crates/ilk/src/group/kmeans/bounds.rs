//! Which points can have changed their cluster.
//!
//! A point whose centre is nearer than any other stays with it as long as the triangle inequality
//! says so: after centres moved, its own is at most as far as before plus its own movement, any other
//! at least as far as before less the largest movement; and no other is nearer than the point is to
//! its own where that is less than half the way from its own to the next (Hamerly 2010). Distances
//! here are in units of [`Rough::scale`](crate::numerics::distances::Rough::scale).

use ndarray::ArrayView2;
use rayon::prelude::*;

use super::cloud::{BLOCK, Cloud, scan};
use super::sums::Change;
use crate::group::seeds::Spread;
use crate::numerics::distances::{Panels, Scan, dist_sq};

/// A bound has to win by this, relative to the distance and to the spread of the points. It covers
/// the rounding of the bounds themselves and of the distances that the plain loop would compare.
const MARGIN: f64 = 1e-9;

/// How far centres moved.
pub(super) struct Moves {
    each: Vec<f64>,
    /// The largest and its cluster, and the second largest.
    largest: (f64, usize),
    second: f64,
}

impl Moves {
    pub(super) fn between(before: ArrayView2<'_, f64>, after: ArrayView2<'_, f64>) -> Self {
        let rows = before.rows().into_iter().zip(after.rows());
        let each: Vec<f64> = rows
            .map(|(a, b)| dist_sq(&a.to_vec(), &b.to_vec()).sqrt())
            .collect();
        let (mut largest, mut second) = ((0.0, 0), 0.0);
        for (c, &moved) in each.iter().enumerate() {
            if moved > largest.0 {
                second = largest.0;
                largest = (moved, c);
            } else {
                second = moved.max(second);
            }
        }
        Self {
            each,
            largest,
            second,
        }
    }

    /// The largest movement.
    pub(super) fn largest(&self) -> f64 {
        self.largest.0
    }

    /// The sum of squared movements.
    pub(super) fn total_sq(&self) -> f64 {
        self.each.iter().map(|moved| moved * moved).sum()
    }

    fn of_others(&self, c: usize) -> f64 {
        if c == self.largest.1 {
            self.second
        } else {
            self.largest.0
        }
    }
}

/// The cluster of every point, and what is known of its distances to centres.
pub(super) struct Bounds {
    /// The cluster; none before the first assignment.
    pub(super) labels: Vec<Option<usize>>,
    /// The distance to the own centre is at most this, that to any other at least that.
    pub(super) upper: Vec<f64>,
    lower: Vec<f64>,
}

impl Bounds {
    pub(super) fn new(n: usize) -> Self {
        Self {
            labels: vec![None; n],
            upper: vec![f64::INFINITY; n],
            lower: vec![0.0; n],
        }
    }

    /// All points go to the nearest of the centres, which moved since the last time; says which
    /// points changed, in order.
    pub(super) fn assign(
        &mut self,
        cloud: &Cloud<'_>,
        centers: ArrayView2<'_, f64>,
        moves: Option<&Moves>,
    ) -> Vec<Change> {
        let rough = &cloud.rough;
        let places = rough.places(centers);
        let scale = rough.scale();
        let half_way = if moves.is_some() {
            half_way(centers, scale)
        } else {
            Vec::new()
        };
        let slack = MARGIN * (cloud.dims() as f64).sqrt();
        let points = self.labels.par_chunks_mut(BLOCK);
        let bounds = self
            .upper
            .par_chunks_mut(BLOCK)
            .zip(self.lower.par_chunks_mut(BLOCK));
        let changes: Vec<Vec<Change>> = points
            .zip(bounds)
            .enumerate()
            .map_init(
                || (Vec::new(), Scan::default()),
                |(open, buffer), (block, (labels, (upper, lower)))| {
                    let first = block * BLOCK;
                    open.clear();
                    for (at, label) in labels.iter().enumerate() {
                        if let (Some(c), Some(moves)) = (*label, moves) {
                            upper[at] += moves.each[c] / scale;
                            lower[at] -= moves.of_others(c) / scale;
                            let bound = lower[at].max(half_way[c]) - slack;
                            if upper[at] * (1.0 + MARGIN) < bound {
                                continue;
                            }
                            upper[at] = upper[at].min(rough.upper(first + at, &places, c));
                            if upper[at] * (1.0 + MARGIN) < bound {
                                continue;
                            }
                        }
                        open.push(first + at);
                    }
                    let mut changes = Vec::new();
                    scan(
                        rough,
                        open,
                        cloud.rows(),
                        &places,
                        centers,
                        buffer,
                        |number, found| {
                            let point = open[number];
                            let at = point - first;
                            (upper[at], lower[at]) = (found.upper, found.lower);
                            let from = labels[at].replace(found.place);
                            if from != Some(found.place) {
                                let to = found.place;
                                changes.push(Change { point, from, to });
                            }
                        },
                    );
                    changes
                },
            )
            .collect();
        changes.concat()
    }

    /// Gives every empty cluster the point farthest from its centre, of clusters with more than one,
    /// and adds that to the changes. The centres are those by which the points were placed, so that
    /// the objective falls.
    pub(super) fn reseed(
        &mut self,
        cloud: &Cloud<'_>,
        centers: ArrayView2<'_, f64>,
        mut sizes: Vec<usize>,
        changes: &mut Vec<Change>,
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
                let center = label.and_then(|c| centers.row(c).to_slice());
                center.map_or(0.0, |center| dist_sq(cloud.row(i), center))
            })
            .collect();
        let mut farthest: Vec<usize> = (0..cloud.len()).collect();
        farthest.sort_by(|&i, &j| far_sq[j].total_cmp(&far_sq[i]));
        let mut farthest = farthest.into_iter();
        for to in 0..sizes.len() {
            if sizes[to] > 0 {
                continue;
            }
            let next = farthest.find_map(|i| Some((i, self.labels[i].filter(|&c| sizes[c] > 1)?)));
            let Some((point, from)) = next else {
                return;
            };
            sizes[from] -= 1;
            sizes[to] = 1;
            self.labels[point] = Some(to);
            (self.upper[point], self.lower[point]) = (f64::INFINITY, 0.0);
            let from = Some(from);
            changes.push(Change { point, from, to });
        }
    }
}

/// Half the distance from every centre to the next, in units of the scale.
fn half_way(centers: ArrayView2<'_, f64>, scale: f64) -> Vec<f64> {
    let k = centers.nrows();
    let rows = centers.to_slice().unwrap_or(&[]);
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
