//! What no kernel can do: reported, left out or absorbed, and never an endless loop.

use ilk::observe::{Silent, StopReason};
use ilk::supervise::logdet::{
    DistanceConstraint, DistanceConstraints, InitialGram, LogDet, Projection, Slack, Solution,
};
use ndarray::{Array2, array};

fn pair(a: usize, b: usize, sign: f64, target: f64) -> DistanceConstraint {
    DistanceConstraint::Pair { a, b, sign, target, weight: 1.0 }
}

fn closer(i: usize, j: usize, k: usize) -> DistanceConstraint {
    DistanceConstraint::Comparison { i, j, k, ratio: 2.0, is_equality: false, weight: 1.0 }
}

fn solve(params: &LogDet, gram: &Array2<f64>, rows: &[DistanceConstraint]) -> Solution {
    let terms = DistanceConstraints::from_rows((0..gram.nrows()).collect(), rows.to_vec());
    params.solve(InitialGram::Gram(gram.view()), &terms, None, &Silent).unwrap()
}

/// Points 0 and 1 are duplicates.
fn with_duplicates() -> Array2<f64> {
    array![[1.0, 1.0, 0.4, 0.2], [1.0, 1.0, 0.4, 0.2], [0.4, 0.4, 1.0, 0.3], [0.2, 0.2, 0.3, 1.0]]
}

fn every_projection(params: &LogDet) -> [LogDet; 3] {
    [Projection::Dual, Projection::Sweeps, Projection::Paper]
        .map(|projection| LogDet { projection, ..*params })
}

#[test]
fn a_cannot_link_of_duplicates_is_left_out_and_the_rest_is_learned_as_without_it() {
    for gamma in [1.0, f64::INFINITY] {
        let params = LogDet { gamma, ..LogDet::default() };
        for params in every_projection(&params) {
            let gram = with_duplicates();
            let others = [pair(0, 2, 1.0, 0.1), pair(2, 3, -1.0, 1.9)];
            let with = [pair(0, 1, -1.0, 1.9), others[0], others[1]];
            let found = solve(&params, &gram, &with);
            assert_eq!(found.unattainable, [0]);
            assert_eq!(found.duals[0], 0.0);
            assert_eq!(found.stop, StopReason::Converged);
            assert_eq!(found.gram, solve(&params, &gram, &others).gram);
        }
    }
}

#[test]
fn a_must_link_of_duplicates_holds_already() {
    let found = solve(&LogDet::default(), &with_duplicates(), &[pair(0, 1, 1.0, 0.1)]);
    assert_eq!((found.duals[0], found.gap), (0.0, 0.0));
    assert!(found.unattainable.is_empty());
    assert_eq!(found.stop, StopReason::Converged);
}

#[test]
fn a_comparison_against_a_duplicate_is_absorbed_by_slack_and_left_out_without() {
    // 2 d²(0, 2) <= d²(0, 1), which is 0.
    let rows = [closer(0, 2, 1), pair(2, 3, -1.0, 1.9)];
    for slack in [Slack::L1, Slack::L2, Slack::None] {
        let params = LogDet { slack, ..LogDet::default() };
        let found = solve(&params, &with_duplicates(), &rows);
        assert_eq!(found.unattainable, [0], "{slack:?}");
        assert_eq!(found.stop, StopReason::Converged, "{slack:?}");
        match slack {
            // The full penalty is paid.
            Slack::L1 => assert_eq!(found.duals[0], 1.0),
            Slack::L2 => assert!(found.duals[0] > 0.0),
            Slack::None => assert_eq!(found.duals[0], 0.0),
        }
    }
}

#[test]
fn a_pair_with_a_must_link_and_a_cannot_link_is_reported_and_absorbed() {
    let gram = array![[1.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 1.0]];
    let rows = [pair(0, 1, 1.0, 0.1), pair(1, 2, -1.0, 1.9), pair(1, 0, -1.0, 1.9)];
    let found = solve(&LogDet::default(), &gram, &rows);
    assert_eq!(found.unattainable, [0, 2]);
    assert_eq!(found.stop, StopReason::Converged);
    assert!(found.gap < 1e-8);
    let dist_sq = found.gram[[0, 0]] + found.gram[[1, 1]] - 2.0 * found.gram[[0, 1]];
    assert!(0.1 < dist_sq && dist_sq < 1.9);
    // Near and far can both be had where far is nearer than near.
    let rows = [pair(0, 1, 1.0, 0.5), pair(0, 1, -1.0, 0.4)];
    assert!(solve(&LogDet::default(), &gram, &rows).unattainable.is_empty());
}

#[test]
fn contradictions_that_may_not_be_missed_end_with_the_iterations_and_are_named() {
    let gram = array![[1.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 1.0]];
    // Each is nearer to the next than to the one before, all the way round; and 0 and 1 are both
    // near and far.
    let cycle = vec![closer(0, 1, 2), closer(1, 2, 0), closer(2, 0, 1)];
    let both = vec![pair(0, 1, 1.0, 0.1), pair(0, 1, -1.0, 1.9)];
    // Near, near, far: not a triangle.
    let triangle = vec![pair(0, 1, 1.0, 0.1), pair(1, 2, 1.0, 0.1), pair(0, 2, -1.0, 1.9)];
    for rows in [cycle, both, triangle] {
        let params =
            LogDet { gamma: f64::INFINITY, slack: Slack::None, max_iter: 300, ..LogDet::default() };
        for params in every_projection(&params) {
            let found = solve(&params, &gram, &rows);
            let what = format!("{:?} {rows:?}", params.projection);
            assert!(found.sweeps + found.newton_steps <= 300, "{what}");
            assert!(found.gram.iter().all(|x| x.is_finite()), "{what}");
            // The papers' rules look at the change of the duals, and at differences of distances
            // that contradictions drive to nothing.
            if params.projection != Projection::Paper {
                assert!(!found.unattainable.is_empty(), "{what}");
                assert_eq!(found.stop, StopReason::MaxIterations, "{what}");
            }
        }
    }
}

#[test]
fn no_constraints_change_nothing() {
    let found = LogDet::default()
        .solve(
            InitialGram::Gram(Array2::zeros((0, 0)).view()),
            &DistanceConstraints::from_rows(Vec::new(), Vec::new()),
            None,
            &Silent,
        )
        .unwrap();
    assert_eq!(found.gram.dim(), (0, 0));
    assert_eq!(found.stop, StopReason::Converged);
}
