use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::Error;
use crate::problem::Constraints;

/// Two labellings of the same few points.
fn two_labellings(n: usize, k: usize) -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    (1..=n).prop_flat_map(move |n| (vec(0..k, n), vec(0..k, n)))
}

/// Calls `visit` with every order of `items`.
fn each_order(items: &mut [usize], start: usize, visit: &mut impl FnMut(&[usize])) {
    if start == items.len() {
        visit(items);
    }
    for i in start..items.len() {
        items.swap(start, i);
        each_order(items, start + 1, visit);
        items.swap(start, i);
    }
}

proptest! {
    #[test]
    fn pair_counts_are_those_of_a_double_loop((t, p) in two_labellings(40, 6)) {
        let mut counts = [[0_u128; 2]; 2];
        for i in 0..t.len() {
            for j in 0..i {
                counts[usize::from(t[i] == t[j])][usize::from(p[i] == p[j])] += 1;
            }
        }
        let expected = PairConfusion {
            together: counts[1][1],
            wrongly_joined: counts[0][1],
            wrongly_split: counts[1][0],
            apart: counts[0][0],
        };
        prop_assert_eq!(Contingency::new(&t, &p)?.pair_confusion(), expected);
    }

    #[test]
    fn accuracy_is_that_of_the_best_of_all_matchings((t, p) in two_labellings(60, 6)) {
        let mut names: Vec<usize> = (0..6).collect();
        let mut best = 0;
        each_order(&mut names, 0, &mut |names| {
            best = best.max(t.iter().zip(&p).filter(|&(&t, &p)| names[p] == t).count());
        });
        prop_assert_eq!(accuracy(&t, &p)?, best as f64 / t.len() as f64);
    }

    #[test]
    fn expected_mutual_info_is_the_mean_over_all_shuffles((t, p) in two_labellings(7, 4)) {
        let table = Contingency::new(&t, &p)?;
        let (mut total, mut orders) = (0.0, 0.0);
        let mut shuffled = p.clone();
        each_order(&mut shuffled, 0, &mut |p| {
            total += mutual_info(&t, p).unwrap_or(f64::NAN);
            orders += 1.0;
        });
        let expected = expected::expected_mutual_info(&table);
        prop_assert!((expected - total / orders).abs() < 1e-13);
    }

    #[test]
    fn names_and_order_do_not_matter((t, p) in two_labellings(50, 5)) {
        let renamed: Vec<String> = p.iter().map(|p| format!("cluster {}", 10 - p)).collect();
        let there = Scores::new(&t, &p)?;
        let renamed = Scores::new(&t, &renamed)?;
        prop_assert_eq!(there, renamed);
        let reversed = |labels: &[usize]| labels.iter().rev().copied().collect::<Vec<_>>();
        let back = Scores::new(&reversed(&t), &reversed(&p))?;
        prop_assert!((there.adjusted_mutual_info - back.adjusted_mutual_info).abs() < 1e-12);
        prop_assert_eq!(there.adjusted_rand, back.adjusted_rand);
        prop_assert_eq!(there.accuracy, back.accuracy);
    }

    #[test]
    fn a_labelling_agrees_perfectly_with_itself(t in vec(0_usize..8, 0..60)) {
        let scores = Scores::new(&t, &t)?;
        for score in [
            scores.adjusted_rand, scores.rand, scores.adjusted_mutual_info, scores.pair_precision,
            scores.pair_recall, scores.pair_f, scores.accuracy,
        ] {
            prop_assert_eq!(score, 1.0);
        }
        for score in [
            scores.normalized_mutual_info, scores.homogeneity, scores.completeness, scores.v_measure,
        ] {
            prop_assert!((score - 1.0).abs() < 1e-14);
        }
    }
}

#[test]
fn noise_is_one_more_label() {
    let found = [Some(0), Some(0), None, None];
    assert_eq!(adjusted_rand(&[0, 0, 1, 1], &found).unwrap(), 1.0);
    assert_eq!(Scores::new(&[0, 0, 1, 1], &found).unwrap().n_clusters, 2);
}

#[test]
fn different_lengths_are_refused() {
    let expected = Error::LengthMismatch { left: 3, right: 2 };
    assert_eq!(Scores::new(&[0, 0, 1], &[0, 1]), Err(expected.clone()));
    assert_eq!(masked(&[0, 0, 1], &[true, false]), Err(expected));
}

#[test]
fn a_negative_or_missing_beta_is_refused() {
    for beta in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = v_measure(&[0, 1], &[0, 1], beta);
        assert!(matches!(refused, Err(Error::BadParameter { parameter: "beta", .. })));
    }
    assert_eq!(v_measure(&[0, 0], &[0, 1], 0.0), Ok(0.0));
}

#[test]
fn ten_million_points_overflow_nothing() {
    let n = 10_000_000_u32;
    let truth: Vec<u32> = (0..n).map(|i| i % 2).collect();
    let found: Vec<u32> = (0..n).map(|i| i % 5 / 4).collect();
    let table = Contingency::new(&truth, &found).unwrap();
    // Cells of 4, 4, 1 and 1 million.
    let pairs = |millions: u128| millions * 1_000_000 * (millions * 1_000_000 - 1) / 2;
    let confusion = table.pair_confusion();
    assert_eq!(confusion.together, 2 * pairs(4) + 2 * pairs(1));
    assert_eq!(confusion.wrongly_joined, pairs(8) + pairs(2) - confusion.together);
    assert!(confusion.adjusted_rand().abs() < 1e-6);
    assert!(table.adjusted_mutual_info(Average::Arithmetic).abs() < 1e-6);
    assert_eq!(table.accuracy(), 0.5);
}

#[test]
fn a_million_clusters_need_no_table_of_their_pairs() {
    let n = 1_000_000_usize;
    let truth: Vec<usize> = (0..n).collect();
    let found: Vec<usize> = (0..n).map(|i| i / 2).collect();
    let scores = Scores::new(&truth, &found).unwrap();
    assert_eq!(scores.accuracy, 0.5);
    assert_eq!(scores.adjusted_mutual_info, 0.0);
    let expected = (n as f64 / 2.0).ln() / (n as f64).ln();
    assert!((scores.homogeneity - expected).abs() < 1e-14);
}

#[test]
fn only_unconstrained_points_are_free() {
    let mut constraints = Constraints::new(9);
    constraints.must_link(0, 1).unwrap();
    constraints.cannot_link(1, 2).unwrap();
    constraints.odd_one_out(3, 4, 5).unwrap();
    constraints.label(6, "here").unwrap();
    let free = unconstrained(&constraints);
    let points: Vec<usize> = (0..9).collect();
    assert_eq!(masked(&points, &free).unwrap(), [7, 8]);
}
