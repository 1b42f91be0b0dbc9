//! The engine against the plain loop, on random problems.

use ilk::numerics::rng::rng;
use ilk::outcome::Clustering;
use ilk::problem::{ConstraintKind, Constraints, Problem};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::cases::{CLOSE, Case, cases, final_positions, fit, labels, on_cases};
use super::plain::{self, Found};

/// Whether `found` is the plain loop's answer.
fn agrees(found: &Clustering, expected: &Found) -> Result<(), TestCaseError> {
    prop_assert_eq!(found.iterations, expected.bandwidths.len());
    for (step, h) in found.trace.iter().zip(&expected.bandwidths) {
        prop_assert!((step.bandwidth.unwrap() - h).abs() <= 1e-12 * h);
    }
    let off = plain::worst(&final_positions(found), &expected.centers);
    prop_assert!(off < CLOSE, "centres are off by {}", off);
    prop_assert_eq!(plain::numbered(&labels(found)), plain::numbered(&expected.labels));
    Ok(())
}

#[test]
fn centres_iterations_and_labels_are_those_of_the_plain_loop() {
    on_cases(500, cases(), |case| {
        let Some(expected) = case.expected() else {
            return Ok(false);
        };
        agrees(&case.fit().clustering, &expected)?;
        Ok(true)
    });
}

#[test]
fn a_cannot_link_of_weight_m_counts_m_times() {
    let weight = prop_oneof![(1_u8..=9).prop_map(f64::from), 0.1..5.0];
    on_cases(250, (cases(), vec(weight, 20)), |(case, weights)| {
        let mut constraints = Constraints::new(case.n());
        for &[a, b] in &case.must_links {
            constraints.must_link(a, b).unwrap();
        }
        for (&[a, b], &weight) in case.cannot_links.iter().zip(&weights) {
            let kind = ConstraintKind::CannotLink;
            constraints.add(kind, &[a, b], weight, None).unwrap();
        }
        let Some(expected) = case.expected_with(&constraints) else {
            return Ok(false);
        };
        let problem = Problem::new(case.points(), constraints).unwrap();
        agrees(&fit(&case.params, &problem).clustering, &expected)?;
        Ok(true)
    });
}

#[test]
fn labels_say_what_their_pairs_say() {
    let labelled = (cases(), vec(prop::option::weighted(0.3, 0_usize..3), 40));
    on_cases(150, labelled, |(case, labels)| {
        let n = case.n();
        let mut by_labels = case.constraints();
        let mut by_pairs = case.constraints();
        for i in 0..n {
            let Some(label) = labels[i] else {
                continue;
            };
            by_labels.label(i, &label.to_string()).unwrap();
            for j in 0..i {
                if labels[j] == Some(label) {
                    by_pairs.must_link(j, i).unwrap();
                } else if labels[j].is_some() {
                    by_pairs.cannot_link(j, i).unwrap();
                }
            }
        }
        let [by_labels, by_pairs] = [by_labels, by_pairs].map(|constraints| {
            let problem = Problem::new(case.points(), constraints).unwrap();
            fit(&case.params, &problem).clustering
        });
        prop_assert_eq!(by_labels.final_positions, by_pairs.final_positions);
        prop_assert_eq!(by_labels.labels, by_pairs.labels);
        Ok(true)
    });
}

#[test]
fn a_point_of_weight_m_counts_as_m_points_in_one_place() {
    let weighted = (cases(), vec(1_usize..=4, 40));
    on_cases(200, weighted, |(case, times)| {
        let (n, dims) = (case.n(), case.dims);
        let mut repeated = case.clone();
        for i in 0..n {
            for _ in 1..times[i] {
                repeated.rows.extend_from_slice(&case.rows[i * dims..(i + 1) * dims]);
            }
        }
        let Some(mut expected) = repeated.expected() else {
            return Ok(false);
        };
        // The copies come last.
        expected.centers.truncate(n * dims);
        expected.labels.truncate(n);
        let weights = times[..n].iter().map(|&times| times as f64).collect();
        let problem = case.problem().with_weights(weights).unwrap();
        agrees(&fit(&case.params, &problem).clustering, &expected)?;
        Ok(true)
    });
}

#[test]
fn weights_that_are_all_equal_are_as_good_as_none() {
    let weighted = (cases(), prop_oneof![Just(1e-12), Just(1e-3), Just(1e6)]);
    on_cases(100, weighted, |(mut case, weight)| {
        // Blurring, a point sees itself once, so the unit of weight matters.
        case.params.blurring = false;
        let Some(expected) = case.expected() else {
            return Ok(false);
        };
        let problem = case.problem().with_weights(vec![weight; case.n()]).unwrap();
        agrees(&fit(&case.params, &problem).clustering, &expected)?;
        Ok(true)
    });
}

#[test]
fn permuting_the_points_permutes_the_answer() {
    on_cases(200, (cases(), any::<u64>()), |(case, seed)| {
        if case.expected().is_none() {
            return Ok(false);
        }
        let (n, dims) = (case.n(), case.dims);
        // Row i of the permuted case is row order[i] of the other.
        let mut order: Vec<usize> = (0..n).collect();
        rng(seed).shuffle(&mut order);
        let mut place = vec![0; n];
        for (i, &from) in order.iter().enumerate() {
            place[from] = i;
        }
        let renamed = |links: &[[usize; 2]]| -> Vec<[usize; 2]> {
            links.iter().map(|link| link.map(|i| place[i])).collect()
        };
        let permuted = Case {
            rows: order
                .iter()
                .flat_map(|&i| case.rows[i * dims..(i + 1) * dims].to_vec())
                .collect(),
            must_links: renamed(&case.must_links),
            cannot_links: renamed(&case.cannot_links),
            ..case.clone()
        };
        let (before, after) = (case.fit().clustering, permuted.fit().clustering);
        let (labels_before, labels_after) = (labels(&before), labels(&after));
        let back: Vec<usize> = place.iter().map(|&i| labels_after[i]).collect();
        prop_assert_eq!(plain::numbered(&back), plain::numbered(&labels_before));
        let centers = final_positions(&after);
        let back: Vec<f64> =
            place.iter().flat_map(|&i| centers[i * dims..(i + 1) * dims].to_vec()).collect();
        prop_assert!(plain::worst(&back, &final_positions(&before)) < CLOSE);
        Ok(true)
    });
}

#[test]
fn the_bits_are_the_same_on_1_2_and_8_threads() {
    on_cases(60, (cases(), 1_usize..=12), |(mut case, copies)| {
        // Shifted copies beside each other make several blocks of points.
        let rows = case.rows.clone();
        for copy in 1..copies {
            let apart = 0.03 * copy as f64;
            case.rows.extend(rows.iter().map(|x| x + apart));
        }
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let found = pool.build().unwrap().install(|| case.fit().clustering);
            // The shortest text of a float stands for that float alone.
            format!("{found:?}")
        };
        let one = run(1);
        prop_assert_eq!(&one, &run(2));
        prop_assert_eq!(&one, &run(8));
        Ok(true)
    });
}
