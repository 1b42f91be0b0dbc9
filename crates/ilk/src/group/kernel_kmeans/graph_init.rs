//! Starts from constraints in a graph: clusters grow along its edges from must-link components.
//!
//! The squared distance of two nodes in the space of a graph's kernel says little: most nodes are not
//! linked, and all those pairs are equally far. The number of edges between two nodes distinguishes near from far.

use std::collections::VecDeque;

use crate::group::multilevel::{greedy_growing::grow, level::Level, progress::RoundProgress};
use crate::group::{Label, must_link_seeds::MustLinkSeeds};
use crate::numerics::{rng::Rng, sparse::Sparse};
use crate::problem::{Closure, aggregate::CannotLinkGraph};
use crate::{Result, observe::Silent};

/// The number of edges to a node that no path leads to.
const UNREACHED: u32 = u32::MAX;

/// Must-link components and the graph between them.
pub(super) struct GraphInit<'a> {
    links: &'a Sparse,
    seeds: MustLinkSeeds<'a>,
    /// The graph whose nodes are the components.
    merged: Level<'static>,
}

impl<'a> GraphInit<'a> {
    pub(super) fn new(links: &'a Sparse, weights: &[f64], closure: &'a Closure) -> Self {
        let seeds = MustLinkSeeds::new(closure, |i| weights[i]);
        let n = seeds.masses.len();
        let part_of: Vec<u32> = closure.components().iter().map(|&c| c as u32).collect();
        let mut merged = Level::finest(links, weights).contract(&part_of, n);
        let cannot_links = closure.cannot_link_components();
        merged.cannot_links = CannotLinkGraph::new(n, cannot_links);
        Self { links, seeds, merged }
    }

    /// A cluster for every node, from at most `k` components that are chosen at random or, without
    /// random numbers, far from each other by numbers of edges. `seed` breaks the ties of growing.
    pub(super) fn start(&self, k: usize, rng: Option<&mut Rng>, seed: u64) -> Result<Vec<Label>> {
        let mut hops = vec![UNREACHED; self.links.len()];
        let lower = |chosen: usize, nearest_sq: &mut [f64]| {
            self.search_from(chosen, &mut hops);
            for (component, dist_sq) in nearest_sq.iter_mut().enumerate() {
                let members = self.seeds.closure.members(component).iter();
                let nearest = members.map(|&i| hops[i]).min().unwrap_or(UNREACHED);
                // A component that no path leads to is as far as can be.
                *dist_sq = f64::from(nearest.min(hops.len() as u32)).powi(2);
            }
        };
        // Where all scores are equal the first wins: constrained components come heaviest first.
        let chosen = self.seeds.choose_constrained(k, rng, |_| 1.0, lower);
        self.grown_from(&chosen, seed)
    }

    /// Breadth-first search: lowers the numbers of edges of all nodes to those from a component.
    fn search_from(&self, component: usize, hops: &mut [u32]) {
        let members = self.seeds.closure.members(component);
        let mut queue: VecDeque<usize> = members.iter().copied().collect();
        for &i in &queue {
            hops[i] = 0;
        }
        while let Some(i) = queue.pop_front() {
            let next = hops[i] + 1;
            for (j, _) in self.links.entries(i) {
                if hops[j] > next {
                    hops[j] = next;
                    queue.push_back(j);
                }
            }
        }
    }

    /// Clusters that grow from the chosen components along the edges.
    fn grown_from(&self, chosen: &[usize], seed: u64) -> Result<Vec<Label>> {
        let mut start = vec![None; self.seeds.closure.n_components()];
        for (cluster, &component) in chosen.iter().enumerate() {
            start[component] = Some(cluster as u32);
        }
        let progress = RoundProgress::new(&Silent);
        let clusters = grow(&self.merged, &start, chosen.len(), seed, &progress)?;
        let components = self.seeds.closure.components().iter();
        Ok(components.map(|&c| Some(clusters[c] as usize)).collect())
    }
}
