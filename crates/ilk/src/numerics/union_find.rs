//! Disjoint sets.

/// Disjoint sets of `0..n` that can be joined but not split.
///
/// Union by size and path halving: m operations take O((n + m) α(n)), with α the inverse Ackermann
/// function, which is at most 4 for any n that fits a machine. Nothing recurses, so a chain of any
/// length cannot overflow the stack.
#[derive(Debug, Clone)]
pub(crate) struct UnionFind {
    parent: Vec<usize>,
    /// The size of the set, at its root; stale elsewhere.
    size: Vec<usize>,
}

impl UnionFind {
    /// `n` sets of one member each.
    pub(crate) fn new(n: usize) -> Self {
        Self { parent: (0..n).collect(), size: vec![1; n] }
    }

    /// The root of the set of `member`: the same for all of its members until the set is joined with
    /// another.
    pub(crate) fn find(&mut self, mut member: usize) -> usize {
        while self.parent[member] != member {
            self.parent[member] = self.parent[self.parent[member]];
            member = self.parent[member];
        }
        member
    }

    /// Joins the sets of `a` and `b`. False where they were one set already.
    pub(crate) fn union(&mut self, a: usize, b: usize) -> bool {
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

    /// The number of every member's set, and how many sets there are. Sets are numbered by their
    /// smallest member, so the numbers depend on the sets alone, not on how they were joined.
    pub(crate) fn components(&mut self) -> (Vec<usize>, usize) {
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
mod tests;
