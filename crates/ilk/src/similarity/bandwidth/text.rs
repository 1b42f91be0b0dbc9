//! The bandwidth as text and in files.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::Bandwidth;
use crate::{Error, Result};

const FORMS: &str =
    "a number above 0, auto, percentile(SHARE), neighbor(K), silverman, or a list [H, H, ...]";

impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Fixed(h) => write!(f, "{h}"),
            Self::PerPoint(each) => {
                f.write_str("[")?;
                for (i, h) in each.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}{h}")?;
                }
                f.write_str("]")
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
            _ => trimmed
                .parse()
                .map(Self::Fixed)
                .ok()
                .or_else(|| {
                    let share = argument(trimmed, "percentile(", ")")?;
                    share.parse().map(Self::Percentile).ok()
                })
                .or_else(|| {
                    let k = argument(trimmed, "neighbor(", ")")?;
                    k.parse().map(Self::Neighbor).ok()
                })
                .or_else(|| {
                    let list = argument(trimmed, "[", "]")?;
                    let numbers = list.split(',').map(|h| h.trim().parse());
                    numbers
                        .collect::<std::result::Result<_, _>>()
                        .map(Self::PerPoint)
                        .ok()
                }),
        };
        parsed.ok_or_else(|| Error::BadParameter {
            parameter: "bandwidth",
            value: text.to_owned(),
            expected: format!("it must be {FORMS}"),
        })
    }
}

fn argument<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    Some(text.strip_prefix(open)?.strip_suffix(close)?.trim())
}

impl Serialize for Bandwidth {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Fixed(h) => serializer.serialize_f64(*h),
            Self::PerPoint(each) => each.serialize(serializer),
            rule => serializer.collect_str(rule),
        }
    }
}

impl<'de> Deserialize<'de> for Bandwidth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(AnyForm)
    }
}

struct AnyForm;

impl<'de> Visitor<'de> for AnyForm {
    type Value = Bandwidth;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a bandwidth: {FORMS}")
    }

    fn visit_f64<E>(self, h: f64) -> std::result::Result<Bandwidth, E> {
        Ok(Bandwidth::Fixed(h))
    }

    fn visit_i64<E>(self, h: i64) -> std::result::Result<Bandwidth, E> {
        Ok(Bandwidth::Fixed(h as f64))
    }

    fn visit_u64<E>(self, h: u64) -> std::result::Result<Bandwidth, E> {
        Ok(Bandwidth::Fixed(h as f64))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> std::result::Result<Bandwidth, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_unit<E>(self) -> std::result::Result<Bandwidth, E> {
        Ok(Bandwidth::Auto)
    }

    fn visit_none<E>(self) -> std::result::Result<Bandwidth, E> {
        Ok(Bandwidth::Auto)
    }

    fn visit_some<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Bandwidth, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(
        self,
        mut items: A,
    ) -> std::result::Result<Bandwidth, A::Error> {
        let mut each = Vec::with_capacity(items.size_hint().unwrap_or(0).min(1 << 16));
        while let Some(h) = items.next_element()? {
            each.push(h);
        }
        Ok(Bandwidth::PerPoint(each))
    }
}
