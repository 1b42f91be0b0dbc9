//! The final centres, and the labels that follow from them.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use ndarray::{Array2, Axis};

use super::weights::{Buffer, WeightMatrix};
use super::{centers::Centers, params::ConstrainedMeanShift, step::Step};
use crate::group::{Grouping, Label, Snapshot, StopReason, TraceStep, n_clusters};
use crate::numerics::neighbors::{Neighbors, single_linkage};
use crate::numerics::{blocks::BLOCK_LEN, distances::dist_sq, union_find::UnionFind, view_rows};
use crate::problem::CannotLinkSets;

/// The result of a constrained mean shift.
#[derive(Debug, Clone)]
pub struct ShiftedCenters {
    pub(super) params: ConstrainedMeanShift,
    pub(super) separated: CannotLinkSets,
    /// Number of points, without new points.
    pub(super) n: usize,
    /// The centres before the last shift, to which the last weights w belong.
    pub(super) before: Centers,
    pub(super) centers: Centers,
    /// The last bandwidth.
    pub bandwidth: f64,
    /// Why it ended.
    pub stop: StopReason,
    /// What happened in each iteration.
    pub trace: Vec<TraceStep>,
    /// Snapshots of the centres, as many as requested.
    pub history: Vec<Snapshot>,
}

impl ShiftedCenters {
    /// The final position of every point's centre, new points last.
    pub fn final_positions(&self) -> Array2<f64> {
        self.centers.of_points(self.centers.center_of.len())
    }

    /// One row a cluster: the final position of most of its points' centres, of equally frequent ones
    /// that of its first point.
    pub fn modes(&self, labels: &[Label], n_clusters: usize) -> Array2<f64> {
        let mut counts: Vec<BTreeMap<u32, (usize, Reverse<usize>)>> =
            vec![BTreeMap::new(); n_clusters];
        for (point, label) in labels.iter().enumerate() {
            if let Some(cluster) = label {
                let count = counts[*cluster].entry(self.centers.center_of[point]);
                count.or_insert((0, Reverse(point))).0 += 1;
            }
        }
        let mode = |counts: &BTreeMap<u32, (usize, Reverse<usize>)>| {
            let most = counts.iter().max_by_key(|(_, count)| **count);
            most.map_or(0, |(&center, _)| center as usize)
        };
        let modes: Vec<usize> = counts.iter().map(mode).collect();
        Array2::from_shape_fn((n_clusters, self.centers.dims), |(cluster, k)| {
            self.centers.place(modes[cluster])[k]
        })
    }

    /// The outcome with these labels, numbered from 0.
    pub fn into_grouping(self, labels: Vec<Label>) -> Grouping {
        let n_clusters = n_clusters(&labels);
        Grouping {
            centers: Some(self.modes(&labels, n_clusters)),
            final_positions: Some(self.final_positions()),
            bandwidth: Some(self.bandwidth),
            history: self.history,
            ..Grouping::new(labels, n_clusters, self.stop, self.trace)
        }
    }

    /// Labels as the paper's program reads them: the connected components of points whose centres
    /// are close (kernel above `merge_kernel`, at the last bandwidth) and have a weight above
    /// `merge_weight` in the last iteration. Numbered by first appearance.
    ///
    /// A centre whose weight to itself has fallen to `merge_weight` does not hold its own points
    /// together: each becomes a cluster of its own, unless another centre joins them.
    ///
    /// A new point has the label of the nearest point that it is linked to, or of the nearest one.
    pub fn components(&self, merge_kernel: f64, merge_weight: f64) -> Vec<usize> {
        let centers = &self.before;
        let step = Step::new(centers, &self.separated, self.bandwidth);
        // The final centre of each: those that were one before are one now.
        let mut final_of = vec![0; centers.len()];
        for (&was, &is) in centers.center_of.iter().zip(&self.centers.center_of) {
            final_of[was as usize] = is as usize;
        }
        let place = |slot: usize| {
            let center = step.centers.order()[slot] as usize;
            self.centers.place(final_of[center])
        };
        let is_new = |slot: usize| {
            let center = step.centers.order()[slot] as usize;
            centers.counts[center] == 0.0
        };
        let len = step.centers.len();
        let mut buffer = Buffer::default();
        let matrix = WeightMatrix { keep_smallest: true, ..step.weight_matrix(&self.params) };
        let linked = Mutex::new(Linked::new(len));
        matrix.rows(&mut buffer, |block, rows| {
            let stride = rows.len() / BLOCK_LEN;
            let mut links = Vec::new();
            for (a, w) in (block * BLOCK_LEN..len).zip(rows.chunks_exact(stride)) {
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
                    linked.link([a, b], [a, b].map(is_new), dist_sq);
                }
            }
        });
        let linked = linked.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.number(&step, linked)
    }

    /// The labels of points from the links between slots.
    fn number(&self, step: &Step, mut linked: Linked) -> Vec<usize> {
        let slot_of = |point: usize| step.slot_of[self.before.center_of[point] as usize] as usize;
        let mut number_of_root = vec![None; step.centers.len()];
        let mut first_label_of_slot = vec![None; step.centers.len()];
        let mut count = 0;
        let mut next = || {
            count += 1;
            count - 1
        };
        let mut labels: Vec<usize> = Vec::with_capacity(self.before.center_of.len());
        for slot in (0..self.n).map(slot_of) {
            let label = if linked.holds_together[slot] {
                let root = linked.joined.find(slot);
                *number_of_root[root].get_or_insert_with(&mut next)
            } else {
                next()
            };
            labels.push(label);
            first_label_of_slot[slot].get_or_insert(label);
        }
        let ends = self.final_positions();
        let (points, new_points) = ends.view().split_at(Axis(0), self.n);
        let nearest_point = Neighbors::new(points).nearest_each(new_points, 1);
        for new_point in 0..new_points.nrows() {
            let slot = slot_of(self.n + new_point);
            let label = first_label_of_slot[slot]
                .or_else(|| first_label_of_slot[linked.nearest[slot]?.1])
                .or_else(|| Some(labels[nearest_point.row(new_point).first()?.index]));
            labels.push(label.unwrap_or(0));
        }
        labels
    }

    /// Labels by the final positions: points whose centres are within `radius` bandwidths of one
    /// another, by single linkage. Numbered by first appearance.
    pub fn coincident(&self, radius: f64) -> Vec<usize> {
        let centers = &self.centers;
        let rows = view_rows(&centers.places, centers.dims);
        let radius_sq = (radius * self.bandwidth).powi(2);
        // Centres, and so their components, are numbered by the first appearance among points.
        let (components, _) = single_linkage(rows, radius_sq).components();
        let centers = centers.center_of.iter();
        centers.map(|&center| components[center as usize]).collect()
    }
}

/// The components that links between slots make, in whatever order they come.
struct Linked {
    joined: UnionFind,
    /// Whether a slot is linked to itself or to another.
    holds_together: Vec<bool>,
    /// For each new point, the nearest point that it is linked to.
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

    fn link(&mut self, [a, b]: [usize; 2], are_new: [bool; 2], dist_sq: f64) {
        match are_new {
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
