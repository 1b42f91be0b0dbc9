//! Parameters as data: names, ranges and defaults that help texts, docs and tests read.

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// A parameter: its name, what it may be, what it is by default.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParameterInfo {
    /// The name, the same in Rust, in Python and on the command line.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub doc: &'static str,
    /// What it may be.
    pub range: Range,
    /// The default, as it would be written on the command line.
    pub default: &'static str,
}

/// The values a parameter may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// A finite number above `min` (or equal to it, if `inclusive`) and at most `max`.
    Number {
        /// Lower end.
        min: f64,
        /// Whether the lower end itself is allowed.
        inclusive: bool,
        /// Upper end, allowed.
        max: f64,
    },
    /// A whole number, both ends allowed.
    Integer {
        /// Lower end.
        min: u64,
        /// Upper end.
        max: u64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// Text in a form that this sentence explains.
    Text(&'static str),
}

impl Range {
    /// Whether a number lies in the range; words and flags hold no numbers.
    pub fn contains(&self, value: f64) -> bool {
        match *self {
            Self::Number {
                min,
                inclusive,
                max,
            } => value.is_finite() && value <= max && (value > min || inclusive && value == min),
            Self::Integer { min, max } => (min as f64..=max as f64).contains(&value),
            Self::Choice(_) | Self::Flag | Self::Text(_) => false,
        }
    }
}

/// Refuses the first of these values that is outside the range of the parameter of its name.
pub(crate) fn check_numbers(
    parameters: &[ParameterInfo],
    values: &[(&'static str, f64)],
) -> Result<()> {
    for &(name, value) in values {
        let info = parameters.iter().find(|info| info.name == name);
        if let Some(info) = info.filter(|info| !info.range.contains(value)) {
            return Err(Error::BadParameter {
                parameter: name,
                value: value.to_string(),
                expected: format!("it must be {}", info.range),
            });
        }
    }
    Ok(())
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Number {
                min,
                inclusive,
                max,
            } => {
                let low = if inclusive { "at least" } else { "above" };
                write!(f, "a number {low} {min}")?;
                if max >= 1e16 && max.is_finite() {
                    write!(f, ", at most {max:e}")
                } else if max.is_finite() {
                    write!(f, ", at most {max}")
                } else {
                    Ok(())
                }
            }
            Self::Integer { min, max: u64::MAX } => write!(f, "a whole number, at least {min}"),
            Self::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Self::Flag => f.write_str("true or false"),
            Self::Text(form) => f.write_str(form),
        }
    }
}

/// The forms that a parameter with several takes in files: a number, a list of numbers, or words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a number, a list of numbers, or a word")]
pub(crate) enum Written {
    Number(f64),
    List(Vec<f64>),
    Text(String),
}

impl Written {
    /// The form of a parameter's text: a number where it is a finite one, a list where it is in
    /// brackets.
    pub(crate) fn of(text: &str) -> Self {
        let list = |text: &str| -> Option<Vec<f64>> {
            let inner = text.strip_prefix('[')?.strip_suffix(']')?;
            inner.split(',').map(|x| x.trim().parse().ok()).collect()
        };
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Self::Number(number),
            _ => list(text).map_or_else(|| Self::Text(text.to_owned()), Self::List),
        }
    }
}

impl std::fmt::Display for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::List(list) => {
                let each: Vec<String> = list.iter().map(f64::to_string).collect();
                write!(f, "[{}]", each.join(", "))
            }
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Gives types that are displayed and parsed their forms in files: a number where it is one, else the
/// text.
macro_rules! written {
    ($($name:ident),*) => {$(
        impl TryFrom<$crate::parameter::Written> for $name {
            type Error = $crate::Error;

            fn try_from(written: $crate::parameter::Written) -> $crate::Result<Self> {
                written.to_string().parse()
            }
        }

        impl From<$name> for $crate::parameter::Written {
            fn from(value: $name) -> Self {
                Self::of(&value.to_string())
            }
        }
    )*};
}
pub(crate) use written;
