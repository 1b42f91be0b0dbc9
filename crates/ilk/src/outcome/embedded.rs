//! Models of groups that were found in the space of a learned kernel.

use serde::{Deserialize, Serialize};

use super::Model;
use crate::Result;
use crate::group::Label;
use crate::observe::Observer;
use crate::problem::Points;
use crate::similarity::FeatureMap;
use crate::supervise::LearnedKernel;

/// A learned kernel, the map into its space, and the model of the groups there: a new point is
/// mapped, and then placed as that model places points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EmbeddedModel {
    kernel: LearnedKernel,
    map: FeatureMap,
    inner: Box<Model>,
}

/// Points mapped at a time, so that a million of them need no more memory than these.
const AT_A_TIME: usize = 20_000;

impl EmbeddedModel {
    /// Groups that `inner` describes, in the space into which `map` goes.
    pub fn new(kernel: LearnedKernel, map: FeatureMap, inner: Model) -> Self {
        Self {
            kernel,
            map,
            inner: Box::new(inner),
        }
    }

    /// The learned kernel.
    pub fn kernel(&self) -> &LearnedKernel {
        &self.kernel
    }

    /// The map into the space in which the groups were found.
    pub fn map(&self) -> &FeatureMap {
        &self.map
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.inner.n_clusters()
    }

    /// Number of columns that new points must have; where the kernel was given as a matrix, they are
    /// rows of kernel values with the training points.
    pub fn dims(&self) -> usize {
        self.map.dims_in()
    }

    /// The clusters of new points.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`](crate::Error::WrongDimensions),
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn predict_watched(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>> {
        let dims = points.dims();
        let mut labels = Vec::with_capacity(points.len());
        for block in points.as_slice().chunks(AT_A_TIME * dims) {
            let block = Points::from_shape(block.len() / dims, dims, block.to_vec())?;
            let mapped = Points::new(self.map.transform(&block)?)?;
            labels.extend(self.inner.predict_watched(&mapped, observer)?);
        }
        Ok(labels)
    }
}
