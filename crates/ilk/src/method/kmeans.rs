//! k-means as a method.

use super::{Method, MethodInfo};
use crate::Result;
use crate::group::kmeans::{KMeans, KMeansInit};
use crate::group::{GroupingAlgorithm, GroupingInput};
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::parameter::AutoOr;
use crate::problem::{InputKind, Problem};
use crate::select::n_clusters::ClusterCount;

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
        takes_clusters: true,
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
        self.check()?;
        // Given centres say how many clusters there are.
        let given = match (&self.init, self.n_clusters) {
            (KMeansInit::Centers(centers), AutoOr::Auto) => AutoOr::Fixed(centers.len()),
            (_, given) => given,
        };
        let count = ClusterCount { given, is_precomputed: false, seed: self.seed };
        count.group(problem, observer, |n_clusters| {
            let input = GroupingInput::new(points.view()).with_weights(problem.weights());
            Self { n_clusters, ..self.clone() }.group(input, observer)
        })
    }
}
