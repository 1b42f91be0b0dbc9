//! Every score at once, for reports.

use std::hash::Hash;

use serde::{Deserialize, Serialize};

use super::{Average, Contingency};
use crate::Result;

/// All scores of a prediction against the truth. Normalized scores use the arithmetic average, as
/// scikit-learn's do by default.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Points compared.
    pub n: usize,
    /// Different labels in the truth.
    pub n_classes: usize,
    /// Different labels in the prediction; noise is one.
    pub n_clusters: usize,
    /// Rand index adjusted for chance.
    pub adjusted_rand: f64,
    /// Share of pairs on which the labellings agree.
    pub rand: f64,
    /// Mutual information in nats.
    pub mutual_info: f64,
    /// Mutual information over the mean entropy.
    pub normalized_mutual_info: f64,
    /// Mutual information adjusted for chance.
    pub adjusted_mutual_info: f64,
    /// How far every cluster holds one class only.
    pub homogeneity: f64,
    /// How far every class lies in one cluster.
    pub completeness: f64,
    /// The harmonic mean of the two.
    pub v_measure: f64,
    /// Of the pairs that the prediction joins, the share that belongs together.
    pub pair_precision: f64,
    /// Of the pairs that belong together, the share that the prediction joins.
    pub pair_recall: f64,
    /// The harmonic mean of the two.
    pub pair_f: f64,
    /// Share of points that are right under the best matching of clusters to classes.
    pub accuracy: f64,
}

impl Scores {
    /// Compares `predicted` with `truth`.
    pub fn new<T: Eq + Hash, P: Eq + Hash>(truth: &[T], predicted: &[P]) -> Result<Self> {
        Ok(Self::of(&Contingency::new(truth, predicted)?))
    }

    /// The scores of a table.
    pub fn of(table: &Contingency) -> Self {
        let confusion = table.pair_confusion();
        let pairs = confusion.scores();
        Self {
            n: table.n() as usize,
            n_classes: table.class_sizes().len(),
            n_clusters: table.cluster_sizes().len(),
            adjusted_rand: confusion.adjusted_rand(),
            rand: confusion.rand_index(),
            mutual_info: table.mutual_info(),
            normalized_mutual_info: table.normalized_mutual_info(Average::Arithmetic),
            adjusted_mutual_info: table.adjusted_mutual_info(Average::Arithmetic),
            homogeneity: table.homogeneity(),
            completeness: table.completeness(),
            v_measure: table.v_measure(1.0),
            pair_precision: pairs.precision,
            pair_recall: pairs.recall,
            pair_f: pairs.f,
            accuracy: table.accuracy(),
        }
    }
}
