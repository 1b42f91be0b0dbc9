//! The k best so far.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::Neighbor;

/// Keeps the `k` nearest of the points it is shown.
#[derive(Debug)]
pub(super) struct Best {
    heap: BinaryHeap<Farthest>,
    k: usize,
    without: Option<usize>,
    /// The worst kept, once there are `k`.
    bound_sq: f64,
    bound_index: usize,
}

/// Orders a heap so that the one to drop next is on top.
#[derive(Debug, Clone, Copy)]
struct Farthest(Neighbor);

impl Best {
    /// Keeps `k`, never the point `without`.
    pub(super) fn new(k: usize, without: Option<usize>) -> Self {
        Self {
            heap: BinaryHeap::with_capacity(k + 1),
            k,
            without,
            bound_sq: if k == 0 {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            },
            bound_index: usize::MAX,
        }
    }

    /// Whether a point at least this far, with at least this index, can still enter.
    #[inline]
    pub(super) fn admits(&self, dist_sq: f64, index: usize) -> bool {
        dist_sq < self.bound_sq || (dist_sq == self.bound_sq && index <= self.bound_index)
    }

    /// Takes those of the points that are among the nearest so far.
    #[inline]
    pub(super) fn offer_all(&mut self, index: impl Fn(usize) -> usize, dist_sq: &[f64]) {
        const GROUP: usize = 32;
        for (group, dist_sq) in dist_sq.chunks(GROUP).enumerate() {
            // Most groups hold none; this test has no branches and runs in vectors.
            let bound_sq = self.bound_sq;
            let any = |any: u64, &d: &f64| any | u64::from(d <= bound_sq);
            if dist_sq.iter().fold(0, any) > 0 {
                for (i, &d) in dist_sq.iter().enumerate() {
                    self.offer(index(GROUP * group + i), d);
                }
            }
        }
    }

    #[inline]
    fn offer(&mut self, index: usize, dist_sq: f64) {
        if self.admits(dist_sq, index) {
            self.insert(Neighbor { index, dist_sq });
        }
    }

    fn insert(&mut self, neighbor: Neighbor) {
        if self.without == Some(neighbor.index) {
            return;
        }
        if self.heap.len() < self.k {
            self.heap.push(Farthest(neighbor));
        } else if let Some(mut top) = self.heap.peek_mut() {
            top.0 = neighbor;
        }
        if self.heap.len() == self.k
            && let Some(top) = self.heap.peek()
        {
            self.bound_sq = top.0.dist_sq;
            self.bound_index = top.0.index;
        }
    }

    /// Nearest first, ties by index.
    pub(super) fn into_sorted(self) -> Vec<Neighbor> {
        self.heap
            .into_sorted_vec()
            .into_iter()
            .map(|Farthest(neighbor)| neighbor)
            .collect()
    }
}

impl Ord for Farthest {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.order(&other.0)
    }
}

impl PartialOrd for Farthest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Farthest {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Farthest {}
