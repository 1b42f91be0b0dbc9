//! Nodes that must not become one.

/// Pairs of nodes that are to stay apart, by node.
#[derive(Debug, Clone, Default)]
pub(in crate::group) struct Apart {
    /// (node, other), both directions, ascending, each once.
    pairs: Vec<(u32, u32)>,
    /// Where the pairs of every node begin, and the end of the last; empty where there are no pairs.
    first: Vec<u32>,
}

impl Apart {
    pub(super) fn none() -> Self {
        Self::default()
    }

    /// Pairs of different nodes of `n`, in any order.
    pub(in crate::group) fn new(n: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut both: Vec<(u32, u32)> = pairs
            .filter(|(a, b)| a != b)
            .flat_map(|(a, b)| [(a, b), (b, a)])
            .collect();
        if both.is_empty() {
            return Self::none();
        }
        both.sort_unstable();
        both.dedup();
        let mut first = vec![0; n + 1];
        for &(node, _) in &both {
            first[node as usize + 1] += 1;
        }
        for node in 0..n {
            first[node + 1] += first[node];
        }
        Self { pairs: both, first }
    }

    /// The nodes that must stay apart from `node`.
    pub(super) fn of(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let range = match self.first.get(node..node + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        };
        self.pairs[range].iter().map(|&(_, other)| other as usize)
    }

    /// The pairs among some nodes (ascending), by their places in the list.
    pub(super) fn restricted(&self, nodes: &[u32]) -> Self {
        let place = |node: u32| nodes.binary_search(&node).ok().map(|at| at as u32);
        let both = |&(a, b): &(u32, u32)| Some((place(a)?, place(b)?));
        Self::new(nodes.len(), self.pairs.iter().filter_map(both))
    }

    /// The pairs of the parts that nodes are merged into; those within one part are no longer any.
    pub(super) fn contract(&self, part_of: &[u32], n: usize) -> Self {
        let parts = |&(a, b): &(u32, u32)| (part_of[a as usize], part_of[b as usize]);
        Self::new(n, self.pairs.iter().map(parts))
    }
}
