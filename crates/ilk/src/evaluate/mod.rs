//! How good a clustering is, measured against the truth, or against what was said where nobody knows
//! it.
//!
//! Two labellings of the same points are compared; the names of the labels don't matter, only who
//! is with whom. Labels may be anything that can be compared and hashed. For ilk's own
//! [`Label`](crate::group::Label) every `None` is one more label: noise counts as a cluster, as
//! scikit-learn counts -1.
//!
//! Everything is computed from the [`Contingency`] table of the two labellings, whose size is
//! linear in the number of points. The functions of this module build the table for one score;
//! [`Scores`] builds it once for all of them.
//!
//! ```
//! use ilk::evaluate::{Scores, adjusted_rand};
//!
//! let truth = ["cat", "cat", "dog", "dog"];
//! let found = [Some(1), Some(1), Some(0), None];
//! assert_eq!(adjusted_rand(&truth, &found)?, 4.0 / 7.0);
//! assert_eq!(Scores::new(&truth, &found)?.accuracy, 0.75);
//! # Ok::<(), ilk::Error>(())
//! ```
//!
//! Without a truth, a [`Tally`] says how far labels and distances agree with answers, and [`folds`]
//! holds answers back from training, so that the agreement with them chooses parameters honestly.

mod agreement;
mod contingency;
mod expected;
pub mod folds;
mod information;
mod matching;
mod pairs;
mod partition;
mod scores;
#[cfg(test)]
mod tests;
mod unconstrained;

pub use agreement::{Share, Tally};
pub use contingency::{Cell, Contingency};
pub use folds::{Folds, Split};
pub use information::Average;
pub use pairs::{PairConfusion, PairScores};
pub use partition::{
    accuracy, adjusted_mutual_info, adjusted_rand, completeness, homogeneity, mutual_info,
    normalized_mutual_info, pair_scores, rand_index, v_measure,
};
pub use scores::Scores;
pub use unconstrained::{select, unconstrained};
