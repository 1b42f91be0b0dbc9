//! Kernels: how alike two points are.

use serde::{Deserialize, Serialize};

use super::Bandwidth;
use crate::numerics::exp::exp_in_place;
use crate::{Error, Result};

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

    /// The weight at squared distance `dist_sq`. Where the bandwidth is 0, points that coincide
    /// have weight 1.
    pub fn weight(self, dist_sq: f64, bandwidth: f64, truncation: f64) -> f64 {
        let t = dist_sq / square(bandwidth * bandwidth);
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

    /// Turns squared distances into weights, all at the same bandwidth.
    pub fn weigh(self, dist_sq: &mut [f64], bandwidth: f64, truncation: f64) {
        let h_sq = square(bandwidth * bandwidth);
        for t in dist_sq.iter_mut() {
            *t /= h_sq;
        }
        self.finish(dist_sq, truncation);
    }

    /// Turns squared distances into weights where each column has a bandwidth of its own, and the
    /// row another: h² is the product of both, so that the kernel is symmetric.
    pub(super) fn weigh_each(self, dist_sq: &mut [f64], own: f64, others: &[f64], truncation: f64) {
        for (t, other) in dist_sq.iter_mut().zip(others) {
            *t /= square(own * other);
        }
        self.finish(dist_sq, truncation);
    }

    /// From t = d²/h² to the weight.
    fn finish(self, t: &mut [f64], truncation: f64) {
        match self {
            Self::Gaussian => {
                replace(t, |t| -0.5 * t);
                exp_in_place(t);
            }
            Self::Rbf => {
                replace(t, |t| -t);
                exp_in_place(t);
            }
            Self::Truncated => {
                replace(t, |t| -t);
                exp_in_place(t);
                replace(t, |value| if value >= truncation { value } else { 0.0 });
            }
            Self::Flat => replace(t, |t| if t <= 1.0 { 1.0 } else { 0.0 }),
            Self::Epanechnikov => replace(t, |t| (1.0 - t).max(0.0)),
        }
    }
}

fn replace(values: &mut [f64], f: impl Fn(f64) -> f64) {
    for x in values {
        *x = f(*x);
    }
}

/// Keeps a squared bandwidth of 0 (all points coincide) from making 0/0 of equal points.
fn square(h_sq: f64) -> f64 {
    h_sq.max(f64::MIN_POSITIVE)
}

/// A kernel, before it has seen the points.
///
/// [`Gram::new`](super::Gram::new) fits it to points and computes its values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Kernel {
    /// A function of the distance over the bandwidth. Where each point has a bandwidth of its own,
    /// h² of a pair is the product of both.
    Radial {
        /// The shape.
        profile: Profile,
        /// The reach.
        bandwidth: Bandwidth,
        /// Where the truncated shape ends: smaller values become 0. Other shapes ignore it.
        truncation: f64,
    },
    /// exp(-d(x, y)²/(s(x) s(y))), with s the distance of a point to its k-th neighbour (SKLR eq. 19).
    /// It is not positive semi-definite in general.
    SelfTuning {
        /// The k of the k-th neighbour; the point itself is not counted.
        neighbors: usize,
    },
    /// x·y.
    Linear,
    /// (scale x·y + offset)^degree.
    Polynomial {
        /// The exponent.
        degree: u32,
        /// What the dot product is multiplied by.
        scale: f64,
        /// What is added to it.
        offset: f64,
    },
}

impl Kernel {
    /// exp(-d²/(2h²)) with this bandwidth.
    pub fn gaussian(bandwidth: Bandwidth) -> Self {
        Self::Radial {
            profile: Profile::Gaussian,
            bandwidth,
            truncation: 0.0,
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        let (parameter, value, expected) = match *self {
            Self::Radial {
                profile: Profile::Truncated,
                truncation,
                ..
            } if !(truncation > 0.0 && truncation <= 1.0) => {
                ("truncation", truncation.to_string(), "above 0, at most 1")
            }
            Self::SelfTuning { neighbors: 0 } => ("neighbors", 0.to_string(), "at least 1"),
            Self::Polynomial { degree: 0, .. } => ("degree", 0.to_string(), "at least 1"),
            Self::Polynomial { scale, .. } if !(scale.is_finite() && scale > 0.0) => {
                ("scale", scale.to_string(), "a finite number above 0")
            }
            Self::Polynomial { offset, .. } if !(offset.is_finite() && offset >= 0.0) => {
                ("offset", offset.to_string(), "a finite number, at least 0")
            }
            _ => return Ok(()),
        };
        Err(Error::BadParameter {
            parameter,
            value,
            expected: format!("it must be {expected}"),
        })
    }
}
