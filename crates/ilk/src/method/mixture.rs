//! Gaussian mixtures as a method.

use super::{Method, MethodInfo};
use crate::Result;
use crate::group::mixture::{GaussianMixture, MixtureInit};
use crate::group::{GroupingAlgorithm, GroupingInput};
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::parameter::AutoOr;
use crate::problem::{InputKind, Problem};
use crate::select::n_clusters::ClusterCount;

impl GaussianMixture {
    /// What Gaussian mixtures take and offer.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "gaussian-mixture",
        class: "GaussianMixture",
        summary: "Points belong to the likeliest of k normal distributions, whose shapes are found along with them.",
        paper: "Dempster, Laird and Rubin, Maximum likelihood from incomplete data via the EM algorithm, 1977",
        version: 2,
        inputs: &[InputKind::Points],
        supervision: &[],
        takes_clusters: true,
        predicts: &[InputKind::Points],
        supports_weights: &[InputKind::Points],
        parameters: Self::PARAMETERS,
    };
}

impl Method for GaussianMixture {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        let points = Self::INFO.points_of(problem)?;
        self.check()?;
        // Given components say how many there are.
        let given = match (&self.init, self.n_clusters) {
            (MixtureInit::Components(components), AutoOr::Auto) => {
                components.count().map_or(AutoOr::Auto, AutoOr::Fixed)
            }
            (_, given) => given,
        };
        let count = ClusterCount { given, is_precomputed: false, seed: self.seed };
        count.group(problem, observer, |n_clusters| {
            let input = GroupingInput::new(points.view()).with_weights(problem.weights());
            Self { n_clusters, ..self.clone() }.group(input, observer)
        })
    }
}
