//! From the ends of trajectories to modes and clusters.
//!
//! Ends that coincide are one *stationary point*. Stationary points are then merged into modes:
//!
//! - under a smooth kernel, those within the merge radius of each other are one mode (single
//!   linkage), represented by the densest of them;
//! - under a kernel that jumps, trajectories stop on plateaus around a mode; the densest point
//!   absorbs every point within the merge radius, then the densest of the rest, and so on, which is
//!   what scikit-learn does with a radius of one bandwidth.

use std::cmp::Ordering;
use std::collections::HashMap;

use ndarray::Array2;

use crate::numerics::neighbors::{Neighbors, single_linkage};
use crate::numerics::{cells::Cells, lexicographic, union_find::UnionFind, view_rows};

/// Distinct positions where trajectories ended.
#[derive(Debug, Clone)]
pub(super) struct StationaryPoints {
    dims: usize,
    /// Ends in one cell coincide; a stationary point has the number of its cell.
    cells: Cells,
    places: Vec<f64>,
    weights: Vec<f64>,
    converged: Vec<bool>,
}

/// The modes, and the clusters of the stationary points.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ModeClusters {
    /// The cluster of every stationary point; cluster 0 has the densest mode.
    pub(super) cluster_of: Vec<usize>,
    /// The stationary point that is the mode of each cluster.
    pub(super) modes: Vec<usize>,
}

impl StationaryPoints {
    /// No points yet; ends in one grid cell of side `cell` coincide.
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

    pub(super) fn place(&self, point: usize) -> &[f64] {
        &self.places[point * self.dims..(point + 1) * self.dims]
    }

    pub(super) fn places(&self) -> &[f64] {
        &self.places
    }

    /// Changes all positions by `change`, which gets them row by row. No end can be added afterwards.
    pub(super) fn translate(&mut self, change: impl FnOnce(&mut [f64])) {
        change(&mut self.places);
        self.cells.clear();
    }

    pub(super) fn converged(&self, point: usize) -> bool {
        self.converged[point]
    }

    /// Adds an end and returns its stationary point. Of ends that coincide the densest gives the
    /// position.
    pub(super) fn add(&mut self, place: &[f64], weight: f64, converged: bool) -> usize {
        let point = self.cells.number(place);
        if point == self.len() {
            self.places.extend_from_slice(place);
            self.weights.push(weight);
            self.converged.push(converged);
        } else if denser((weight, place), self.weighted(point)).is_gt() {
            let at = point * self.dims;
            self.places[at..at + self.dims].copy_from_slice(place);
            self.weights[point] = weight;
            self.converged[point] |= converged;
        }
        point
    }

    fn weighted(&self, point: usize) -> (f64, &[f64]) {
        (self.weights[point], self.place(point))
    }

    /// Points from the densest down; equal ones in reverse lexicographic order of their places.
    fn by_density(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by(|&a, &b| self.denser(b, a));
        order
    }

    /// The places of some points, as rows.
    pub(super) fn rows(&self, points: &[usize]) -> Array2<f64> {
        Array2::from_shape_fn((points.len(), self.dims), |(i, k)| self.place(points[i])[k])
    }

    /// Single linkage of some points at `radius`, as sets of indices into `points`.
    fn linkage(&self, points: &[usize], radius: f64) -> UnionFind {
        single_linkage(self.rows(points).view(), radius * radius)
    }

    /// The densest point of each group that single linkage at `radius` makes of `points`.
    pub(super) fn densest_of_groups(&self, points: &[usize], radius: f64) -> Vec<usize> {
        let mut sets = self.linkage(points, radius);
        let mut taken = vec![false; points.len()];
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_unstable_by(|&a, &b| self.denser(points[b], points[a]));
        order.retain(|&i| !std::mem::replace(&mut taken[sets.find(i)], true));
        order.iter().map(|&i| points[i]).collect()
    }

    /// Single linkage at `radius`; `same` joins further pairs.
    pub(super) fn link(&self, radius: f64, same: &[(usize, usize)]) -> ModeClusters {
        let all: Vec<usize> = (0..self.len()).collect();
        let mut sets = self.linkage(&all, radius);
        for &(a, b) in same {
            sets.union(a, b);
        }
        let mut cluster_of = vec![usize::MAX; self.len()];
        let mut cluster_of_root = HashMap::new();
        let mut modes = Vec::new();
        for point in self.by_density() {
            let cluster = *cluster_of_root.entry(sets.find(point)).or_insert(modes.len());
            if cluster == modes.len() {
                modes.push(point);
            }
            cluster_of[point] = cluster;
        }
        ModeClusters { cluster_of, modes }
    }

    /// From the densest down, each point not yet absorbed absorbs all within `radius`.
    pub(super) fn absorb(&self, radius: f64) -> ModeClusters {
        let neighbors = Neighbors::new(view_rows(&self.places, self.dims));
        let mut cluster_of = vec![usize::MAX; self.len()];
        let mut modes = Vec::new();
        for point in self.by_density() {
            if cluster_of[point] != usize::MAX {
                continue;
            }
            neighbors.visit_within(self.place(point), radius * radius, |other| {
                if cluster_of[other.index] == usize::MAX {
                    cluster_of[other.index] = modes.len();
                }
            });
            modes.push(point);
        }
        ModeClusters { cluster_of, modes }
    }

    fn denser(&self, a: usize, b: usize) -> Ordering {
        denser(self.weighted(a), self.weighted(b))
    }
}

/// Orders by weight, then by coordinates.
fn denser(a: (f64, &[f64]), b: (f64, &[f64])) -> Ordering {
    let by_weight = a.0.total_cmp(&b.0);
    by_weight.then_with(|| lexicographic(a.1, b.1))
}
