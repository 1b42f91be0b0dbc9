//! From the ends of climbs to modes and clusters.
//!
//! Ends that coincide are one *summit*. Summits are then linked:
//!
//! - under a smooth kernel, summits within the merge radius of each other are one mode (single
//!   linkage), and the densest of them stands for it;
//! - under a kernel that jumps, a climb stops on plateaus around its mode; the densest summit takes
//!   in every summit within the merge radius, then the densest of the rest, and so on, which is what
//!   scikit-learn does with a radius of one bandwidth.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::climb::End;
use crate::numerics::blocks::{Blocks, slots_within};
use crate::numerics::union_find::UnionFind;

/// Distinct places where climbs ended.
#[derive(Debug, Clone)]
pub(super) struct Summits {
    dims: usize,
    /// Side of the grid cells within which ends coincide.
    cell: f64,
    by_cell: HashMap<Vec<i64>, usize>,
    places: Vec<f64>,
    weights: Vec<f64>,
    converged: Vec<bool>,
}

/// The clusters of summits.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Linked {
    /// The cluster of every summit; 0 has the densest mode.
    pub(super) cluster_of: Vec<usize>,
    /// The summit that is the mode of every cluster.
    pub(super) modes: Vec<usize>,
}

impl Summits {
    /// No summits yet; ends in one grid cell of side `cell` coincide.
    pub(super) fn new(dims: usize, cell: f64) -> Self {
        Self {
            dims,
            cell,
            by_cell: HashMap::new(),
            places: Vec::new(),
            weights: Vec::new(),
            converged: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    pub(super) fn place(&self, summit: usize) -> &[f64] {
        &self.places[summit * self.dims..(summit + 1) * self.dims]
    }

    pub(super) fn places(&self) -> &[f64] {
        &self.places
    }

    /// Moves all places by `change`, which gets them row by row. No end can be added afterwards.
    pub(super) fn translate(&mut self, change: impl FnOnce(&mut [f64])) {
        change(&mut self.places);
        self.by_cell.clear();
    }

    pub(super) fn converged(&self, summit: usize) -> bool {
        self.converged[summit]
    }

    /// The summit of an end. Of ends that coincide the densest gives the place.
    pub(super) fn add(&mut self, end: &End) -> usize {
        let cell: Vec<i64> = end
            .place
            .iter()
            .map(|x| (x / self.cell).floor() as i64)
            .collect();
        let next = self.len();
        let summit = *self.by_cell.entry(cell).or_insert(next);
        if summit == next {
            self.places.extend_from_slice(&end.place);
            self.weights.push(end.weight);
            self.converged.push(end.converged);
        } else if denser(
            end.weight,
            &end.place,
            self.weights[summit],
            self.place(summit),
        )
        .is_gt()
        {
            let at = summit * self.dims;
            self.places[at..at + self.dims].copy_from_slice(&end.place);
            self.weights[summit] = end.weight;
            self.converged[summit] |= end.converged;
        }
        summit
    }

    /// Summits from the densest down; equal ones in reverse lexicographic order of their places.
    pub(super) fn by_density(&self, summits: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut order: Vec<usize> = summits.collect();
        order.sort_unstable_by(|&a, &b| {
            denser(
                self.weights[b],
                self.place(b),
                self.weights[a],
                self.place(a),
            )
        });
        order
    }

    /// All pairs of summits within `radius` of each other, each from both sides.
    fn each_near(&self, radius: f64, mut visit: impl FnMut(usize, &[usize])) {
        let blocks = Blocks::new(&self.places, self.dims);
        let (mut near, mut slots, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for summit in 0..self.len() {
            near.clear();
            slots.clear();
            found.clear();
            let x = self.place(summit);
            blocks.near(x, radius * radius, &mut near);
            slots_within(blocks.coords(), &near, x, radius * radius, &mut slots);
            found.extend(
                slots
                    .iter()
                    .map(|&slot| blocks.order()[slot as usize] as usize),
            );
            visit(summit, &found);
        }
    }

    /// Single linkage at `radius`; `same` joins further pairs.
    pub(super) fn link(&self, radius: f64, same: &[(usize, usize)]) -> Linked {
        let mut sets = UnionFind::new(self.len());
        for &(a, b) in same {
            sets.union(a, b);
        }
        self.each_near(radius, |summit, found| {
            for &other in found {
                sets.union(summit, other);
            }
        });
        let mut cluster_of = vec![usize::MAX; self.len()];
        let mut cluster_of_root = HashMap::new();
        let mut modes = Vec::new();
        for summit in self.by_density(0..self.len()) {
            let cluster = *cluster_of_root
                .entry(sets.find(summit))
                .or_insert(modes.len());
            if cluster == modes.len() {
                modes.push(summit);
            }
            cluster_of[summit] = cluster;
        }
        Linked { cluster_of, modes }
    }

    /// From the densest down, each summit not yet taken takes in all within `radius`.
    pub(super) fn absorb(&self, radius: f64) -> Linked {
        let blocks = Blocks::new(&self.places, self.dims);
        let (mut near, mut slots) = (Vec::new(), Vec::new());
        let mut cluster_of = vec![usize::MAX; self.len()];
        let mut modes = Vec::new();
        for summit in self.by_density(0..self.len()) {
            if cluster_of[summit] != usize::MAX {
                continue;
            }
            let x = self.place(summit);
            near.clear();
            slots.clear();
            blocks.near(x, radius * radius, &mut near);
            slots_within(blocks.coords(), &near, x, radius * radius, &mut slots);
            for &slot in &slots {
                let other = blocks.order()[slot as usize] as usize;
                if cluster_of[other] == usize::MAX {
                    cluster_of[other] = modes.len();
                }
            }
            modes.push(summit);
        }
        Linked { cluster_of, modes }
    }
}

/// Orders by weight, then by coordinates.
fn denser(weight: f64, place: &[f64], other_weight: f64, other_place: &[f64]) -> Ordering {
    weight.total_cmp(&other_weight).then_with(|| {
        let differ = place.iter().zip(other_place).map(|(a, b)| a.total_cmp(b));
        differ.fold(Ordering::Equal, Ordering::then)
    })
}
