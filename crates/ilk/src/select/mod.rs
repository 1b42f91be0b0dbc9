//! Select the settings that a method leaves open.
//!
//! A setting is good if a clustering found without some of the constraints agrees with them. A selection may
//! run the stages many times, on a sample of the points and with a part of the constraints.
//!
//! | file | what it holds |
//! |---|---|
//! | `folds` | [`Folds`], constraints split into training and test |
//! | `agreement` | [`ConstraintAgreement`], the score of a clustering by constraints |
//! | `sample` | samples of the points that hold the constrained ones |
//! | `held_out` | the scores of settings by folds on a sample |
//! | `kernel_learning` | width, rank and gamma of a learned kernel |
//! | `learned_space` | a space learned from the constraints, for methods that learn no kernel |
//! | `bandwidth` | the width of an affinity, the bandwidth of mean shift |
//! | `n_clusters` | the number of clusters, by the constraints and the data |
//! | `supervision` | how far a method relies on the constraints |
//! | `supervised` | the course of every method that groups by constraints |
//! | `grouped` | a grouping in that course, and the fit that it becomes |
//! | `shifts` | mean shift and constrained mean shift in that course, with the bandwidth chosen |
//! | `labelled` | problems of which the labels say all |
//! | `inconsistency` | the constraints that others contradict, left out |

mod agreement;
pub(crate) mod bandwidth;
pub mod folds;
pub(crate) mod grouped;
pub(crate) mod held_out;
pub(crate) mod inconsistency;
pub(crate) mod kernel_learning;
pub(crate) mod labelled;
pub(crate) mod learned_space;
pub(crate) mod n_clusters;
pub(crate) mod sample;
pub(crate) mod shifts;
pub(crate) mod supervised;
pub(crate) mod supervision;

pub use agreement::{ConstraintAgreement, KeptWeight};
pub use folds::{Folds, Split};
