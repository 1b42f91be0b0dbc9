//! Checks of values that were read from a file.
//!
//! A model file may have been damaged or written by anybody. Every model type is therefore read through a
//! plain twin of its fields, and becomes the model only if these checks pass; predictions then trust it.
//! [`checked_on_read`] declares such a type.

use super::{Error, Result};

/// Declares a model that files hold. What is read becomes the model only if its function
/// `checked(self) -> Result<Self>` returns it. A field after `at first use` is no part of the file: it is
/// derived from the others when it is needed.
macro_rules! checked_on_read {
    (
        $(#[$attribute:meta])*
        pub struct $model:ident {
            $($(#[$doc:meta])* $field:ident: $type:ty,)*
        }
        $(at first use, $(#[$derived_doc:meta])* $derived:ident: $value:ty;)?
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        pub struct $model {
            $($(#[$doc])* $field: $type,)*
            $(
                $(#[$derived_doc])*
                #[serde(skip)]
                $derived: $value,
            )?
        }

        impl<'de> serde::Deserialize<'de> for $model {
            fn deserialize<D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> std::result::Result<Self, D::Error> {
                #[derive(serde::Deserialize)]
                struct Unchecked {
                    $($(#[$doc])* $field: $type,)*
                }
                let Unchecked { $($field,)* } = Unchecked::deserialize(deserializer)?;
                let model = Self {
                    $($field,)*
                    $($derived: Default::default(),)?
                };
                model.checked().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use checked_on_read;

/// The largest number of steps that a stored model may ask for, so that no file makes a prediction endless.
pub(crate) const MAX_STORED_STEPS: usize = 100_000;

/// The error of a model whose parts contradict each other.
pub(crate) fn invalid(reason: impl Into<String>) -> Error {
    Error::InvalidModel { reason: reason.into() }
}

/// Fails with `reason` unless the condition holds.
pub(crate) fn ensure(holds: bool, reason: impl FnOnce() -> String) -> Result<()> {
    if holds { Ok(()) } else { Err(invalid(reason())) }
}

/// Fails unless a list has the expected number of entries.
pub(crate) fn ensure_len(what: &str, found: usize, expected: usize) -> Result<()> {
    ensure(found == expected, || format!("{what} has {found} entries where {expected} are needed"))
}

/// Fails unless all values are finite.
pub(crate) fn ensure_finite<'a>(
    what: &str,
    values: impl IntoIterator<Item = &'a f64>,
) -> Result<()> {
    ensure_each(what, "a finite number", values, f64::is_finite)
}

/// Fails unless all values are finite and above 0.
pub(crate) fn ensure_positive<'a>(
    what: &str,
    values: impl IntoIterator<Item = &'a f64>,
) -> Result<()> {
    ensure_each(what, "a finite number above 0", values, |x| x.is_finite() && x > 0.0)
}

/// Fails unless all values are finite and at least 0.
pub(crate) fn ensure_not_negative<'a>(
    what: &str,
    values: impl IntoIterator<Item = &'a f64>,
) -> Result<()> {
    ensure_each(what, "a finite number, at least 0", values, |x| x.is_finite() && x >= 0.0)
}

/// Fails unless all numbers (of points, of clusters) are below their count.
pub(crate) fn ensure_below(
    what: &str,
    numbers: impl IntoIterator<Item = usize>,
    count: usize,
) -> Result<()> {
    match numbers.into_iter().find(|&number| number >= count) {
        None => Ok(()),
        Some(number) => {
            Err(invalid(format!("{what} is {number}, but there are only {count}, counted from 0")))
        }
    }
}

fn ensure_each<'a>(
    what: &str,
    expected: &str,
    values: impl IntoIterator<Item = &'a f64>,
    holds: impl Fn(f64) -> bool,
) -> Result<()> {
    match values.into_iter().find(|&&value| !holds(value)) {
        None => Ok(()),
        Some(value) => Err(invalid(format!("{what} is {value} where {expected} is needed"))),
    }
}
