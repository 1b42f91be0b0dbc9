//! What was said about the nodes.

use super::apart::Apart;
use super::level::Level;
use crate::group::Label;
use crate::numerics::sparse::Sparse;
use crate::problem::ConstraintKind;
use crate::{Error, Result};

/// What was said about the nodes of a graph, for those steps that do not read it off the links. An empty
/// list says nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Said {
    /// The must-link component of every node, or none. The nodes of a component are one node from the
    /// start, so they end in the same cluster whatever the links say.
    pub together: Vec<Option<usize>>,
    /// Pairs of nodes that no coarsening puts into one. Where they end is decided by their links, so
    /// penalties belong there; pairs within a component say nothing.
    pub apart: Vec<(usize, usize)>,
    /// The cluster of every node that has a given one. It never changes, and stands above `together`: a
    /// component with nodes in several clusters goes to the first of them but for the others.
    pub fixed: Vec<Label>,
}

impl Said {
    /// Refuses lists that do not fit `n` nodes and `k` clusters.
    pub(super) fn check(&self, n: usize, k: usize) -> Result<()> {
        for (what, found) in [
            ("the list of must-link components", self.together.len()),
            ("the list of fixed clusters", self.fixed.len()),
        ] {
            if found != 0 && found != n {
                return Err(Error::WrongLength {
                    what,
                    found,
                    expected: n,
                });
            }
        }
        for (entry, &(a, b)) in self.apart.iter().enumerate() {
            if let Some(point) = [a, b].into_iter().find(|&node| node >= n) {
                return Err(Error::OutOfRange {
                    kind: ConstraintKind::CannotLink,
                    entry,
                    point,
                    n,
                });
            }
        }
        match self.fixed.iter().flatten().max() {
            Some(&last) if last >= k => Err(Error::BadParameter {
                parameter: "fixed",
                value: last.to_string(),
                expected: format!("clusters are numbered from 0 to {}", k - 1),
            }),
            _ => Ok(()),
        }
    }

    /// The graph in which what must be together is one node, and the node of it that each of the given
    /// ones is part of; none where nothing is merged.
    pub(super) fn merge<'a>(
        &self,
        links: &'a Sparse,
        masses: &'a [f64],
    ) -> (Level<'a>, Option<Vec<u32>>) {
        let mut level = Level::finest(links, masses);
        let pairs = self.apart.iter().map(|&(a, b)| (a as u32, b as u32));
        level.apart = Apart::new(links.len(), pairs);
        if self.together.iter().all(Option::is_none) && self.fixed.iter().all(Option::is_none) {
            return (level, None);
        }
        let (part_of, clusters) = self.parts(links.len());
        let mut merged = level.contract(&part_of, clusters.len());
        merged.fixed = clusters;
        (merged, Some(part_of))
    }

    /// The part of every node, numbered by first nodes, and the fixed cluster of every part.
    fn parts(&self, n: usize) -> (Vec<u32>, Vec<Option<u32>>) {
        let fixed = |node: usize| self.fixed.get(node).copied().flatten();
        let component = |node: usize| self.together.get(node).copied().flatten();
        let mut pairs: Vec<(usize, usize)> = (0..n)
            .filter_map(|node| Some((component(node)?, node)))
            .collect();
        pairs.sort_unstable();
        // The node that stands for each node, and the cluster that its component has.
        let mut stands_for: Vec<usize> = (0..n).collect();
        let mut cluster: Vec<Label> = (0..n).map(fixed).collect();
        for members in pairs.chunk_by(|left, right| left.0 == right.0) {
            let given = members.iter().find_map(|&(_, node)| fixed(node));
            for &(_, node) in members {
                stands_for[node] = members[0].1;
                cluster[node] = cluster[node].or(given);
            }
        }
        let n_fixed = cluster.iter().flatten().max().map_or(0, |last| last + 1);
        let mut part_of_cluster = vec![None; n_fixed];
        let mut part_of_node = vec![None; n];
        let mut clusters = Vec::new();
        let part_of = (0..n).map(|node| {
            let part = match cluster[node] {
                Some(cluster) => &mut part_of_cluster[cluster],
                None => &mut part_of_node[stands_for[node]],
            };
            *part.get_or_insert_with(|| {
                clusters.push(cluster[node].map(|cluster| cluster as u32));
                clusters.len() as u32 - 1
            })
        });
        (part_of.collect(), clusters)
    }
}
