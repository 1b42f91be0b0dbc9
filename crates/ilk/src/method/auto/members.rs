//! Which methods may be members of the consensus.

use std::fmt;
use std::str::FromStr;

use crate::parameter::{ParameterValue, Range};
use crate::{Error, Result};

/// Declares the names of the methods that may be members, and the form of a list of them.
macro_rules! names {
    ($first:literal $(, $name:literal)*) => {
        const NAMES: &[&str] = &[$first $(, $name)*];
        const FORM: &str =
            concat!("names of methods, separated by commas, out of ", $first $(, ", ", $name)*);
    };
}
names!(
    "skkm",
    "e2cp",
    "ss-kernel-kmeans",
    "spectral-learning",
    "kmeans",
    "kernel-kmeans",
    "gaussian-mixture",
    "spectral",
    "mssc"
);

/// Methods that may be members of a consensus ([`Auto`](crate::method::Auto)).
///
/// ```
/// use ilk::method::Members;
///
/// let members: Members = "kmeans, skkm".parse()?;
/// assert!(members.include("skkm") && !members.include("e2cp"));
/// assert_eq!(members.to_string(), "skkm,kmeans");
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Members {
    is_included: [bool; NAMES.len()],
}

impl Members {
    /// Whether the method of this name may be a member.
    pub fn include(&self, name: &str) -> bool {
        NAMES.iter().zip(self.is_included).any(|(known, is_included)| is_included && *known == name)
    }
}

impl fmt::Display for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let included: Vec<&str> = NAMES
            .iter()
            .zip(self.is_included)
            .filter_map(|(name, is)| is.then_some(*name))
            .collect();
        f.write_str(&included.join(","))
    }
}

impl FromStr for Members {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut is_included = [false; NAMES.len()];
        for name in text.split(',').map(str::trim) {
            let known = NAMES.iter().position(|known| *known == name);
            let at = known.ok_or_else(|| Error::NotAValue {
                value: text.to_owned(),
                expected: FORM.to_owned(),
            })?;
            is_included[at] = true;
        }
        Ok(Self { is_included })
    }
}

impl ParameterValue for Members {
    const RANGE: Range = Range::Text(FORM);

    fn text(&self) -> String {
        self.to_string()
    }

    fn is_in(&self, _: &Range) -> bool {
        true
    }
}
