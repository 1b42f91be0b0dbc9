//! Kernels.

use serde::{Deserialize, Serialize};

/// The shape of a radial kernel: its value as a function of the distance d over the bandwidth h.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// exp(-d²/(2h²)).
    Gaussian,
    /// exp(-d²/h²), the scaling of the CMS paper.
    Rbf,
    /// exp(-d²/h²), and 0 where that is below the truncation.
    Truncated,
    /// 1 up to distance h, 0 beyond.
    Flat,
    /// 1 - d²/h² up to distance h, 0 beyond.
    Epanechnikov,
}

impl Profile {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] =
        &["gaussian", "rbf", "truncated", "flat", "epanechnikov"];

    /// The weight at squared distance `dist_sq`.
    pub fn weight(self, dist_sq: f64, bandwidth: f64, truncation: f64) -> f64 {
        let t = dist_sq / (bandwidth * bandwidth);
        match self {
            Self::Gaussian => (-0.5 * t).exp(),
            Self::Rbf => (-t).exp(),
            Self::Truncated => {
                let value = (-t).exp();
                if value >= truncation { value } else { 0.0 }
            }
            Self::Flat => f64::from(u8::from(t <= 1.0)),
            Self::Epanechnikov => (1.0 - t).max(0.0),
        }
    }
}
