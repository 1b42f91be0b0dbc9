//! What must hold of any solution.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use ilk::Error;
use ilk::numerics::rng::rng;
use ilk::observe::{Event, Silent, StopReason};
use ilk::supervise::logdet::{
    DistanceConstraint, DistanceConstraints, InitialGram, LogDet, Projection, Slack, Solution,
};
use ndarray::{Array2, s};
use proptest::prelude::*;

use super::cases::{Case, case, largest, problems, reweighted};
use super::plain::Plain;

fn solve(case: &Case) -> Solution {
    learn(case, &case.terms, None)
}

fn learn(case: &Case, terms: &DistanceConstraints, warm: Option<&[f64]>) -> Solution {
    let gram = case.gram();
    case.params.solve(InitialGram::Gram(gram.view()), terms, warm, &Silent).unwrap()
}

/// The difference of two kernels, relative to the larger.
fn difference(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    largest(&(a - b)) / largest(a).max(largest(b))
}

/// The largest breach of the conditions of optimality: C (I + A C0) = C0, and for every row its
/// distance is the one that its dual stands for, or its dual is at a bound and the distance on the
/// right side.
fn breach(case: &Case, found: &Solution) -> f64 {
    let (gram, start) = (&found.gram, case.gram());
    let dist_sq = |a: usize, b: usize| gram[[a, a]] + gram[[b, b]] - 2.0 * gram[[a, b]];
    let mut sum = Array2::<f64>::zeros(gram.dim());
    let mut add = |a: usize, b: usize, x: f64| {
        for (i, j, x) in [(a, a, x), (b, b, x), (a, b, -x), (b, a, -x)] {
            sum[[i, j]] += x;
        }
    };
    let mut worst: f64 = 0.0;
    for (row, &dual) in case.terms.rows().iter().zip(&found.duals) {
        let (off, low, high) = match *row {
            DistanceConstraint::Pair { a, b, sign, target, weight } => {
                add(a, b, sign * dual);
                let gamma = case.params.gamma * weight;
                let xi = target / (1.0 - sign * dual * target / gamma);
                (sign * (dist_sq(a, b) - xi) / xi, 0.0, f64::INFINITY)
            }
            DistanceConstraint::Comparison { i, j, k, ratio, is_equality, weight } => {
                add(i, j, ratio * dual);
                add(i, k, -dual);
                let penalty = case.params.penalty * weight;
                let (near, far) = (ratio * dist_sq(i, j), dist_sq(i, k));
                let (off, high) = match case.params.slack {
                    Slack::L1 => (near - far, penalty),
                    Slack::L2 => (near - far - dual / penalty, f64::INFINITY),
                    Slack::None => (near - far, f64::INFINITY),
                };
                let low = if is_equality { -high } else { 0.0 };
                (off / near.max(far), low, high)
            }
        };
        assert!((low..=high).contains(&dual), "{row:?} has the dual {dual}");
        worst = worst.max(if dual == low {
            off.max(0.0)
        } else if dual == high {
            (-off).max(0.0)
        } else {
            off.abs()
        });
    }
    let rest = gram + &gram.dot(&sum).dot(&start) - &start;
    worst.max(largest(&rest))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_conditions_of_optimality_hold(case in problems()) {
        let found = solve(&case);
        let (gap, missed) = (found.gap / found.dual.abs().max(1.0), found.violation);
        prop_assert_eq!(found.stop, StopReason::Converged, "gap {}, missed {}", gap, missed);
        prop_assert!(found.gap <= 1e-8, "gap {}, missed {}, {} sweeps, {} steps", gap, missed, found.sweeps, found.newton_steps);
        prop_assert!(gap <= 1e-11 && missed <= 1e-11, "gap {}, missed {}", gap, missed);
        let worst = breach(&case, &found);
        prop_assert!(worst < 3e-6, "off by {worst}");
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter(case in problems(), seed: u64) {
        let mut order: Vec<usize> = (0..case.terms.rows().len()).collect();
        rng(seed).shuffle(&mut order);
        let shuffled = order.iter().map(|&number| case.terms.rows()[number]);
        let shuffled = DistanceConstraints::from_rows(case.terms.points().to_vec(), shuffled.collect());
        let (one, other) = (solve(&case), learn(&case, &shuffled, None));
        let off = difference(&one.gram, &other.gram);
        prop_assert!(off < 3e-6, "off by {off}");
    }

    #[test]
    fn any_duals_to_begin_with_lead_to_the_same_kernel(case in problems(), seed: u64) {
        let found = solve(&case);
        let mut rng = rng(seed);
        let warm: Vec<f64> = found.duals.iter().map(|dual| dual * 2.0 * rng.uniform()).collect();
        let again = learn(&case, &case.terms, Some(&warm));
        prop_assert_eq!(again.stop, StopReason::Converged);
        let off = difference(&found.gram, &again.gram);
        prop_assert!(off < 3e-6, "off by {off}");
        let params = LogDet { tol: 1e-10, ..case.params };
        let at_once = learn(&Case { params, ..case.clone() }, &case.terms, Some(&found.duals));
        prop_assert!(at_once.sweeps + at_once.newton_steps <= 2);
    }

    #[test]
    fn sweeps_on_the_constrained_points_are_sweeps_on_all_points(
        case in problems(), sweeps in 1usize..6,
    ) {
        let params = LogDet {
            projection: Projection::Sweeps,
            max_iter: sweeps,
            tol: 1e-300,
            ..case.params
        };
        let gram = case.gram();
        let start = InitialGram::Gram(gram.view());
        let found = params.solve(start, &case.terms, None, &Silent).unwrap();
        let mut plain = Plain::new(&case.kernel, &case.terms);
        for _ in 0..found.sweeps {
            plain.sweep(&params, &case.terms);
        }
        // Every update passes the rounding of those before it on, enlarged.
        let off = difference(&case.extended(&found.correction), &plain.kernel);
        prop_assert!(off < 1e-8, "after as many sweeps off by {off}");
        let params = LogDet { max_iter: 0, ..params };
        let same = params.solve(start, &case.terms, Some(&plain.duals), &Silent).unwrap();
        let off = difference(&case.extended(&same.correction), &plain.kernel);
        prop_assert!(off < 1e-10, "at the same duals off by {off}");
    }

    #[test]
    fn features_teach_the_same_as_their_kernel(case in problems(), more in 0usize..3, seed: u64) {
        // Features of fewer, as many and more dimensions than points.
        let c = case.terms.points().len();
        let r = [c, c + 5, 2 * c][more];
        let root = lower_root(&case.gram());
        let mut features = Array2::zeros((c, r));
        features.slice_mut(s![.., ..c]).assign(&root);
        let features = features.dot(&rotation(r, seed));
        let found = case.params.solve(InitialGram::Features(features.view()), &case.terms, None, &Silent).unwrap();
        let expected = solve(&case);
        prop_assert!(difference(&found.gram, &expected.gram) < 3e-6);
        let learned = features.dot(&found.transform(features.view()).unwrap());
        let off = difference(&learned.dot(&learned.t()), &found.gram);
        prop_assert!(off < 1e-9, "transformed features are off by {off}");
    }

    #[test]
    fn features_of_few_dimensions_teach_the_same_as_their_kernel(
        n in 12usize..40, r in 3usize..8, gamma in 0.1f64..30.0, seed: u64,
    ) {
        let params = LogDet { gamma, tol: 1e-13, ..LogDet::default() };
        let case = case(n, n / 2, 0.2, params, seed);
        let mut rng = rng(seed);
        let features = Array2::from_shape_fn((case.terms.points().len(), r), |_| rng.normal());
        let gram = features.dot(&features.t());
        let by_features = case.params.solve(InitialGram::Features(features.view()), &case.terms, None, &Silent).unwrap();
        let by_gram = case.params.solve(InitialGram::Gram(gram.view()), &case.terms, None, &Silent).unwrap();
        let off = difference(&by_features.gram, &by_gram.gram);
        prop_assert!(off < 3e-6, "off by {off}");
        let learned = features.dot(&by_features.transform(features.view()).unwrap());
        let off = difference(&learned.dot(&learned.t()), &by_features.gram);
        prop_assert!(off < 1e-9, "transformed features are off by {off}");
    }

    #[test]
    fn twice_the_weight_is_twice_gamma_and_twice_the_penalty(case in problems()) {
        let rows = case.terms.rows().iter().map(|&row| reweighted(row, 2.0));
        let heavier = DistanceConstraints::from_rows(case.terms.points().to_vec(), rows.collect());
        let by_weight = learn(&case, &heavier, None);
        let params = LogDet {
            gamma: 2.0 * case.params.gamma,
            penalty: 2.0 * case.params.penalty,
            ..case.params
        };
        let by_params = solve(&Case { params, ..case });
        prop_assert_eq!(by_weight.gram, by_params.gram);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn few_dimensions_of_many_points_are_learned_as_their_kernel_is(
        n in 60usize..120, r in 2usize..5, gamma in 0.1f64..10.0, seed: u64,
    ) {
        let params = LogDet { gamma, tol: 1e-12, ..LogDet::default() };
        let case = case(n, n, 0.1, params, seed);
        // Comparisons with L1 slack leave directions in which many kernels are nearly as good.
        let pairs = case.terms.rows().iter().copied();
        let pairs = pairs.filter(|row| matches!(row, DistanceConstraint::Pair { .. })).collect();
        let terms = DistanceConstraints::from_rows(case.terms.points().to_vec(), pairs);
        let mut rng = rng(seed);
        let c = terms.points().len();
        prop_assume!(c >= 8 * r);
        let features = Array2::from_shape_fn((c, r), |_| rng.normal());
        let gram = features.dot(&features.t());
        let starts = [InitialGram::Features(features.view()), InitialGram::Gram(gram.view())];
        let [by_features, by_gram] =
            starts.map(|start| params.solve(start, &terms, None, &Silent).unwrap());
        prop_assert_eq!(by_features.stop, StopReason::Converged);
        let off = difference(&by_features.gram, &by_gram.gram);
        prop_assert!(off < 1e-5, "off by {off}");
    }
}

/// Points of three classes, all pairs of which are must-links or cannot-links at random.
fn random_pairs(n: usize, gamma: f64, seed: u64) -> Case {
    let params = LogDet { gamma, tol: 1e-12, ..LogDet::default() };
    let mut rng = rng(seed);
    let rows = (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
    let rows = rows.map(|(a, b)| {
        let is_near = rng.uniform() < 0.5;
        DistanceConstraint::Pair {
            a,
            b,
            sign: if is_near { 1.0 } else { -1.0 },
            target: if is_near { 0.05 } else { 1.95 },
            weight: 1.0,
        }
    });
    Case {
        terms: DistanceConstraints::from_rows((0..n).collect(), rows.collect()),
        ..case(n, 3, 0.0, params, seed)
    }
}

#[test]
fn answers_without_sense_are_squared_with_each_other_however_many() {
    for (n, gamma) in [(40, 10.0), (40, 100.0), (70, 10.0)] {
        let case = random_pairs(n, gamma, 5);
        let found = solve(&case);
        assert_eq!(found.stop, StopReason::Converged, "{n} points");
        let gap = found.gap / found.dual;
        assert!(gap <= 1e-12, "{n} points: a gap of {gap}");
        let worst = breach(&case, &found);
        assert!(worst < 1e-4, "{n} points: off by {worst}");
    }
}

#[test]
fn learning_from_many_rows_can_be_cancelled_within_a_step() {
    let case = random_pairs(40, 10.0, 6);
    let gram = case.gram();
    let seen = std::sync::atomic::AtomicUsize::new(0);
    let cancel = |at: usize| {
        seen.store(0, Ordering::Relaxed);
        let observer = |_: &Event| match seen.fetch_add(1, Ordering::Relaxed) {
            count if count == at => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let start = InitialGram::Gram(gram.view());
        case.params.solve(start, &case.terms, None, &observer)
    };
    let whole = cancel(usize::MAX).unwrap();
    let events = seen.load(Ordering::Relaxed);
    assert!(events > whole.sweeps + whole.newton_steps, "no look within a step");
    for at in [0, events / 2, events - 1] {
        assert!(matches!(cancel(at), Err(Error::Cancelled { .. })), "at {at}");
        assert_eq!(seen.load(Ordering::Relaxed), at + 1, "it went on");
    }
}

/// L with L L' = A, the textbook's way.
fn lower_root(a: &Array2<f64>) -> Array2<f64> {
    let n = a.nrows();
    let mut lower = Array2::<f64>::zeros((n, n));
    for i in 0..n {
        for j in 0..=i {
            let known = lower.slice(s![i, ..j]).dot(&lower.slice(s![j, ..j]));
            let rest = a[[i, j]] - known;
            lower[[i, j]] = if i == j { rest.sqrt() } else { rest / lower[[j, j]] };
        }
    }
    lower
}

/// An orthogonal matrix: a product of random reflections.
fn rotation(r: usize, seed: u64) -> Array2<f64> {
    let mut rng = rng(seed);
    let mut q = Array2::<f64>::eye(r);
    for _ in 0..3 {
        let v = ndarray::Array1::from_shape_fn(r, |_| rng.normal());
        let along = q.dot(&v) * (2.0 / v.dot(&v));
        for (mut row, x) in q.rows_mut().into_iter().zip(&along) {
            row.scaled_add(-x, &v);
        }
    }
    q
}
