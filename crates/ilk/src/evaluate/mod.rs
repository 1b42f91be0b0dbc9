//! Scores of a clustering against the ground truth.
//!
//! Two labellings of the same points are compared; the names of the labels do not matter, only
//! which points share one. Labels may be anything that can be compared and hashed. For ilk's own
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
//! Without a ground truth, [`ConstraintAgreement`](crate::select::ConstraintAgreement) scores a clustering by
//! constraints.

mod contingency;
mod expected;
mod information;
mod matching;
mod pairs;
mod partition;
mod scores;
#[cfg(test)]
mod tests;
mod unconstrained;

pub use contingency::{Contingency, ContingencyCell};
pub use information::Average;
pub use pairs::{PairConfusion, PairScores};
pub use partition::{
    accuracy, adjusted_mutual_info, adjusted_rand, completeness, homogeneity, mutual_info,
    normalized_mutual_info, pair_scores, rand_index, v_measure,
};
pub use scores::Scores;
pub use unconstrained::{masked, unconstrained};
