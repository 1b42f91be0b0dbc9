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

use ndarray::Array2;

use super::climb::End;
use crate::numerics::cells::Cells;
use crate::numerics::neighbors::Neighbors;
use crate::numerics::union_find::UnionFind;

/// Distinct places where climbs ended.
#[derive(Debug, Clone)]
pub(super) struct Summits {
    dims: usize,
    /// Ends in one cell coincide; a summit has the number of its cell.
    cells: Cells,
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
            cells: Cells::new(cell),
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
        self.cells.clear();
    }

    pub(super) fn converged(&self, summit: usize) -> bool {
        self.converged[summit]
    }

    /// The summit of an end. Of ends that coincide the densest gives the place.
    pub(super) fn add(&mut self, end: &End) -> usize {
        let summit = self.cells.number(&end.place);
        if summit == self.len() {
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
    fn by_density(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by(|&a, &b| self.denser(b, a));
        order
    }

    fn neighbors(&self, summits: &[usize]) -> Neighbors {
        let rows = Array2::from_shape_fn((summits.len(), self.dims), |(i, k)| {
            self.place(summits[i])[k]
        });
        Neighbors::new(rows.view())
    }

    /// Single linkage of some summits at `radius`, as sets of positions in `summits`.
    fn linkage(&self, summits: &[usize], radius: f64) -> UnionFind {
        let mut sets = UnionFind::new(summits.len());
        let neighbors = self.neighbors(summits);
        for (i, &summit) in summits.iter().enumerate() {
            neighbors.visit_within(self.place(summit), radius * radius, |other| {
                sets.union(i, other.index);
            });
        }
        sets
    }

    /// The densest summit of each group that single linkage at `radius` makes of `summits`.
    pub(super) fn densest_of_groups(&self, summits: &[usize], radius: f64) -> Vec<usize> {
        let mut sets = self.linkage(summits, radius);
        let mut taken = vec![false; summits.len()];
        let mut order: Vec<usize> = (0..summits.len()).collect();
        order.sort_unstable_by(|&a, &b| self.denser(summits[b], summits[a]));
        order.retain(|&i| !std::mem::replace(&mut taken[sets.find(i)], true));
        order.iter().map(|&i| summits[i]).collect()
    }

    /// Single linkage at `radius`; `same` joins further pairs.
    pub(super) fn link(&self, radius: f64, same: &[(usize, usize)]) -> Linked {
        let all: Vec<usize> = (0..self.len()).collect();
        let mut sets = self.linkage(&all, radius);
        for &(a, b) in same {
            sets.union(a, b);
        }
        let mut cluster_of = vec![usize::MAX; self.len()];
        let mut cluster_of_root = HashMap::new();
        let mut modes = Vec::new();
        for summit in self.by_density() {
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
        let all: Vec<usize> = (0..self.len()).collect();
        let neighbors = self.neighbors(&all);
        let mut cluster_of = vec![usize::MAX; self.len()];
        let mut modes = Vec::new();
        for summit in self.by_density() {
            if cluster_of[summit] != usize::MAX {
                continue;
            }
            neighbors.visit_within(self.place(summit), radius * radius, |other| {
                if cluster_of[other.index] == usize::MAX {
                    cluster_of[other.index] = modes.len();
                }
            });
            modes.push(summit);
        }
        Linked { cluster_of, modes }
    }

    fn denser(&self, a: usize, b: usize) -> Ordering {
        denser(
            self.weights[a],
            self.place(a),
            self.weights[b],
            self.place(b),
        )
    }
}

/// Orders by weight, then by coordinates.
fn denser(weight: f64, place: &[f64], other_weight: f64, other_place: &[f64]) -> Ordering {
    weight.total_cmp(&other_weight).then_with(|| {
        let differ = place.iter().zip(other_place).map(|(a, b)| a.total_cmp(b));
        differ.fold(Ordering::Equal, Ordering::then)
    })
}
