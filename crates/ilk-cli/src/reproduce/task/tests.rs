use ilk::datasets::{Blobs, Generator};
use ilk::problem::{ConstraintKind, Constraints, Input, Pair};
use ilk_io::Scale;

use super::*;

const CLASSES: usize = 4;
const EACH: usize = 30;

/// Four round groups of 30 points.
fn blobs(rows: RowSample, constraints: ConstraintProtocol) -> Task {
    let set = Set::Generated(Generator::Blobs(Blobs {
        n: CLASSES * EACH,
        centers: CLASSES,
        ..Blobs::default()
    }));
    Task::new(set, rows, FeatureScale::Of(Scale::None), constraints)
}

fn draw(task: &Task, seed: u64) -> Drawn {
    task.draw(&Folder::default(), seed).unwrap()
}

fn points(drawn: &Drawn) -> Vec<Vec<u64>> {
    let Input::Points(points) = drawn.problem.input() else {
        panic!("points");
    };
    let row = |i| points.row(i).iter().map(|x| x.to_bits()).collect();
    (0..points.len()).map(row).collect()
}

fn ends(pairs: &[Pair]) -> Vec<[usize; 2]> {
    pairs.iter().map(|pair| pair.points).collect()
}

/// The classes 0 and 2 of the blobs, and the others.
const EVEN: Group = &["0", "2"];

#[test]
fn so_many_rows_of_every_class_are_different_and_of_that_class() {
    for (rows, each) in [
        (RowSample::PerClass(7), 7),
        (RowSample::PerClass(100), EACH),
        // A quick run takes the same share of every class.
        (RowSample::PerClass(20).at_most(43), 10),
    ] {
        let drawn = draw(&blobs(rows, ConstraintProtocol::Nothing), 3);
        let mut rows = points(&drawn);
        rows.sort();
        rows.dedup();
        assert_eq!(rows.len(), CLASSES * each);
        for class in 0..CLASSES {
            let of_class = drawn.truth.iter().filter(|&&its| its == class);
            assert_eq!(of_class.count(), each);
        }
    }
    let again =
        |seed| points(&draw(&blobs(RowSample::PerClass(7), ConstraintProtocol::Nothing), seed));
    assert_eq!(again(3), again(3));
    assert_ne!(again(3), again(4));
}

#[test]
fn a_fixed_unit_divides_every_value() {
    let plain = blobs(RowSample::All, ConstraintProtocol::Nothing);
    let task = Task { scale: FeatureScale::Fixed(255.0), ..plain.clone() };
    let values = |task| points(&draw(task, 0)).concat();
    for (scaled, plain) in values(&task).into_iter().zip(values(&plain)) {
        assert_eq!(f64::from_bits(scaled), f64::from_bits(plain) / 255.0);
    }
}

/// The protocol of semi-supervised kernel mean shift: b points of each of k classes give
/// k b (b - 1) / 2 must-links and as many cannot-links.
#[test]
fn labelled_rows_give_all_must_links_and_as_many_cannot_links() {
    let b = 6;
    let constraints = |flipped| ConstraintProtocol::Labelled { per_class: b, flipped };
    let drawn = draw(&blobs(RowSample::PerClass(20), constraints(0.0)), 1);
    let right = drawn.problem.constraints();
    let expected = CLASSES * b * (b - 1) / 2;
    let counts = |constraints: &Constraints| {
        (constraints.must_links().len(), constraints.cannot_links().len())
    };
    assert_eq!(counts(right), (expected, expected));
    let same = |[i, j]: [usize; 2]| drawn.truth[i] == drawn.truth[j];
    assert!(ends(right.must_links()).into_iter().all(same));
    assert!(!ends(right.cannot_links()).into_iter().any(same));
    // No constraint names any other row.
    assert_eq!(drawn.free.iter().filter(|&&free| !free).count(), CLASSES * b);
    let named = right.constrained_points();
    assert!(named.into_iter().all(|point| !drawn.free[point]));

    // The same pairs with a third of the constraints wrong.
    let drawn = draw(&blobs(RowSample::PerClass(20), constraints(1.0 / 3.0)), 1);
    let wrong = drawn.problem.constraints();
    let asked = |constraints: &Constraints| {
        let mut all = [ends(constraints.must_links()), ends(constraints.cannot_links())].concat();
        all.sort_unstable();
        all
    };
    assert_eq!(asked(right), asked(wrong));
    let errors = ends(wrong.must_links()).into_iter().filter(|&p| !same(p));
    let errors =
        errors.count() + ends(wrong.cannot_links()).into_iter().filter(|&p| same(p)).count();
    assert_eq!(errors, 2 * expected / 3);
}

#[test]
fn as_many_comparisons_as_pairs_and_all_by_the_truth() {
    let drawn =
        draw(&blobs(RowSample::All, ConstraintProtocol::AsManyComparisons { per_class: 5 }), 2);
    let constraints = drawn.problem.constraints();
    assert_eq!(constraints.odd_one_outs().len(), CLASSES * 5 * 4);
    assert_eq!(constraints.count(ConstraintKind::OddOneOut), counted(constraints));
    for triplet in constraints.odd_one_outs() {
        let [a, b, odd] = triplet.points.map(|point| drawn.truth[point]);
        assert!(a == b && odd != a);
    }
}

/// All entries of all kinds.
fn counted(constraints: &Constraints) -> usize {
    ConstraintKind::ALL.iter().map(|&kind| constraints.count(kind)).sum()
}

/// More threes that are about equal leave the odd-one-outs as they were.
#[test]
fn equal_threes_are_added_to_the_same_comparisons() {
    let of =
        |equal| draw(&blobs(RowSample::All, ConstraintProtocol::Comparisons { odd: 50, equal }), 5);
    let (none, some) = (of(0), of(40));
    let [before, after] = [&none, &some].map(|drawn| drawn.problem.constraints());
    assert_eq!(before.odd_one_outs(), after.odd_one_outs());
    assert_eq!(before.odd_one_outs().len(), 50);
    assert_eq!(after.about_equals().len(), 40);
    assert!(before.about_equals().is_empty());
    for triplet in after.about_equals() {
        let mut classes = triplet.points.map(|point| some.truth[point]).to_vec();
        classes.sort_unstable();
        classes.dedup();
        assert_ne!(classes.len(), 2);
    }
}

#[test]
fn two_groups_are_those_of_the_labels_and_the_others() {
    let task = Task {
        truth: Truth::TwoGroups(EVEN),
        ..blobs(RowSample::All, ConstraintProtocol::Labelled { per_class: 4, flipped: 0.0 })
    };
    let drawn = draw(&task, 0);
    let classes = draw(&blobs(RowSample::All, ConstraintProtocol::Nothing), 0).truth;
    let expected: Vec<usize> = classes.iter().map(|class| class % 2).collect();
    assert_eq!(drawn.truth, expected);
    // Four of each of the two groups, not of each class.
    assert_eq!(drawn.problem.constraints().must_links().len(), 2 * 6);
}

#[test]
fn a_group_of_a_label_that_the_set_does_not_have_is_refused() {
    let task = Task {
        truth: Truth::TwoGroups(&["1", "five"]),
        ..blobs(RowSample::All, ConstraintProtocol::Nothing)
    };
    let refused = task.draw(&Folder::default(), 0).unwrap_err();
    let expected = "no class of the set is labelled \"five\"; its labels are: 0, 1, 2, 3";
    assert_eq!(refused.to_string(), expected);
}

/// The same constraints whether two groups or all classes are asked for: those by the classes, and those by
/// the groups.
#[test]
fn mixed_constraints_are_by_both_truths_and_do_not_depend_on_what_is_asked_for() {
    for constraints in [
        ConstraintProtocol::Labelled { per_class: 4, flipped: 0.0 },
        ConstraintProtocol::AsManyComparisons { per_class: 4 },
    ] {
        let of = |truth| {
            let task = Task { truth, ..blobs(RowSample::All, constraints) };
            draw(&task, 8)
        };
        let by_classes = of(Truth::Classes);
        let classes = of(Truth::ClassesOfBoth(EVEN));
        let groups = of(Truth::TwoGroupsOfBoth(EVEN));
        assert_eq!(by_classes.truth, classes.truth);
        assert_eq!(groups.truth, of(Truth::TwoGroups(EVEN)).truth);
        let all = classes.problem.constraints();
        assert_eq!(all, groups.problem.constraints());
        // 4 * 6 * 2 by the classes, then 2 * 6 * 2 by the groups; a few may be the same.
        let first = by_classes.problem.constraints();
        assert_eq!(counted(first), 48);
        assert!((66..=72).contains(&counted(all)), "{}", counted(all));
        for kind in ConstraintKind::ALL {
            for entry in 0..all.count(kind) {
                let points = all.points_of(kind, entry).unwrap();
                let is_first = first.points_of(kind, entry) == Some(points);
                let truth = if is_first { &classes.truth } else { &groups.truth };
                assert!(is_right(kind, points, truth), "{kind} {points:?}");
            }
        }
    }
}

fn is_right(kind: ConstraintKind, points: &[usize], truth: &[usize]) -> bool {
    let of = |i: usize| truth[points[i]];
    match kind {
        ConstraintKind::MustLink => of(0) == of(1),
        ConstraintKind::CannotLink => of(0) != of(1),
        ConstraintKind::OddOneOut => of(0) == of(1) && of(0) != of(2),
        _ => false,
    }
}

/// The model is to place all rows, on the scale of those that were drawn, and no constraints are added.
#[test]
fn the_whole_set_is_on_the_scale_of_the_rows_that_were_drawn() {
    let constraints = ConstraintProtocol::Labelled { per_class: 3, flipped: 0.0 };
    let few = Task {
        scale: FeatureScale::Of(Scale::Standard),
        truth: Truth::TwoGroups(EVEN),
        ..blobs(RowSample::PerClass(5), constraints)
    };
    let extended = Task { extends: true, ..few.clone() };
    let (few, extended) = (draw(&few, 4), draw(&extended, 4));
    assert!(few.whole.is_none());
    let whole = extended.whole.as_ref().unwrap();
    assert_eq!(points(&few), points(&extended));
    assert_eq!(few.problem.constraints(), extended.problem.constraints());
    assert_eq!((whole.points.len(), whole.truth.len()), (120, 120));
    // Every row that was drawn is in the whole set, with the same values and the same group.
    for (row, &group) in points(&few).iter().zip(&few.truth) {
        let values = |i| whole.points.row(i).iter().map(|x: &f64| x.to_bits());
        let place = (0..120).find(|&i| values(i).eq(row.iter().copied()));
        assert_eq!(place.map(|i| whole.truth[i]), Some(group));
    }
}

fn pairs_of(constraints: &Constraints) -> Vec<[usize; 2]> {
    let mut all = ends(constraints.must_links());
    all.extend(ends(constraints.cannot_links()));
    for pair in &mut all {
        pair.sort_unstable();
    }
    all.sort_unstable();
    all
}

/// Pairs that the truth contradicts.
fn wrong_pairs(drawn: &Drawn) -> usize {
    let constraints = drawn.problem.constraints();
    let wrong = |kind| {
        let all = (0..constraints.count(kind)).filter_map(move |i| constraints.points_of(kind, i));
        all.filter(|points| !is_right(kind, points, &drawn.truth)).count()
    };
    wrong(ConstraintKind::MustLink) + wrong(ConstraintKind::CannotLink)
}

#[test]
fn random_pairs_are_so_many_distinct_ones_with_the_share_of_wrong_ones() {
    let of = |n, flipped, seed| {
        let constraints = ConstraintProtocol::RandomPairs { n, flipped };
        draw(&blobs(RowSample::All, constraints), seed)
    };
    for (n, flipped, wrong) in [(60, 0.0, 0), (60, 0.1, 6), (240, 0.2, 48), (1, 0.2, 0)] {
        let drawn = of(n, flipped, 3);
        let mut pairs = pairs_of(drawn.problem.constraints());
        assert_eq!(pairs.len(), n);
        assert_eq!(counted(drawn.problem.constraints()), n);
        pairs.dedup();
        assert_eq!(pairs.len(), n);
        assert!(pairs.iter().all(|[a, b]| a < b));
        assert_eq!(wrong_pairs(&drawn), wrong);
    }
    let asked = |flipped, seed| pairs_of(of(60, flipped, seed).problem.constraints());
    // Wrong constraints are about the same pairs; another seed has other pairs.
    assert_eq!(asked(0.0, 3), asked(0.2, 3));
    assert_ne!(asked(0.0, 3), asked(0.0, 4));
}

/// More pairs than there are become all of them, each once.
#[test]
fn random_pairs_are_at_most_all_pairs() {
    let constraints = ConstraintProtocol::RandomPairs { n: 1000, flipped: 0.0 };
    let drawn = draw(&blobs(RowSample::PerClass(5), constraints), 0);
    let expected: Vec<[usize; 2]> =
        (0..20).flat_map(|a| (a + 1..20).map(move |b| [a, b])).collect();
    assert_eq!(pairs_of(drawn.problem.constraints()), expected);
    assert_eq!(wrong_pairs(&drawn), 0);
    assert!(!drawn.free.contains(&true));
}

/// Every pair has the same probability: 10 pairs of 20 rows name each row once on average.
#[test]
fn random_pairs_name_all_rows_alike() {
    let constraints = ConstraintProtocol::RandomPairs { n: 10, flipped: 0.0 };
    let task = blobs(RowSample::PerClass(5), constraints);
    let mut named = [0_u32; 20];
    for seed in 0..500 {
        for row in pairs_of(draw(&task, seed).problem.constraints()).concat() {
            named[row] += 1;
        }
    }
    // 500 each; the deviation is about 21.
    assert!(named.iter().all(|count| (400..=600).contains(count)), "{named:?}");
}

#[test]
fn labels_are_the_true_ones_of_so_many_rows_of_every_class() {
    for (per_class, each) in [(5, 5), (100, EACH)] {
        let constraints = ConstraintProtocol::Labels { per_class };
        let drawn = draw(&blobs(RowSample::All, constraints), 6);
        let constraints = drawn.problem.constraints();
        assert_eq!(constraints.labels().len(), CLASSES * each);
        assert_eq!(counted(constraints), CLASSES * each);
        let mut labelled = [0; CLASSES];
        let mut label_of_class = [None; CLASSES];
        for point in 0..drawn.truth.len() {
            let label = constraints.label_of(point);
            assert_eq!(label.is_none(), drawn.free[point]);
            let Some(label) = label else { continue };
            let class = drawn.truth[point];
            labelled[class] += 1;
            assert_eq!(*label_of_class[class].get_or_insert(label), label);
        }
        assert_eq!(labelled, [each; CLASSES]);
        let mut different = label_of_class.to_vec();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), CLASSES);
    }
    let of = |seed| {
        let constraints = ConstraintProtocol::Labels { per_class: 5 };
        draw(&blobs(RowSample::All, constraints), seed).free
    };
    assert_ne!(of(6), of(7));
}
