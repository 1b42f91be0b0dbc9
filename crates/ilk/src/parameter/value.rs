//! What a type provides to be the type of a parameter.

use super::Range;

/// The type of a parameter: what its values may be, and how they are written.
pub trait ParameterValue {
    /// What values of the type may be, where a declaration does not narrow it.
    const RANGE: Range;

    /// The word that stands in place of a value: `auto`, or `none`.
    const WORD: Option<&'static str> = None;

    /// The value as it is written on the command line.
    fn text(&self) -> String;

    /// Whether the value lies in a range. Words and flags always do.
    fn is_in(&self, range: &Range) -> bool;
}

macro_rules! whole_number {
    ($($type:ty),+) => {$(
        impl ParameterValue for $type {
            const RANGE: Range = Range::at_least(0);

            fn text(&self) -> String {
                self.to_string()
            }

            fn is_in(&self, range: &Range) -> bool {
                range.contains(*self as f64)
            }
        }
    )+};
}
whole_number!(usize, u64);

impl ParameterValue for f64 {
    const RANGE: Range = Range::between(f64::NEG_INFINITY, f64::INFINITY);

    fn text(&self) -> String {
        if *self != 0.0 && self.abs() < 1e-3 { format!("{self:e}") } else { self.to_string() }
    }

    fn is_in(&self, range: &Range) -> bool {
        range.contains(*self)
    }
}

impl ParameterValue for bool {
    const RANGE: Range = Range::Flag;

    fn text(&self) -> String {
        self.to_string()
    }

    fn is_in(&self, _: &Range) -> bool {
        true
    }
}

impl<T: ParameterValue> ParameterValue for Option<T> {
    const RANGE: Range = T::RANGE;
    const WORD: Option<&'static str> = Some("none");

    fn text(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), ParameterValue::text)
    }

    fn is_in(&self, range: &Range) -> bool {
        self.as_ref().is_none_or(|value| value.is_in(range))
    }
}
