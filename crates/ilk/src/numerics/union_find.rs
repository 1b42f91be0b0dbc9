//! Disjoint sets.

/// Disjoint sets of `0..n` that can be joined but not split.
///
/// Union by size and path halving: m operations take O((n + m) α(n)), with α the inverse Ackermann
/// function, which is at most 4 for any n that fits a machine. Nothing recurses, so a chain of any
/// length is as good as a bush.
///
/// ```
/// use ilk::numerics::union_find::UnionFind;
///
/// let mut sets = UnionFind::new(5);
/// assert!(sets.union(4, 1));
/// assert!(sets.union(1, 3));
/// assert!(!sets.union(3, 4));
/// assert_eq!(sets.components(), (vec![0, 1, 2, 1, 1], 3));
/// ```
#[derive(Debug, Clone)]
pub struct UnionFind {
    parent: Vec<usize>,
    /// The size of the set, at its root; stale elsewhere.
    size: Vec<usize>,
}

impl UnionFind {
    /// `n` sets of one member each.
    pub fn new(n: usize) -> Self {
        Self {
            parent: (0..n).collect(),
            size: vec![1; n],
        }
    }

    /// A member that stands for the set of `member`, the same for all of the set until it is joined
    /// with another.
    ///
    /// # Panics
    /// If `member` is not below `n`, as in indexing a slice; the other methods too.
    pub fn find(&mut self, mut member: usize) -> usize {
        while self.parent[member] != member {
            self.parent[member] = self.parent[self.parent[member]];
            member = self.parent[member];
        }
        member
    }

    /// Joins the sets of `a` and `b`; false where they were one already.
    pub fn union(&mut self, a: usize, b: usize) -> bool {
        let (mut root, mut child) = (self.find(a), self.find(b));
        if root == child {
            return false;
        }
        if self.size[root] < self.size[child] {
            std::mem::swap(&mut root, &mut child);
        }
        self.parent[child] = root;
        self.size[root] += self.size[child];
        true
    }

    /// How many members the set of `member` has.
    pub fn size_of(&mut self, member: usize) -> usize {
        let root = self.find(member);
        self.size[root]
    }

    /// The number of every member's set, and how many sets there are. Sets are numbered by their
    /// smallest member, so the numbers depend on the sets alone, not on how they were joined.
    pub fn components(&mut self) -> (Vec<usize>, usize) {
        const UNSEEN: usize = usize::MAX;
        let n = self.parent.len();
        let mut number_of_root = vec![UNSEEN; n];
        let mut count = 0;
        let components = (0..n)
            .map(|member| {
                let number = &mut number_of_root[self.find(member)];
                if *number == UNSEEN {
                    *number = count;
                    count += 1;
                }
                *number
            })
            .collect();
        (components, count)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_chain_of_a_million_is_one_set() {
        let n = 1_000_000;
        let mut sets = UnionFind::new(n);
        for member in (1..n).rev() {
            assert!(sets.union(member - 1, member));
        }
        assert_eq!(sets.size_of(n / 2), n);
        assert_eq!(sets.components(), (vec![0; n], 1));
    }

    #[test]
    fn no_members_are_no_sets() {
        assert_eq!(UnionFind::new(0).components(), (vec![], 0));
    }

    proptest! {
        #[test]
        fn sets_are_those_of_relabelling_at_every_union(
            unions in prop::collection::vec((0_usize..12, 0_usize..12), 0..20),
        ) {
            let mut sets = UnionFind::new(12);
            let mut smallest: Vec<usize> = (0..12).collect();
            for (a, b) in unions {
                let (from, to) = (smallest[a].max(smallest[b]), smallest[a].min(smallest[b]));
                prop_assert_eq!(sets.union(a, b), from != to);
                for member in &mut smallest {
                    if *member == from {
                        *member = to;
                    }
                }
            }
            let (components, count) = sets.components();
            let mut roots = smallest.clone();
            roots.sort_unstable();
            roots.dedup();
            prop_assert_eq!(count, roots.len());
            for member in 0..12 {
                prop_assert_eq!(roots[components[member]], smallest[member]);
                let size = smallest.iter().filter(|&&root| root == smallest[member]).count();
                prop_assert_eq!(sets.size_of(member), size);
            }
        }
    }
}
