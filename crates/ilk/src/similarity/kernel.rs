//! Kernels: how alike two points are.

use serde::{Deserialize, Serialize};

use super::Bandwidth;
use crate::{Error, Result, numerics::exp::exp_in_place};

crate::choice! {
    /// The shape of a radial kernel: its value as a function of the distance d over the bandwidth h.
    pub enum Profile {
        /// exp(-d²/(2h²)).
        Gaussian = "gaussian",
        /// exp(-d²/h²), the scaling of the CMS paper.
        Rbf = "rbf",
        /// exp(-d²/h²), and 0 where that is below the truncation.
        Truncated = "truncated",
        /// 1 up to distance h, 0 beyond.
        Flat = "flat",
        /// 1 - d²/h² up to distance h, 0 beyond.
        Epanechnikov = "epanechnikov",
    }
}

impl Profile {
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

    /// The squared radius of the support, in bandwidths; `None` where it is unbounded.
    pub(crate) fn support_sq(self, truncation: f64) -> Option<f64> {
        match self {
            Self::Gaussian | Self::Rbf => None,
            Self::Truncated => Some(-truncation.ln()),
            Self::Flat | Self::Epanechnikov => Some(1.0),
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
            Self::Gaussian | Self::Rbf | Self::Truncated => {
                let factor = if self == Self::Gaussian { -0.5 } else { -1.0 };
                replace(t, |t| factor * t);
                exp_in_place(t);
                if self == Self::Truncated {
                    replace(t, |value| if value >= truncation { value } else { 0.0 });
                }
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

/// A kernel whose bandwidth may still be a rule.
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
        /// The bandwidth h.
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
        Self::Radial { profile: Profile::Gaussian, bandwidth, truncation: 0.0 }
    }

    /// The same kernel as a radial one or a polynomial.
    pub(super) fn general(&self) -> Self {
        match *self {
            Self::SelfTuning { neighbors } => Self::Radial {
                profile: Profile::Rbf,
                bandwidth: Bandwidth::Neighbor(neighbors),
                truncation: 0.0,
            },
            Self::Linear => Self::Polynomial { degree: 1, scale: 1.0, offset: 0.0 },
            _ => self.clone(),
        }
    }

    /// Turns dot products into values, of a polynomial; others leave them.
    pub(super) fn of_dots(&self, dots: &mut [f64]) {
        if let Self::Polynomial { degree, scale, offset } = *self {
            let degree = i32::try_from(degree).unwrap_or(i32::MAX);
            replace(dots, |dot| (scale * dot + offset).powi(degree));
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        let (parameter, value, expected) = match *self {
            Self::Radial { profile: Profile::Truncated, truncation, .. }
                if !(truncation > 0.0 && truncation <= 1.0) =>
            {
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
        let expected = format!("it must be {expected}");
        Err(Error::bad_parameter(parameter, value, expected))
    }
}
