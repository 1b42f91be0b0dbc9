//! A value that may be left open.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{ParameterValue, Range, Written};
use crate::error::check_n_clusters;
use crate::{Error, Result};

/// A value, or the word `auto`: then the method chooses one and reports it
/// ([`Chosen`](crate::outcome::Chosen)).
///
/// ```
/// use ilk::parameter::AutoOr;
///
/// assert_eq!("auto".parse(), Ok(AutoOr::<usize>::Auto));
/// assert_eq!("7".parse(), Ok(AutoOr::Fixed(7_usize)));
/// assert_eq!(AutoOr::from(7).fixed(), Some(7));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(
    try_from = "Written",
    into = "Written",
    bound(
        serialize = "T: Clone + fmt::Display + ParameterValue",
        deserialize = "T: FromStr + ParameterValue"
    )
)]
pub enum AutoOr<T> {
    /// The method chooses.
    #[default]
    Auto,
    /// This value.
    Fixed(T),
}

/// The word for an open value.
const AUTO: &str = "auto";

impl<T> AutoOr<T> {
    /// The value, where one was given.
    pub fn fixed(self) -> Option<T> {
        match self {
            Self::Auto => None,
            Self::Fixed(value) => Some(value),
        }
    }
}

impl AutoOr<usize> {
    /// The number of clusters of a grouping of `n` points, which chooses none.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for `auto`, [`Error::TooManyClusters`].
    pub(crate) fn given_n_clusters(self, n: usize) -> Result<usize> {
        let Self::Fixed(k) = self else {
            let expected = "a grouping needs a number; `Method::fit` chooses one";
            return Err(Error::bad_parameter("n_clusters", self, expected));
        };
        check_n_clusters(k, n)?;
        Ok(k)
    }

    /// The number of clusters. A method's `fit` puts a number in place of `auto` before anything is grouped, and a
    /// grouping refuses `auto`, so that one is always there.
    pub(crate) fn resolved(self) -> usize {
        self.fixed().unwrap_or(1)
    }

    /// As [`resolved`](Self::resolved), and at most `n`.
    pub(crate) fn at_most(self, n: usize) -> usize {
        self.resolved().min(n)
    }
}

impl<T> From<T> for AutoOr<T> {
    fn from(value: T) -> Self {
        Self::Fixed(value)
    }
}

impl<T: fmt::Display> fmt::Display for AutoOr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str(AUTO),
            Self::Fixed(value) => value.fmt(f),
        }
    }
}

impl<T: FromStr + ParameterValue> FromStr for AutoOr<T> {
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

impl<T: FromStr + ParameterValue> TryFrom<Written> for AutoOr<T> {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self> {
        written.to_string().parse()
    }
}

impl<T: fmt::Display + ParameterValue> From<AutoOr<T>> for Written {
    fn from(value: AutoOr<T>) -> Self {
        let text = value.to_string();
        match (T::RANGE, text.parse()) {
            (Range::Integer { .. }, Ok(number)) => Self::Integer(number),
            _ => Self::of(&text),
        }
    }
}

impl<T: ParameterValue> ParameterValue for AutoOr<T> {
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
