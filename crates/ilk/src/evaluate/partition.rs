//! One score of two labellings, each by its name.
//!
//! All of them refuse labellings of different lengths. On no points at all, labellings agree
//! perfectly: every score is 1, except [`mutual_info`], of which there is none.

use std::hash::Hash;

use super::{Average, Contingency, PairScores};
use crate::{Error, Result};

/// The Rand index adjusted for chance: see
/// [`PairConfusion::adjusted_rand`](super::PairConfusion::adjusted_rand).
pub fn adjusted_rand<T: Eq + Hash, P: Eq + Hash>(truth: &[T], predicted: &[P]) -> Result<f64> {
    Ok(Contingency::new(truth, predicted)?
        .pair_confusion()
        .adjusted_rand())
}

/// The share of pairs of points on which the labellings agree.
pub fn rand_index<T: Eq + Hash, P: Eq + Hash>(truth: &[T], predicted: &[P]) -> Result<f64> {
    Ok(Contingency::new(truth, predicted)?
        .pair_confusion()
        .rand_index())
}

/// Precision, recall and F over the pairs of points that are together.
pub fn pair_scores<T: Eq + Hash, P: Eq + Hash>(truth: &[T], predicted: &[P]) -> Result<PairScores> {
    Ok(Contingency::new(truth, predicted)?
        .pair_confusion()
        .scores())
}

/// Mutual information in nats: see [`Contingency::mutual_info`].
pub fn mutual_info<T: Eq + Hash, P: Eq + Hash>(truth: &[T], predicted: &[P]) -> Result<f64> {
    Ok(Contingency::new(truth, predicted)?.mutual_info())
}

/// Mutual information over an average of the entropies.
pub fn normalized_mutual_info<T: Eq + Hash, P: Eq + Hash>(
    truth: &[T],
    predicted: &[P],
    average: Average,
) -> Result<f64> {
    Ok(Contingency::new(truth, predicted)?.normalized_mutual_info(average))
}

/// Mutual information adjusted for chance: see [`Contingency::adjusted_mutual_info`].
pub fn adjusted_mutual_info<T: Eq + Hash, P: Eq + Hash>(
    truth: &[T],
    predicted: &[P],
    average: Average,
) -> Result<f64> {
    Ok(Contingency::new(truth, predicted)?.adjusted_mutual_info(average))
}

/// How far every cluster holds one class only: see [`Contingency::homogeneity`].
pub fn homogeneity<T: Eq + Hash, P: Eq + Hash>(truth: &[T], predicted: &[P]) -> Result<f64> {
    Ok(Contingency::new(truth, predicted)?.homogeneity())
}

/// How far every class lies in one cluster: see [`Contingency::completeness`].
pub fn completeness<T: Eq + Hash, P: Eq + Hash>(truth: &[T], predicted: &[P]) -> Result<f64> {
    Ok(Contingency::new(truth, predicted)?.completeness())
}

/// The harmonic mean of homogeneity and completeness, the latter weighted by `beta` >= 0: see
/// [`Contingency::v_measure`].
pub fn v_measure<T: Eq + Hash, P: Eq + Hash>(
    truth: &[T],
    predicted: &[P],
    beta: f64,
) -> Result<f64> {
    if !(beta >= 0.0 && beta.is_finite()) {
        return Err(Error::BadParameter {
            parameter: "beta",
            value: beta.to_string(),
            expected: "a number at least 0".to_owned(),
        });
    }
    Ok(Contingency::new(truth, predicted)?.v_measure(beta))
}

/// The share of points that are right under the best one-to-one matching of clusters to classes.
pub fn accuracy<T: Eq + Hash, P: Eq + Hash>(truth: &[T], predicted: &[P]) -> Result<f64> {
    Ok(Contingency::new(truth, predicted)?.accuracy())
}
