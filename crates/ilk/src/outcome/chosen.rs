//! Parameters that a method chose by itself.

use serde::{Deserialize, Serialize};

/// The value that a method chose for a parameter that was left open, and how it was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chosen {
    /// The name of the parameter.
    pub parameter: String,
    /// The value, in the form in which it could be given.
    pub value: String,
    /// What the choice was based on, as in "chosen by the must-links".
    pub by: String,
}

impl Chosen {
    /// `parameter` is `value`, chosen by `by`.
    pub fn new(parameter: &str, value: impl std::fmt::Display, by: &str) -> Self {
        Self { parameter: parameter.to_owned(), value: value.to_string(), by: by.to_owned() }
    }
}

impl std::fmt::Display for Chosen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} = {}, chosen by {}", self.parameter, self.value, self.by)
    }
}
