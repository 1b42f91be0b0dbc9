//! k-means with penalties against brute force and its definition.

use ilk::Error;
use ilk::evaluate::adjusted_rand;
use ilk::group::hmrf_kmeans::HmrfKMeans;
use ilk::group::kernel_kmeans::{Space, WeightedKernelKMeans};
use ilk::group::{GroupingAlgorithm, GroupingInput, Label};
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::parameter::AutoOr;
use ilk::problem::{Constraints, Points};
use ilk::supervise::penalty::Penalty;
use proptest::prelude::*;

fn random(n: usize, dims: usize, seed: u64) -> Points {
    let mut rng = rng(seed);
    Points::new(Array2::from_shape_fn((n, dims), |_| rng.normal())).unwrap()
}

fn random_pairs(n: usize, pairs: usize, seed: u64) -> Constraints {
    let mut rng = rng(seed);
    let mut constraints = Constraints::new(n);
    for at in 0..pairs {
        let (a, b) = (rng.below(n), rng.below(n));
        if a != b {
            if at % 2 == 0 {
                constraints.must_link(a, b).unwrap();
            } else {
                constraints.cannot_link(a, b).unwrap();
            }
        }
    }
    constraints
}

/// The sum that is minimised, from the labels alone.
fn objective(points: &Points, labels: &[usize], constraints: &Constraints, penalty: f64) -> f64 {
    let clusters = labels.iter().max().unwrap() + 1;
    let mut sum = 0.0;
    for cluster in 0..clusters {
        let members: Vec<usize> = (0..labels.len()).filter(|&i| labels[i] == cluster).collect();
        for dim in 0..points.dims() {
            let of = |i: &usize| points.row(*i)[dim];
            let mean = members.iter().map(of).sum::<f64>() / members.len().max(1) as f64;
            sum += members.iter().map(|i| (of(i) - mean).powi(2)).sum::<f64>();
        }
    }
    let together = |points: [usize; 2]| labels[points[0]] == labels[points[1]];
    let broken = constraints.must_links().iter().filter(|m| !together(m.points)).count()
        + constraints.cannot_links().iter().filter(|c| together(c.points)).count();
    sum + penalty * broken as f64
}

fn plain(labels: &[Label]) -> Vec<usize> {
    labels.iter().map(|label| label.unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_objective_never_rises_and_is_that_of_the_labels(
        n in 4usize..60, k in 1usize..5, pairs in 0usize..30, penalty in 0.0..4.0, seed in 0u64..1000,
    ) {
        let points = random(n, 2, seed);
        let constraints = random_pairs(n, pairs, seed + 1);
        let params = HmrfKMeans {
            n_clusters: k.min(n).into(),
            penalty: Penalty::Fixed(penalty),
            ..HmrfKMeans::default()
        };
        let (found, _) = params.group(GroupingInput::new(&points).with_constraints(&constraints), &Silent).unwrap();
        let trace: Vec<f64> = found.trace.iter().map(|step| step.objective.unwrap()).collect();
        for pair in trace.windows(2) {
            prop_assert!(pair[1] <= pair[0] * (1.0 + 1e-12));
        }
        let labels = plain(&found.labels);
        let expected = objective(&points, &labels, &constraints, penalty);
        prop_assert!((trace.last().unwrap() - expected).abs() <= 1e-9 * (1.0 + expected));
        prop_assert_eq!(AutoOr::Fixed(found.n_clusters), params.n_clusters);
        // No point would be better off elsewhere, the means staying where they are.
        let means = found.centers.unwrap();
        let mut sizes = vec![0; found.n_clusters];
        for &label in &labels {
            sizes[label] += 1;
        }
        for i in (0..n).filter(|&i| sizes[labels[i]] > 1) {
            let cost = |cluster: usize| {
                let mut moved = labels.clone();
                moved[i] = cluster;
                let offset = &points.view().row(i) - &means.row(cluster);
                let together = |points: [usize; 2]| moved[points[0]] == moved[points[1]];
                let broken = constraints.must_links().iter().filter(|m| !together(m.points)).count()
                    + constraints.cannot_links().iter().filter(|c| together(c.points)).count();
                offset.dot(&offset) + penalty * broken as f64
            };
            for cluster in 0..found.n_clusters {
                prop_assert!(cost(labels[i]) <= cost(cluster) + 1e-9);
            }
        }
    }
}

#[test]
fn on_few_points_the_best_of_all_partitions_is_mostly_found() {
    let cases = 200;
    let is_best = |seed: u64| {
        let n = 4 + seed as usize % 5;
        let points = random(n, 2, seed);
        let constraints = random_pairs(n, 3, seed + 7);
        let params = HmrfKMeans {
            n_clusters: 2.into(),
            penalty: Penalty::Fixed(0.3),
            n_init: 30,
            ..HmrfKMeans::default()
        };
        let (found, _) = params
            .group(GroupingInput::new(&points).with_constraints(&constraints), &Silent)
            .unwrap();
        let found = objective(&points, &plain(&found.labels), &constraints, 0.3);
        let all = (1..(1_usize << (n - 1))).map(|bits| {
            let labels: Vec<usize> = (0..n).map(|i| bits >> i & 1).collect();
            objective(&points, &labels, &constraints, 0.3)
        });
        let best = all.fold(f64::INFINITY, f64::min);
        assert!(found >= best - 1e-9);
        found <= best + 1e-9
    };
    // Points move one at a time, so that some optima are out of reach.
    let best = (0..cases).filter(|&seed| is_best(seed)).count();
    assert!(best >= 150, "{best} of {cases}");
}

#[test]
fn without_pairs_it_is_k_means() {
    let mut rng = rng(3);
    let data = Array2::from_shape_fn((90, 2), |(i, _)| 6.0 * (i % 3) as f64 + rng.normal());
    let points = Points::new(data.clone()).unwrap();
    let params = HmrfKMeans { n_clusters: 3.into(), ..HmrfKMeans::default() };
    let (found, means) = params
        .group(GroupingInput::new(&points).with_constraints(&Constraints::new(90)), &Silent)
        .unwrap();
    let kmeans = WeightedKernelKMeans { n_clusters: 3, ..WeightedKernelKMeans::default() };
    let (expected, _) = kmeans.group(Space::Features(data.view()), &Silent).unwrap();
    assert_eq!(found.labels, expected.labels);
    assert_eq!(means.assign(data.view()).unwrap(), found.labels);
}

#[test]
fn the_usual_penalty_does_not_depend_on_the_unit() {
    let points = random(80, 3, 5);
    let constraints = random_pairs(80, 40, 6);
    let params = HmrfKMeans { n_clusters: 3.into(), ..HmrfKMeans::default() };
    let (found, _) =
        params.group(GroupingInput::new(&points).with_constraints(&constraints), &Silent).unwrap();
    let larger = Points::new(points.view().mapv(|x| 1024.0 * x)).unwrap();
    let (same, _) =
        params.group(GroupingInput::new(&larger).with_constraints(&constraints), &Silent).unwrap();
    assert_eq!(found.labels, same.labels);
}

#[test]
fn a_point_of_weight_two_is_two_points() {
    let points = random(40, 2, 8);
    let weights: Vec<f64> = (0..40).map(|i| if i < 10 { 2.0 } else { 1.0 }).collect();
    let rows: Vec<usize> = (0..40).chain(0..10).collect();
    let params = HmrfKMeans { n_clusters: 2.into(), n_init: 40, ..HmrfKMeans::default() };
    let constraints = Constraints::new(40);
    let (weighed, _) = params
        .group(
            GroupingInput::new(&points).with_weights(Some(&weights)).with_constraints(&constraints),
            &Silent,
        )
        .unwrap();
    let twice = Constraints::new(50);
    let (twice, _) = params
        .group(GroupingInput::new(&points.select(&rows)).with_constraints(&twice), &Silent)
        .unwrap();
    assert_eq!(adjusted_rand(&weighed.labels, &twice.labels[..40]), Ok(1.0));
}

#[test]
fn one_component_of_all_points_leaves_room_for_other_clusters() {
    let points = random(6, 2, 9);
    let mut constraints = Constraints::new(6);
    for i in 0..5 {
        constraints.must_link(i, i + 1).unwrap();
    }
    for k in 1..=6 {
        let params = HmrfKMeans { n_clusters: k.into(), ..HmrfKMeans::default() };
        let (found, _) = params
            .group(GroupingInput::new(&points).with_constraints(&constraints), &Silent)
            .unwrap();
        assert_eq!(found.n_clusters, k);
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let points = random(5, 2, 0);
    let constraints = Constraints::new(5);
    let fit = |params: HmrfKMeans, constraints: &Constraints| {
        params
            .group(GroupingInput::new(&points).with_constraints(constraints), &Silent)
            .unwrap_err()
    };
    let params = HmrfKMeans { n_clusters: 2.into(), ..HmrfKMeans::default() };
    let negative = HmrfKMeans { penalty: Penalty::Fixed(-1.0), ..params.clone() };
    assert_eq!(
        fit(negative, &constraints).to_string(),
        "penalty = -1 is out of range: it must be a number from 0, auto or paper"
    );
    let many = HmrfKMeans { n_clusters: 6.into(), ..params.clone() };
    assert_eq!(fit(many, &constraints), Error::TooManyClusters { k: 6, n: 5 });
    assert!(matches!(
        fit(params, &Constraints::new(4)),
        Error::WrongLength { found: 4, expected: 5, .. }
    ));
}
