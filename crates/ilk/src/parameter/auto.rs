//! A value that may be left open.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{ParameterValue, Range, Written};
use crate::{Error, Result};

/// A value, or the word `auto`: then the method chooses one and reports it
/// ([`Chosen`](crate::outcome::Chosen)).
///
/// ```
/// use ilk::parameter::Auto;
///
/// assert_eq!("auto".parse(), Ok(Auto::<usize>::Auto));
/// assert_eq!("7".parse(), Ok(Auto::Fixed(7_usize)));
/// assert_eq!(Auto::from(7).fixed(), Some(7));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(
    try_from = "Written",
    into = "Written",
    bound(serialize = "T: Clone + fmt::Display", deserialize = "T: FromStr + ParameterValue")
)]
pub enum Auto<T> {
    /// The method chooses.
    #[default]
    Auto,
    /// This value.
    Fixed(T),
}

/// The word for an open value.
const AUTO: &str = "auto";

impl<T> Auto<T> {
    /// The value, where one was given.
    pub fn fixed(self) -> Option<T> {
        match self {
            Self::Auto => None,
            Self::Fixed(value) => Some(value),
        }
    }
}

impl<T> From<T> for Auto<T> {
    fn from(value: T) -> Self {
        Self::Fixed(value)
    }
}

impl<T: fmt::Display> fmt::Display for Auto<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str(AUTO),
            Self::Fixed(value) => value.fmt(f),
        }
    }
}

impl<T: FromStr + ParameterValue> FromStr for Auto<T> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        if text == AUTO {
            return Ok(Self::Auto);
        }
        text.parse().map(Self::Fixed).map_err(|_| Error::NotAValue {
            value: text.to_owned(),
            expected: format!("{}, or {AUTO}", T::RANGE),
        })
    }
}

impl<T: FromStr + ParameterValue> TryFrom<Written> for Auto<T> {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self> {
        written.to_string().parse()
    }
}

impl<T: fmt::Display> From<Auto<T>> for Written {
    fn from(value: Auto<T>) -> Self {
        Self::of(&value.to_string())
    }
}

impl<T: ParameterValue> ParameterValue for Auto<T> {
    const RANGE: Range = T::RANGE;
    const WORD: Option<&'static str> = Some(AUTO);

    fn text(&self) -> String {
        match self {
            Self::Auto => AUTO.to_owned(),
            Self::Fixed(value) => value.text(),
        }
    }

    fn is_in(&self, range: &Range) -> bool {
        match self {
            Self::Auto => true,
            Self::Fixed(value) => value.is_in(range),
        }
    }
}
