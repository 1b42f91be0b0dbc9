//! The bandwidth as text and in files.

use std::fmt;
use std::result::Result as StdResult;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error as _};

use super::Bandwidth;
use crate::parameter::{ParameterValue, Range, Written, numbers};
use crate::{Error, Result};

const FORMS: &str =
    "a number above 0, auto, percentile(SHARE), neighbor(K), silverman, or a list [H, H, ...]";

impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Fixed(h) => write!(f, "{h}"),
            Self::PerPoint(each) => Written::List(each.clone()).fmt(f),
            Self::Percentile(share) => write!(f, "percentile({share})"),
            Self::Neighbor(k) => write!(f, "neighbor({k})"),
            Self::Silverman => f.write_str("silverman"),
        }
    }
}

impl FromStr for Bandwidth {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let trimmed = text.trim();
        let parsed = match trimmed {
            "auto" => Some(Self::Auto),
            "silverman" => Some(Self::Silverman),
            _ => {
                if let Some(share) = argument(trimmed, "percentile(", ")") {
                    share.parse().map(Self::Percentile).ok()
                } else if let Some(k) = argument(trimmed, "neighbor(", ")") {
                    k.parse().map(Self::Neighbor).ok()
                } else if let Some(list) = argument(trimmed, "[", "]") {
                    numbers(list).map(Self::PerPoint)
                } else {
                    trimmed.parse().map(Self::Fixed).ok()
                }
            }
        };
        parsed.ok_or_else(|| Error::bad_parameter("bandwidth", text, format!("it must be {FORMS}")))
    }
}

fn argument<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    Some(text.strip_prefix(open)?.strip_suffix(close)?.trim())
}

impl From<Bandwidth> for Written {
    fn from(bandwidth: Bandwidth) -> Self {
        match bandwidth {
            Bandwidth::Fixed(h) => Self::Number(h),
            Bandwidth::PerPoint(each) => Self::List(each),
            rule => Self::Text(rule.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Bandwidth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> StdResult<Self, D::Error> {
        let written = Option::<Written>::deserialize(deserializer)
            .map_err(|error| D::Error::custom(format!("{error}: it is a bandwidth: {FORMS}")))?;
        Ok(match written {
            None => Self::Auto,
            Some(Written::Integer(h)) => Self::Fixed(h as f64),
            Some(Written::Number(h)) => Self::Fixed(h),
            Some(Written::List(each)) => Self::PerPoint(each),
            Some(Written::Text(text)) => text.parse().map_err(D::Error::custom)?,
        })
    }
}

impl ParameterValue for Bandwidth {
    const RANGE: Range = Range::Text(FORMS);

    fn text(&self) -> String {
        self.to_string()
    }

    // Whether it suits the points is known when it is resolved.
    fn is_in(&self, _: &Range) -> bool {
        true
    }
}
