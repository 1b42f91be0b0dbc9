//! Mean shift by its method: constraints choose the bandwidth.

use std::ops::ControlFlow;

use ilk::datasets::{ConstraintSampler, Dataset, NestedBlobs};
use ilk::evaluate::{accuracy, adjusted_rand, masked, unconstrained};
use ilk::method::{AnyMethod, Method};
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::observe::{Event, Silent};
use ilk::outcome::{Clustering, ConstraintReport};
use ilk::problem::{ConstraintKind, Constraints, Points, Problem};
use ilk::{Error, Result};

const CHOICE: &str = "choosing the bandwidth";

fn run(input: impl Into<ilk::problem::Input>, constraints: Constraints) -> Result<Clustering> {
    let problem = Problem::new(input, constraints)?;
    let method = AnyMethod::named("mean-shift")?;
    Ok(method.fit(&problem, &Silent)?.clustering)
}

/// Three groups of three, and their two truths, the coarse one first.
fn nested(per_subgroup: usize, seed: u64) -> (Dataset, [Vec<Option<usize>>; 2]) {
    let set = NestedBlobs { per_subgroup, ..NestedBlobs::default() }
        .generate(seed)
        .expect("parameters in range");
    let some = |labels: &[usize]| labels.iter().copied().map(Some).collect();
    let coarse = set.coarse.as_deref().expect("two levels");
    let levels = [some(coarse), some(&set.labels)];
    (set, levels)
}

fn drawn_constraints(truth: &[Option<usize>], noise: f64, seed: u64) -> Constraints {
    ConstraintSampler { n_pairs: 120, noise, ..ConstraintSampler::default() }
        .draw(truth, seed)
        .expect("enough pairs")
        .constraints
}

fn only(kind: ConstraintKind, all: &Constraints) -> Constraints {
    let mut constraints = Constraints::new(all.n());
    for entry in 0..all.count(kind) {
        let points = all.points_of(kind, entry).expect("an entry");
        constraints.add(kind, points, 1.0, None).expect("points that exist");
    }
    constraints
}

fn labelled(truth: &[Option<usize>], step: usize) -> Constraints {
    let mut constraints = Constraints::new(truth.len());
    for (point, class) in truth.iter().enumerate().step_by(step) {
        let name = format!("{class:?}");
        constraints.label(point, &name).expect("a point that exists");
    }
    constraints
}

/// Runs on a set and compares with a truth.
fn ari(set: &Dataset, constraints: Constraints, truth: &[Option<usize>]) -> f64 {
    let found = run(set.input().expect("finite"), constraints).expect("valid input");
    adjusted_rand(truth, &found.labels).expect("equally long")
}

#[test]
fn answers_about_a_level_give_that_level() {
    for seed in 0..5 {
        let (set, levels) = nested(30, seed);
        for truth in &levels {
            let found = ari(&set, drawn_constraints(truth, 0.0, seed + 10), truth);
            assert!(found > 0.95, "seed {seed}: ARI {found}");
        }
    }
}

#[test]
fn labels_of_a_level_give_that_level() {
    for seed in 0..5 {
        let (set, levels) = nested(30, seed);
        for truth in &levels {
            let found = ari(&set, labelled(truth, 10), truth);
            assert!(found > 0.95, "seed {seed}: ARI {found}");
        }
    }
}

/// Wrong constraints are kept, so that the points that they name may be wrong; nothing else is.
#[test]
fn one_wrong_answer_in_ten_moves_few_points_but_those_it_names() {
    for seed in 0..6 {
        let (set, levels) = nested(30, seed);
        for truth in &levels {
            let constraints = drawn_constraints(truth, 0.1, seed + 20);
            let free = unconstrained(&constraints);
            let wrong = 0.1 * 120.0;
            let input = set.input().expect("finite");
            let found = run(input, constraints).expect("valid input").labels;
            let of_free = |labels: &[Option<usize>]| masked(labels, &free).expect("equally long");
            let score = adjusted_rand(&of_free(truth), &of_free(&found)).expect("equally long");
            assert!(score > 0.95, "seed {seed}: ARI {score} of points without constraints");
            let right = accuracy(truth, &found).expect("equally long");
            let misplaced = (1.0 - right) * found.len() as f64;
            assert!(misplaced < 1.5 * wrong, "seed {seed}: {misplaced} points are misplaced");
        }
    }
}

#[test]
fn must_links_alone_widen_the_bandwidth_only_as_far_as_they_need() {
    for seed in 0..5 {
        let (set, [coarse, fine]) = nested(30, seed);
        let input = set.input().expect("finite");
        let usual = run(input.clone(), Constraints::new(set.len())).expect("valid input");
        let far = only(ConstraintKind::MustLink, &drawn_constraints(&coarse, 0.0, seed));
        let is_too_narrow = ConstraintReport::new(&far, &usual.labels).broken() > 0;
        let wide = run(input.clone(), far).expect("valid input");
        assert_eq!(wide.bandwidth > usual.bandwidth, is_too_narrow, "seed {seed}");
        assert_eq!(wide.report.broken(), 0);
        assert_eq!(adjusted_rand(&coarse, &wide.labels), Ok(1.0), "seed {seed}");

        // Neighbours that the usual bandwidth joins as well say nothing against it.
        let mut near = Constraints::new(set.len());
        for (i, class) in fine.iter().enumerate().step_by(30) {
            let together = |&j: &usize| fine[j] == *class && usual.labels[j] == usual.labels[i];
            let other = (i + 1..i + 30).find(together).expect("a group of 30");
            near.must_link(i, other).expect("points that exist");
        }
        let same = run(input, near).expect("valid input");
        assert_eq!(same.labels, usual.labels, "seed {seed}");
    }
}

#[test]
fn cannot_links_alone_narrow_the_bandwidth_only_as_far_as_they_need() {
    // So few points that the usual bandwidth, made for larger sets, joins the two groups.
    let column: Vec<Vec<f64>> =
        [0.0, 0.1, 0.25, 0.3, 2.0, 2.1, 2.25, 2.3].iter().map(|&x| vec![x]).collect();
    let points = Points::from_rows(&column).expect("finite");
    let usual = run(points.clone(), Constraints::new(8)).expect("valid input");
    assert_eq!(usual.n_clusters, 1);
    let mut constraints = Constraints::new(8);
    constraints.cannot_link(0, 7).expect("in range");
    let parted = run(points, constraints).expect("valid input");
    assert_eq!(parted.report.broken(), 0);
    assert_eq!(parted.n_clusters, 2, "{:?}", parted.labels);

    let (set, [_, fine]) = nested(30, 1);
    let input = set.input().expect("finite");
    let usual = run(input.clone(), Constraints::new(set.len())).expect("valid input");
    let all = drawn_constraints(&fine, 0.0, 1);
    let mut kept = Constraints::new(set.len());
    for pair in all.cannot_links() {
        let [a, b] = pair.points;
        if usual.labels[a] != usual.labels[b] {
            kept.cannot_link(a, b).expect("points that exist");
        }
    }
    assert!(!kept.is_empty());
    let same = run(input, kept).expect("valid input");
    assert_eq!(same.labels, usual.labels);
}

#[test]
fn a_handful_of_points_is_split_at_its_cannot_link() {
    for (column, together, apart) in [
        (vec![0.0, 1.0], None, [0, 1]),
        (vec![0.0, 0.3, 4.2, 4.5], Some([0, 1]), [1, 2]),
        (vec![0.0, 0.3, 4.2], Some([0, 1]), [0, 2]),
    ] {
        let rows: Vec<Vec<f64>> = column.iter().map(|&x| vec![x]).collect();
        let mut constraints = Constraints::new(rows.len());
        constraints.cannot_link(apart[0], apart[1]).expect("in range");
        if let Some([a, b]) = together {
            constraints.must_link(a, b).expect("in range");
        }
        let found =
            run(Points::from_rows(&rows).expect("finite"), constraints).expect("valid input");
        assert_eq!((found.n_clusters, found.report.broken()), (2, 0), "{column:?}");
    }
}

#[test]
fn a_single_label_says_nothing() {
    let (set, [coarse, _]) = nested(20, 2);
    let input = set.input().expect("finite");
    let usual = run(input.clone(), Constraints::new(set.len())).expect("valid input");
    let one = labelled(&coarse, set.len());
    assert_eq!(one.labels().len(), 1);
    let with_label = run(input, one).expect("valid input");
    assert_eq!(with_label.bandwidth, usual.bandwidth);
    assert_eq!(with_label.labels, usual.labels);
}

#[test]
fn a_given_bandwidth_stands_whatever_the_constraints() {
    let (set, [coarse, _]) = nested(20, 3);
    let method: AnyMethod =
        serde_json::from_str(r#"{"method": "mean-shift", "params": {"bandwidth": 0.7}}"#)
            .expect("a method");
    let constraints = drawn_constraints(&coarse, 0.0, 3);
    let problem = Problem::new(set.input().expect("finite"), constraints).expect("valid");
    let fit = method.fit(&problem, &Silent).expect("valid input");
    assert_eq!(fit.clustering.bandwidth, Some(0.7));
    // Labels are refined all the same.
    assert_eq!(fit.clustering.report.broken(), 0);
}

#[test]
fn contradictions_are_broken_one_by_one_and_the_rest_still_chooses() {
    let (set, [coarse, _]) = nested(30, 4);
    let mut constraints = drawn_constraints(&coarse, 0.0, 4);
    let pairs: Vec<[usize; 2]> = constraints.must_links()[..5].iter().map(|p| p.points).collect();
    for &[a, b] in &pairs {
        constraints.cannot_link(a, b).expect("points that exist");
    }
    let contradicted: Vec<usize> = {
        let all = constraints.cannot_links().iter().enumerate();
        all.filter(|(_, p)| pairs.contains(&p.points)).map(|(entry, _)| entry).collect()
    };
    let found = run(set.input().expect("finite"), constraints).expect("soft methods go on");
    assert_eq!(adjusted_rand(&coarse, &found.labels), Ok(1.0));
    let report = found.report.kind(ConstraintKind::CannotLink).expect("cannot-links were given");
    assert_eq!(report.broken, contradicted);
}

#[test]
fn above_the_sample_answers_choose_the_level_as_well() {
    let (set, levels) = nested(250, 5);
    assert!(set.len() > 2000);
    for truth in &levels {
        let found = ari(&set, drawn_constraints(truth, 0.0, 5), truth);
        assert!(found > 0.95, "ARI {found}");
        let found = ari(&set, labelled(truth, 1), truth);
        assert!(found > 0.95, "all labelled: ARI {found}");
    }
}

#[test]
fn must_links_longer_than_most_distances_can_be_kept() {
    // Nine in ten points lie close together, so the median distance is far below the gap between
    // the two small groups that belong together.
    let mut rows: Vec<Vec<f64>> =
        (0..180).map(|i| vec![f64::from(i % 18) * 0.02, f64::from(i / 18) * 0.02]).collect();
    for i in 0..10 {
        rows.push(vec![40.0 + f64::from(i) * 0.02, 0.0]);
        rows.push(vec![43.0 + f64::from(i) * 0.02, 0.0]);
    }
    let mut constraints = Constraints::new(rows.len());
    constraints
        .must_link(180, 181)
        .and_then(|constraints| constraints.cannot_link(0, 180))
        .expect("in range");
    let points = Points::from_rows(&rows).expect("finite");
    let found = run(points, constraints).expect("valid input");
    assert_eq!(found.report.broken(), 0);
    assert_eq!(found.n_clusters, 2);
}

#[test]
fn copies_of_one_point_do_not_hide_the_rest() {
    // Most pairs are copies of one place, so the median distance is 0.
    let rows: Vec<Vec<f64>> = (0..100)
        .map(|i| match i {
            0..80 => vec![0.0],
            _ => vec![10.0 + f64::from(i % 2) * 2.0 + f64::from(i) * 1e-3],
        })
        .collect();
    let mut constraints = Constraints::new(100);
    constraints
        .must_link(98, 99)
        .and_then(|constraints| constraints.cannot_link(0, 99))
        .expect("in range");
    let found = run(Points::from_rows(&rows).expect("finite"), constraints).expect("valid input");
    assert_eq!(found.report.broken(), 0);
    assert_eq!(found.n_clusters, 2);
}

#[test]
fn the_choice_reports_progress_and_can_be_cancelled_in_the_middle() {
    let (set, [coarse, _]) = nested(20, 6);
    let constraints = drawn_constraints(&coarse, 0.0, 6);
    let problem = Problem::new(set.input().expect("finite"), constraints).expect("valid");
    let method = AnyMethod::named("mean-shift").expect("it exists");
    for share in [0.0, 0.5] {
        let stop = |event: &Event| {
            assert!([CHOICE, "choosing by held-out answers"].contains(&event.stage));
            assert!(event.finished <= event.total);
            if event.finished as f64 >= share * event.total as f64 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let ended = method.fit(&problem, &stop);
        assert!(matches!(ended, Err(Error::Cancelled { .. })));
    }
}

#[test]
fn distances_that_overflow_are_refused_with_what_to_do() {
    let data = Array2::from_shape_fn((6, 1), |(i, _)| 1e200 * i as f64);
    let mut constraints = Constraints::new(6);
    constraints
        .must_link(0, 1)
        .and_then(|constraints| constraints.cannot_link(0, 5))
        .expect("in range");
    let refused = run(Points::new(data).expect("finite"), constraints).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the value in row 1, column 0 is 1e200, and squares of such numbers overflow; divide the column by a power of \
         10, so that no value is beyond 1e151"
    );
}

#[test]
fn a_point_of_weight_three_is_a_point_given_three_times() {
    let mut rng = rng(11);
    let rows: Vec<Vec<f64>> =
        (0..40).map(|i| vec![6.0 * f64::from(i % 4) + rng.normal(), rng.normal()]).collect();
    let copies: Vec<usize> = (0..40).map(|i| 1 + i % 3).collect();
    let repeated: Vec<usize> = (0..40).flat_map(|i| vec![i; copies[i]]).collect();
    let label = |i: usize| ["left", "left", "right", "right"][i % 4];

    let fit = |rows: Vec<Vec<f64>>, labels: Vec<&str>, weights: Vec<f64>| {
        let points = Points::from_rows(&rows).unwrap();
        let mut constraints = Constraints::new(points.len());
        for (i, name) in labels.into_iter().enumerate() {
            constraints.label(i, name).unwrap();
        }
        let problem = Problem::new(points, constraints).unwrap().with_weights(weights).unwrap();
        AnyMethod::named("mean-shift").unwrap().fit(&problem, &Silent).unwrap().clustering
    };
    let weighted =
        fit(rows.clone(), (0..40).map(label).collect(), copies.iter().map(|&c| c as f64).collect());
    let copied = fit(
        repeated.iter().map(|&i| rows[i].clone()).collect(),
        repeated.iter().map(|&i| label(i)).collect(),
        vec![1.0; repeated.len()],
    );
    assert_eq!(weighted.bandwidth, copied.bandwidth);
    let spread: Vec<_> = repeated.iter().map(|&i| weighted.labels[i]).collect();
    assert_eq!(spread, copied.labels);
}
