//! Sets, and the constraints between them.

use super::{AggregatedConstraints, MustLinkPolicy};
use crate::problem::{ConstraintKind, Constraints};

fn aggregated(constraints: &Constraints, policy: MustLinkPolicy) -> AggregatedConstraints {
    AggregatedConstraints::new(constraints, &constraints.closure(), policy)
}

#[test]
fn sets_are_components_and_the_weights_of_their_pairs_are_added() {
    let mut constraints = Constraints::new(7);
    constraints.must_link(0, 3).unwrap().must_link(1, 2).unwrap();
    constraints.cannot_link(0, 1).unwrap();
    constraints.add(ConstraintKind::CannotLink, &[2, 3], 4.0, None).unwrap();
    constraints.cannot_link(0, 3).unwrap();
    let sets = aggregated(&constraints, MustLinkPolicy::Hard);
    assert_eq!(sets.len(), 5);
    assert_eq!(sets.members(0), [0, 3]);
    let links = |sets: &AggregatedConstraints, set: usize| -> Vec<(usize, f64)> {
        let links = sets.links(set).iter();
        links.map(|link| (sets.members(link.other)[0], link.weight)).collect()
    };
    assert_eq!(links(&sets, 0), [(1, -5.0)]);

    // Only the component that holds the contradiction is taken apart.
    let sets = aggregated(&constraints, MustLinkPolicy::Uncontradicted);
    assert_eq!(sets.len(), 6);
    assert_eq!(sets.members(sets.set_of(1)), [1, 2]);
    let expected = [(3, 1.0), (1, -1.0), (3, -1.0)];
    assert_eq!(links(&sets, sets.set_of(0)), expected);
    let closure = constraints.closure();
    assert_eq!(closure.contradicted_cannot_links(&constraints), [2]);
}

#[test]
fn a_cannot_link_adds_what_labels_do_not_separate_already() {
    let mut constraints = Constraints::new(4);
    constraints.add_label(0, "a", 2.0, None).unwrap();
    constraints.add_label(1, "b", 0.5, None).unwrap();
    constraints.label(2, "a").unwrap();
    constraints.cannot_link(0, 1).unwrap().cannot_link(2, 3).unwrap();
    let sets = aggregated(&constraints, MustLinkPolicy::Hard);
    assert_eq!(sets.labelled(), [0, 1]);
    assert_eq!((sets.label_weight(0), sets.label_weight(1)), (3.0, 0.5));
    let others: Vec<usize> = sets.links(0).iter().map(|link| link.other).collect();
    assert_eq!(others, [2], "the labels weigh as much as the cannot-link");
}
