//! What can be wrong with a model file.

/// What is wrong with a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelProblem {
    /// The file is not a model.
    #[error("is not an ilk model; give a file that was written by `ilk cluster --model` or `save`")]
    NotAModel,
    /// The model was cut short or changed after it was written.
    #[error("is a damaged ilk model: {reason}; make it anew, or take it from a backup")]
    Damaged {
        /// What is wrong with it.
        reason: String,
    },
    /// The model was written in a format that came after this program.
    #[error("is an ilk model of format {found}, but this is ilk {}, which knows formats up to {newest}; update ilk", env!("CARGO_PKG_VERSION"))]
    TooNew {
        /// Its format.
        found: u32,
        /// The newest format that is known.
        newest: u32,
    },
    /// The model was written by an earlier version, in a format that is read no more.
    #[error("is an ilk model of format {found}, but this is ilk {}, which reads format {expected}; fit it again with this version", env!("CARGO_PKG_VERSION"))]
    TooOld {
        /// Its format.
        found: u32,
        /// The format that is read.
        expected: u32,
    },
}
