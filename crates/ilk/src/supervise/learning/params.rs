//! What can be said about how a kernel is learned: words, numbers, and what they mean.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::parameter::{Written, written};
use crate::supervise::logdet::Targets;
use crate::{Error, Result};

/// The width of the Gaussian kernel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[serde(try_from = "Written", into = "Written")]
pub enum Sigma {
    /// Held-out answers choose where there are enough of them, else [`Divergence`](Self::Divergence).
    #[default]
    Auto,
    /// Of a grid of distances, the one whose kernel needs the least bending: equation (35) of the
    /// SKMS paper, one-sided.
    Divergence,
    /// This number.
    Fixed(f64),
}

/// How strongly pairs pull: the γ of equation (30).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub enum Gamma {
    /// Held-out answers choose where there are enough of them, else 10.
    Auto,
    /// Two folds of held-out answers choose, as in section 6.4 of the SKMS paper.
    TwoFold,
    /// This number; infinity makes targets hard.
    Fixed(f64),
}

impl Gamma {
    /// What measures best where nothing else is known.
    pub const USUAL: f64 = 10.0;
}

impl Default for Gamma {
    fn default() -> Self {
        Self::Fixed(Self::USUAL)
    }
}

/// How much of the kernel is kept before it is bent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[serde(try_from = "Written", into = "Written")]
pub enum Rank {
    /// Held-out answers choose between all of it and its largest part, where there are enough of
    /// them, else [`Exact`](Self::Exact).
    #[default]
    Auto,
    /// All of it.
    Exact,
    /// The largest eigenvalues that make up this share of their sum.
    Trace(f64),
    /// The largest eigenvalues that make up this share of the Frobenius norm (the papers' rule; it
    /// keeps few).
    Frobenius(f64),
    /// This many dimensions.
    Dimensions(usize),
}

/// The share of [`Rank::Trace`] and [`Rank::Frobenius`] where none is given.
const SHARE: f64 = 0.99;

/// The squared distances to which must-links are pulled and cannot-links pushed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[serde(try_from = "Written", into = "Written")]
pub enum TargetRule {
    /// From the distances in kernel space, section 6.1 of the SKMS paper.
    #[default]
    Auto,
    /// These.
    Fixed(Targets),
}

pub(crate) const SIGMA_FORMS: &str = "auto, divergence, or a number above 0";
pub(crate) const GAMMA_FORMS: &str = "a number above 0, inf, auto, or two_fold";
pub(crate) const RANK_FORMS: &str = "auto, exact, trace, trace(SHARE), frobenius, \
                                     frobenius(SHARE), or a whole number from 1";
pub(crate) const TARGET_FORMS: &str =
    "auto, or [MUST, CANNOT] with 0 < MUST < CANNOT, squared distances in kernel space";

fn bad(parameter: &'static str, value: &dyn fmt::Display, forms: &str) -> Error {
    Error::BadParameter {
        parameter,
        value: value.to_string(),
        expected: format!("it must be {forms}"),
    }
}

fn is_positive(x: f64) -> bool {
    x.is_finite() && x > 0.0
}

impl Sigma {
    pub(crate) fn check(self) -> Result<()> {
        match self {
            Self::Fixed(sigma) if !is_positive(sigma) => Err(bad("sigma", &self, SIGMA_FORMS)),
            _ => Ok(()),
        }
    }
}

impl Gamma {
    pub(crate) fn check(self) -> Result<()> {
        match self {
            Self::Fixed(gamma) if gamma.is_nan() || gamma <= 0.0 => {
                Err(bad("gamma", &self, GAMMA_FORMS))
            }
            _ => Ok(()),
        }
    }
}

impl Rank {
    pub(crate) fn check(self) -> Result<()> {
        match self {
            Self::Trace(share) | Self::Frobenius(share) if !(share > 0.0 && share <= 1.0) => {
                Err(bad("rank", &self, RANK_FORMS))
            }
            Self::Dimensions(0) => Err(bad("rank", &self, RANK_FORMS)),
            _ => Ok(()),
        }
    }
}

impl TargetRule {
    pub(crate) fn check(self) -> Result<()> {
        match self {
            Self::Fixed(Targets { must, cannot })
                if !(is_positive(must) && is_positive(cannot) && must < cannot) =>
            {
                Err(bad("targets", &self, TARGET_FORMS))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Sigma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Divergence => f.write_str("divergence"),
            Self::Fixed(sigma) => write!(f, "{sigma}"),
        }
    }
}

impl fmt::Display for Gamma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::TwoFold => f.write_str("two_fold"),
            Self::Fixed(gamma) => write!(f, "{gamma}"),
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Exact => f.write_str("exact"),
            Self::Trace(share) if *share == SHARE => f.write_str("trace"),
            Self::Trace(share) => write!(f, "trace({share})"),
            Self::Frobenius(share) if *share == SHARE => f.write_str("frobenius"),
            Self::Frobenius(share) => write!(f, "frobenius({share})"),
            Self::Dimensions(dims) => write!(f, "{dims}"),
        }
    }
}

impl fmt::Display for TargetRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Fixed(targets) => write!(f, "[{}, {}]", targets.must, targets.cannot),
        }
    }
}

impl FromStr for Sigma {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.trim() {
            "auto" => Ok(Self::Auto),
            "divergence" => Ok(Self::Divergence),
            number => number
                .parse()
                .map(Self::Fixed)
                .map_err(|_| bad("sigma", &text, SIGMA_FORMS)),
        }
    }
}

impl FromStr for Gamma {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.trim() {
            "auto" => Ok(Self::Auto),
            "two_fold" => Ok(Self::TwoFold),
            number => number
                .parse()
                .map(Self::Fixed)
                .map_err(|_| bad("gamma", &text, GAMMA_FORMS)),
        }
    }
}

impl FromStr for Rank {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let trimmed = text.trim();
        let share = |rule: &str| -> Option<f64> {
            let inner = trimmed.strip_prefix(rule)?;
            inner
                .strip_prefix('(')?
                .strip_suffix(')')?
                .trim()
                .parse()
                .ok()
        };
        let parsed = match trimmed {
            "auto" => Some(Self::Auto),
            "exact" => Some(Self::Exact),
            "trace" => Some(Self::Trace(SHARE)),
            "frobenius" => Some(Self::Frobenius(SHARE)),
            _ => None,
        };
        parsed
            .or_else(|| share("trace").map(Self::Trace))
            .or_else(|| share("frobenius").map(Self::Frobenius))
            .or_else(|| trimmed.parse().map(Self::Dimensions).ok())
            .ok_or_else(|| bad("rank", &text, RANK_FORMS))
    }
}

impl FromStr for TargetRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let trimmed = text.trim();
        if trimmed == "auto" {
            return Ok(Self::Auto);
        }
        let list = trimmed
            .strip_prefix(['[', '('])
            .and_then(|rest| rest.strip_suffix([']', ')']))
            .unwrap_or(trimmed);
        let numbers: Vec<f64> = list.split(',').flat_map(|x| x.trim().parse()).collect();
        match numbers[..] {
            [must, cannot] if list.split(',').count() == 2 => {
                Ok(Self::Fixed(Targets { must, cannot }))
            }
            _ => Err(bad("targets", &text, TARGET_FORMS)),
        }
    }
}

written!(Sigma, Gamma, Rank, TargetRule);
