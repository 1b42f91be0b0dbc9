//! Gaps in a table.

use serde::{Deserialize, Serialize};

/// What becomes of rows in which a number is missing: an empty cell, NaN, or a word such as `NA`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// They are an error.
    #[default]
    Error,
    /// They are left out.
    Drop,
    /// Gaps get the mean of their column.
    Mean,
    /// Gaps get the median of their column.
    Median,
}

impl Missing {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["error", "drop", "mean", "median"];

    pub(crate) fn fills(self) -> bool {
        matches!(self, Self::Mean | Self::Median)
    }

    /// What the gaps of a column get, by the values there are; none where there are none.
    pub(super) fn fill(self, mut known: Vec<f64>) -> Option<f64> {
        if known.is_empty() {
            return None;
        }
        if self == Self::Mean {
            let count = known.len() as f64;
            return Some(known.iter().map(|value| value / count).sum());
        }
        known.sort_unstable_by(f64::total_cmp);
        let [low, high] = [known[(known.len() - 1) / 2], known[known.len() / 2]];
        Some(low / 2.0 + high / 2.0)
    }
}
