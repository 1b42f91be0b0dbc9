//! Where the centres ended, and labels read from that.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use ndarray::Array2;

use super::apart::Apart;
use super::centers::Centers;
use super::reduction::{Buffer, Reduction};
use super::shift::ConstrainedMeanShift;
use super::step::Step;
use crate::group::{Label, Snapshot, StopReason, TraceStep};
use crate::numerics::blocks::LANES;
use crate::numerics::distances::dist_sq;
use crate::numerics::neighbors::Neighbors;
use crate::numerics::union_find::UnionFind;

/// What a constrained mean shift did.
#[derive(Debug, Clone)]
pub struct Shifted {
    pub(super) params: ConstrainedMeanShift,
    pub(super) apart: Apart,
    /// Points, not counting passengers.
    pub(super) n: usize,
    /// The centres before the last shift, to which the last weights w belong.
    pub(super) before: Centers,
    /// The centres at the end.
    pub(super) centers: Centers,
    /// The last bandwidth.
    pub bandwidth: f64,
    /// Why it ended.
    pub stop: StopReason,
    /// What happened in each iteration.
    pub trace: Vec<TraceStep>,
    /// The centres on the way, if they were asked for.
    pub history: Vec<Snapshot>,
}

impl Shifted {
    /// Where the centre of every point ended, passengers last.
    pub fn rest(&self) -> Array2<f64> {
        let centers = &self.centers;
        Array2::from_shape_fn((centers.center_of.len(), centers.dims), |(i, k)| {
            centers.place(centers.center_of[i] as usize)[k]
        })
    }

    /// One row a cluster: the place where most centres of its points ended, of equal ones that of
    /// its first point.
    pub fn modes(&self, labels: &[Label], n_clusters: usize) -> Array2<f64> {
        let mut votes: Vec<BTreeMap<u32, (usize, Reverse<usize>)>> =
            vec![BTreeMap::new(); n_clusters];
        for (point, label) in labels.iter().enumerate() {
            if let Some(cluster) = label {
                let vote = votes[*cluster].entry(self.centers.center_of[point]);
                vote.or_insert((0, Reverse(point))).0 += 1;
            }
        }
        let mode = |votes: &BTreeMap<u32, (usize, Reverse<usize>)>| {
            let most = votes.iter().max_by_key(|(_, vote)| **vote);
            most.map_or(0, |(&center, _)| center as usize)
        };
        let modes: Vec<usize> = votes.iter().map(mode).collect();
        Array2::from_shape_fn((n_clusters, self.centers.dims), |(cluster, k)| {
            self.centers.place(modes[cluster])[k]
        })
    }

    /// Number of distinct centres at the end.
    pub fn n_centers(&self) -> usize {
        self.centers.len()
    }

    /// Labels as the paper's program reads them: the connected components of points whose centres
    /// are close (kernel above `merge_kernel`, at the last bandwidth) and see each other (weight
    /// above `merge_weight`, in the last iteration). Numbered by first appearance.
    ///
    /// A centre whose weight to itself has fallen to `merge_weight` does not hold its own points
    /// together: each becomes a cluster of its own, unless another centre joins them.
    ///
    /// A passenger has the label of the nearest point that it is linked to, or of the nearest one.
    pub fn components(&self, merge_kernel: f64, merge_weight: f64) -> Vec<usize> {
        let centers = &self.before;
        let step = Step::new(centers, &self.apart, self.bandwidth);
        // Where each centre went: those that were one before are one now.
        let mut went = vec![0; centers.len()];
        for (&was, &is) in centers.center_of.iter().zip(&self.centers.center_of) {
            went[was as usize] = is as usize;
        }
        let place = |slot: usize| {
            let center = step.centers.order()[slot] as usize;
            self.centers.place(went[center])
        };
        let is_passenger = |slot: usize| {
            let center = step.centers.order()[slot] as usize;
            centers.counts[center] == 0.0
        };
        let len = step.centers.len();
        let mut buffer = Buffer::default();
        let reduction = Reduction {
            sticky: true,
            ..step.reduction(&self.params)
        };
        let linked = Mutex::new(Linked::new(len));
        reduction.rows(&mut buffer, |block, rows| {
            let stride = rows.len() / LANES;
            let mut links = Vec::new();
            for (a, w) in (block * LANES..len).zip(rows.chunks_exact(stride)) {
                links.clear();
                for (b, &w) in w.iter().enumerate().take(len).skip(a) {
                    if w <= merge_weight {
                        continue;
                    }
                    let dist_sq = dist_sq(place(a), place(b));
                    if self.params.value(dist_sq, self.bandwidth) > merge_kernel {
                        links.push((b, dist_sq));
                    }
                }
                let mut linked = linked.lock().unwrap_or_else(PoisonError::into_inner);
                for &(b, dist_sq) in &links {
                    linked.link([a, b], [a, b].map(is_passenger), dist_sq);
                }
            }
        });
        let linked = linked.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.number(&step, linked)
    }

    /// The labels of points from the links between slots.
    fn number(&self, step: &Step, linked: Linked) -> Vec<usize> {
        const UNSEEN: usize = usize::MAX;
        let Linked {
            mut joined,
            holds_together,
            nearest,
        } = linked;
        let slot_of_point = |point: usize| step.slot_of[self.before.center_of[point] as usize];
        let mut number_of_root = vec![UNSEEN; step.centers.len()];
        let mut first_label_of_slot = vec![UNSEEN; step.centers.len()];
        let mut count = 0;
        let mut labels = Vec::with_capacity(self.before.center_of.len());
        for point in 0..self.n {
            let slot = slot_of_point(point) as usize;
            let label = if holds_together[slot] {
                let number = &mut number_of_root[joined.find(slot)];
                if *number == UNSEEN {
                    *number = count;
                    count += 1;
                }
                *number
            } else {
                count += 1;
                count - 1
            };
            labels.push(label);
            if first_label_of_slot[slot] == UNSEEN {
                first_label_of_slot[slot] = label;
            }
        }
        let passengers = self.n..self.before.center_of.len();
        let ends = self.rest();
        let points = ends.slice(ndarray::s![..self.n, ..]);
        let nearest_point =
            Neighbors::new(points).nearest_each(ends.slice(ndarray::s![self.n.., ..]), 1);
        for (passenger, point) in passengers.enumerate() {
            let slot = slot_of_point(point) as usize;
            let label = if first_label_of_slot[slot] != UNSEEN {
                first_label_of_slot[slot]
            } else if let Some((_, linked)) = nearest[slot] {
                first_label_of_slot[linked]
            } else {
                let nearest = nearest_point.row(passenger).first();
                nearest.map_or(0, |neighbor| labels[neighbor.index])
            };
            labels.push(label);
        }
        labels
    }

    /// Labels by where the centres ended: points whose centres are within `radius` bandwidths of one
    /// another, by single linkage. Numbered by first appearance.
    pub fn coincident(&self, radius: f64) -> Vec<usize> {
        let centers = &self.centers;
        let places =
            Array2::from_shape_fn((centers.len(), centers.dims), |(c, k)| centers.place(c)[k]);
        let radius_sq = (radius * self.bandwidth).powi(2);
        let neighbors = Neighbors::new(places.view());
        let mut joined = UnionFind::new(centers.center_of.len());
        let mut first_of_center = vec![None; centers.len()];
        for (point, &center) in centers.center_of.iter().enumerate() {
            match first_of_center[center as usize] {
                None => first_of_center[center as usize] = Some(point),
                Some(first) => {
                    joined.union(first, point);
                }
            }
        }
        for center in 0..centers.len() {
            neighbors.visit_within(centers.place(center), radius_sq, |neighbor| {
                if let (Some(a), Some(b)) =
                    (first_of_center[center], first_of_center[neighbor.index])
                {
                    joined.union(a, b);
                }
            });
        }
        joined.components().0
    }
}

/// What the links between slots amount to, whatever their order.
struct Linked {
    joined: UnionFind,
    /// Whether a slot is linked to itself or to another.
    holds_together: Vec<bool>,
    /// For each passenger, the nearest point that it is linked to.
    nearest: Vec<Option<(f64, usize)>>,
}

impl Linked {
    fn new(slots: usize) -> Self {
        Self {
            joined: UnionFind::new(slots),
            holds_together: vec![false; slots],
            nearest: vec![None; slots],
        }
    }

    fn link(&mut self, [a, b]: [usize; 2], are_passengers: [bool; 2], dist_sq: f64) {
        match are_passengers {
            [false, false] => {
                self.joined.union(a, b);
                self.holds_together[a] = true;
                self.holds_together[b] = true;
            }
            [true, true] => {}
            [true, false] => consider(&mut self.nearest[a], dist_sq, b),
            [false, true] => consider(&mut self.nearest[b], dist_sq, a),
        }
    }
}

/// Keeps the nearer, of equal ones the one with the smaller number.
fn consider(best: &mut Option<(f64, usize)>, dist_sq: f64, candidate: usize) {
    if best.is_none_or(|known| (dist_sq, candidate) < known) {
        *best = Some((dist_sq, candidate));
    }
}
