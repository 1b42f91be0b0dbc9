use proptest::prelude::*;

use super::filter_inconsistent;
use crate::datasets::ConstraintSampler;
use crate::problem::Constraints;

fn truth(classes: usize, each: usize) -> Vec<Option<usize>> {
    (0..classes * each).map(|point| Some(point / each)).collect()
}

/// Pairs among `labelled` points of every class, a share of them wrong; and how many of those that are
/// kept are wrong, must-links and cannot-links.
fn wrong_among(constraints: &Constraints, each: usize) -> usize {
    let is_same = |[a, b]: [usize; 2]| a / each == b / each;
    let together = constraints.must_links().iter().filter(|pair| !is_same(pair.points));
    let separated = constraints.cannot_links().iter().filter(|pair| is_same(pair.points));
    together.count() + separated.count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn constraints_that_are_all_right_are_all_kept(
        classes in 2usize..6, per_class in 2usize..12, seed: u64,
    ) {
        let sampler = ConstraintSampler { per_class, ..ConstraintSampler::default() };
        let constraints = sampler.draw(&truth(classes, 12), seed)?.constraints;
        let filter_inconsistent = filter_inconsistent(&constraints)?;
        prop_assert!(filter_inconsistent.must_links.is_empty() && filter_inconsistent.cannot_links.is_empty());
        prop_assert_eq!(filter_inconsistent.constraints.must_links(), constraints.must_links());
        prop_assert_eq!(filter_inconsistent.constraints.cannot_links(), constraints.cannot_links());
    }

    #[test]
    fn most_of_one_wrong_answer_in_five_is_found(seed: u64) {
        let sampler = ConstraintSampler { per_class: 15, noise: 0.2, ..ConstraintSampler::default() };
        let constraints = sampler.draw(&truth(5, 20), seed)?.constraints;
        let before = wrong_among(&constraints, 20);
        let filter_inconsistent = filter_inconsistent(&constraints)?;
        let after = wrong_among(&filter_inconsistent.constraints, 20);
        prop_assert!(after * 4 < before, "{after} of {before} are kept");
        let removed = filter_inconsistent.must_links.len() + filter_inconsistent.cannot_links.len();
        prop_assert!(removed < 2 * before, "{removed} are left out, {before} are wrong");
    }

    #[test]
    fn three_wrong_answers_in_ten_are_found_where_there_are_many(seed: u64) {
        let sampler = ConstraintSampler { per_class: 25, noise: 0.3, ..ConstraintSampler::default() };
        let constraints = sampler.draw(&truth(6, 30), seed)?.constraints;
        let before = wrong_among(&constraints, 30);
        let filter_inconsistent = filter_inconsistent(&constraints)?;
        let after = wrong_among(&filter_inconsistent.constraints, 30);
        prop_assert!(after * 3 < before, "{after} of {before} are kept");
        let removed = filter_inconsistent.must_links.len() + filter_inconsistent.cannot_links.len();
        prop_assert!(removed < 2 * before, "{removed} are left out, {before} are wrong");
    }

    #[test]
    fn where_half_is_wrong_nothing_is_left_out_or_little(seed: u64) {
        let sampler = ConstraintSampler { per_class: 10, noise: 0.5, ..ConstraintSampler::default() };
        let constraints = sampler.draw(&truth(4, 15), seed)?.constraints;
        let filter_inconsistent = filter_inconsistent(&constraints)?;
        let all = constraints.must_links().len() + constraints.cannot_links().len();
        prop_assert!(3 * (filter_inconsistent.must_links.len() + filter_inconsistent.cannot_links.len()) <= all);
    }
}

#[test]
fn pairs_without_a_common_third_point_are_kept() {
    let mut constraints = Constraints::new(4);
    constraints.must_link(0, 1).unwrap().cannot_link(0, 1).unwrap();
    constraints.must_link(2, 3).unwrap();
    let filter_inconsistent = filter_inconsistent(&constraints).unwrap();
    assert_eq!(filter_inconsistent.constraints, constraints);
}

#[test]
fn a_triangle_does_not_show_which_pair_is_wrong() {
    let mut constraints = Constraints::new(20);
    constraints.must_link(17, 18).unwrap().must_link(18, 19).unwrap();
    constraints.cannot_link(17, 19).unwrap();
    assert_eq!(filter_inconsistent(&constraints).unwrap().constraints, constraints);
    // Nor where other pairs are left out.
    for a in 0..6 {
        for b in 0..a {
            match (a, b) {
                (5, 0) => constraints.cannot_link(a, b).unwrap(),
                _ => constraints.must_link(a, b).unwrap(),
            };
        }
    }
    let filter_inconsistent = filter_inconsistent(&constraints).unwrap();
    assert_eq!(
        (filter_inconsistent.must_links.len(), filter_inconsistent.cannot_links),
        (0, vec![1])
    );
}

#[test]
fn comparisons_and_labels_stay() {
    let mut constraints = Constraints::new(5);
    constraints.odd_one_out(0, 1, 2).unwrap().label(3, "cat").unwrap();
    constraints.must_link(0, 1).unwrap().must_link(1, 2).unwrap().cannot_link(0, 2).unwrap();
    let filter_inconsistent = filter_inconsistent(&constraints).unwrap().constraints;
    assert_eq!(filter_inconsistent.odd_one_outs(), constraints.odd_one_outs());
    assert_eq!(filter_inconsistent.labels(), constraints.labels());
}
