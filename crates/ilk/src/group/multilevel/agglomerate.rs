//! Agglomerative clustering by Ward's criterion, as a start on a coarse level.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::level::Level;
use crate::group::relabel::number_densely;

/// Merges nodes until `k` clusters are left. Returns the cluster of each of `nodes` (ascending),
/// numbered from 0.
///
/// Each step merges the two clusters that lower Σ_c S_c / W_c least:
///
/// ```text
/// (S_a + S_b + 2 L_ab) / (W_a + W_b) - S_a / W_a - S_b / W_b
/// ```
///
/// with L_ab the links between them. This is Ward's (1963) criterion in the space of the kernel M_ij /
/// (α_i α_j): a multiple of α_i δ_ij added to M changes all of these by the same amount, so it does not
/// matter that the kernel is indefinite. Clusters with different fixed nodes are never merged; clusters
/// with a cannot-link, or without links, only where nothing else is left. At least O(m log m) for m
/// links, more where rows become long.
pub(super) fn agglomerate(level: &Level<'_>, nodes: &[u32], k: usize) -> Vec<u32> {
    let mut clusters = Agglomeration::new(level, nodes);
    clusters.merge_linked(k);
    clusters.merge_any(k);
    clusters.labels()
}

/// Clusters so far; each has the number of one of its members.
struct Agglomeration {
    parent: Vec<u32>,
    rows: Vec<Vec<(u32, f64)>>,
    masses: Vec<f64>,
    links: Vec<f64>,
    fixed: Vec<Option<u32>>,
    cannot_links: Vec<Vec<u32>>,
    /// How often a cluster was merged with others; `GONE` once it is part of another.
    version: Vec<u32>,
    n_clusters: usize,
    heap: BinaryHeap<MergeCandidate>,
    sums: Vec<f64>,
}

const GONE: u32 = u32::MAX;

/// Two clusters that may be merged, and their versions when this was found.
#[derive(Debug, Clone, Copy, PartialEq)]
struct MergeCandidate {
    gain: f64,
    a: u32,
    b: u32,
    versions: [u32; 2],
}

impl Eq for MergeCandidate {}

impl Ord for MergeCandidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_gain = self.gain.total_cmp(&other.gain);
        by_gain.then_with(|| (other.a, other.b).cmp(&(self.a, self.b)))
    }
}

impl PartialOrd for MergeCandidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Agglomeration {
    fn new(level: &Level<'_>, nodes: &[u32]) -> Self {
        let place = |node: usize| {
            if nodes.len() == level.len() {
                return Some(node as u32);
            }
            let found = nodes.binary_search(&(node as u32));
            found.ok().map(|at| at as u32)
        };
        let within = |(other, link): (usize, f64)| Some((place(other)?, link));
        let row = |&node: &u32| level.links(node as usize).filter_map(within).collect();
        let cannot_links = |&node: &u32| {
            let others = level.cannot_links.of(node as usize).iter();
            others.filter_map(|&other| place(other)).collect()
        };
        let of = |values: &[f64]| nodes.iter().map(|&node| values[node as usize]).collect();
        let n = nodes.len();
        Self {
            parent: (0..n as u32).collect(),
            rows: nodes.iter().map(row).collect(),
            masses: of(&level.masses),
            links: of(&level.loops),
            fixed: nodes.iter().map(|&i| level.fixed[i as usize]).collect(),
            cannot_links: nodes.iter().map(cannot_links).collect(),
            version: vec![0; n],
            n_clusters: n,
            heap: BinaryHeap::new(),
            sums: vec![0.0; n],
        }
    }

    fn find(&mut self, mut at: u32) -> u32 {
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    fn gain(&self, a: usize, b: usize, between: f64) -> f64 {
        let density = |c: usize| self.links[c] / self.masses[c];
        (self.links[a] + self.links[b] + 2.0 * between) / (self.masses[a] + self.masses[b])
            - density(a)
            - density(b)
    }

    fn are_both_fixed(&self, a: usize, b: usize) -> bool {
        self.fixed[a].is_some() && self.fixed[b].is_some()
    }

    fn are_separated(&mut self, a: u32, b: u32) -> bool {
        let others = std::mem::take(&mut self.cannot_links[a as usize]);
        let found = others.iter().any(|&other| self.find(other) == b);
        self.cannot_links[a as usize] = others;
        found
    }

    /// Merges clusters with links between them.
    fn merge_linked(&mut self, k: usize) {
        if self.n_clusters <= k {
            return;
        }
        for a in 0..self.rows.len() {
            self.push_best(a as u32);
        }
        while self.n_clusters > k {
            let Some(MergeCandidate { a, b, versions, .. }) = self.heap.pop() else {
                return;
            };
            let now = [self.version[a as usize], self.version[b as usize]];
            if now == versions {
                self.merge(a, b);
                self.push_best(a);
            } else if now[0] == versions[0] {
                self.push_best(a);
            }
        }
    }

    /// Merges any clusters, the lightest first.
    fn merge_any(&mut self, k: usize) {
        while self.n_clusters > k {
            let is_left = |&c: &usize| self.version[c] != GONE;
            let clusters: Vec<usize> = (0..self.version.len()).filter(is_left).collect();
            let lighter = |&a: &usize, &b: &usize| self.masses[a].total_cmp(&self.masses[b]);
            let free = clusters.iter().copied().filter(|&c| self.fixed[c].is_none());
            let Some(a) = free.min_by(lighter) else {
                return;
            };
            let mut best: Option<(bool, f64, usize)> = None;
            for b in clusters {
                if b != a && !self.are_both_fixed(a, b) {
                    let may = !self.are_separated(a as u32, b as u32);
                    let gain = self.gain(a, b, 0.0);
                    if best.is_none_or(|(allowed, most, _)| (may, gain) > (allowed, most)) {
                        best = Some((may, gain, b));
                    }
                }
            }
            let Some((_, _, b)) = best else {
                return;
            };
            self.merge(a as u32, b as u32);
            self.push_best(a as u32);
        }
    }

    /// Updates the row of a cluster and pushes its best merge.
    fn push_best(&mut self, a: u32) {
        let mut row = std::mem::take(&mut self.rows[a as usize]);
        let mut length = 0;
        for at in 0..row.len() {
            let (other, link) = row[at];
            let other = self.find(other);
            if other == a {
                continue;
            }
            let sum = &mut self.sums[other as usize];
            if *sum == 0.0 {
                row[length] = (other, 0.0);
                length += 1;
            }
            *sum += link;
        }
        row.truncate(length);
        let mut best: Option<(f64, u32)> = None;
        for (other, link) in &mut row {
            *link = std::mem::take(&mut self.sums[*other as usize]);
            let (a, b) = (a as usize, *other as usize);
            let gain = self.gain(a, b, *link);
            if best.is_none_or(|(most, _)| gain > most)
                && !self.are_both_fixed(a, b)
                && !self.are_separated(a as u32, *other)
            {
                best = Some((gain, *other));
            }
        }
        self.rows[a as usize] = row;
        if let Some((gain, b)) = best {
            self.heap.push(MergeCandidate {
                gain,
                a,
                b,
                versions: [self.version[a as usize], self.version[b as usize]],
            });
        }
    }

    /// Merges b into a.
    fn merge(&mut self, a: u32, b: u32) {
        self.parent[b as usize] = a;
        let (a, b) = (a as usize, b as usize);
        let row = std::mem::take(&mut self.rows[b]);
        let inside = row.iter().filter(|(other, _)| self.find(*other) == a as u32);
        let between: f64 = inside.map(|(_, link)| link).sum();
        self.links[a] += self.links[b] + 2.0 * between;
        self.masses[a] += self.masses[b];
        self.rows[a].extend(row);
        let cannot_links = std::mem::take(&mut self.cannot_links[b]);
        self.cannot_links[a].extend(cannot_links);
        self.fixed[a] = self.fixed[a].or(self.fixed[b]);
        self.version[a] += 1;
        self.version[b] = GONE;
        self.n_clusters -= 1;
    }

    fn labels(mut self) -> Vec<u32> {
        let n = self.parent.len();
        number_densely((0..n as u32).map(|at| self.find(at)), n).0
    }
}
