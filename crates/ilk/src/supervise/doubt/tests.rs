use proptest::prelude::*;

use super::heard;
use crate::datasets::Answers;
use crate::problem::Constraints;

fn truth(classes: usize, each: usize) -> Vec<Option<usize>> {
    (0..classes * each)
        .map(|point| Some(point / each))
        .collect()
}

/// Pairs among `labelled` points of every class, a share of them wrong; and how many of those that are
/// believed are wrong, must-links and cannot-links.
fn wrong_among(said: &Constraints, each: usize) -> usize {
    let is_same = |[a, b]: [usize; 2]| a / each == b / each;
    let together = said
        .must_links()
        .iter()
        .filter(|pair| !is_same(pair.points));
    let apart = said
        .cannot_links()
        .iter()
        .filter(|pair| is_same(pair.points));
    together.count() + apart.count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn answers_that_are_all_right_are_all_believed(
        classes in 2usize..6, per_class in 2usize..12, seed: u64,
    ) {
        let answers = Answers { per_class, ..Answers::default() };
        let said = answers.draw(&truth(classes, 12), seed)?.constraints;
        let heard = heard(&said)?;
        prop_assert!(heard.must_links.is_empty() && heard.cannot_links.is_empty());
        prop_assert_eq!(heard.said.must_links(), said.must_links());
        prop_assert_eq!(heard.said.cannot_links(), said.cannot_links());
    }

    #[test]
    fn most_of_one_wrong_answer_in_five_is_found(seed: u64) {
        let answers = Answers { per_class: 15, noise: 0.2, ..Answers::default() };
        let said = answers.draw(&truth(5, 20), seed)?.constraints;
        let before = wrong_among(&said, 20);
        let heard = heard(&said)?;
        let after = wrong_among(&heard.said, 20);
        prop_assert!(after * 4 < before, "{after} of {before} are believed");
        let doubted = heard.must_links.len() + heard.cannot_links.len();
        prop_assert!(doubted < 2 * before, "{doubted} are doubted, {before} are wrong");
    }

    #[test]
    fn three_wrong_answers_in_ten_are_found_where_there_are_many(seed: u64) {
        let answers = Answers { per_class: 25, noise: 0.3, ..Answers::default() };
        let said = answers.draw(&truth(6, 30), seed)?.constraints;
        let before = wrong_among(&said, 30);
        let heard = heard(&said)?;
        let after = wrong_among(&heard.said, 30);
        prop_assert!(after * 3 < before, "{after} of {before} are believed");
        let doubted = heard.must_links.len() + heard.cannot_links.len();
        prop_assert!(doubted < 2 * before, "{doubted} are doubted, {before} are wrong");
    }

    #[test]
    fn where_half_is_wrong_nothing_is_doubted_or_little(seed: u64) {
        let answers = Answers { per_class: 10, noise: 0.5, ..Answers::default() };
        let said = answers.draw(&truth(4, 15), seed)?.constraints;
        let heard = heard(&said)?;
        let all = said.must_links().len() + said.cannot_links().len();
        prop_assert!(3 * (heard.must_links.len() + heard.cannot_links.len()) <= all);
    }
}

#[test]
fn pairs_that_no_third_point_stands_by_are_believed() {
    let mut said = Constraints::new(4);
    said.must_link(0, 1).unwrap().cannot_link(0, 1).unwrap();
    said.must_link(2, 3).unwrap();
    let heard = heard(&said).unwrap();
    assert_eq!(heard.said, said);
}

#[test]
fn of_a_triangle_nobody_knows_what_is_wrong() {
    let mut said = Constraints::new(20);
    said.must_link(17, 18).unwrap().must_link(18, 19).unwrap();
    said.cannot_link(17, 19).unwrap();
    assert_eq!(heard(&said).unwrap().said, said);
    // Nor where other answers are doubted.
    for a in 0..6 {
        for b in 0..a {
            match (a, b) {
                (5, 0) => said.cannot_link(a, b).unwrap(),
                _ => said.must_link(a, b).unwrap(),
            };
        }
    }
    let heard = heard(&said).unwrap();
    assert_eq!((heard.must_links.len(), heard.cannot_links), (0, vec![1]));
}

#[test]
fn comparisons_and_labels_stay() {
    let mut said = Constraints::new(5);
    said.odd_one_out(0, 1, 2).unwrap().label(3, "cat").unwrap();
    said.must_link(0, 1)
        .unwrap()
        .must_link(1, 2)
        .unwrap()
        .cannot_link(0, 2)
        .unwrap();
    let heard = heard(&said).unwrap().said;
    assert_eq!(heard.odd_one_outs(), said.odd_one_outs());
    assert_eq!(heard.labels(), said.labels());
}
