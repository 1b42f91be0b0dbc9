//! The parameters of a constrained mean shift.

use serde::{Deserialize, Serialize};

use crate::{numerics::weight_products::Shape, similarity::Profile};

/// Factors closer to 1 than this are 1 in double precision: half of the last bit.
const NO_EFFECT: f64 = f64::EPSILON / 4.0;

crate::choice! {
    /// The shape of the kernel, k(d²/h²).
    #[derive(Default)]
    pub enum CmsKernel {
        /// exp(-d²/h²), and 0 where that is below the truncation.
        #[default]
        Truncated = "truncated",
        /// 1 up to distance h, 0 beyond.
        Ball = "ball",
        /// exp(-d²/h²).
        Rbf = "rbf",
    }
}

impl CmsKernel {
    pub(super) fn profile(self) -> Profile {
        match self {
            Self::Truncated => Profile::Truncated,
            Self::Ball => Profile::Flat,
            Self::Rbf => Profile::Rbf,
        }
    }
}

/// When to stop before the last iteration: no centre moves, and every centre and sampling point
/// either lie close together or have a weight near 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EarlyStop {
    /// Centres with a kernel value above this lie close together.
    pub merge_kernel: f64,
    /// A weight below this counts as 0.
    pub merge_weight: f64,
    /// Movement below this length (plus 1e-4 of the coordinate) is none.
    pub min_movement: f64,
}

/// The parameters of a constrained mean shift, resolved to numbers. [`Cms`](crate::method::Cms)
/// chooses them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConstrainedMeanShift {
    /// The bandwidth of every iteration.
    pub bandwidths: Vec<f64>,
    /// The shape of the kernel.
    pub kernel: CmsKernel,
    /// Where the truncated kernel ends.
    pub truncation: f64,
    /// Whether the sampling points are the centres themselves.
    pub blurring: bool,
    /// λ: the width of a constraint's kernel by its length.
    pub constraint_scale: f64,
    /// ε: no constraint's kernel is narrower (unless the bandwidth is).
    pub narrowest: f64,
    /// When to stop early, if ever.
    pub early_stop: Option<EarlyStop>,
    /// Snapshots of the centres to keep, spread evenly over the iterations.
    pub history: usize,
}

impl ConstrainedMeanShift {
    /// The kernel around the ends of a constraint.
    pub(super) fn shape(&self) -> Shape {
        match self.kernel {
            CmsKernel::Truncated => Shape::Truncated { floor: self.truncation },
            CmsKernel::Ball => Shape::Ball,
            CmsKernel::Rbf => Shape::Truncated { floor: NO_EFFECT },
        }
    }

    /// The squared radius of the kernel's support, in bandwidths; where it is unbounded, of the part
    /// that has an effect.
    pub(super) fn radius_sq(&self) -> f64 {
        let support_sq = self.kernel.profile().support_sq(self.truncation);
        support_sq.unwrap_or(-NO_EFFECT.ln())
    }

    /// The kernel at squared distance `dist_sq` with bandwidth `h`.
    pub(super) fn value(&self, dist_sq: f64, h: f64) -> f64 {
        self.kernel.profile().weight(dist_sq, h, self.truncation)
    }

    /// Whether a snapshot is due after this iteration, counted from 1.
    pub(super) fn keeps(&self, iteration: usize) -> bool {
        let (kept, all) = (self.history, self.bandwidths.len());
        kept > 0 && (iteration * kept / all > (iteration - 1) * kept / all || iteration == all)
    }
}
