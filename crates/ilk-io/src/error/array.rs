//! What can be wrong with the arrays of a file.

use super::list;

/// What is wrong with the arrays of an NPY file or an NPZ archive.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArrayProblem {
    /// An archive does not say which of its arrays to take.
    #[error("{reason}; the arrays are {}; {advice}", list(found))]
    Several {
        /// Why none was taken.
        reason: String,
        /// The arrays there are.
        found: Vec<String>,
        /// What to do.
        advice: &'static str,
    },
    /// An array is not one of numbers in rows and columns.
    #[error("the array cannot be used: {reason}; a two-dimensional array of numbers is needed")]
    NotNumbers {
        /// What is wrong with it.
        reason: String,
    },
    /// The parts of an archive are no sparse rows that can be used.
    #[error("the sparse rows cannot be used: {reason}")]
    Sparse {
        /// What is wrong.
        reason: String,
    },
    /// An array does not hold a label a row.
    #[error(
        "the array cannot be used as labels: {reason}; a one-dimensional array of numbers is needed"
    )]
    NotLabels {
        /// What is wrong with it.
        reason: String,
    },
}
