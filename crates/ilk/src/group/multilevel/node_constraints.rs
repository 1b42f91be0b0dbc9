//! Constraints on the nodes of a graph.

use super::level::Level;
use crate::problem::{
    Closure, ConstraintKind, Constraints, MustLinkPolicy, aggregate::CannotLinkGraph,
};
use crate::{Error, Result, error::check_length, group::Label, numerics::sparse::Sparse};

/// Constraints on the nodes of a graph, for the steps that the links alone do not decide. An empty list
/// constrains nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NodeConstraints {
    /// The must-link component of every node, or none. The nodes of a component are one node from the
    /// start, so they end in the same cluster whatever the links say.
    pub must_link_components: Vec<Option<usize>>,
    /// Pairs of nodes that coarsening never merges. Their clusters are decided by the links, so
    /// penalties belong there; pairs within a component are ignored.
    pub cannot_links: Vec<(usize, usize)>,
    /// Whether no move may violate more of them, whatever it is worth.
    pub enforces_cannot_links: bool,
    /// The cluster of every node whose cluster is given. It never changes, and goes before
    /// `must_link_components`: of a component with nodes in several clusters, the nodes without one get
    /// the first of them.
    pub fixed: Vec<Label>,
}

impl NodeConstraints {
    /// The must-link components, cannot-links and labels of `constraints`, whose closure is given. `must_links` says
    /// which components are one node; without a cannot-link that contradicts them these are all, or none. Labels become fixed clusters where there are no more of them than `n_clusters`.
    pub fn new(
        constraints: &Constraints,
        closure: &Closure,
        must_links: MustLinkPolicy,
        n_clusters: usize,
    ) -> Self {
        let is_enforced = must_links.enforced(constraints, closure);
        let component = |node: usize| {
            let component = closure.component_of(node);
            let is_one = is_enforced[component] && closure.members(component).len() > 1;
            is_one.then_some(component)
        };
        let nodes = 0..constraints.n();
        let are_fixed = constraints.label_names().len() <= n_clusters;
        let cluster = |node: usize| constraints.label_of(node).filter(|_| are_fixed);
        let pairs = constraints.cannot_links().iter();
        Self {
            must_link_components: nodes.clone().map(component).collect(),
            cannot_links: pairs.map(|pair| pair.points.into()).collect(),
            enforces_cannot_links: true,
            fixed: nodes.map(cluster).collect(),
        }
    }

    /// Refuses lists that do not fit `n` nodes and `k` clusters.
    pub(super) fn check(&self, n: usize, k: usize) -> Result<()> {
        for (what, found) in [
            ("the list of must-link components", self.must_link_components.len()),
            ("the list of fixed clusters", self.fixed.len()),
        ] {
            if found != 0 {
                check_length(what, found, n)?;
            }
        }
        for (entry, &(a, b)) in self.cannot_links.iter().enumerate() {
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
            Some(&last) if last >= k => {
                let expected = format!("clusters are numbered from 0 to {}", k - 1);
                Err(Error::bad_parameter("fixed", last, expected))
            }
            _ => Ok(()),
        }
    }

    /// The graph in which every must-link component and every fixed cluster is one node, and the node
    /// that each given node is part of; none where nothing is merged.
    pub(super) fn merge<'a>(
        &self,
        links: &'a Sparse,
        masses: &'a [f64],
    ) -> (Level<'a>, Option<Vec<u32>>) {
        let mut level = Level::finest(links, masses);
        let pairs = self.cannot_links.iter().copied();
        level.cannot_links = CannotLinkGraph::new(links.len(), pairs);
        if self.must_link_components.iter().all(Option::is_none)
            && self.fixed.iter().all(Option::is_none)
        {
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
        let component = |node: usize| self.must_link_components.get(node).copied().flatten();
        let mut pairs: Vec<(usize, usize)> =
            (0..n).filter_map(|node| Some((component(node)?, node))).collect();
        pairs.sort_unstable();
        // The first node of each node's component, and the cluster of the component.
        let mut representative: Vec<usize> = (0..n).collect();
        let mut cluster: Vec<Label> = (0..n).map(fixed).collect();
        for members in pairs.chunk_by(|left, right| left.0 == right.0) {
            let given = members.iter().find_map(|&(_, node)| fixed(node));
            for &(_, node) in members {
                representative[node] = members[0].1;
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
                None => &mut part_of_node[representative[node]],
            };
            *part.get_or_insert_with(|| {
                clusters.push(cluster[node].map(|cluster| cluster as u32));
                clusters.len() as u32 - 1
            })
        });
        (part_of.collect(), clusters)
    }
}
