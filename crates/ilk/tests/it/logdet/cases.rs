//! Random problems of all kinds.

use ilk::datasets::ConstraintSampler;
use ilk::numerics::rng::rng;
use ilk::supervise::logdet::{DistanceConstraint, DistanceConstraints, LogDet, Slack, Targets};
use ndarray::{Array2, Axis};
use proptest::prelude::*;

/// A kernel on n points, and constraints on them.
#[derive(Clone)]
pub(crate) struct Case {
    /// The kernel on all points, positive definite.
    pub(crate) kernel: Array2<f64>,
    pub(crate) terms: DistanceConstraints,
    pub(crate) params: LogDet,
}

/// The numbers of a kernel say nothing to a reader.
impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}\n{:?}", self.params, self.terms)
    }
}

impl Case {
    /// The kernel on the constrained points.
    pub(crate) fn gram(&self) -> Array2<f64> {
        among(&self.kernel, self.terms.points())
    }

    /// The learned kernel on all points.
    pub(crate) fn extended(&self, correction: &Array2<f64>) -> Array2<f64> {
        let columns = self.kernel.select(Axis(1), self.terms.points());
        &self.kernel + &columns.dot(correction).dot(&columns.t())
    }
}

/// Rows and columns of some points.
pub(crate) fn among(kernel: &Array2<f64>, points: &[usize]) -> Array2<f64> {
    kernel.select(Axis(0), points).select(Axis(1), points)
}

pub(crate) fn largest(a: &Array2<f64>) -> f64 {
    a.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// Answers about points of three classes, some of them wrong where `noise` is not 0.
pub(crate) fn case(n: usize, n_constraints: usize, noise: f64, params: LogDet, seed: u64) -> Case {
    let mut rng = rng(seed);
    let x = Array2::from_shape_fn((n, 3), |(i, _)| (i % 3) as f64 + rng.normal());
    let kernel = Array2::from_shape_fn((n, n), |(i, j)| {
        // No two points are nearly the same: pushing such apart enlarges the rounding of their
        // distance without bound, and nothing could be compared to ten digits.
        let difference = &x.row(i) - &x.row(j);
        let value = (-0.5 * difference.dot(&difference)).exp();
        if i == j { 1.0 } else { 0.9 * value }
    });
    let truth: Vec<Option<usize>> = (0..n).map(|i| Some(i % 3)).collect();
    let sampler = ConstraintSampler {
        n_pairs: n_constraints,
        n_triplets: n_constraints / 2,
        n_equal: n_constraints / 4,
        noise,
        ..ConstraintSampler::default()
    };
    let mut constraints = sampler.draw(&truth, seed).unwrap().constraints;
    for _ in 0..n_constraints / 4 {
        let three = rng.sample(n, 3);
        let (anchor, near, far) = (three[0], three[1], three[2]);
        if noise > 0.0 || truth[anchor] == truth[near] && truth[near] != truth[far] {
            constraints.closer(anchor, near, far).unwrap();
        }
    }
    let targets = Targets { must: 0.1, cannot: 1.9 };
    let terms = DistanceConstraints::new(&constraints, targets, params.ratio);
    let weighted = terms.rows().iter().map(|&row| reweighted(row, 0.5 + rng.uniform()));
    let terms = DistanceConstraints::from_rows(terms.points().to_vec(), weighted.collect());
    Case { kernel, terms, params }
}

pub(crate) fn reweighted(row: DistanceConstraint, factor: f64) -> DistanceConstraint {
    match row {
        DistanceConstraint::Pair { a, b, sign, target, weight } => {
            DistanceConstraint::Pair { a, b, sign, target, weight: weight * factor }
        }
        DistanceConstraint::Comparison { i, j, k, ratio, is_equality, weight } => {
            DistanceConstraint::Comparison { i, j, k, ratio, is_equality, weight: weight * factor }
        }
    }
}

prop_compose! {
    /// Problems with a solution: wrong constraints only where everything has slack.
    pub(crate) fn problems()(
        n in 8usize..40,
        share in 0.3f64..1.2,
        gamma in prop_oneof![(-1.0f64..3.0).prop_map(|e| 10f64.powf(e)), Just(f64::INFINITY)],
        slack in prop_oneof![Just(Slack::L1), Just(Slack::L2), Just(Slack::None)],
        penalty in (-1.0f64..1.0).prop_map(|e| 10f64.powf(e)),
        noise in prop_oneof![Just(0.0), Just(0.2)],
        seed: u64,
    ) -> Case {
        let is_soft = gamma.is_finite() && slack != Slack::None;
        let params = LogDet { gamma, slack, penalty, tol: 1e-13, ..LogDet::default() };
        let noise = if is_soft { noise } else { 0.0 };
        case(n, ((share * n as f64) as usize).max(3), noise, params, seed)
    }
}
