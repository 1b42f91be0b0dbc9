//! k-means as a method.

use super::{Method, MethodInfo};
use crate::Result;
use crate::group::kmeans::KMeans;
use crate::group::{GroupingAlgorithm, GroupingInput};
use crate::observe::Observer;
use crate::outcome::{AnyModel, Clustering, Fit};
use crate::problem::{InputKind, Problem};

impl KMeans {
    /// What k-means takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "kmeans",
        class: "KMeans",
        summary: "Points go to the nearest of k centres, by distance or by direction; each centre is the mean of its points.",
        paper: "Lloyd, Least squares quantization in PCM, 1982",
        version: 1,
        inputs: &[InputKind::Points],
        supervision: &[],
        needs_clusters: true,
        predicts: &[InputKind::Points],
        supports_weights: &[InputKind::Points],
        parameters: Self::PARAMETERS,
    };
}

impl Method for KMeans {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        let points = Self::INFO.points_of(problem)?;
        let (grouping, model) = self
            .group(GroupingInput::new(points.view()).with_weights(problem.weights()), observer)?;
        Ok(Fit {
            clustering: Clustering::new(grouping, problem.constraints()),
            model: AnyModel::KMeans(model),
        })
    }
}
