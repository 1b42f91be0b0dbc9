use proptest::prelude::*;

use super::*;
use crate::problem::ConstraintKind;
use crate::problem::brute_force::{BruteForceConstraints, pairs_and_comparisons, pairs_and_labels};

#[test]
fn a_pair_that_is_both_together_and_apart_has_a_chain_of_one_step() {
    let mut given = Constraints::new(5);
    given.must_link(1, 2).unwrap().must_link(2, 3).unwrap();
    given.must_link(1, 3).unwrap().cannot_link(3, 1).unwrap();
    let check = given.check();
    assert_eq!(check.conflict(0), Some(Conflict::CannotLink { entry: 0 }));
    let step = ChainStep { from: 1, to: 3, link: ChainLink::MustLink(2) };
    assert_eq!(check.chain(0), Some(vec![step]));
    assert_eq!(check.conflict(1), None);
    assert_eq!(check.chain(1), None);
}

#[test]
fn a_cannot_link_between_two_points_of_a_label_is_a_conflict() {
    let mut given = Constraints::new(4);
    given.label(0, "x").unwrap().label(3, "x").unwrap();
    given.cannot_link(0, 3).unwrap();
    let step = ChainStep { from: 0, to: 3, link: ChainLink::SharedLabel(0) };
    assert_eq!(given.check().chain(0), Some(vec![step]));
}

#[test]
fn linked_labels_are_reported_once_however_many_points_carry_them() {
    let mut given = Constraints::new(100);
    for point in 0..99 {
        given.label(point, if point % 2 == 0 { "even" } else { "odd" }).unwrap();
    }
    given.must_link(0, 99).unwrap().must_link(99, 51).unwrap();
    let check = given.check();
    let expected = Conflict::Labels { first: 0, second: 1 };
    assert_eq!(check.conflicts().collect::<Vec<_>>(), [expected]);
    assert_eq!(
        check.explain(0).unwrap(),
        "0 must-link 99 must-link 51, but 0 is labelled \"even\" and 51 is labelled \"odd\""
    );
}

#[test]
fn a_million_points_in_a_chain_with_many_conflicts_are_checked() {
    let n = 1_000_000;
    let mut given = Constraints::new(n);
    for point in 1..n {
        given.must_link(point - 1, point).unwrap();
    }
    for point in (0..n - 2).step_by(10) {
        given.cannot_link(point, point + 2).unwrap();
    }
    given.cannot_link(0, n - 1).unwrap();
    let check = given.check();
    assert_eq!(check.n_conflicts(), 100_001);
    assert_eq!(check.chain(77_777).unwrap().len(), 2);
    assert_eq!(check.chain(100_000).unwrap().len(), n - 1);
    assert_eq!(
        check.explain(100_000).unwrap(),
        "0 must-link 1 must-link 2 must-link 3 must-link 4 must-link 5 ... (999989 more steps) \
         ... must-link 999995 must-link 999996 must-link 999997 must-link 999998 must-link \
         999999, but 0 cannot-link 999999"
    );
}

#[test]
fn as_many_labels_as_points_in_one_component_are_counted_without_being_expanded() {
    let n = 100_000;
    let mut given = Constraints::new(n);
    for point in 0..n {
        given.label(point, &point.to_string()).unwrap();
        given.must_link(0, point.max(1)).unwrap();
    }
    let check = given.check();
    assert_eq!(check.n_conflicts(), 4_999_950_000);
    let labels = |first, second| Some(Conflict::Labels { first, second });
    assert_eq!(check.conflict(0), labels(0, 1));
    assert_eq!(check.conflict(n - 1), labels(1, 2));
    assert_eq!(check.conflict(4_999_949_999), labels(n - 2, n - 1));
    assert_eq!(check.conflict(4_999_950_000), None);
    assert_eq!(check.chain(n - 1).unwrap().len(), 2);
}

#[test]
fn a_circle_of_two_hundred_thousand_comparisons_is_found() {
    let n = 200_000;
    let mut given = Constraints::new(n);
    for near in 1..n - 1 {
        given.closer(0, near, near + 1).unwrap();
    }
    assert!(given.check().is_consistent());
    given.closer(0, n - 1, 1).unwrap();
    let check = given.check();
    assert_eq!(check.cycles().len(), 1);
    assert_eq!(check.cycles()[0].steps.len(), n - 1);
}

#[test]
fn about_equal_contradicts_an_odd_one_out_of_the_same_three() {
    let mut given = Constraints::with_ids(["a", "b", "c"]).unwrap();
    given.about_equal(0, 1, 2).unwrap();
    assert!(given.check().is_consistent());
    given.odd_one_out(1, 2, 0).unwrap();
    let check = given.check();
    assert_eq!(
        check.explain_cycle(0).unwrap(),
        "d(b, c) < d(a, b) = d(b, c): of b, c and a, a is the odd one out; \
         a, b and c are about equally different"
    );
    assert_eq!(check.explain_cycle(1), None);
}

#[test]
fn a_consistent_set_says_so() {
    let mut given = Constraints::new(4);
    given.must_link(0, 1).unwrap().cannot_link(1, 2).unwrap();
    given.odd_one_out(0, 1, 2).unwrap().closer(0, 1, 3).unwrap();
    let check = given.check();
    assert!(check.is_consistent());
    assert_eq!(check.to_string(), "no contradictions");
}

#[test]
fn an_inconsistent_set_explains_its_first_contradiction() {
    let mut given = Constraints::with_ids(["a", "b", "c", "d"]).unwrap();
    given.must_link(0, 1).unwrap().cannot_link(0, 3).unwrap();
    given.label(1, "x").unwrap().label(2, "x").unwrap();
    given.must_link(2, 3).unwrap();
    let check = given.check();
    assert_eq!(check.n_contradictions(), 1);
    assert_eq!(
        check.explanations().next().unwrap(),
        "a must-link b shares label \"x\" with c must-link d, but a cannot-link d"
    );
}

#[test]
fn the_text_lists_ten_contradictions_and_counts_the_rest() {
    let mut given = Constraints::new(24);
    for point in (0..24).step_by(2) {
        given.must_link(point, point + 1).unwrap();
        given.cannot_link(point, point + 1).unwrap();
    }
    let text = given.check().to_string();
    assert!(text.starts_with("12 contradictions:\n- 0 must-link 1, but 0 cannot-link 1\n"));
    assert!(text.ends_with("\n- 18 must-link 19, but 18 cannot-link 19\n- and 2 more"));
}

#[test]
fn points_that_are_all_apart_need_a_cluster_each() {
    let mut given = Constraints::new(20);
    for a in 0..6 {
        for b in a + 1..6 {
            given.cannot_link(3 * a, 3 * b).unwrap();
        }
        given.must_link(3 * a, 3 * a + 1).unwrap();
    }
    // A star has more cannot-links than the clique, but needs two clusters.
    for leaf in [2, 5, 8, 11, 14, 17, 18] {
        given.cannot_link(19, leaf).unwrap();
    }
    let check = given.check();
    assert_eq!(check.min_clusters(), 6);
    assert_eq!(check.separated_points(), [0, 3, 6, 9, 12, 15]);
}

#[test]
fn labels_and_what_cannot_link_to_all_of_them_need_a_cluster_each() {
    let mut given = Constraints::new(6);
    given.label(1, "x").unwrap().label(2, "x").unwrap();
    given.label(3, "y").unwrap().label(4, "z").unwrap();
    for labelled in [2, 3, 4] {
        given.cannot_link(0, labelled).unwrap();
    }
    assert_eq!(given.check().separated_points(), [0, 1, 3, 4]);
}

#[test]
fn unconstrained_points_need_one_cluster_and_no_points_need_none() {
    assert_eq!(Constraints::new(3).check().min_clusters(), 1);
    assert_eq!(Constraints::new(0).check().min_clusters(), 0);
}

/// The cannot-links and pairs of labels that are joined, by looking at every pair of points.
fn conflicts_by_brute_force(
    given: &BruteForceConstraints,
    constraints: &Constraints,
) -> Vec<Conflict> {
    let linked = given.linked();
    let mut conflicts = Vec::new();
    for (entry, pair) in constraints.cannot_links().iter().enumerate() {
        if linked[pair.points[0]][pair.points[1]] {
            conflicts.push(Conflict::CannotLink { entry });
        }
    }
    let n_labels = constraints.label_names().len();
    for first in 0..n_labels {
        for second in first + 1..n_labels {
            let joined = |a: usize, b: usize| {
                linked[a][b]
                    && constraints.label_of(a) == Some(first)
                    && constraints.label_of(b) == Some(second)
            };
            if (0..given.n).any(|a| (0..given.n).any(|b| joined(a, b))) {
                conflicts.push(Conflict::Labels { first, second });
            }
        }
    }
    conflicts
}

/// Whether `step` follows from the one entry that it names.
fn is_given(given: &Constraints, step: &ChainStep) -> bool {
    match step.link {
        ChainLink::MustLink(entry) => {
            let points = [step.from.min(step.to), step.from.max(step.to)];
            given.must_links()[entry].points == points
        }
        ChainLink::SharedLabel(label) => {
            [step.from, step.to].iter().all(|&point| given.label_of(point) == Some(label))
        }
    }
}

/// Whether `step` follows from the one entry that it names.
fn follows(given: &Constraints, step: &DistanceComparison) -> bool {
    let is = |pair: [usize; 2], a: usize, b: usize| pair == [a.min(b), a.max(b)];
    let Some(&[a, b, c]) = given.points_of(step.kind, step.entry) else {
        return false;
    };
    match step.kind {
        ConstraintKind::OddOneOut => {
            step.strict && is(step.from, a, b) && (is(step.to, a, c) || is(step.to, b, c))
        }
        ConstraintKind::Closer => step.strict && is(step.from, a, b) && is(step.to, a, c),
        ConstraintKind::AboutEqual => {
            let one_of = |pair| is(pair, a, b) || is(pair, a, c) || is(pair, b, c);
            !step.strict && one_of(step.from) && one_of(step.to)
        }
        _ => false,
    }
}

fn cycle_lengths(check: &Check<'_>) -> Vec<usize> {
    let mut lengths: Vec<usize> = check.cycles().iter().map(|c| c.steps.len()).collect();
    lengths.sort_unstable();
    lengths
}

fn chain_lengths(check: &Check<'_>) -> Vec<usize> {
    let chains = (0..check.n_conflicts()).map(|index| check.chain(index).unwrap());
    let mut lengths: Vec<usize> = chains.map(|chain| chain.len()).collect();
    lengths.sort_unstable();
    lengths
}

/// A random set with a random permutation of its points.
fn with_permutation(
    given: impl Strategy<Value = BruteForceConstraints>,
) -> impl Strategy<Value = (BruteForceConstraints, Vec<usize>)> {
    given.prop_flat_map(|given| {
        let permutation = Just((0..given.n).collect::<Vec<_>>()).prop_shuffle();
        (Just(given), permutation)
    })
}

proptest! {
    #[test]
    fn conflicts_are_those_of_all_pairs_of_points(given in pairs_and_labels(8)) {
        let constraints = given.constraints();
        let key = |conflict: &Conflict| match *conflict {
            Conflict::CannotLink { entry } => (0, entry, 0),
            Conflict::Labels { first, second } => (1, first, second),
        };
        let mut found: Vec<Conflict> = constraints.check().conflicts().collect();
        found.sort_by_key(key);
        prop_assert_eq!(found, conflicts_by_brute_force(&given, &constraints));
    }

    #[test]
    fn a_set_has_no_conflict_exactly_where_some_partition_keeps_it(given in pairs_and_labels(6)) {
        let consistent = given.constraints().check().is_consistent();
        prop_assert_eq!(consistent, given.fewest_clusters().is_some());
    }

    #[test]
    fn every_chain_is_a_proof_and_none_is_shorter(given in pairs_and_labels(16)) {
        let constraints = given.constraints();
        let check = constraints.check();
        let lengths = given.chain_lengths();
        let between = |sources: &[usize], targets: &[usize]| {
            let pairs = sources.iter().flat_map(|&a| targets.iter().map(move |&b| (a, b)));
            pairs.filter_map(|(a, b)| lengths[a][b]).min()
        };
        let labelled = |label| {
            (0..given.n).filter(|&p| constraints.label_of(p) == Some(label)).collect::<Vec<_>>()
        };
        for (index, conflict) in check.conflicts().enumerate() {
            let chain = check.chain(index).unwrap();
            let (sources, targets) = match conflict {
                Conflict::CannotLink { entry } => {
                    let [a, b] = constraints.cannot_links()[entry].points;
                    (vec![a], vec![b])
                }
                Conflict::Labels { first, second } => (labelled(first), labelled(second)),
            };
            prop_assert!(chain.iter().all(|step| is_given(&constraints, step)));
            prop_assert!(chain.windows(2).all(|two| two[0].to == two[1].from));
            prop_assert!(sources.contains(&chain[0].from));
            prop_assert!(targets.contains(&chain[chain.len() - 1].to));
            prop_assert_eq!(Some(chain.len()), between(&sources, &targets));
        }
    }

    #[test]
    fn cycles_are_proofs_and_the_shortest_of_every_entangled_set(
        given in pairs_and_comparisons(5),
    ) {
        let constraints = given.constraints();
        let check = constraints.check();
        for cycle in check.cycles() {
            prop_assert!(cycle.steps[0].strict);
            prop_assert!(cycle.steps.iter().all(|step| follows(&constraints, step)));
            for (i, step) in cycle.steps.iter().enumerate() {
                let next = &cycle.steps[(i + 1) % cycle.steps.len()];
                prop_assert_eq!(step.to, next.from);
            }
        }
        prop_assert_eq!(cycle_lengths(&check), given.cycle_lengths());
    }

    #[test]
    fn no_partition_needs_fewer_clusters_than_the_bound(given in pairs_and_labels(7)) {
        let constraints = given.constraints();
        let check = constraints.check();
        let points = check.separated_points();
        prop_assert_eq!(points.len(), check.min_clusters());
        prop_assert!(points.is_sorted());
        for (i, &a) in points.iter().enumerate() {
            prop_assert!(points[i + 1..].iter().all(|&b| check.closure().are_separated(a, b)));
        }
        if let Some(fewest) = given.fewest_clusters() {
            prop_assert!(check.min_clusters() <= fewest);
            prop_assert!(check.min_clusters() >= constraints.label_names().len());
        }
    }

    #[test]
    fn permuting_the_points_permutes_the_conflicts(
        (given, permutation) in with_permutation(pairs_and_labels(8)),
    ) {
        let (before, after) = (given.constraints(), given.permuted(&permutation).constraints());
        let (before, after) = (before.check(), after.check());
        prop_assert!(before.conflicts().eq(after.conflicts()));
        prop_assert_eq!(chain_lengths(&before), chain_lengths(&after));
    }

    #[test]
    fn permuting_the_points_permutes_the_cycles(
        (given, permutation) in with_permutation(pairs_and_comparisons(6)),
    ) {
        let (before, after) = (given.constraints(), given.permuted(&permutation).constraints());
        let (before, after) = (before.check(), after.check());
        prop_assert_eq!(cycle_lengths(&before), cycle_lengths(&after));
        for (left, right) in before.cycles().iter().zip(after.cycles()) {
            prop_assert_eq!(left.steps.len(), right.steps.len());
        }
    }
}
