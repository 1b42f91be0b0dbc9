//! Cannot-links between the nodes of a graph.

use crate::numerics::ragged::RaggedRows;

/// For every node of a graph, the nodes that it has a cannot-link with.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct CannotLinkGraph {
    /// Sorted, both directions, each once; none where there are no pairs at all.
    rows: Option<RaggedRows>,
}

impl CannotLinkGraph {
    /// Pairs of nodes `0..n`, in any order and number. A pair of a node with itself is left out.
    pub(crate) fn new(n: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut both: Vec<(usize, usize)> =
            pairs.filter(|(a, b)| a != b).flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        if both.is_empty() {
            return Self::default();
        }
        both.sort_unstable();
        both.dedup();
        Self { rows: Some(RaggedRows::new(n, both.into_iter())) }
    }

    /// The nodes that must be in another set than `node`, ascending.
    pub(crate) fn of(&self, node: usize) -> &[usize] {
        match &self.rows {
            Some(rows) => rows.row(node),
            None => &[],
        }
    }

    /// The pairs among some nodes (ascending), which become the nodes 0, 1, ... in this order.
    pub(crate) fn restrict(&self, nodes: &[u32]) -> Self {
        let position = |node: usize| nodes.binary_search(&(node as u32)).ok();
        let pairs = nodes.iter().enumerate().flat_map(|(a, &node)| {
            let others = self.of(node as usize).iter();
            others.filter_map(move |&other| Some((a, position(other)?)))
        });
        Self::new(nodes.len(), pairs)
    }

    /// The pairs after node i has become part of node `part_of[i]` of `n`. Those within one part
    /// are left out.
    pub(crate) fn contract(&self, part_of: &[u32], n: usize) -> Self {
        if self.rows.is_none() {
            return Self::default();
        }
        let pairs = (0..part_of.len()).flat_map(|node| {
            let others = self.of(node).iter();
            others.map(move |&other| (part_of[node] as usize, part_of[other] as usize))
        });
        Self::new(n, pairs)
    }
}
