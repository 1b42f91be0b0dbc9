//! Models: what is kept of a fit to place new points. They serialise with serde; the file around
//! them (version, checksum) belongs to `ilk-io`.

use serde::{Deserialize, Serialize};

use super::EmbeddedModel;
use crate::group::Label;
use crate::group::constrained_mean_shift::CmsModel;
use crate::group::kernel_kmeans::{KernelKMeansModel, Means};
use crate::group::kmeans::KMeansModel;
use crate::group::mean_shift::MeanShiftModel;
use crate::group::mixture::MixtureModel;
use crate::observe::{Observer, Silent};
use crate::problem::Points;
use crate::settle::Vote;
use crate::{Error, Result};

/// The fitted model of any method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Model {
    /// Mean shift.
    MeanShift(MeanShiftModel),
    /// Constrained mean shift as in the paper.
    Cms(CmsModel),
    /// Kernel k-means.
    #[serde(rename = "kernel_kmeans")]
    KernelKMeans(KernelKMeansModel),
    /// k-means.
    #[serde(rename = "kmeans")]
    KMeans(KMeansModel),
    /// A Gaussian mixture.
    Mixture(MixtureModel),
    /// The neighbours' vote, after any grouping that was settled.
    Vote(Vote),
    /// The nearest mean, for features as they come.
    Means(Means),
    /// Any of these in the space of a learned kernel.
    Embedded(Box<EmbeddedModel>),
    /// Nothing that could place a new point: the groups were found in a graph or in affinities.
    Unplaced {
        /// Number of clusters.
        n_clusters: usize,
        /// Number of points.
        n: usize,
    },
}

impl Model {
    /// The clusters of new points. Training points get the labels that the fit gave them.
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        self.predict_watched(points, &Silent)
    }

    /// As [`predict`](Self::predict), with an observer that sees progress and can cancel.
    pub fn predict_watched(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>> {
        match self {
            Self::MeanShift(model) => model.predict_watched(points, observer),
            Self::Cms(model) => model.predict_watched(points, observer),
            Self::KernelKMeans(model) => model.predict_watched(points, observer),
            Self::KMeans(model) => model.predict(points),
            Self::Mixture(model) => model.predict(points),
            Self::Vote(vote) => vote.predict(points),
            Self::Means(means) => means.assign(points.view()),
            Self::Embedded(model) => model.predict_watched(points, observer),
            Self::Unplaced { .. } => Err(Error::Unsupported {
                method: "a model of a graph or of affinities",
                what: "new points".to_owned(),
                alternatives: "fit the points themselves".to_owned(),
            }),
        }
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        match self {
            Self::MeanShift(model) => model.n_clusters(),
            Self::Cms(model) => model.n_clusters(),
            Self::KernelKMeans(model) => model.n_clusters(),
            Self::KMeans(model) => model.n_clusters(),
            Self::Mixture(model) => model.n_clusters(),
            Self::Vote(vote) => vote.n_clusters(),
            Self::Means(means) => means.n_clusters(),
            Self::Embedded(model) => model.n_clusters(),
            Self::Unplaced { n_clusters, .. } => *n_clusters,
        }
    }

    /// Number of columns that new points must have.
    pub fn dims(&self) -> usize {
        match self {
            Self::MeanShift(model) => model.dims(),
            Self::Cms(model) => model.dims(),
            Self::KernelKMeans(model) => model.dims(),
            Self::KMeans(model) => model.dims(),
            Self::Mixture(model) => model.dims(),
            Self::Vote(vote) => vote.dims(),
            Self::Means(means) => means.columns(),
            Self::Embedded(model) => model.dims(),
            Self::Unplaced { n, .. } => *n,
        }
    }
}
