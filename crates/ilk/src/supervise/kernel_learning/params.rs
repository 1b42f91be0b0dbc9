//! The parameters of kernel learning that have several forms: words and numbers.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::parameter::{Written, numbers_in_brackets, out_of_range, word_or_number, written};
use crate::{Error, Result, supervise::logdet::Targets};

/// The width of the Gaussian kernel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[serde(try_from = "Written", into = "Written")]
pub enum Sigma {
    /// Held-out constraints choose where there are enough of them, else [`Divergence`](Self::Divergence).
    #[default]
    Auto,
    /// Of a grid of distances, the one whose kernel has the least divergence: equation (35) of the
    /// SKMS paper, one-sided.
    Divergence,
    /// This number.
    Fixed(f64),
}

/// How strongly pairs pull: the γ of equation (30).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub enum Gamma {
    /// Held-out constraints choose where there are enough of them, else 10.
    Auto,
    /// Two folds of held-out constraints choose, as in section 6.4 of the SKMS paper.
    TwoFold,
    /// This number; infinity makes targets hard.
    Fixed(f64),
}

impl Gamma {
    /// What measures best where nothing else is known.
    pub const DEFAULT: f64 = 10.0;
}

impl Default for Gamma {
    fn default() -> Self {
        Self::Fixed(Self::DEFAULT)
    }
}

/// How much of the kernel is kept before it is learned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[serde(try_from = "Written", into = "Written")]
pub enum Rank {
    /// Held-out constraints choose between all of it and its largest part, where there are enough of
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

word_or_number!(
    Sigma in "auto, divergence, or a number above 0", "sigma":
    Auto = "auto", Divergence = "divergence"; is_positive
);

word_or_number!(
    Gamma in "a number above 0, inf, auto, or two_fold", "gamma":
    Auto = "auto", TwoFold = "two_fold"; |gamma| gamma > 0.0
);

written!(
    Rank in "auto, exact, trace, trace(SHARE), frobenius, frobenius(SHARE), or a whole number from 1",
    |rank| match *rank {
        Rank::Trace(share) | Rank::Frobenius(share) => share > 0.0 && share <= 1.0,
        Rank::Dimensions(dims) => dims > 0,
        Rank::Auto | Rank::Exact => true,
    }
);

written!(
    TargetRule in "auto, or [MUST, CANNOT] with 0 < MUST < CANNOT, squared distances in kernel space",
    |targets| match *targets {
        TargetRule::Fixed(Targets { must, cannot }) => {
            is_positive(must) && is_positive(cannot) && must < cannot
        }
        TargetRule::Auto => true,
    }
);

fn is_positive(x: f64) -> bool {
    x.is_finite() && x > 0.0
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

impl FromStr for Rank {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let trimmed = text.trim();
        let share = |rule: &str| -> Option<f64> {
            let inner = trimmed.strip_prefix(rule)?.strip_prefix('(')?;
            inner.strip_suffix(')')?.trim().parse().ok()
        };
        match trimmed {
            "auto" => Ok(Self::Auto),
            "exact" => Ok(Self::Exact),
            "trace" => Ok(Self::Trace(SHARE)),
            "frobenius" => Ok(Self::Frobenius(SHARE)),
            _ => (share("trace").map(Self::Trace))
                .or_else(|| share("frobenius").map(Self::Frobenius))
                .or_else(|| trimmed.parse().map(Self::Dimensions).ok())
                .ok_or_else(|| out_of_range::<Self>("rank", text)),
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

impl FromStr for TargetRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text.trim() == "auto" {
            return Ok(Self::Auto);
        }
        match numbers_in_brackets(text).as_deref() {
            Some(&[must, cannot]) => Ok(Self::Fixed(Targets { must, cannot })),
            _ => Err(out_of_range::<Self>("targets", text)),
        }
    }
}
