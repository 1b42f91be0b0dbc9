//! Parameters as data: declared once, read by checks, files, help texts, docs and tests.
//!
//! [`parameters!`](crate::parameters) declares a struct of parameters and yields its defaults, its table
//! of [`ParameterInfo`], its check and its serde form. [`choice!`](crate::choice) declares a parameter that is
//! one of some words. [`AutoOr`] is a value that may be left open.

mod auto_or;
mod declare;
mod value;
mod written;

pub use auto_or::AutoOr;
pub use value::ParameterValue;
pub(crate) use written::{
    Written, check_form, numbers, numbers_in_brackets, out_of_range, word_or_number, written,
};

use crate::{Error, Result};

/// A parameter: its name, what it may be, what it is by default.
#[derive(Debug, Clone, Copy)]
pub struct ParameterInfo {
    /// The name, the same in Rust, in Python and on the command line.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub doc: &'static str,
    /// What it may be.
    pub range: Range,
    /// The word that may stand in place of a value: `auto`, or `none`.
    pub word: Option<&'static str>,
    /// Writes the default; see [`default`](Self::default).
    #[doc(hidden)]
    pub write_default: fn() -> String,
}

impl ParameterInfo {
    /// The default, as it would be written on the command line.
    pub fn default(&self) -> String {
        (self.write_default)()
    }

    /// What it may be, with the word that may stand in place of a value.
    pub fn expected(&self) -> String {
        let range = self.range.to_string();
        match self.word {
            Some(word) if !range.contains(word) => format!("{range}, or {word}"),
            _ => range,
        }
    }

    /// Refuses a value outside the range.
    ///
    /// # Errors
    /// [`Error::BadParameter`].
    pub fn check(&self, value: &impl ParameterValue) -> Result<()> {
        if value.is_in(&self.range) {
            return Ok(());
        }
        let expected = format!("it must be {}", self.expected());
        Err(Error::bad_parameter(self.name, value.text(), expected))
    }
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
    /// A whole number, at least 1.
    pub const COUNT: Self = Self::at_least(1);
    /// A number of runs of which the best is kept: from 1 to 10,000, as more never end and find nothing better.
    pub const RUNS: Self = Self::Integer { min: 1, max: 10_000 };
    /// Any number above 0.
    pub const POSITIVE: Self = Self::above(0.0, f64::INFINITY);
    /// Any number from 0.
    pub const NOT_NEGATIVE: Self = Self::between(0.0, f64::INFINITY);
    /// A number from 0 to 1.
    pub const SHARE: Self = Self::between(0.0, 1.0);

    /// A whole number, at least `min`.
    pub const fn at_least(min: u64) -> Self {
        Self::Integer { min, max: u64::MAX }
    }

    /// A number above `min`, at most `max`.
    pub const fn above(min: f64, max: f64) -> Self {
        Self::Number { min, inclusive: false, max }
    }

    /// A number from `min` to `max`.
    pub const fn between(min: f64, max: f64) -> Self {
        Self::Number { min, inclusive: true, max }
    }

    /// Whether a number lies in the range; words and flags hold no numbers.
    pub fn contains(&self, value: f64) -> bool {
        match *self {
            Self::Number { min, inclusive, max } => {
                value.is_finite() && value <= max && (value > min || inclusive && value == min)
            }
            Self::Integer { min, max } => (min as f64..=max as f64).contains(&value),
            Self::Choice(_) | Self::Flag | Self::Text(_) => false,
        }
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Number { min, inclusive, max } => {
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
