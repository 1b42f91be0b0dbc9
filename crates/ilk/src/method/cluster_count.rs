//! A number of clusters that may be left open.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::parameter::{Written, written};
use crate::{Error, Result};

/// A number of clusters; in files `"auto"` or a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub enum ClusterCount {
    /// By the largest gap in the spectrum, from 2 to 15.
    Auto,
    /// This many.
    Fixed(usize),
}

/// What a number of clusters may be.
pub(super) const COUNT_FORMS: &str = "a whole number, at least 1, or auto";

pub(super) fn not_a_count(text: &str) -> Error {
    Error::BadParameter {
        parameter: "n_clusters",
        value: text.to_owned(),
        expected: format!("it must be {COUNT_FORMS}"),
    }
}

impl fmt::Display for ClusterCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Fixed(k) => write!(f, "{k}"),
        }
    }
}

impl FromStr for ClusterCount {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text.trim() == "auto" {
            return Ok(Self::Auto);
        }
        let number = text.trim().parse().map_err(|_| not_a_count(text));
        number.map(Self::Fixed)
    }
}

written!(ClusterCount);
