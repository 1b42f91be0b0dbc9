//! The k best so far.

use std::collections::BinaryHeap;

use super::Neighbor;

/// Up to this many are kept in a sorted list, which is quicker than a heap while moves are short.
const MOST_SORTED: usize = 64;

/// Keeps the `k` nearest of the points it is shown.
#[derive(Debug)]
pub(super) struct KNearest {
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
    /// Bits of the squared distance, which are ordered as the distances are, and index. The one to
    /// drop next is on top.
    Heap(BinaryHeap<(u64, usize)>),
}

impl KNearest {
    /// Keeps `k`.
    pub(super) fn new(k: usize) -> Self {
        let kept = if k <= MOST_SORTED {
            Kept::Sorted(Vec::with_capacity(k))
        } else {
            Kept::Heap(BinaryHeap::with_capacity(k))
        };
        let mut best = Self { kept, k, without: None, bound_sq: 0.0, bound_index: 0 };
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
        self.bound_sq = if self.k == 0 { f64::NEG_INFINITY } else { f64::INFINITY };
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

    /// Takes those of the points from `start` on that are among the nearest so far.
    #[inline]
    pub(super) fn offer_all(&mut self, start: usize, dist_sq: &[f64]) {
        const GROUP: usize = 32;
        for (group, dist_sq) in dist_sq.chunks(GROUP).enumerate() {
            // Most groups hold none; this test has no branches and runs in vectors.
            let bound_sq = self.bound_sq;
            let any = |any: u64, &d: &f64| any | u64::from(d <= bound_sq);
            if dist_sq.iter().fold(0, any) > 0 {
                for (index, &d) in (start + GROUP * group..).zip(dist_sq) {
                    self.offer(index, d);
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
                let key = (neighbor.dist_sq.to_bits(), neighbor.index);
                if heap.len() < self.k {
                    heap.push(key);
                } else if let Some(mut top) = heap.peek_mut() {
                    *top = key;
                }
                if heap.len() == self.k
                    && let Some(&(bits, index)) = heap.peek()
                {
                    (self.bound_sq, self.bound_index) = (f64::from_bits(bits), index);
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
                for (out, (bits, index)) in out.iter_mut().zip(sorted) {
                    let dist_sq = f64::from_bits(bits);
                    *out = Neighbor { index, dist_sq };
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
