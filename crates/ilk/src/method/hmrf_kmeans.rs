//! k-means with penalties as a method.

use super::MethodInfo;
use crate::Result;
use crate::group::hmrf_kmeans::HmrfKMeans;
use crate::observe::Observer;
use crate::outcome::{Clustering, Fit, Model};
use crate::problem::{ConstraintKind, InputKind, Points, Problem};
use crate::supervise::labels::with_labels_as_pairs;

/// What k-means with penalties takes and offers.
pub(super) static INFO: MethodInfo = MethodInfo {
    name: "hmrf-kmeans",
    class: "HMRFKMeans",
    summary: "k-means in which every broken pair costs a penalty.",
    paper: "Basu, Bilenko and Mooney, A Probabilistic Framework for Semi-Supervised Clustering, 2004",
    inputs: &[InputKind::Points],
    supervision: &[
        ConstraintKind::MustLink,
        ConstraintKind::CannotLink,
        ConstraintKind::Label,
    ],
    needs_clusters: true,
    predicts: true,
    weighs: true,
    parameters: HmrfKMeans::PARAMETERS,
};

/// Finds the groups of a problem over `points`. New points go to the nearest mean.
pub(super) fn fit(
    params: &HmrfKMeans,
    points: &Points,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Fit> {
    let said = with_labels_as_pairs(problem.constraints(), params.seed)?;
    let (grouping, means) = params.fit(points, problem.weights(), &said, observer)?;
    Ok(Fit {
        clustering: Clustering::new(grouping, problem.constraints()),
        model: Model::Means(means),
    })
}
