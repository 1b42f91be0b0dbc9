//! The k best so far.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::Neighbor;

/// Up to this many are kept in a sorted list, which is quicker than a heap while moves are short.
const MOST_SORTED: usize = 64;

/// Keeps the `k` nearest of the points it is shown.
#[derive(Debug)]
pub(super) struct Best {
    kept: Kept,
    k: usize,
    without: Option<usize>,
    /// The worst kept, once there are `k`.
    bound_sq: f64,
    bound_index: usize,
}

#[derive(Debug)]
enum Kept {
    /// Nearest first.
    Sorted(Vec<Neighbor>),
    /// The one to drop next on top.
    Heap(BinaryHeap<Farthest>),
}

/// Orders a heap so that the one to drop next is on top.
#[derive(Debug, Clone, Copy)]
struct Farthest(Neighbor);

impl Best {
    /// Keeps `k`.
    pub(super) fn new(k: usize) -> Self {
        let kept = if k <= MOST_SORTED {
            Kept::Sorted(Vec::with_capacity(k))
        } else {
            Kept::Heap(BinaryHeap::with_capacity(k))
        };
        let mut best = Self {
            kept,
            k,
            without: None,
            bound_sq: 0.0,
            bound_index: 0,
        };
        best.clear(None);
        best
    }

    /// Forgets all, for another query; from here on never keeps the point `without`.
    pub(super) fn clear(&mut self, without: Option<usize>) {
        match &mut self.kept {
            Kept::Sorted(list) => list.clear(),
            Kept::Heap(heap) => heap.clear(),
        }
        self.without = without;
        self.bound_sq = if self.k == 0 {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        self.bound_index = usize::MAX;
    }

    /// Whether a point at least this far, with at least this index, can still enter.
    #[inline(always)]
    pub(super) fn admits(&self, dist_sq: f64, index: impl FnOnce() -> usize) -> bool {
        dist_sq < self.bound_sq || (dist_sq == self.bound_sq && index() <= self.bound_index)
    }

    /// No point farther than this can enter.
    #[inline(always)]
    pub(super) fn bound_sq(&self) -> f64 {
        self.bound_sq
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

    /// Takes a point if it is among the nearest so far.
    #[inline(always)]
    pub(super) fn offer(&mut self, index: usize, dist_sq: f64) {
        if self.admits(dist_sq, || index) && self.without != Some(index) {
            self.insert(Neighbor { index, dist_sq });
        }
    }

    #[inline]
    fn insert(&mut self, neighbor: Neighbor) {
        match &mut self.kept {
            Kept::Sorted(list) => {
                if list.len() < self.k {
                    list.push(neighbor);
                }
                let mut at = list.len() - 1;
                while at > 0 && list[at - 1].is_behind(&neighbor) {
                    list[at] = list[at - 1];
                    at -= 1;
                }
                list[at] = neighbor;
                if list.len() == self.k {
                    self.bound_sq = list[self.k - 1].dist_sq;
                    self.bound_index = list[self.k - 1].index;
                }
            }
            Kept::Heap(heap) => {
                if heap.len() < self.k {
                    heap.push(Farthest(neighbor));
                } else if let Some(mut top) = heap.peek_mut() {
                    top.0 = neighbor;
                }
                if heap.len() == self.k
                    && let Some(top) = heap.peek()
                {
                    self.bound_sq = top.0.dist_sq;
                    self.bound_index = top.0.index;
                }
            }
        }
    }

    /// Writes what is kept to the front of `out`, nearest first, ties by index; keeps no more.
    pub(super) fn take_sorted(&mut self, out: &mut [Neighbor]) {
        match &mut self.kept {
            Kept::Sorted(list) => out[..list.len()].copy_from_slice(list),
            Kept::Heap(heap) => {
                let sorted = std::mem::take(heap).into_sorted_vec();
                for (out, Farthest(neighbor)) in out.iter_mut().zip(sorted) {
                    *out = neighbor;
                }
            }
        }
        self.clear(None);
    }
}

impl Neighbor {
    /// Whether `other` comes first. Distances are not NaN.
    #[inline(always)]
    fn is_behind(&self, other: &Self) -> bool {
        self.dist_sq > other.dist_sq || (self.dist_sq == other.dist_sq && self.index > other.index)
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
