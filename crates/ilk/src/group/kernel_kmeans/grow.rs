//! Starts in a graph: clusters grow along its edges from components of must-links.
//!
//! The squared distance of two nodes in the space of a graph's kernel says little: most are not joined,
//! and all those are equally far. Along the edges there are nearer and farther ones.

use std::collections::VecDeque;

use rayon::prelude::*;

use super::components::listens;
use super::params::KernelKMeans;
use crate::group::Label;
use crate::group::seeds::{Cumulative, farthest};
use crate::numerics::rng::{Rng, rng_stream};
use crate::numerics::sparse::Sparse;
use crate::problem::{Closure, Constraints};

/// Edges to a node that cannot be reached.
const UNREACHED: u32 = u32::MAX;

/// One start for each of the descents.
pub(super) fn grown(
    links: &Sparse,
    weights: &[f64],
    closure: &Closure,
    params: &KernelKMeans,
) -> Vec<Vec<Label>> {
    let nothing = Constraints::new(links.len()).closure();
    let field = Field::new(links, weights, closure);
    let unsaid = Field::new(links, weights, &nothing);
    (0..params.n_init)
        .into_par_iter()
        .map(|run| {
            let field = if listens(run) { &field } else { &unsaid };
            let mut rng = (run > 0).then(|| rng_stream(params.seed, run as u64));
            let chosen = field.chosen(params.n_clusters, rng.as_mut());
            field.grown_from(&chosen)
        })
        .collect()
}

/// What clusters grow in.
struct Field<'a> {
    links: &'a Sparse,
    closure: &'a Closure,
    masses: Vec<f64>,
    /// Components about which something was said, the heaviest first.
    named: Vec<usize>,
}

impl<'a> Field<'a> {
    fn new(links: &'a Sparse, weights: &[f64], closure: &'a Closure) -> Self {
        let all = || 0..closure.n_components();
        let mass = |c: usize| closure.members(c).iter().map(|&i| weights[i]).sum();
        let masses: Vec<f64> = all().map(mass).collect();
        let mut named: Vec<usize> = all().filter(|&c| closure.is_named(c)).collect();
        named.sort_by(|&a, &b| masses[b].total_cmp(&masses[a]));
        Self {
            links,
            closure,
            masses,
            named,
        }
    }

    /// At most `k` components, drawn or, without a source of random numbers, the farthest ones.
    fn chosen(&self, k: usize, mut rng: Option<&mut Rng>) -> Vec<usize> {
        let n = self.closure.n_components();
        let mut hops = vec![UNREACHED; self.links.len()];
        let mut is_chosen = vec![false; n];
        let mut chosen = Vec::with_capacity(k);
        let labelled = self.closure.labelled_components().to_vec();
        for kind in [labelled, self.named.clone(), (0..n).collect()] {
            let mut left = kind;
            while chosen.len() < k {
                left.retain(|&c| !is_chosen[c]);
                if left.is_empty() {
                    break;
                }
                let at = self.next(&left, &hops, chosen.is_empty(), rng.as_deref_mut());
                is_chosen[left[at]] = true;
                chosen.push(left[at]);
                self.reach(left[at], &mut hops);
            }
        }
        chosen
    }

    /// Which of these to choose next. What cannot be reached is as far as can be.
    fn next(&self, of: &[usize], hops: &[u32], is_first: bool, rng: Option<&mut Rng>) -> usize {
        let far = |&c: &usize| {
            let nearest = self.closure.members(c).iter().map(|&i| hops[i]).min();
            match nearest {
                Some(hops) if !is_first => f64::from(hops.min(self.links.len() as u32)),
                _ => 1.0,
            }
        };
        let drawn = rng.and_then(|rng| {
            Cumulative::new(of.iter().map(|c| self.masses[*c] * far(c).powi(2))).draw(rng)
        });
        drawn.unwrap_or_else(|| {
            // Of equally far ones the heaviest, which is the first of those that were named.
            let values: Vec<f64> = of.iter().map(far).collect();
            farthest(&values)
        })
    }

    /// The least number of edges from any component chosen so far, this one included.
    fn reach(&self, chosen: usize, hops: &mut [u32]) {
        let mut queue: VecDeque<usize> = self.closure.members(chosen).iter().copied().collect();
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

    /// Every chosen component takes up its neighbours, then those of these, a round at a time: a
    /// component joins the cluster with which it has the most links. What no cluster reaches fills
    /// the lightest.
    fn grown_from(&self, chosen: &[usize]) -> Vec<Label> {
        let mut cluster_of: Vec<Label> = vec![None; self.closure.n_components()];
        let mut masses = vec![0.0; chosen.len()];
        for (cluster, &component) in chosen.iter().enumerate() {
            cluster_of[component] = Some(cluster);
            masses[cluster] += self.masses[component];
        }
        let mut front = chosen.to_vec();
        let mut shares = vec![0.0; chosen.len()];
        while !front.is_empty() {
            let mut next: Vec<usize> = front
                .iter()
                .flat_map(|&c| self.closure.members(c))
                .flat_map(|&i| self.links.row(i).0)
                .map(|&j| self.closure.component_of(j as usize))
                .filter(|&c| cluster_of[c].is_none())
                .collect();
            next.sort_unstable();
            next.dedup();
            let joined: Vec<Label> = next
                .iter()
                .map(|&c| self.most_linked(c, &cluster_of, &mut shares))
                .collect();
            for (&component, &cluster) in next.iter().zip(&joined) {
                cluster_of[component] = cluster;
                if let Some(cluster) = cluster {
                    masses[cluster] += self.masses[component];
                }
            }
            front = next;
            front.retain(|&c| cluster_of[c].is_some());
        }
        for component in 0..cluster_of.len() {
            if cluster_of[component].is_none() && !chosen.is_empty() {
                let lighter = |a: usize, b: usize| if masses[b] < masses[a] { b } else { a };
                let lightest = (1..masses.len()).fold(0, lighter);
                cluster_of[component] = Some(lightest);
                masses[lightest] += self.masses[component];
            }
        }
        let components = self.closure.components().iter();
        components.map(|&c| cluster_of[c]).collect()
    }

    /// The cluster with which a component has the most links, of those in which nothing must be apart
    /// from it; of all where there is none such.
    fn most_linked(&self, component: usize, cluster_of: &[Label], shares: &mut [f64]) -> Label {
        let mut seen = Vec::new();
        for &i in self.closure.members(component) {
            for (j, value) in self.links.entries(i) {
                if let Some(cluster) = cluster_of[self.closure.component_of(j)] {
                    shares[cluster] += value;
                    seen.push(cluster);
                }
            }
        }
        seen.sort_unstable();
        seen.dedup();
        let taken: Vec<usize> = self
            .closure
            .separated_from(component)
            .filter_map(|other| cluster_of[other])
            .collect();
        let most = |is_allowed: &dyn Fn(usize) -> bool| {
            let allowed = seen.iter().copied().filter(|&c| is_allowed(c));
            allowed.reduce(|a, b| if shares[b] > shares[a] { b } else { a })
        };
        let best = most(&|c| !taken.contains(&c)).or_else(|| most(&|_| true));
        for &cluster in &seen {
            shares[cluster] = 0.0;
        }
        best
    }
}
