//! The arithmetic of one must-link or cannot-link.

use super::sweep::SkipTolerance;

/// A pair with its slack. p is the squared distance of its points, λ >= 0 its dual, δ its sign.
///
/// Its term of the dual is φ(λ) = γ log(1 - δ λ ξ0 / γ), and its target at λ is
/// ξ = ξ0 / (1 - δ λ ξ0 / γ). Without slack (γ infinite), φ = -δ λ ξ0 and ξ = ξ0.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairTerm {
    pub(super) a: usize,
    pub(super) b: usize,
    /// δ.
    pub(super) sign: f64,
    /// ξ0.
    pub(super) target: f64,
    /// γ times the weight.
    pub(super) gamma: f64,
}

impl PairTerm {
    pub(super) fn is_hard(&self) -> bool {
        self.gamma == f64::INFINITY
    }

    /// 1 - δ λ ξ0 / γ, which must stay positive.
    fn room(&self, dual: f64) -> f64 {
        1.0 - self.sign * dual * self.target / self.gamma
    }

    /// The largest dual, not itself allowed.
    pub(super) fn limit(&self) -> f64 {
        if self.sign > 0.0 { self.gamma / self.target } else { f64::INFINITY }
    }

    /// ξ at λ.
    pub(super) fn target_at(&self, dual: f64) -> f64 {
        self.target / self.room(dual)
    }

    /// φ(λ).
    pub(super) fn slack_value(&self, dual: f64) -> f64 {
        let lost = self.sign * dual * self.target;
        if self.is_hard() { -lost } else { self.gamma * (-lost / self.gamma).ln_1p() }
    }

    /// φ'(λ) = -δ ξ.
    pub(super) fn slack_slope(&self, dual: f64) -> f64 {
        -self.sign * self.target_at(dual)
    }

    /// -φ''(λ) = ξ² / γ.
    pub(super) fn slack_curvature(&self, dual: f64) -> f64 {
        let target = self.target_at(dual);
        target * target / self.gamma
    }

    /// The dual that maximises log det + φ along this row: the update,
    /// t = δ γ/(γ+1) (1/ξ - 1/p), cut at 0.
    pub(super) fn best_dual(&self, dual: f64, dist_sq: f64) -> f64 {
        let share = if self.is_hard() { 1.0 } else { self.gamma / (self.gamma + 1.0) };
        let step = self.sign * share * (1.0 / self.target_at(dual) - 1.0 / dist_sq);
        (dual + step).max(0.0)
    }

    /// The row's share of the duality gap; not negative, and 0 only at the optimum.
    ///
    /// With slack it is γ h(p / ξ), h(x) = x - 1 - log x, where p misses ξ0, and
    /// -δ λ p - φ(λ) where it does not.
    pub(super) fn gap(&self, dual: f64, dist_sq: f64) -> f64 {
        if self.is_hard() {
            return (dual * (dist_sq - self.target)).abs();
        }
        if self.sign * (dist_sq - self.target) > 0.0 {
            let target = self.target_at(dual);
            let off = (dist_sq - target) / target;
            self.gamma * (off - off.ln_1p())
        } else {
            -self.sign * dual * dist_sq - self.slack_value(dual)
        }
    }

    /// Whether the row adds next to nothing to the gap and is hardly violated, by
    /// a bound that takes no logarithm: h(1 + e) <= e² (1/2 + |e|) for |e| <= 0.3.
    pub(super) fn is_negligible(&self, dual: f64, dist_sq: f64, tolerance: SkipTolerance) -> bool {
        if dual == 0.0 && self.sign * (dist_sq - self.target) <= 0.0 {
            return true;
        }
        if self.is_hard() {
            return self.gap(dual, dist_sq) <= tolerance.gap
                && self.violation(dist_sq) <= tolerance.violation;
        }
        let target = self.target_at(dual);
        let off = ((dist_sq - target) / target).abs();
        self.sign * (dist_sq - self.target) > 0.0
            && off <= 0.3
            && self.gamma * off * off * (0.5 + off) <= tolerance.gap
    }

    /// The violation of a row without slack, relative to its target.
    pub(super) fn violation(&self, dist_sq: f64) -> f64 {
        if self.is_hard() {
            (self.sign * (dist_sq - self.target) / self.target).max(0.0)
        } else {
            0.0
        }
    }
}
