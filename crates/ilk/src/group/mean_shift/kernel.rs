//! The kernel of a mean shift.

use serde::{Deserialize, Serialize};

use crate::similarity::Profile;

/// The profile and the value below which a truncated one is 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct TruncatedProfile {
    pub(super) profile: Profile,
    pub(super) truncation: f64,
}

impl TruncatedProfile {
    /// The distance, in bandwidths, beyond which the kernel is 0.
    pub(super) fn support(self) -> Option<f64> {
        self.profile.support_sq(self.truncation).map(f64::sqrt)
    }

    /// Whether the kernel jumps to 0 at the end of its support. Mean shift under such a kernel has
    /// plateaus: it stops at many positions around one mode.
    pub(super) fn jumps(self) -> bool {
        matches!(self.profile, Profile::Flat | Profile::Truncated)
    }

    /// The factor of |x - x_i|² / h² in the exponent, for kernels with unbounded support.
    pub(super) fn exponent(self) -> f64 {
        if self.profile == Profile::Gaussian { -0.5 } else { -1.0 }
    }
}
