//! The nodes of a graph, given by the links between them.

use std::ops::Range;

use rayon::prelude::*;

use super::{means::Means, space::Geometry};
use crate::group::seeding::WeightedPoints;
use crate::numerics::{distinct_rows::DistinctRows, sparse::Sparse};

/// The nodes of a graph with links M and weights α, as points with the kernel K_ij = M_ij / (α_i α_j).
///
/// Sums of the kernel over a cluster are then sums of links: Σ_{j in c} α_j K_ij = links(i, c) / α_i and
/// Σ_{i,j in c} α_i α_j K_ij = links(c, c), so the work is proportional to the number of edges.
pub(super) struct GraphSpace<'a> {
    links: &'a Sparse,
    weights: Vec<f64>,
    /// M_ii.
    loops: Vec<f64>,
}

/// Links within clusters.
#[derive(Clone)]
pub(super) struct GraphMeans {
    masses: Vec<f64>,
    /// |m_c|² = links(c, c) / W_c².
    squares: Vec<f64>,
    /// The cluster of every node, or [`NONE`].
    clusters: Vec<u32>,
}

/// The cluster of a node that is in none.
const NONE: u32 = u32::MAX;

impl<'a> GraphSpace<'a> {
    /// As many positive weights as nodes.
    pub(super) fn new(links: &'a Sparse, weights: Vec<f64>) -> Self {
        let loops = links.diagonal();
        Self { links, weights, loops }
    }

    /// links(i, c).
    fn links_to(&self, clusters: &[u32], i: usize, cluster: u32) -> f64 {
        let entries = self.links.entries(i);
        let inside = entries.filter(|&(j, _)| clusters[j] == cluster);
        inside.map(|(_, value)| value).sum()
    }

    fn means_of(&self, clusters: Vec<u32>, k: usize) -> GraphMeans {
        let own: Vec<f64> = clusters
            .par_iter()
            .enumerate()
            .map(|(i, &cluster)| match cluster {
                NONE => 0.0,
                _ => self.links_to(&clusters, i, cluster),
            })
            .collect();
        let (mut masses, mut inside) = (vec![0.0; k], vec![0.0; k]);
        for (i, &cluster) in clusters.iter().enumerate() {
            if cluster != NONE {
                masses[cluster as usize] += self.weights[i];
                inside[cluster as usize] += own[i];
            }
        }
        let squares = inside.iter().zip(&masses);
        GraphMeans {
            squares: squares.map(|(links, mass)| links / (mass * mass)).collect(),
            masses,
            clusters,
        }
    }
}

impl WeightedPoints for GraphSpace<'_> {
    fn weights(&self) -> &[f64] {
        &self.weights
    }

    fn dist_sq(&self, from: &[usize], to: Range<usize>, out: &mut [f64]) {
        for (&i, out) in from.iter().zip(out.chunks_exact_mut(to.len().max(1))) {
            for (j, out) in to.clone().zip(&mut *out) {
                *out = self.offset(i) + self.offset(j);
            }
            for (j, value) in self.links.entries(i) {
                if to.contains(&j) {
                    out[j - to.start] -= 2.0 * value / (self.weights[i] * self.weights[j]);
                }
            }
            // An indefinite kernel has points at a negative squared distance.
            for out in out {
                *out = out.max(0.0);
            }
        }
    }
}

impl Geometry for GraphSpace<'_> {
    type Means = GraphMeans;

    fn offset(&self, i: usize) -> f64 {
        self.loops[i] / (self.weights[i] * self.weights[i])
    }

    fn means(&self, members: &[Vec<usize>]) -> GraphMeans {
        let mut clusters = vec![NONE; self.len()];
        for (cluster, members) in members.iter().enumerate() {
            for &i in members {
                clusters[i] = cluster as u32;
            }
        }
        self.means_of(clusters, members.len())
    }

    fn updated(&self, means: &GraphMeans, _: &[usize], after: &[usize]) -> GraphMeans {
        let clusters = after.iter().map(|&cluster| cluster as u32).collect();
        self.means_of(clusters, means.masses.len())
    }

    fn shift(&self, means: &mut GraphMeans, i: usize, from: usize, to: usize) {
        for (cluster, sign) in [(from, -1.0), (to, 1.0)] {
            let links = self.links_to(&means.clusters, i, cluster as u32);
            let mass = means.masses[cluster];
            let inside = means.squares[cluster] * mass * mass;
            // Where the node comes from its loop is among its links, and is taken off twice.
            let inside = inside + sign * 2.0 * links + self.loops[i];
            let mass = mass + sign * self.weights[i];
            means.masses[cluster] = mass;
            means.squares[cluster] = inside / (mass * mass);
        }
        means.clusters[i] = to as u32;
    }

    fn masses<'a>(&self, means: &'a GraphMeans) -> &'a [f64] {
        &means.masses
    }

    fn scores(&self, means: &GraphMeans, points: Range<usize>, out: &mut [f64]) {
        let width = points.len();
        let each = means.masses.iter().zip(&means.squares);
        for ((mass, square), out) in each.zip(out.chunks_exact_mut(width.max(1))) {
            out.fill(if *mass == 0.0 { f64::INFINITY } else { *square });
        }
        for (at, i) in points.enumerate() {
            for (j, value) in self.links.entries(i) {
                if means.clusters[j] != NONE {
                    let cluster = means.clusters[j] as usize;
                    let share = value / (self.weights[i] * means.masses[cluster]);
                    out[cluster * width + at] -= 2.0 * share;
                }
            }
        }
    }

    fn keep(&self, means: GraphMeans, labels: &[usize], distinct: &DistinctRows) -> Means {
        let (masses, squares) = (&means.masses, &means.squares);
        Means::by_members(&self.weights, masses, squares, labels, distinct)
    }
}
