//! The arithmetic of one comparison of two distances.

use super::{Slack, sweep::SkipTolerance};

/// Where t* = -T / (2D) is not a number worth using: D is this small a part of ρ a c.
const PARALLEL: f64 = 1e-12;

/// The inner products of u = e_i - e_j and v = e_i - e_k in the kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Form {
    /// a = u'Cu, the squared distance of i and j.
    pub(super) uu: f64,
    /// b = u'Cv.
    pub(super) uv: f64,
    /// c = v'Cv, the squared distance of i and k.
    pub(super) vv: f64,
}

/// A comparison with its slack: T = ρ a - c is to be at most 0 (or 0), λ is its dual.
///
/// Along it, log det changes by log(1 + t T + t² D) with D = -ρ (a c - b²) <= 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comparison {
    pub(super) i: usize,
    pub(super) j: usize,
    pub(super) k: usize,
    /// ρ.
    pub(super) ratio: f64,
    pub(super) is_equality: bool,
    pub(super) slack: Slack,
    /// The penalty times the weight.
    pub(super) penalty: f64,
}

impl Comparison {
    pub(super) fn is_hard(&self) -> bool {
        self.slack == Slack::None
    }

    /// T.
    pub(super) fn value(&self, form: Form) -> f64 {
        self.ratio * form.uu - form.vv
    }

    /// D, exactly 0 where u and v are parallel or one of them is nothing.
    fn curvature_term(&self, form: Form) -> f64 {
        let area = form.uu * form.vv - form.uv * form.uv;
        if area > PARALLEL * form.uu * form.vv { -self.ratio * area } else { 0.0 }
    }

    /// Whether no kernel on these points satisfies it: T > 0 (or not 0) at every scale.
    pub(super) fn is_unattainable(&self, form: Form) -> bool {
        let value = self.value(form);
        let rounding = PARALLEL * (self.ratio * form.uu + form.vv);
        self.curvature_term(form) == 0.0
            && (value > rounding || self.is_equality && value < -rounding)
    }

    /// The range of λ.
    pub(super) fn bounds(&self) -> (f64, f64) {
        let most = match self.slack {
            Slack::L1 => self.penalty,
            Slack::L2 | Slack::None => f64::INFINITY,
        };
        (if self.is_equality { -most } else { 0.0 }, most)
    }

    /// φ(λ).
    pub(super) fn slack_value(&self, dual: f64) -> f64 {
        match self.slack {
            Slack::L2 => -dual * dual / (2.0 * self.penalty),
            Slack::L1 | Slack::None => 0.0,
        }
    }

    /// φ'(λ).
    pub(super) fn slack_slope(&self, dual: f64) -> f64 {
        match self.slack {
            Slack::L2 => -dual / self.penalty,
            Slack::L1 | Slack::None => 0.0,
        }
    }

    /// -φ''(λ).
    pub(super) fn slack_curvature(&self) -> f64 {
        match self.slack {
            Slack::L2 => 1.0 / self.penalty,
            Slack::L1 | Slack::None => 0.0,
        }
    }

    /// The factor by which the determinant changes when λ changes by `step`, 1 + t T + t² D.
    pub(super) fn determinant(&self, form: Form, step: f64) -> f64 {
        1.0 + step * (self.value(form) + step * self.curvature_term(form))
    }

    /// About how much the slope along this row changes when λ changes by `step`.
    pub(super) fn change(&self, form: Form, step: f64) -> f64 {
        let value = self.value(form);
        step.abs() * (value * value - 2.0 * self.curvature_term(form) + self.slack_curvature())
    }

    /// t* = -T / (2D), the step after which the two sides are equal.
    pub(super) fn projection(&self, form: Form) -> f64 {
        let (value, curvature_term) = (self.value(form), self.curvature_term(form));
        if curvature_term < 0.0 {
            -value / (2.0 * curvature_term)
        } else if value == 0.0 {
            0.0
        } else {
            // The determinant is linear in t: as far as the slack allows. Without slack that is
            // infinitely far, and such a row was left out.
            value.signum() * f64::INFINITY
        }
    }

    /// The dual that maximises log det + φ along this row.
    pub(super) fn best_dual(&self, dual: f64, form: Form) -> f64 {
        let (low, high) = self.bounds();
        let step = if self.slack == Slack::L2 {
            self.penalised_step(dual, self.value(form), self.curvature_term(form))
        } else {
            self.projection(form)
        };
        let best = (dual + step).clamp(low, high);
        if best.is_finite() { best } else { dual }
    }

    /// The root t of (T + 2tD) / (1 + tT + t²D) = (λ + t) / penalty, by Newton's method kept inside
    /// a bracket.
    ///
    /// The left side falls from T at t = 0, so the root lies between 0 and penalty T - λ.
    fn penalised_step(&self, dual: f64, value: f64, curvature_term: f64) -> f64 {
        let end = self.penalty * value - dual;
        let (mut low, mut high) = (end.min(0.0), end.max(0.0));
        let mut t = 0.0;
        for _ in 0..100 {
            let determinant = 1.0 + t * (value + t * curvature_term);
            if determinant <= 0.0 {
                // Past a pole, on the side away from 0.
                if t > 0.0 {
                    high = t;
                } else {
                    low = t;
                }
                t = 0.5 * (low + high);
                continue;
            }
            let slope = (value + 2.0 * t * curvature_term) / determinant;
            let rest = slope - (dual + t) / self.penalty;
            if rest > 0.0 {
                low = t;
            } else {
                high = t;
            }
            let curvature = 2.0 * curvature_term / determinant - slope * slope - 1.0 / self.penalty;
            let mut next = t - rest / curvature;
            if !(next > low && next < high) {
                next = 0.5 * (low + high);
            }
            let moved = (next - t).abs();
            t = next;
            if moved <= 4.0 * f64::EPSILON * (t.abs() + dual.abs()) {
                break;
            }
        }
        t
    }

    /// How far T is from what it is to be.
    fn missed(&self, value: f64) -> f64 {
        if self.is_equality { value.abs() } else { value.max(0.0) }
    }

    /// The row's share of the duality gap.
    pub(super) fn gap(&self, dual: f64, value: f64) -> f64 {
        match self.slack {
            Slack::None => (dual * value).abs(),
            Slack::L1 => (self.penalty * self.missed(value) - dual * value).max(0.0),
            Slack::L2 if self.is_equality || value > 0.0 => {
                (self.penalty * value - dual).powi(2) / (2.0 * self.penalty)
            }
            Slack::L2 => dual * (dual / (2.0 * self.penalty) - value),
        }
    }

    /// Whether the row adds next to nothing to the gap and is hardly violated.
    pub(super) fn is_negligible(&self, dual: f64, form: Form, tolerance: SkipTolerance) -> bool {
        self.gap(dual, self.value(form)) <= tolerance.gap
            && self.violation(form) <= tolerance.violation
    }

    /// The violation of a row without slack, relative to the larger of the two distances.
    pub(super) fn violation(&self, form: Form) -> f64 {
        if !self.is_hard() {
            return 0.0;
        }
        let missed = self.missed(self.value(form));
        let scale = (self.ratio * form.uu).max(form.vv);
        if missed > 0.0 { missed / scale } else { 0.0 }
    }
}
