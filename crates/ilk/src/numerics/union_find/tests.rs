use proptest::prelude::*;

use super::*;

#[test]
fn components_are_numbered_by_their_smallest_members() {
    let mut sets = UnionFind::new(5);
    assert!(sets.union(4, 1));
    assert!(sets.union(1, 3));
    assert!(!sets.union(3, 4));
    assert_eq!(sets.components(), (vec![0, 1, 2, 1, 1], 3));
}

#[test]
fn a_chain_of_a_million_is_one_set() {
    let n = 1_000_000;
    let mut sets = UnionFind::new(n);
    for member in (1..n).rev() {
        assert!(sets.union(member - 1, member));
    }
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
        }
    }
}
