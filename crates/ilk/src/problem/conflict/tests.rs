use proptest::prelude::*;

use super::*;
use crate::problem::ConstraintKind;
use crate::problem::brute::{Said, said_with_comparisons, said_with_labels};

#[test]
fn a_pair_that_is_both_together_and_apart_has_a_chain_of_one_step() {
    let mut said = Constraints::new(5);
    said.must_link(1, 2).unwrap().must_link(2, 3).unwrap();
    said.must_link(1, 3).unwrap().cannot_link(3, 1).unwrap();
    let check = said.check();
    assert_eq!(check.conflict(0), Some(Conflict::CannotLink { entry: 0 }));
    let step = Step {
        from: 1,
        to: 3,
        link: Link::MustLink(2),
    };
    assert_eq!(check.chain(0), Some(vec![step]));
    assert_eq!(check.conflict(1), None);
    assert_eq!(check.chain(1), None);
}

#[test]
fn a_cannot_link_between_two_points_of_a_label_is_a_conflict() {
    let mut said = Constraints::new(4);
    said.label(0, "x").unwrap().label(3, "x").unwrap();
    said.cannot_link(0, 3).unwrap();
    let step = Step {
        from: 0,
        to: 3,
        link: Link::SharedLabel(0),
    };
    assert_eq!(said.check().chain(0), Some(vec![step]));
}

#[test]
fn linked_labels_are_reported_once_however_many_points_carry_them() {
    let mut said = Constraints::new(100);
    for point in 0..99 {
        said.label(point, if point % 2 == 0 { "even" } else { "odd" })
            .unwrap();
    }
    said.must_link(0, 99).unwrap().must_link(99, 51).unwrap();
    let check = said.check();
    let expected = Conflict::Labels {
        first: 0,
        second: 1,
    };
    assert_eq!(check.conflicts().collect::<Vec<_>>(), [expected]);
    assert_eq!(
        check.explain(0).unwrap(),
        "0 must-link 99 must-link 51, but 0 is labelled \"even\" and 51 is labelled \"odd\""
    );
}

#[test]
fn a_million_points_in_a_chain_with_many_conflicts_are_checked() {
    let n = 1_000_000;
    let mut said = Constraints::new(n);
    for point in 1..n {
        said.must_link(point - 1, point).unwrap();
    }
    for point in (0..n - 2).step_by(10) {
        said.cannot_link(point, point + 2).unwrap();
    }
    said.cannot_link(0, n - 1).unwrap();
    let check = said.check();
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
    let mut said = Constraints::new(n);
    for point in 0..n {
        said.label(point, &point.to_string()).unwrap();
        said.must_link(0, point.max(1)).unwrap();
    }
    let check = said.check();
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
    let mut said = Constraints::new(n);
    for near in 1..n - 1 {
        said.closer(0, near, near + 1).unwrap();
    }
    assert!(said.check().is_consistent());
    said.closer(0, n - 1, 1).unwrap();
    let check = said.check();
    assert_eq!(check.cycles().len(), 1);
    assert_eq!(check.cycles()[0].steps.len(), n - 1);
}

#[test]
fn about_equal_contradicts_an_odd_one_out_of_the_same_three() {
    let mut said = Constraints::with_ids(["a", "b", "c"]).unwrap();
    said.about_equal(0, 1, 2).unwrap();
    assert!(said.check().is_consistent());
    said.odd_one_out(1, 2, 0).unwrap();
    let check = said.check();
    assert_eq!(
        check.explain_cycle(0).unwrap(),
        "d(b, c) < d(a, b) = d(b, c): of b, c and a, a is the odd one out; \
         a, b and c are about equally different"
    );
    assert_eq!(check.explain_cycle(1), None);
}

#[test]
fn a_consistent_set_is_let_through_and_says_so() {
    let mut said = Constraints::new(4);
    said.must_link(0, 1).unwrap().cannot_link(1, 2).unwrap();
    said.odd_one_out(0, 1, 2).unwrap().closer(0, 1, 3).unwrap();
    let check = said.check();
    assert_eq!(check.ensure_consistent(), Ok(()));
    assert_eq!(check.to_string(), "no contradictions");
}

#[test]
fn an_inconsistent_set_is_refused_with_its_first_contradiction() {
    let mut said = Constraints::with_ids(["a", "b", "c", "d"]).unwrap();
    said.must_link(0, 1).unwrap().cannot_link(0, 3).unwrap();
    said.label(1, "x").unwrap().label(2, "x").unwrap();
    said.must_link(2, 3).unwrap();
    assert_eq!(
        said.check().ensure_consistent().unwrap_err().to_string(),
        "the constraints contradict each other (contradictions: 1); take back an answer of each, \
         the first: a must-link b shares label \"x\" with c must-link d, but a cannot-link d"
    );
}

#[test]
fn the_text_lists_ten_contradictions_and_counts_the_rest() {
    let mut said = Constraints::new(24);
    for point in (0..24).step_by(2) {
        said.must_link(point, point + 1).unwrap();
        said.cannot_link(point, point + 1).unwrap();
    }
    let text = said.check().to_string();
    assert!(text.starts_with("12 contradictions:\n- 0 must-link 1, but 0 cannot-link 1\n"));
    assert!(text.ends_with("\n- 18 must-link 19, but 18 cannot-link 19\n- and 2 more"));
}

#[test]
fn points_that_are_all_apart_need_a_cluster_each() {
    let mut said = Constraints::new(20);
    for a in 0..6 {
        for b in a + 1..6 {
            said.cannot_link(3 * a, 3 * b).unwrap();
        }
        said.must_link(3 * a, 3 * a + 1).unwrap();
    }
    // A star has more cannot-links than the clique, but needs two clusters.
    for leaf in [2, 5, 8, 11, 14, 17, 18] {
        said.cannot_link(19, leaf).unwrap();
    }
    let check = said.check();
    assert_eq!(check.min_clusters(), 6);
    assert_eq!(check.separated_points(), [0, 3, 6, 9, 12, 15]);
}

#[test]
fn labels_and_what_cannot_link_to_all_of_them_need_a_cluster_each() {
    let mut said = Constraints::new(6);
    said.label(1, "x").unwrap().label(2, "x").unwrap();
    said.label(3, "y").unwrap().label(4, "z").unwrap();
    for labelled in [2, 3, 4] {
        said.cannot_link(0, labelled).unwrap();
    }
    assert_eq!(said.check().separated_points(), [0, 1, 3, 4]);
}

#[test]
fn points_of_which_nothing_was_said_need_one_cluster_and_none_need_none() {
    assert_eq!(Constraints::new(3).check().min_clusters(), 1);
    assert_eq!(Constraints::new(0).check().min_clusters(), 0);
}

/// The cannot-links and pairs of labels that are joined, by looking at every pair of points.
fn conflicts_by_brute_force(said: &Said, constraints: &Constraints) -> Vec<Conflict> {
    let linked = said.linked();
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
            if (0..said.n).any(|a| (0..said.n).any(|b| joined(a, b))) {
                conflicts.push(Conflict::Labels { first, second });
            }
        }
    }
    conflicts
}

/// Whether `step` follows from the one entry that it names.
fn is_said(said: &Constraints, step: &Step) -> bool {
    match step.link {
        Link::MustLink(entry) => {
            let points = [step.from.min(step.to), step.from.max(step.to)];
            said.must_links()[entry].points == points
        }
        Link::SharedLabel(label) => [step.from, step.to]
            .iter()
            .all(|&point| said.label_of(point) == Some(label)),
    }
}

/// Whether `step` follows from the one entry that it names.
fn follows(said: &Constraints, step: &Comparison) -> bool {
    let is = |pair: [usize; 2], a: usize, b: usize| pair == [a.min(b), a.max(b)];
    let Some(&[a, b, c]) = said.points_of(step.kind, step.entry) else {
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
    said: impl Strategy<Value = Said>,
) -> impl Strategy<Value = (Said, Vec<usize>)> {
    said.prop_flat_map(|said| {
        let permutation = Just((0..said.n).collect::<Vec<_>>()).prop_shuffle();
        (Just(said), permutation)
    })
}

proptest! {
    #[test]
    fn conflicts_are_those_of_all_pairs_of_points(said in said_with_labels(8)) {
        let constraints = said.constraints();
        let key = |conflict: &Conflict| match *conflict {
            Conflict::CannotLink { entry } => (0, entry, 0),
            Conflict::Labels { first, second } => (1, first, second),
        };
        let mut found: Vec<Conflict> = constraints.check().conflicts().collect();
        found.sort_by_key(key);
        prop_assert_eq!(found, conflicts_by_brute_force(&said, &constraints));
    }

    #[test]
    fn a_set_has_no_conflict_exactly_where_some_partition_keeps_it(said in said_with_labels(6)) {
        let consistent = said.constraints().check().is_consistent();
        prop_assert_eq!(consistent, said.fewest_clusters().is_some());
    }

    #[test]
    fn every_chain_is_a_proof_and_none_is_shorter(said in said_with_labels(16)) {
        let constraints = said.constraints();
        let check = constraints.check();
        let lengths = said.chain_lengths();
        let between = |sources: &[usize], targets: &[usize]| {
            let pairs = sources.iter().flat_map(|&a| targets.iter().map(move |&b| (a, b)));
            pairs.filter_map(|(a, b)| lengths[a][b]).min()
        };
        let labelled = |label| {
            (0..said.n).filter(|&p| constraints.label_of(p) == Some(label)).collect::<Vec<_>>()
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
            prop_assert!(chain.iter().all(|step| is_said(&constraints, step)));
            prop_assert!(chain.windows(2).all(|two| two[0].to == two[1].from));
            prop_assert!(sources.contains(&chain[0].from));
            prop_assert!(targets.contains(&chain[chain.len() - 1].to));
            prop_assert_eq!(Some(chain.len()), between(&sources, &targets));
        }
    }

    #[test]
    fn cycles_are_proofs_and_the_shortest_of_every_entangled_set(
        said in said_with_comparisons(5),
    ) {
        let constraints = said.constraints();
        let check = constraints.check();
        for cycle in check.cycles() {
            prop_assert!(cycle.steps[0].strict);
            prop_assert!(cycle.steps.iter().all(|step| follows(&constraints, step)));
            for (i, step) in cycle.steps.iter().enumerate() {
                let next = &cycle.steps[(i + 1) % cycle.steps.len()];
                prop_assert_eq!(step.to, next.from);
            }
        }
        prop_assert_eq!(cycle_lengths(&check), said.cycle_lengths());
    }

    #[test]
    fn no_partition_needs_fewer_clusters_than_the_bound(said in said_with_labels(7)) {
        let constraints = said.constraints();
        let check = constraints.check();
        let points = check.separated_points();
        prop_assert_eq!(points.len(), check.min_clusters());
        prop_assert!(points.is_sorted());
        for (i, &a) in points.iter().enumerate() {
            prop_assert!(points[i + 1..].iter().all(|&b| check.closure().are_separated(a, b)));
        }
        if let Some(fewest) = said.fewest_clusters() {
            prop_assert!(check.min_clusters() <= fewest);
            prop_assert!(check.min_clusters() >= constraints.label_names().len());
        }
    }

    #[test]
    fn permuting_the_points_permutes_the_conflicts(
        (said, permutation) in with_permutation(said_with_labels(8)),
    ) {
        let (before, after) = (said.constraints(), said.permuted(&permutation).constraints());
        let (before, after) = (before.check(), after.check());
        prop_assert!(before.conflicts().eq(after.conflicts()));
        prop_assert_eq!(chain_lengths(&before), chain_lengths(&after));
    }

    #[test]
    fn permuting_the_points_permutes_the_cycles(
        (said, permutation) in with_permutation(said_with_comparisons(6)),
    ) {
        let (before, after) = (said.constraints(), said.permuted(&permutation).constraints());
        let (before, after) = (before.check(), after.check());
        prop_assert_eq!(cycle_lengths(&before), cycle_lengths(&after));
        for (left, right) in before.cycles().iter().zip(after.cycles()) {
            prop_assert_eq!(left.steps.len(), right.steps.len());
        }
    }
}
