//! Parameters with several forms, in files: a number, a list of numbers, or words.

use serde::{Deserialize, Serialize};

use super::ParameterValue;
use crate::{Error, Result};

/// The forms that a parameter with several takes in files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a number, a list of numbers, or a word")]
pub enum Written {
    /// A number of things.
    Integer(u64),
    /// A number.
    Number(f64),
    /// A list of numbers.
    List(Vec<f64>),
    /// Words.
    Text(String),
}

impl Written {
    /// The form of a parameter's text: a number where it is a finite one, a list where it is in
    /// brackets.
    pub fn of(text: &str) -> Self {
        let list = |text: &str| numbers(text.strip_prefix('[')?.strip_suffix(']')?);
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Self::Number(number),
            _ => list(text).map_or_else(|| Self::Text(text.to_owned()), Self::List),
        }
    }
}

/// The numbers between commas.
pub(crate) fn numbers(list: &str) -> Option<Vec<f64>> {
    list.split(',').map(|x| x.trim().parse().ok()).collect()
}

/// The numbers of a list whose brackets may be square, round or left out.
pub(crate) fn numbers_in_brackets(text: &str) -> Option<Vec<f64>> {
    let text = text.trim();
    let inner = text.strip_prefix(['[', '(']).and_then(|rest| rest.strip_suffix([']', ')']));
    numbers(inner.unwrap_or(text))
}

impl std::fmt::Display for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer(number) => write!(f, "{number}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::List(list) => {
                let each: Vec<String> = list.iter().map(f64::to_string).collect();
                write!(f, "[{}]", each.join(", "))
            }
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// The error of a parameter of type `T` with a value that it cannot have.
pub(crate) fn out_of_range<T: ParameterValue>(parameter: &'static str, value: &str) -> Error {
    Error::bad_parameter(parameter, value, format!("it must be {}", T::RANGE))
}

/// Refuses a value that is none of its type's forms.
pub(crate) fn check_form<T: ParameterValue>(parameter: &'static str, value: &T) -> Result<()> {
    if value.is_in(&T::RANGE) { Ok(()) } else { Err(out_of_range::<T>(parameter, &value.text())) }
}

/// Gives types that are displayed and parsed their forms in files, and the forms that they may have as
/// parameters: `written!(Rank in "auto, exact, ...", |rank| rank.is_valid())`.
macro_rules! written {
    ($name:ident in $forms:expr, $is_valid:expr) => {
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

        impl $crate::parameter::ParameterValue for $name {
            const RANGE: $crate::parameter::Range = $crate::parameter::Range::Text($forms);

            fn text(&self) -> String {
                self.to_string()
            }

            fn is_in(&self, _: &$crate::parameter::Range) -> bool {
                let is_valid: fn(&$name) -> bool = $is_valid;
                is_valid(self)
            }
        }
    };
}
pub(crate) use written;

/// As [`written!`] for an enum of words and a variant `Fixed` with a number, which is displayed and
/// parsed here: `word_or_number!(Sigma in "auto, or a number", "sigma": Auto = "auto"; |x| x > 0.0)`.
macro_rules! word_or_number {
    (
        $name:ident in $forms:expr, $parameter:literal: $($variant:ident = $word:literal),+; $is_valid:expr
    ) => {
        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $(Self::$variant => f.write_str($word),)+
                    Self::Fixed(number) => write!(f, "{number}"),
                }
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::Error;

            fn from_str(text: &str) -> $crate::Result<Self> {
                match text.trim() {
                    $($word => Ok(Self::$variant),)+
                    number => number
                        .parse()
                        .map(Self::Fixed)
                        .map_err(|_| $crate::parameter::out_of_range::<Self>($parameter, text)),
                }
            }
        }

        $crate::parameter::written!($name in $forms, |value| match *value {
            $($name::$variant => true,)+
            $name::Fixed(number) => {
                let is_valid: fn(f64) -> bool = $is_valid;
                is_valid(number)
            }
        });
    };
}
pub(crate) use word_or_number;
