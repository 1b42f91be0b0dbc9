//! k-means with penalties as a method.

use super::{Method, MethodInfo};
use crate::Result;
use crate::group::hmrf_kmeans::HmrfKMeans;
use crate::group::{GroupingAlgorithm, GroupingInput};
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::problem::{ConstraintKind, InputKind, Problem, with_labels_as_pairs};
use crate::refine::Refinement;
use crate::select::grouped::Grouped;
use crate::select::n_clusters::ClusterCount;
use crate::select::supervised::{SupervisedFit, SupervisedGrouping};

impl HmrfKMeans {
    /// What k-means with penalties takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "hmrf-kmeans",
        class: "HMRFKMeans",
        summary: "k-means in which every broken pair costs a penalty.",
        paper: "Basu, Bilenko and Mooney, A Probabilistic Framework for Semi-Supervised Clustering, 2004",
        version: 5,
        inputs: &[InputKind::Points],
        supervision: &[ConstraintKind::MustLink, ConstraintKind::CannotLink, ConstraintKind::Label],
        takes_clusters: true,
        predicts: &[InputKind::Points],
        supports_weights: &[InputKind::Points],
        parameters: Self::PARAMETERS,
    };
}

impl Method for HmrfKMeans {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        let count = ClusterCount { given: self.n_clusters, is_precomputed: false, seed: self.seed };
        count.fit(problem, observer, |n_clusters| {
            let kmeans = Self { n_clusters, ..self.clone() };
            let declared = SupervisedFit {
                in_learned_space: Some(kmeans.clone()),
                ..SupervisedFit::new(kmeans, n_clusters.fixed(), Refinement::Auto, self.seed)
            };
            declared.fit(problem, observer)
        })
    }
}

impl SupervisedGrouping for HmrfKMeans {
    fn group_problem<'a>(
        &self,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let points = Self::INFO.points_of(problem)?;
        let constraints = with_labels_as_pairs(problem.constraints(), self.seed)?;
        let (grouping, means) = GroupingAlgorithm::group(
            self,
            GroupingInput::new(points)
                .with_weights(problem.weights())
                .with_constraints(&constraints),
            observer,
        )?;
        Ok(Grouped::of_points(grouping, means, points))
    }
}
