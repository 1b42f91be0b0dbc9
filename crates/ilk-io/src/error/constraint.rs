//! What can be wrong with a line of a file of constraints.

use super::{Place, Vocabulary};

/// What is wrong with a pair, a triplet or a label.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConstraintProblem {
    /// A constraint names one id twice.
    #[error(
        "{place}: id {id:?} stands twice; a point cannot be compared with itself: correct it, or drop the line"
    )]
    SelfPair {
        /// Where.
        place: Place,
        /// The id.
        id: String,
    },
    /// A relation or an answer is none that is known.
    #[error("{place}, column {column:?}: {word:?} is not {vocabulary}")]
    UnknownWord {
        /// Where.
        place: Place,
        /// The column.
        column: String,
        /// The word.
        word: String,
        /// The words that are understood there.
        vocabulary: Vocabulary,
    },
    /// A weight is not a positive finite number.
    #[error(
        "{place}, column \"weight\": {value:?} is not a weight; write a number above 0, or leave the cell empty for 1"
    )]
    BadWeight {
        /// Where.
        place: Place,
        /// The weight, as it is written in the file.
        value: String,
    },
    /// A confidence is not a number from 0 to 1.
    #[error(
        "{place}, column \"confidence\": {value:?} is not a confidence; write a number from 0 to 1, or leave the cell empty for 1"
    )]
    BadConfidence {
        /// Where.
        place: Place,
        /// The confidence, as it is written in the file.
        value: String,
    },
    /// One point is labelled twice, and differently.
    #[error(
        "{place}: id {id:?} is labelled {second:?}, but it was labelled {first:?} before; keep one"
    )]
    TwoLabels {
        /// Where.
        place: Place,
        /// The id.
        id: String,
        /// The label that came first.
        first: String,
        /// The label that came later.
        second: String,
    },
}
