//! One score of two labellings, each by its name.
//!
//! All of them refuse labellings of different lengths. On no points at all, labellings agree
//! perfectly: every score is 1, except [`mutual_info`], of which there is none.

use std::hash::Hash;

use super::{Average, Contingency, PairScores};
use crate::{Error, Result};

/// Defines functions that count the contingency table of two labellings and return a score of it.
macro_rules! scores {
    ($($(#[$doc:meta])* $name:ident($($parameter:ident: $type:ty)?) -> $score:ty
       = |$table:ident| $value:expr;)*) => {
        $($(#[$doc])*
        pub fn $name<T: Eq + Hash, P: Eq + Hash>(
            truth: &[T],
            predicted: &[P],
            $($parameter: $type,)?
        ) -> Result<$score> {
            let $table = Contingency::new(truth, predicted)?;
            Ok($value)
        })*
    };
}

scores! {
    /// The Rand index adjusted for chance: see
    /// [`PairConfusion::adjusted_rand`](super::PairConfusion::adjusted_rand).
    adjusted_rand() -> f64 = |table| table.pair_confusion().adjusted_rand();
    /// The share of pairs of points on which the labellings agree.
    rand_index() -> f64 = |table| table.pair_confusion().rand_index();
    /// Precision, recall and F over the pairs of points that are together.
    pair_scores() -> PairScores = |table| table.pair_confusion().scores();
    /// Mutual information in nats: see [`Contingency::mutual_info`].
    mutual_info() -> f64 = |table| table.mutual_info();
    /// Mutual information over an average of the entropies.
    normalized_mutual_info(average: Average) -> f64 = |table| table.normalized_mutual_info(average);
    /// Mutual information adjusted for chance: see [`Contingency::adjusted_mutual_info`].
    adjusted_mutual_info(average: Average) -> f64 = |table| table.adjusted_mutual_info(average);
    /// How far every cluster holds one class only: see [`Contingency::homogeneity`].
    homogeneity() -> f64 = |table| table.homogeneity();
    /// How far every class lies in one cluster: see [`Contingency::completeness`].
    completeness() -> f64 = |table| table.completeness();
    /// The share of points that are right under the best one-to-one matching of clusters to classes.
    accuracy() -> f64 = |table| table.accuracy();
}

/// The harmonic mean of homogeneity and completeness, the latter weighted by `beta` >= 0: see
/// [`Contingency::v_measure`].
pub fn v_measure<T: Eq + Hash, P: Eq + Hash>(
    truth: &[T],
    predicted: &[P],
    beta: f64,
) -> Result<f64> {
    if !(beta >= 0.0 && beta.is_finite()) {
        return Err(Error::bad_parameter("beta", beta, "a number at least 0"));
    }
    Ok(Contingency::new(truth, predicted)?.v_measure(beta))
}
