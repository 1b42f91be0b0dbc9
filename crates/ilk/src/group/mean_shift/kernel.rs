//! The kernel of a mean shift.

use serde::{Deserialize, Serialize};

use crate::similarity::Profile;

/// The profile and where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Kernel {
    pub(super) profile: Profile,
    pub(super) truncation: f64,
}

impl Kernel {
    /// The distance, in bandwidths, beyond which the kernel is 0.
    pub(super) fn support(self) -> Option<f64> {
        match self.profile {
            Profile::Gaussian | Profile::Rbf => None,
            Profile::Truncated => Some((-self.truncation.ln()).sqrt()),
            Profile::Flat | Profile::Epanechnikov => Some(1.0),
        }
    }

    /// Whether the kernel jumps where it ends. Mean shift under such a kernel has plateaus: it
    /// stops in many places around one mode.
    pub(super) fn jumps(self) -> bool {
        matches!(self.profile, Profile::Flat | Profile::Truncated)
    }

    /// The factor of |x - x_i|² / h² in the exponent, for kernels without end.
    pub(super) fn exponent(self) -> f64 {
        if self.profile == Profile::Gaussian {
            -0.5
        } else {
            -1.0
        }
    }
}
