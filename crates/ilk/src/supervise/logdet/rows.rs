//! All rows of a problem with their slack, and the duality gap.

use std::collections::BTreeMap;

use ndarray::{Array2, ArrayView2};

use super::comparison::{Comparison, Form};
use super::distance_constraints::{DistanceConstraint, DistanceConstraints};
use super::{LogDet, Projection, Slack, pair::PairTerm};
use crate::numerics::linalg::product;

/// A cannot-link between points closer than this part of their kernel values is one between
/// duplicates.
const DUPLICATE: f64 = 1e-12;

/// A is used as a matrix where there are more than c² / 25 rows.
const MANY: usize = 25;

/// Squared distances in a kernel on the constrained points.
pub(super) trait Distances {
    /// The squared distance of two points.
    fn dist_sq(&self, a: usize, b: usize) -> f64;
    /// The inner products of e_i - e_j and e_i - e_k.
    fn form(&self, i: usize, j: usize, k: usize) -> Form;
}

impl Distances for ArrayView2<'_, f64> {
    fn dist_sq(&self, a: usize, b: usize) -> f64 {
        self[[a, a]] + self[[b, b]] - 2.0 * self[[a, b]]
    }

    fn form(&self, i: usize, j: usize, k: usize) -> Form {
        Form {
            uu: self.dist_sq(i, j),
            uv: self[[i, i]] - self[[i, j]] - self[[i, k]] + self[[j, k]],
            vv: self.dist_sq(i, k),
        }
    }
}

/// A row with its slack.
#[derive(Debug, Clone, Copy)]
pub(super) enum SlackedRow {
    Pair(PairTerm),
    Comparison(Comparison),
}

impl SlackedRow {
    /// The range of the dual; a pair's upper end is not itself allowed.
    pub(super) fn bounds(&self) -> (f64, f64) {
        match self {
            Self::Pair(pair) => (0.0, pair.limit()),
            Self::Comparison(comparison) => comparison.bounds(),
        }
    }

    /// tr(C M): δ p, or T.
    pub(super) fn value(&self, kernel: &(impl Distances + ?Sized)) -> f64 {
        match self {
            Self::Pair(pair) => pair.sign * kernel.dist_sq(pair.a, pair.b),
            Self::Comparison(row) => row.value(kernel.form(row.i, row.j, row.k)),
        }
    }

    /// φ(λ).
    pub(super) fn slack_value(&self, dual: f64) -> f64 {
        match self {
            Self::Pair(pair) => pair.slack_value(dual),
            Self::Comparison(comparison) => comparison.slack_value(dual),
        }
    }

    /// φ'(λ).
    pub(super) fn slack_slope(&self, dual: f64) -> f64 {
        match self {
            Self::Pair(pair) => pair.slack_slope(dual),
            Self::Comparison(comparison) => comparison.slack_slope(dual),
        }
    }

    /// -φ''(λ).
    pub(super) fn slack_curvature(&self, dual: f64) -> f64 {
        match self {
            Self::Pair(pair) => pair.slack_curvature(dual),
            Self::Comparison(comparison) => comparison.slack_curvature(),
        }
    }

    /// x'Mx of a vector x of which `difference(a, b)` is x_a - x_b.
    #[inline(always)]
    pub(super) fn quadratic(&self, difference: impl Fn(usize, usize) -> f64) -> f64 {
        let square = |x: f64| x * x;
        match self {
            Self::Pair(pair) => pair.sign * square(difference(pair.a, pair.b)),
            Self::Comparison(row) => {
                row.ratio * square(difference(row.i, row.j)) - square(difference(row.i, row.k))
            }
        }
    }

    /// The row's share of the gap, and its violation if it has no slack.
    fn gap(&self, dual: f64, kernel: &(impl Distances + ?Sized)) -> (f64, f64) {
        match self {
            Self::Pair(pair) => {
                let dist_sq = kernel.dist_sq(pair.a, pair.b);
                (pair.gap(dual, dist_sq), pair.violation(dist_sq))
            }
            Self::Comparison(row) => {
                let form = kernel.form(row.i, row.j, row.k);
                (row.gap(dual, row.value(form)), row.violation(form))
            }
        }
    }

    /// Adds λ M to a matrix.
    pub(super) fn add_to(&self, dual: f64, sum: &mut Array2<f64>) {
        self.for_each_difference(|a, b, factor| {
            let x = factor * dual;
            sum[[a, a]] += x;
            sum[[b, b]] += x;
            sum[[a, b]] -= x;
            sum[[b, a]] -= x;
        });
    }

    /// M as a sum of f (e_a - e_b)(e_a - e_b)': calls `add(a, b, f)` for each.
    pub(super) fn for_each_difference(&self, mut add: impl FnMut(usize, usize, f64)) {
        match self {
            Self::Pair(pair) => add(pair.a, pair.b, pair.sign),
            Self::Comparison(row) => {
                add(row.i, row.j, row.ratio);
                add(row.i, row.k, -1.0);
            }
        }
    }
}

/// The quality of duals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Certificate {
    /// The value of the dual.
    pub(super) dual: f64,
    /// The value of the primal less that.
    pub(super) gap: f64,
    /// The largest relative violation of a row without slack.
    pub(super) violation: f64,
}

/// The rows of a problem. Those that no kernel can satisfy, and no slack absorbs, are left out: their
/// duals stay 0.
#[derive(Debug, Clone)]
pub(super) struct DualRows {
    pub(super) all: Vec<SlackedRow>,
    pub(super) is_left_out: Vec<bool>,
    /// Those that no kernel can satisfy, left out or not.
    pub(super) unattainable: Vec<usize>,
}

impl DualRows {
    pub(super) fn new(
        params: &LogDet,
        terms: &DistanceConstraints,
        start: &impl Distances,
        scale: f64,
    ) -> Self {
        let rows = terms.rows().iter();
        let all: Vec<SlackedRow> = rows.map(|row| slacked(params, row)).collect();
        let mut is_left_out = vec![false; all.len()];
        let mut unattainable = contradictions(&all);
        for (number, row) in all.iter().enumerate() {
            match row {
                SlackedRow::Pair(pair) => {
                    let is_duplicate = start.dist_sq(pair.a, pair.b) <= DUPLICATE * scale;
                    if pair.sign < 0.0 && is_duplicate {
                        unattainable.push(number);
                        is_left_out[number] = true;
                    }
                }
                SlackedRow::Comparison(row) => {
                    if row.is_unattainable(start.form(row.i, row.j, row.k)) {
                        unattainable.push(number);
                        is_left_out[number] = row.slack == Slack::None;
                    }
                }
            }
        }
        unattainable.sort_unstable();
        unattainable.dedup();
        Self { all, is_left_out, unattainable }
    }

    /// The rows that take part, by number.
    pub(super) fn taking_part(&self) -> impl Iterator<Item = (usize, &SlackedRow)> {
        let rows = self.all.iter().enumerate();
        rows.filter(|&(number, _)| !self.is_left_out[number])
    }

    /// The rows without slack that are violated by more than `tolerance` of their target.
    pub(super) fn violated(
        &self,
        kernel: &(impl Distances + ?Sized),
        tolerance: f64,
    ) -> Vec<usize> {
        let violated = |row: &SlackedRow| row.gap(0.0, kernel).1 > tolerance;
        let rows = self.taking_part().filter(|(_, row)| violated(row));
        rows.map(|(number, _)| number).collect()
    }

    /// A, the sum of λ M.
    pub(super) fn sum(&self, c: usize, duals: &[f64]) -> Array2<f64> {
        let mut sum = Array2::zeros((c, c));
        for (row, &dual) in self.all.iter().zip(duals).filter(|(_, dual)| **dual != 0.0) {
            row.add_to(dual, &mut sum);
        }
        sum
    }

    /// A X: row by row of the problem, or through A itself where the rows are many.
    pub(super) fn times(&self, duals: &[f64], x: ArrayView2<'_, f64>) -> Array2<f64> {
        let c = x.nrows();
        let moved = duals.iter().filter(|dual| **dual != 0.0).count();
        if MANY * moved > c * c {
            return product(self.sum(c, duals).view(), x);
        }
        let mut out = Array2::zeros(x.dim());
        for (row, &dual) in self.all.iter().zip(duals).filter(|(_, dual)| **dual != 0.0) {
            row.for_each_difference(|a, b, factor| {
                let difference = &x.row(a) - &x.row(b);
                out.row_mut(a).scaled_add(factor * dual, &difference);
                out.row_mut(b).scaled_add(-(factor * dual), &difference);
            });
        }
        out
    }

    /// The value of the dual where log det (I + C0 A) is known.
    pub(super) fn dual_value(&self, duals: &[f64], log_det: f64) -> f64 {
        let rows = self.taking_part();
        let slack = rows.map(|(number, row)| row.slack_value(duals[number]));
        log_det + slack.sum::<f64>()
    }

    /// The gap at duals and the kernel that belongs to them. Every row adds its share, none of them
    /// negative, so that nothing cancels.
    pub(super) fn certify(
        &self,
        duals: &[f64],
        kernel: &(impl Distances + ?Sized),
        log_det: f64,
    ) -> Certificate {
        let (mut gap, mut violation) = (0.0, 0.0f64);
        for (number, row) in self.taking_part() {
            let (share, missed) = row.gap(duals[number], kernel);
            gap += share;
            violation = violation.max(missed);
        }
        Certificate { dual: self.dual_value(duals, log_det), gap, violation }
    }
}

fn slacked(params: &LogDet, row: &DistanceConstraint) -> SlackedRow {
    match *row {
        DistanceConstraint::Pair { a, b, sign, target, weight } => {
            SlackedRow::Pair(PairTerm { a, b, sign, target, gamma: params.gamma * weight })
        }
        DistanceConstraint::Comparison { i, j, k, ratio, is_equality, weight } => {
            SlackedRow::Comparison(Comparison {
                i,
                j,
                k,
                ratio,
                is_equality,
                slack: match params.projection {
                    Projection::Paper => Slack::None,
                    Projection::Dual | Projection::Sweeps => params.slack,
                },
                penalty: params.penalty * weight,
            })
        }
    }
}

/// The rows of pairs that are to be nearer than one target and farther than another that is larger.
fn contradictions(rows: &[SlackedRow]) -> Vec<usize> {
    let mut pairs: BTreeMap<[usize; 2], Vec<(usize, &PairTerm)>> = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        if let SlackedRow::Pair(pair) = row {
            let points = [pair.a.min(pair.b), pair.a.max(pair.b)];
            pairs.entry(points).or_default().push((number, pair));
        }
    }
    let is_contradiction = |same: &Vec<(usize, &PairTerm)>| {
        let targets = |sign: f64| {
            let those = same.iter().filter(move |(_, pair)| pair.sign == sign);
            those.map(|(_, pair)| pair.target)
        };
        let nearest = targets(1.0).fold(f64::INFINITY, f64::min);
        nearest < targets(-1.0).fold(0.0, f64::max)
    };
    let found = pairs.into_values().filter(is_contradiction).flatten();
    found.map(|(number, _)| number).collect()
}
