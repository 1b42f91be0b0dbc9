//! The plain loop: every row in turn, every update on the whole n x n kernel.

use ilk::supervise::logdet::{DistanceConstraint, DistanceConstraints, LogDet, Slack};
use ndarray::{Array1, Array2};

/// A kernel on all points and the duals that it was updated with.
pub(crate) struct Plain {
    pub(crate) kernel: Array2<f64>,
    pub(crate) duals: Vec<f64>,
}

impl Plain {
    pub(crate) fn new(kernel: &Array2<f64>, terms: &DistanceConstraints) -> Self {
        Self { kernel: kernel.clone(), duals: vec![0.0; terms.rows().len()] }
    }

    /// All rows once, each to its best dual.
    pub(crate) fn sweep(&mut self, params: &LogDet, terms: &DistanceConstraints) {
        let points = terms.points();
        for (number, row) in terms.rows().iter().enumerate() {
            match *row {
                DistanceConstraint::Pair { a, b, sign, target, weight } => {
                    let w = self.column(points[a], points[b]);
                    let p = w[points[a]] - w[points[b]];
                    let gamma = params.gamma * weight;
                    let xi = target / (1.0 - sign * self.duals[number] * target / gamma);
                    let share = if gamma.is_finite() { gamma / (gamma + 1.0) } else { 1.0 };
                    let alpha = self.duals[number].min(sign * share * (1.0 / p - 1.0 / xi));
                    let beta = sign * alpha / (1.0 - sign * alpha * p);
                    self.add(beta, &w, &w);
                    self.duals[number] -= alpha;
                }
                DistanceConstraint::Comparison { i, j, k, ratio, is_equality, weight } => {
                    let [i, j, k] = [i, j, k].map(|at| points[at]);
                    let (u, v) = (self.column(i, j), self.column(i, k));
                    let (a, b, c) = (u[i] - u[j], u[i] - u[k], v[i] - v[k]);
                    let (value, curvature_term) = (ratio * a - c, -ratio * (a * c - b * b));
                    let lambda = self.duals[number];
                    let limit = params.penalty * weight;
                    let (low, high) = match (params.slack, is_equality) {
                        (Slack::L1, true) => (-limit, limit),
                        (Slack::L1, false) => (0.0, limit),
                        (_, true) => (f64::NEG_INFINITY, f64::INFINITY),
                        (_, false) => (0.0, f64::INFINITY),
                    };
                    let slope = |t: f64| {
                        let pulled = (value + 2.0 * t * curvature_term)
                            / (1.0 + t * (value + t * curvature_term));
                        match params.slack {
                            Slack::L2 => pulled - (lambda + t) / limit,
                            _ => pulled,
                        }
                    };
                    let t = (lambda + root(slope, value, curvature_term)).clamp(low, high) - lambda;
                    // (I + t P S)^-1, by its formula for 2 x 2.
                    let (m11, m12) = (1.0 + t * ratio * a, -t * b);
                    let (m21, m22) = (t * ratio * b, 1.0 - t * c);
                    let det = m11 * m22 - m12 * m21;
                    let (n11, n12, n21, n22) = (m22 / det, -m12 / det, -m21 / det, m11 / det);
                    self.add(-t * ratio * n11, &u, &u);
                    self.add(-t * ratio * n12, &u, &v);
                    self.add(t * n21, &v, &u);
                    self.add(t * n22, &v, &v);
                    self.duals[number] += t;
                }
            }
        }
    }

    /// K (e_a - e_b).
    fn column(&self, a: usize, b: usize) -> Array1<f64> {
        &self.kernel.row(a) - &self.kernel.row(b)
    }

    fn add(&mut self, factor: f64, left: &Array1<f64>, right: &Array1<f64>) {
        for (mut row, l) in self.kernel.rows_mut().into_iter().zip(left) {
            row.scaled_add(factor * l, right);
        }
    }
}

/// The root of a falling function between the poles of 1 + tT + t²D, by bisection.
fn root(slope: impl Fn(f64) -> f64, value: f64, curvature_term: f64) -> f64 {
    let spread = (value * value - 4.0 * curvature_term).sqrt();
    let poles =
        [(-value - spread) / (2.0 * curvature_term), (-value + spread) / (2.0 * curvature_term)];
    let (mut low, mut high) = (poles[0].min(poles[1]), poles[0].max(poles[1]));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}
