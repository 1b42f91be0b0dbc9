//! Where the released program fails, or might: every case in both modes.

use ilk::Error;
use ilk::group::constrained_mean_shift::{CmsKernel, Schedule};
use ilk::method::{AnyMethod, Cms, CmsMode, Method};
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::outcome::{Clustering, Fit};
use ilk::problem::{CannotLinkSets, ConstraintKind, Constraints, MustLinkPolicy, Points, Problem};
use ilk::refine::Refinement;

use super::plain;

/// The default settings in both modes, not blurring and blurring.
fn variants() -> Vec<Cms> {
    [CmsMode::Paper, CmsMode::Best]
        .into_iter()
        .flat_map(|mode| [false, true].map(|blurring| (mode, blurring)))
        .map(|(mode, blurring)| Cms {
            mode,
            blurring,
            refine: Refinement::Dissolve,
            ..Cms::default()
        })
        .collect()
}

fn fit(params: &Cms, rows: &[Vec<f64>], constraints: &Constraints) -> Fit {
    let points = Points::from_rows(rows).unwrap();
    let problem = Problem::new(points, constraints.clone()).unwrap();
    let fit = AnyMethod::Cms(params.clone()).fit(&problem, &Silent).unwrap();
    is_sound(&fit.clustering, rows, constraints);
    fit
}

/// What holds of every answer: each point has a cluster, no cluster is empty, every centre lies
/// within the box around the points, and every constraint is in the report once.
fn is_sound(found: &Clustering, rows: &[Vec<f64>], constraints: &Constraints) {
    let labels = labels(found);
    assert_eq!(labels.len(), rows.len());
    let mut used = labels.clone();
    used.sort_unstable();
    used.dedup();
    assert_eq!(used, (0..found.n_clusters).collect::<Vec<_>>());
    for (k, column) in found.final_positions.as_ref().unwrap().columns().into_iter().enumerate() {
        let values = || rows.iter().map(|row| row[k]);
        let low = values().fold(f64::INFINITY, f64::min);
        let high = values().fold(f64::NEG_INFINITY, f64::max);
        let slack = 1e-8 * (high - low) + 1e-12 * high.abs().max(low.abs());
        for x in column {
            assert!((low - slack..=high + slack).contains(x), "{x}");
        }
    }
    assert_eq!(found.trace.len(), found.iterations);
    let given = constraints.must_links().len() + constraints.cannot_links().len();
    assert_eq!(found.report.kept() + found.report.broken(), given);
}

fn labels(found: &Clustering) -> Vec<usize> {
    found.labels.iter().map(|label| label.unwrap()).collect()
}

/// `n` points around each place, in turns: point i is at place i modulo their number.
fn around(places: &[[f64; 2]], n: usize, spread: f64) -> Vec<Vec<f64>> {
    let mut rng = rng(3);
    (0..n * places.len())
        .map(|i| {
            let place = places[i % places.len()];
            place.map(|x| x + spread * rng.normal()).to_vec()
        })
        .collect()
}

const TWO: [[f64; 2]; 2] = [[0.0, 0.0], [1.0, 1.0]];

/// The partition into the places of [`around`].
fn in_turns(n: usize, places: usize) -> Vec<usize> {
    (0..n).map(|i| i % places).collect()
}

fn cannot_links(n: usize, links: &[[usize; 2]]) -> Constraints {
    let mut constraints = Constraints::new(n);
    for &[a, b] in links {
        constraints.cannot_link(a, b).unwrap();
    }
    constraints
}

#[test]
fn a_chain_of_a_million_must_links_is_one_set() {
    let n = 1_000_003;
    let mut constraints = Constraints::new(n);
    for i in 0..1_000_000 {
        constraints.must_link(i, i + 1).unwrap();
    }
    constraints.cannot_link(0, n - 1).unwrap();
    constraints.cannot_link(500_000, n - 2).unwrap();
    assert_eq!(CannotLinkSets::new(&constraints, MustLinkPolicy::Hard).n_pairs(), 2 * 1_000_001);
    assert_eq!(CannotLinkSets::new(&constraints, MustLinkPolicy::Soft).n_pairs(), 2);
}

#[test]
fn a_long_chain_of_must_links_is_kept_apart_from_a_few_points() {
    let mut rows = around(&[[0.0, 0.0]], 2000, 0.05);
    rows.extend(around(&[[1.0, 1.0]], 20, 0.05));
    let mut constraints = Constraints::new(rows.len());
    for i in 0..1999 {
        constraints.must_link(i, i + 1).unwrap();
    }
    constraints.cannot_link(0, 2000).unwrap();
    constraints.cannot_link(1500, 2001).unwrap();
    let expected: Vec<usize> = (0..rows.len()).map(|i| usize::from(i >= 2000)).collect();
    for mode in [CmsMode::Paper, CmsMode::Best] {
        let params = Cms { mode, max_iter: 10, refine: Refinement::Dissolve, ..Cms::default() };
        let found = fit(&params, &rows, &constraints).clustering;
        assert_eq!(plain::numbered(&labels(&found)), expected, "{mode:?}");
    }
}

#[test]
fn points_in_one_place_have_one_centre_and_one_cluster() {
    let mut rows = around(&TWO, 15, 0.05);
    rows.extend(rows.clone());
    let constraints = cannot_links(60, &[[0, 1], [2, 33]]);
    for params in variants() {
        let found = fit(&params, &rows, &constraints).clustering;
        let (labels, final_positions) = (labels(&found), found.final_positions.unwrap());
        for i in 0..30 {
            assert_eq!(labels[i], labels[i + 30], "{params:?}");
            assert_eq!(final_positions.row(i), final_positions.row(i + 30), "{params:?}");
        }
        assert_eq!(plain::numbered(&labels), in_turns(60, 2), "{params:?}");
    }
}

#[test]
fn without_a_cannot_link_must_links_move_no_centre() {
    let rows = around(&TWO, 15, 0.1);
    let nothing = Constraints::new(30);
    let mut must = Constraints::new(30);
    must.must_link(0, 2).unwrap().must_link(2, 4).unwrap();
    for params in variants() {
        let unconstrained = fit(&params, &rows, &nothing).clustering;
        let linked = fit(&params, &rows, &must).clustering;
        assert_eq!(unconstrained.final_positions, linked.final_positions, "{params:?}");
        // The paper's last bandwidth is the largest distance, and nothing keeps anything apart.
        // Mode best goes only as far as the usual bandwidth does.
        let expected = match params.mode {
            CmsMode::Paper => 1,
            CmsMode::Best => 2,
        };
        assert_eq!(unconstrained.n_clusters, expected, "{params:?}");
        assert_eq!(linked.n_clusters, expected, "{params:?}");
    }
}

#[test]
fn a_pair_of_a_point_with_itself_is_refused_with_its_entry() {
    let mut constraints = Constraints::new(5);
    constraints.cannot_link(0, 1).unwrap();
    let refused = constraints.cannot_link(3, 3).unwrap_err();
    let expected =
        Error::SelfPair { kind: ConstraintKind::CannotLink, entry: 1, point: "3".to_owned() };
    assert_eq!(refused, expected);
    let refused = constraints.must_link(4, 4).unwrap_err();
    assert!(matches!(refused, Error::SelfPair { entry: 0, .. }));
    // What was refused has left nothing behind.
    assert_eq!(CannotLinkSets::new(&constraints, MustLinkPolicy::Hard).n_pairs(), 1);
}

#[test]
fn one_iteration_uses_the_smallest_distance() {
    let rows: Vec<Vec<f64>> = [0.0, 0.0, 1.0, 3.0].map(|x| vec![x]).to_vec();
    let constraints = cannot_links(4, &[[0, 3]]);
    for params in variants() {
        let params = Cms { max_iter: 1, ..params };
        let found = fit(&params, &rows, &constraints).clustering;
        assert_eq!(found.iterations, 1, "{params:?}");
        assert_eq!(found.bandwidth, Some(1.0), "{params:?}");
    }
}

#[test]
fn a_single_point_is_a_cluster_and_stays() {
    for params in variants() {
        let fit = fit(&params, &[vec![4.0, -2.0]], &Constraints::new(1));
        let found = fit.clustering;
        assert_eq!(found.labels, [Some(0)], "{params:?}");
        assert_eq!(found.final_positions.unwrap(), ilk::ndarray::array![[4.0, -2.0]]);
        let anywhere = Points::from_rows(&[vec![4.0, -2.0], vec![9.0, 9.0]]).unwrap();
        let predicted = fit.model.predict(&anywhere).unwrap();
        assert_eq!(predicted, [Some(0), Some(0)], "{params:?}");
    }
}

#[test]
fn two_points_are_separated_exactly_if_a_cannot_link_says_so() {
    let rows = [vec![0.0], vec![1.0]];
    for params in variants() {
        let apart = fit(&params, &rows, &cannot_links(2, &[[0, 1]]));
        assert_eq!(apart.clustering.n_clusters, 2, "{params:?}");
        let silent = fit(&params, &rows, &Constraints::new(2));
        assert_eq!(silent.clustering.n_clusters, 1, "{params:?}");
    }
}

#[test]
fn saying_one_thing_many_times_is_saying_it_once() {
    let rows = around(&TWO, 15, 0.2);
    let once = cannot_links(30, &[[0, 1]]);
    let mut often = Constraints::new(30);
    for _ in 0..50 {
        often.cannot_link(0, 1).unwrap().cannot_link(1, 0).unwrap();
    }
    for params in variants() {
        let once = fit(&params, &rows, &once).clustering;
        assert_eq!(fit(&params, &rows, &often).clustering, once, "{params:?}");
    }
}

#[test]
fn contradictions_are_reported_and_the_run_goes_on() {
    let rows = around(&TWO, 15, 0.05);
    let mut constraints = cannot_links(30, &[[0, 4], [0, 1], [2, 5]]);
    constraints.must_link(0, 2).unwrap().must_link(2, 4).unwrap();
    let check = constraints.check();
    assert!(!check.is_consistent());
    let explained: Vec<String> = check.explanations().collect();
    assert_eq!(explained.len(), 1, "{explained:?}");
    for params in variants() {
        for closure in [true, false] {
            let params = Cms { closure, ..params.clone() };
            let report = fit(&params, &rows, &constraints).clustering.report;
            // 0 with 2 and 2 with 4, but not 0 with 4: one of the three is broken at least.
            let broken = [ConstraintKind::MustLink, ConstraintKind::CannotLink]
                .map(|kind| report.kind(kind).unwrap().broken.len());
            assert!(broken[0] + broken[1] >= 1, "{params:?}");
        }
    }
}

#[test]
fn all_pairs_apart_leaves_every_point_alone() {
    let rows = around(&TWO, 10, 0.2);
    let pairs = (0..20).flat_map(|a| (0..a).map(move |b| [a, b]));
    let constraints = cannot_links(20, &pairs.collect::<Vec<_>>());
    for params in variants() {
        let found = fit(&params, &rows, &constraints).clustering;
        assert_eq!(found.n_clusters, 20, "{params:?}");
    }
}

#[test]
fn points_that_are_all_identical_are_one_cluster_that_stays() {
    let rows = vec![vec![0.3, -7.0]; 20];
    for params in variants() {
        let found = fit(&params, &rows, &Constraints::new(20)).clustering;
        assert_eq!(found.n_clusters, 1, "{params:?}");
        for row in found.final_positions.unwrap().rows() {
            assert!(plain::worst(&row.to_vec(), &rows[0]) < 1e-12, "{params:?}");
        }
    }
}

#[test]
fn a_cannot_link_between_identical_points_ends_and_moves_nothing() {
    let rows = vec![vec![0.3, -7.0]; 20];
    let constraints = cannot_links(20, &[[0, 1]]);
    for params in variants() {
        let found = fit(&params, &rows, &constraints).clustering;
        for row in found.final_positions.unwrap().rows() {
            assert_eq!(row.to_vec(), rows[0], "{params:?}");
        }
    }
}

#[test]
fn a_cannot_link_between_two_identical_points_among_others_ends() {
    let mut rows = around(&TWO, 15, 0.05);
    rows[2] = rows[0].clone();
    let constraints = cannot_links(30, &[[0, 2], [0, 1]]);
    for params in variants() {
        for kernel in [CmsKernel::Truncated, CmsKernel::Ball, CmsKernel::Rbf] {
            let params = Cms { kernel, ..params.clone() };
            fit(&params, &rows, &constraints);
        }
    }
}

#[test]
fn coordinates_may_be_huge_or_tiny() {
    let rows = around(&TWO, 15, 0.1);
    let constraints = cannot_links(30, &[[0, 1], [4, 9], [10, 3]]);
    for params in variants() {
        for unit in [1e-150, 1e-9, 1e9, 1e150] {
            let scaled: Vec<Vec<f64>> =
                rows.iter().map(|row| row.iter().map(|x| unit * x).collect()).collect();
            let found = fit(&params, &scaled, &constraints).clustering;
            let expected = match params.mode {
                CmsMode::Best => in_turns(30, 2),
                // The paper's lengths are for the unit cube, so its answer is another elsewhere.
                CmsMode::Paper => {
                    let points = Points::from_rows(&scaled).unwrap();
                    let settings = plain::settings(&params, &points);
                    let pairs = plain::closure_pairs(&constraints);
                    plain::numbered(&plain::shift(points.as_slice(), 2, &pairs, &settings).labels)
                }
            };
            let labels = plain::numbered(&labels(&found));
            assert_eq!(labels, expected, "{unit:e} {params:?}");
        }
    }
}

#[test]
fn a_large_offset_does_not_keep_the_run_from_ending() {
    let rows = around(&[[1e9, 1e9], [1e9 + 1.0, 1e9 + 1.0]], 15, 0.05);
    let constraints = cannot_links(30, &[[0, 1], [4, 9]]);
    for params in variants() {
        let found = fit(&params, &rows, &constraints).clustering;
        let labels = plain::numbered(&labels(&found));
        assert_eq!(labels, in_turns(30, 2), "{params:?}");
    }
}

#[test]
fn a_constant_column_changes_nothing_and_does_not_move() {
    let rows = around(&TWO, 15, 0.1);
    let constraints = cannot_links(30, &[[0, 1], [4, 9], [10, 3]]);
    let wider: Vec<Vec<f64>> = rows.iter().map(|row| vec![row[0], 6.7, row[1]]).collect();
    for params in variants() {
        let narrow = fit(&params, &rows, &constraints).clustering;
        let wide = fit(&params, &wider, &constraints).clustering;
        assert_eq!(wide.labels, narrow.labels, "{params:?}");
        for (wide, narrow) in wide
            .final_positions
            .unwrap()
            .rows()
            .into_iter()
            .zip(narrow.final_positions.unwrap().rows())
        {
            let off = plain::worst(&wide.to_vec(), &[narrow[0], 6.7, narrow[1]]);
            assert!(off < 1e-7, "{off} {params:?}");
        }
    }
}

#[test]
fn a_centre_that_sees_nothing_stays_where_it_is() {
    // The first two see only each other, and are kept from that and, not blurring, from themselves.
    let rows = [vec![0.1, 0.7], vec![0.1, 0.7], vec![0.5, 0.5], vec![0.5, 0.6]];
    let constraints = cannot_links(4, &[[0, 1]]);
    for params in variants() {
        let params = Cms { bandwidth: Schedule::Fixed(0.2), kernel: CmsKernel::Ball, ..params };
        let final_positions = fit(&params, &rows, &constraints).clustering.final_positions.unwrap();
        assert_eq!(final_positions.row(0).to_vec(), rows[0], "{params:?}");
        assert_eq!(final_positions.row(1).to_vec(), rows[1], "{params:?}");
        assert!((final_positions[[2, 1]] - 0.55).abs() < 1e-9, "{params:?}");
    }
}

#[test]
fn a_bandwidth_far_below_every_distance_leaves_all_where_they_are() {
    let rows = around(&TWO, 15, 0.1);
    let constraints = cannot_links(30, &[[0, 1], [4, 9]]);
    for params in variants() {
        for kernel in [CmsKernel::Truncated, CmsKernel::Ball, CmsKernel::Rbf] {
            let params = Cms { bandwidth: Schedule::Fixed(1e-6), kernel, ..params.clone() };
            let found = fit(&params, &rows, &constraints).clustering;
            let expected: Vec<f64> = rows.concat();
            let final_positions: Vec<f64> = found.final_positions.unwrap().into_iter().collect();
            assert!(plain::worst(&final_positions, &expected) < 1e-12, "{params:?}");
        }
    }
}

#[test]
fn weights_that_are_tiny_but_not_0_hold_a_group_together_at_merge_weight_0() {
    // 25 points, 10 and 25 in a row, the outer ones kept apart: the 10 lie halfway along 625 pairs,
    // so that a weight among them is (1 - exp(-2))^1250, about 1e-79. No factor is 0, and the
    // released program's weights, in single precision, stay at its smallest number too.
    let places = [(0.0, 25), (0.5, 10), (1.0, 25)];
    let rows: Vec<Vec<f64>> = places.iter().flat_map(|&(x, count)| vec![vec![x]; count]).collect();
    let mut constraints = cannot_links(60, &[[0, 59]]);
    for i in 1..25 {
        constraints.must_link(0, i).unwrap();
        constraints.must_link(59, 59 - i).unwrap();
    }
    let params = Cms {
        bandwidth: Schedule::Fixed(0.5),
        max_iter: 1,
        merge_weight: 0.0,
        mode: CmsMode::Paper,
        refine: Refinement::Dissolve,
        ..Cms::default()
    };
    let found = fit(&params, &rows, &constraints).clustering;
    let points = Points::from_rows(&rows).unwrap();
    let settings = plain::settings(&params, &points);
    let pairs = plain::closure_pairs(&constraints);
    let expected = plain::shift(points.as_slice(), 1, &pairs, &settings);
    assert_eq!(expected.labels[25..35], [25; 10]);
    let labels = plain::numbered(&labels(&found));
    assert_eq!(labels, plain::numbered(&expected.labels));
}
