//! Models whose clusters are unions of another model's clusters.

use serde::{Deserialize, Serialize};

use super::AnyModel;
use crate::error::stored::{ensure_below, ensure_len};
use crate::{Error, Result, group::Label, observe::Observer, problem::Points};

/// Clusters that are unions of the parts that another model finds: a new point belongs to the cluster
/// of its part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredMergedModel")]
pub struct MergedModel {
    parts: Box<AnyModel>,
    /// The cluster of every part.
    clusters: Vec<Label>,
}

/// The fields of a [`MergedModel`] as a file holds them, not yet checked.
#[derive(Deserialize)]
struct StoredMergedModel {
    parts: Box<AnyModel>,
    clusters: Vec<Label>,
}

impl TryFrom<StoredMergedModel> for MergedModel {
    type Error = Error;

    fn try_from(stored: StoredMergedModel) -> Result<Self> {
        let StoredMergedModel { parts, clusters } = stored;
        let n_parts = parts.n_clusters();
        ensure_len("the list of clusters of parts", clusters.len(), n_parts)?;
        let numbers = clusters.iter().copied().flatten();
        ensure_below("the cluster of a part", numbers, n_parts)?;
        Ok(Self { parts, clusters })
    }
}

impl MergedModel {
    /// A model whose cluster of every part of `parts` is given by `clusters`.
    pub fn new(parts: AnyModel, clusters: Vec<Label>) -> Self {
        Self { parts: Box::new(parts), clusters }
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        let last = self.clusters.iter().flatten().max();
        last.map_or(0, |last| last + 1)
    }

    /// Number of columns that new points must have.
    pub fn dims(&self) -> usize {
        self.parts.dims()
    }

    /// The clusters of new points.
    pub fn predict_observed(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>> {
        let parts = self.parts.predict_observed(points, observer)?;
        let cluster_of = |part: usize| self.clusters.get(part).copied().flatten();
        let clusters = parts.into_iter().map(|part| part.and_then(cluster_of));
        Ok(clusters.collect())
    }
}
