//! Models of clusters in the space of a learned kernel.

use serde::{Deserialize, Serialize};

use super::{AnyModel, model::in_blocks};
use crate::similarity::FeatureMap;
use crate::supervise::LearnedKernel;
use crate::{
    Error, Result, error::stored::ensure, group::Label, observe::Observer, problem::Points,
};

/// A learned kernel k̂, a map f with f(x)·f(y) ≈ k̂(x, y), and the model of the clusters of f(x): a new
/// point is mapped, and the model assigns its image to a cluster.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredLearnedKernelModel")]
pub struct LearnedKernelModel {
    kernel: LearnedKernel,
    map: FeatureMap,
    inner: Box<AnyModel>,
}

/// The fields of a [`LearnedKernelModel`] as a file holds them, not yet checked.
#[derive(Deserialize)]
struct StoredLearnedKernelModel {
    kernel: LearnedKernel,
    map: FeatureMap,
    inner: Box<AnyModel>,
}

impl TryFrom<StoredLearnedKernelModel> for LearnedKernelModel {
    type Error = Error;

    fn try_from(stored: StoredLearnedKernelModel) -> Result<Self> {
        let StoredLearnedKernelModel { kernel, map, inner } = stored;
        ensure(map.dims_in() == kernel.dims(), || {
            format!(
                "its kernel takes {} columns, but its features take {}",
                kernel.dims(),
                map.dims_in()
            )
        })?;
        ensure(inner.dims() == map.rank(), || {
            format!(
                "its clusters have {} dimensions, but its features have {}",
                inner.dims(),
                map.rank()
            )
        })?;
        Ok(Self { kernel, map, inner })
    }
}

impl LearnedKernelModel {
    /// Clusters that `inner` describes, in the space of the features that `map` computes.
    pub fn new(kernel: LearnedKernel, map: FeatureMap, inner: AnyModel) -> Self {
        Self { kernel, map, inner: Box::new(inner) }
    }

    /// The learned kernel.
    pub fn kernel(&self) -> &LearnedKernel {
        &self.kernel
    }

    /// The map into the space in which the clusters were found.
    pub fn map(&self) -> &FeatureMap {
        &self.map
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.inner.n_clusters()
    }

    /// Number of columns that new points must have; where the kernel was given as a matrix, new points
    /// are rows of kernel values with the training points.
    pub fn dims(&self) -> usize {
        self.map.dims_in()
    }

    /// The clusters of new points.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`], [`Error::Cancelled`].
    pub fn predict_observed(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>> {
        in_blocks(points, observer, |block, observer| {
            let mapped = Points::new(self.map.transform(block)?)?;
            self.inner.predict_observed(&mapped, observer)
        })
    }
}
