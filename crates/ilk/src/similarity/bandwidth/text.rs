//! The bandwidth as text and in files.

use std::fmt;
use std::result::Result as StdResult;
use std::str::FromStr;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::Bandwidth;
use crate::parameter::{ParameterValue, Range};
use crate::{Error, Result};

const FORMS: &str =
    "a number above 0, auto, percentile(SHARE), neighbor(K), silverman, or a list [H, H, ...]";

impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Fixed(h) => write!(f, "{h}"),
            Self::PerPoint(each) => {
                let each: Vec<String> = each.iter().map(f64::to_string).collect();
                write!(f, "[{}]", each.join(", "))
            }
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
                    let numbers = list.split(',').map(|h| h.trim().parse().ok());
                    numbers.collect::<Option<_>>().map(Self::PerPoint)
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

impl Serialize for Bandwidth {
    fn serialize<S: Serializer>(&self, serializer: S) -> StdResult<S::Ok, S::Error> {
        match self {
            Self::Fixed(h) => serializer.serialize_f64(*h),
            Self::PerPoint(each) => each.serialize(serializer),
            rule => serializer.collect_str(rule),
        }
    }
}

impl<'de> Deserialize<'de> for Bandwidth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> StdResult<Self, D::Error> {
        deserializer.deserialize_any(AnyForm)
    }
}

struct AnyForm;

impl<'de> Visitor<'de> for AnyForm {
    type Value = Bandwidth;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a bandwidth: {FORMS}")
    }

    fn visit_f64<E>(self, h: f64) -> StdResult<Bandwidth, E> {
        Ok(Bandwidth::Fixed(h))
    }

    fn visit_i64<E>(self, h: i64) -> StdResult<Bandwidth, E> {
        Ok(Bandwidth::Fixed(h as f64))
    }

    fn visit_u64<E>(self, h: u64) -> StdResult<Bandwidth, E> {
        Ok(Bandwidth::Fixed(h as f64))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> StdResult<Bandwidth, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_unit<E>(self) -> StdResult<Bandwidth, E> {
        Ok(Bandwidth::Auto)
    }

    fn visit_none<E>(self) -> StdResult<Bandwidth, E> {
        Ok(Bandwidth::Auto)
    }

    fn visit_some<D: Deserializer<'de>>(self, some: D) -> StdResult<Bandwidth, D::Error> {
        some.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> StdResult<Bandwidth, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(items)).map(Bandwidth::PerPoint)
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
