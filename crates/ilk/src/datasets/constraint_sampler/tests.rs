use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{ConstraintSampler, SampledConstraints};
use crate::Error;
use crate::problem::{Pair, Triplet};

type Label = Option<usize>;

/// A truth over few points, some of them unlabelled.
fn truths() -> impl Strategy<Value = Vec<Label>> {
    vec(prop_oneof![4 => (0..4_usize).prop_map(Some), 1 => Just(None)], 0..40)
}

fn sizes(truth: &[Label]) -> Vec<usize> {
    let classes: BTreeSet<usize> = truth.iter().flatten().copied().collect();
    classes.iter().map(|c| truth.iter().filter(|l| **l == Some(*c)).count()).collect()
}

fn choose_2(n: usize) -> usize {
    n * n.saturating_sub(1) / 2
}

fn sets<const K: usize>(kinds: &[&[crate::problem::Constraint<K>]]) -> Vec<BTreeSet<usize>> {
    kinds
        .iter()
        .flat_map(|entries| entries.iter().map(|e| e.points.into_iter().collect()))
        .collect()
}

fn without_repeats<T: Ord + Clone>(items: &[T]) -> bool {
    items.iter().cloned().collect::<BTreeSet<T>>().len() == items.len()
}

fn pair_sets(drawn: &SampledConstraints) -> Vec<BTreeSet<usize>> {
    sets(&[drawn.constraints.must_links(), drawn.constraints.cannot_links()])
}

fn triplet_sets(drawn: &SampledConstraints) -> Vec<BTreeSet<usize>> {
    sets(&[drawn.constraints.odd_one_outs(), drawn.constraints.about_equals()])
}

fn wrong_pairs(truth: &[Label], drawn: &SampledConstraints) -> usize {
    let together = |p: &&Pair| truth[p.points[0]] == truth[p.points[1]];
    let must = drawn.constraints.must_links();
    let cannot = drawn.constraints.cannot_links();
    must.iter().filter(|p| !together(p)).count() + cannot.iter().filter(together).count()
}

fn wrong_triplets(truth: &[Label], drawn: &SampledConstraints) -> usize {
    let right = |t: &Triplet| {
        let [a, b, odd] = t.points.map(|p| truth[p]);
        a == b && a != odd
    };
    drawn.constraints.odd_one_outs().iter().filter(|t| !right(t)).count()
}

proptest! {
    #[test]
    fn per_class_draws_all_must_links_and_as_many_cannot_links(
        truth in truths(), b in 0..8_usize, seed in any::<u64>(),
    ) {
        let drawn = ConstraintSampler { per_class: b, ..ConstraintSampler::default() }.draw(&truth, seed)?;
        let labelled: Vec<usize> = sizes(&truth).iter().map(|&s| s.min(b)).collect();
        let must: usize = labelled.iter().map(|&s| choose_2(s)).sum();
        let cross = choose_2(labelled.iter().sum()) - must;
        prop_assert_eq!(drawn.constraints.must_links().len(), must);
        prop_assert_eq!(drawn.constraints.cannot_links().len(), must.min(cross));
        prop_assert_eq!(drawn.labelled.len(), labelled.iter().sum::<usize>());
        prop_assert!(drawn.labelled.iter().all(|&p| truth[p].is_some()));
        prop_assert_eq!(wrong_pairs(&truth, &drawn), 0);
        prop_assert!(without_repeats(&pair_sets(&drawn)));
        let known: BTreeSet<usize> = drawn.labelled.iter().copied().collect();
        prop_assert!(pair_sets(&drawn).iter().all(|pair| pair.is_subset(&known)));
    }

    #[test]
    fn n_pairs_are_different_and_part_every_two_classes(
        truth in truths(), n in 1..60_usize, b in 0..3_usize, seed in any::<u64>(),
    ) {
        let sizes = sizes(&truth);
        let points: usize = sizes.iter().sum();
        let labelled = ConstraintSampler { per_class: b, ..ConstraintSampler::default() };
        let before = pair_sets(&labelled.draw(&truth, seed)?).len();
        let drawn = ConstraintSampler { n_pairs: n, ..labelled }.draw(&truth, seed);
        if n > choose_2(points) - before || (b == 0 && n < choose_2(sizes.len())) {
            prop_assert!(refuses(&drawn, "n_pairs"));
            return Ok(());
        }
        let Ok(drawn) = drawn else {
            // Labelled points may part too few classes for so few pairs.
            prop_assert!(b > 0 && n < choose_2(sizes.len()));
            return Ok(());
        };
        prop_assert_eq!(pair_sets(&drawn).len(), before + n);
        prop_assert!(without_repeats(&pair_sets(&drawn)));
        prop_assert_eq!(wrong_pairs(&truth, &drawn), 0);
        let parted: BTreeSet<BTreeSet<Label>> = drawn
            .constraints
            .cannot_links()
            .iter()
            .map(|pair| pair.points.iter().map(|&p| truth[p]).collect())
            .collect();
        prop_assert_eq!(parted.len(), choose_2(sizes.len()));
    }

    #[test]
    fn triplets_are_different_and_true(truth in truths(), n in 0..40_usize, seed in any::<u64>()) {
        let all = every_triplet(&truth);
        let sampler = ConstraintSampler {
            n_triplets: n.min(all[0]),
            n_equal: n.min(all[1]),
            ..ConstraintSampler::default()
        };
        let drawn = sampler.draw(&truth, seed)?;
        prop_assert_eq!(drawn.constraints.odd_one_outs().len(), n.min(all[0]));
        prop_assert_eq!(drawn.constraints.about_equals().len(), n.min(all[1]));
        prop_assert!(without_repeats(&triplet_sets(&drawn)));
        prop_assert_eq!(wrong_triplets(&truth, &drawn), 0);
        for equal in drawn.constraints.about_equals() {
            let classes: BTreeSet<Label> = equal.points.iter().map(|&p| truth[p]).collect();
            prop_assert!(classes.len() != 2 && !classes.contains(&None));
        }
    }

    #[test]
    fn more_triplets_than_there_are_are_refused(truth in truths(), seed in any::<u64>()) {
        let [odd, equal] = every_triplet(&truth);
        let all = ConstraintSampler { n_triplets: odd, n_equal: equal, ..ConstraintSampler::default() };
        prop_assert_eq!(triplet_sets(&all.draw(&truth, seed)?).len(), odd + equal);
        let more = ConstraintSampler { n_triplets: odd + 1, ..ConstraintSampler::default() }.draw(&truth, seed);
        prop_assert!(refuses(&more, "n_triplets"));
        let more = ConstraintSampler { n_equal: equal + 1, ..ConstraintSampler::default() }.draw(&truth, seed);
        prop_assert!(refuses(&more, "n_equal"));
    }

    #[test]
    fn exactly_the_rounded_share_is_wrong(noise in 0.0..=1.0_f64, seed in any::<u64>()) {
        let truth: Vec<Label> = (0..60).map(|i| Some(i % 3)).collect();
        let sampler = ConstraintSampler { n_pairs: 100, n_triplets: 83, noise, ..ConstraintSampler::default() };
        let drawn = sampler.draw(&truth, seed)?;
        let expected = (noise * 183.0).round() as usize;
        prop_assert_eq!(drawn.flipped, expected);
        prop_assert_eq!(wrong_pairs(&truth, &drawn) + wrong_triplets(&truth, &drawn), expected);
        let honest = ConstraintSampler { noise: 0.0, ..sampler }.draw(&truth, seed)?;
        let asked = |drawn: &SampledConstraints| {
            let mut sets = [pair_sets(drawn), triplet_sets(drawn)].concat();
            sets.sort();
            sets
        };
        prop_assert_eq!(asked(&honest), asked(&drawn));
    }

    #[test]
    fn names_of_classes_do_not_matter_and_seeds_repeat(truth in truths(), seed in any::<u64>()) {
        let renamed: Vec<Label> = truth.iter().map(|l| l.map(|l| 100 - 7 * l)).collect();
        let sampler = ConstraintSampler { per_class: 3, noise: 0.2, ..ConstraintSampler::default() };
        let drawn = sampler.draw(&truth, seed)?;
        prop_assert_eq!(&drawn, &sampler.draw(&truth, seed)?);
        prop_assert_eq!(&drawn, &sampler.draw(&renamed, seed)?);
    }
}

fn refuses(drawn: &crate::Result<SampledConstraints>, name: &str) -> bool {
    matches!(drawn, Err(Error::BadParameter { parameter, .. }) if *parameter == name)
}

/// How many odd-one-outs and about-equals a truth has, by looking at all threes.
fn every_triplet(truth: &[Label]) -> [usize; 2] {
    let labels: Vec<usize> = truth.iter().flatten().copied().collect();
    let mut counts = [0, 0];
    for a in 0..labels.len() {
        for b in 0..a {
            for c in 0..b {
                let classes = BTreeSet::from([labels[a], labels[b], labels[c]]);
                counts[usize::from(classes.len() != 2)] += 1;
            }
        }
    }
    counts
}

#[test]
fn too_few_pairs_are_refused_with_how_many_are_needed() {
    let truth: Vec<Label> = (0..50).map(|i| Some(i % 5)).collect();
    let refused = ConstraintSampler { n_pairs: 9, ..ConstraintSampler::default() }.draw(&truth, 0);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "n_pairs = 9 is out of range: at least 10: one cannot-link between every two of the 5 classes"
    );
}

#[test]
fn pairs_of_a_million_classes_are_refused_before_they_are_listed() {
    let truth: Vec<Label> = (0..1_000_000).map(Some).collect();
    let few = ConstraintSampler { n_pairs: 100, ..ConstraintSampler::default() };
    assert!(refuses(&few.draw(&truth, 0), "n_pairs"));
}

#[test]
fn a_share_outside_0_to_1_is_refused() {
    for noise in [-0.1, 1.1, f64::NAN] {
        let refused =
            ConstraintSampler { noise, ..ConstraintSampler::default() }.draw(&[Some(0)], 0);
        assert!(refuses(&refused, "noise"));
    }
}

#[test]
fn every_pair_and_every_triplet_is_as_likely() {
    // Classes of 3, 2 and 1 points, and one point that is unlabelled.
    let truth = [Some(0), Some(1), None, Some(0), Some(2), Some(1), Some(0)];
    let mut pairs = std::collections::BTreeMap::<BTreeSet<usize>, u32>::new();
    let mut triplets = pairs.clone();
    let mut cannot = pairs.clone();
    for seed in 0..6000 {
        let draw = |sampler: ConstraintSampler| sampler.draw(&truth, seed).unwrap();
        let drawn =
            draw(ConstraintSampler { n_triplets: 1, per_class: 2, ..ConstraintSampler::default() });
        for set in triplet_sets(&drawn) {
            *triplets.entry(set).or_default() += 1;
        }
        for set in sets(&[drawn.constraints.cannot_links()]) {
            *cannot.entry(set).or_default() += 1;
        }
        let all_one_class = [Some(0); 4];
        let one = ConstraintSampler { n_pairs: 1, ..ConstraintSampler::default() };
        for set in pair_sets(&one.draw(&all_one_class, seed).unwrap()) {
            *pairs.entry(set).or_default() += 1;
        }
    }
    assert_eq!(pairs.len(), 6);
    assert!(pairs.values().all(|c| c.abs_diff(1000) < 150), "{pairs:?}");
    // 3 pairs of the first class with 3 others, 1 pair of the second with 4.
    assert_eq!(triplets.len(), 13);
    assert!(triplets.values().all(|c| c.abs_diff(6000 / 13) < 110), "{triplets:?}");
    // 11 pairs join different classes; two are drawn of the 8 among the labelled.
    assert_eq!(cannot.len(), 11);
    let with = |a: usize, b: usize| cannot[&BTreeSet::from([a, b])];
    assert!(with(1, 4).abs_diff(1500) < 180 && with(0, 1).abs_diff(1000) < 150, "{cannot:?}");
}

#[test]
fn triplets_of_ten_million_points_overflow_nothing() {
    let truth: Vec<Label> = (0..10_000_000).map(|i| Some(i % 2)).collect();
    let sampler = ConstraintSampler {
        n_pairs: 50,
        n_triplets: 50,
        n_equal: 50,
        ..ConstraintSampler::default()
    };
    let drawn = sampler.draw(&truth, 0).unwrap();
    assert_eq!(wrong_pairs(&truth, &drawn) + wrong_triplets(&truth, &drawn), 0);
    let largest = triplet_sets(&drawn).into_iter().flatten().max();
    assert!(largest > Some(9_000_000));
}
