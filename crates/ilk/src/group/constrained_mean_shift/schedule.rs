//! The bandwidth of every iteration.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::extent::extent;
use crate::observe::Observer;
use crate::parameter::{Written, numbers_in_brackets, written};
use crate::{Error, Result, problem::Points};

/// The rule for the bandwidth of each iteration.
///
/// As text and in files: `linear`, a number, or a list. A list of two is the first and the last
/// bandwidth with equal steps between; a longer list is the bandwidth of each iteration, the last
/// one staying.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub enum Schedule {
    /// In equal steps from the smallest distance above 0 to the largest (section 4.3 of the paper).
    #[default]
    Linear,
    /// The same in all iterations.
    Fixed(f64),
    /// In equal steps from the first to the second.
    Between(f64, f64),
    /// One an iteration; the last one stays.
    Given(Vec<f64>),
}

const FORMS: &str = "linear, a number above 0, or a list of numbers above 0: [FIRST, LAST], or one \
                     an iteration";

impl Schedule {
    /// The bandwidths of `iterations` iterations on these points.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a bandwidth that is not above 0; [`Error::Cancelled`].
    pub fn resolve(
        &self,
        points: &Points,
        iterations: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        self.check()?;
        Ok(match self {
            Self::Linear => {
                let (low, high) = extent(points, observer)?.unwrap_or((1.0, 1.0));
                steps(low, high, iterations)
            }
            Self::Fixed(h) => vec![*h; iterations],
            Self::Between(low, high) => steps(*low, *high, iterations),
            Self::Given(each) => {
                let last = each.last().copied().into_iter();
                let each = each.iter().copied();
                each.chain(last.cycle()).take(iterations).collect()
            }
        })
    }

    fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Linear => Vec::new(),
            Self::Fixed(h) => vec![*h],
            Self::Between(low, high) => vec![*low, *high],
            Self::Given(each) => each.clone(),
        }
    }

    fn check(&self) -> Result<()> {
        let positive = |h: &f64| h.is_finite() && *h > 0.0;
        let empty = matches!(self, Self::Given(each) if each.is_empty());
        if empty || !self.numbers().iter().all(positive) {
            return Err(bad(&self.to_string()));
        }
        Ok(())
    }

    fn from_list(list: Vec<f64>) -> Self {
        match list[..] {
            [h] => Self::Fixed(h),
            [low, high] => Self::Between(low, high),
            _ => Self::Given(list),
        }
    }
}

fn bad(value: &str) -> Error {
    Error::BadParameter {
        parameter: "bandwidth",
        value: value.to_owned(),
        expected: format!("it must be {FORMS}"),
    }
}

fn steps(low: f64, high: f64, iterations: usize) -> Vec<f64> {
    let last = iterations.saturating_sub(1).max(1) as f64;
    (0..iterations).map(|i| low + i as f64 / last * (high - low)).collect()
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linear => f.write_str("linear"),
            Self::Fixed(h) => write!(f, "{h}"),
            Self::Between(..) | Self::Given(_) => Written::List(self.numbers()).fmt(f),
        }
    }
}

impl FromStr for Schedule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let trimmed = text.trim();
        if trimmed == "linear" {
            return Ok(Self::Linear);
        }
        if let Ok(h) = trimmed.parse() {
            return Ok(Self::Fixed(h));
        }
        numbers_in_brackets(trimmed).map(Self::from_list).ok_or_else(|| bad(text))
    }
}

written!(Schedule in FORMS, |schedule| schedule.check().is_ok());
