//! k-means as a method.

use super::MethodInfo;
use crate::Result;
use crate::group::kmeans::KMeans;
use crate::observe::Observer;
use crate::outcome::{Clustering, Fit, Model};
use crate::problem::{InputKind, Points, Problem};

/// What k-means takes and offers.
pub(super) static INFO: MethodInfo = MethodInfo {
    name: "kmeans",
    class: "KMeans",
    summary: "Points go to the nearest of k centres, by distance or by direction; each centre is the mean of its points.",
    paper: "Lloyd, Least squares quantization in PCM, 1982",
    inputs: &[InputKind::Points],
    supervision: &[],
    needs_clusters: true,
    predicts: true,
    weighs: true,
    parameters: KMeans::PARAMETERS,
};

/// Finds the groups of a problem over `points`.
pub(super) fn fit(
    params: &KMeans,
    points: &Points,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Fit> {
    let (grouping, model) = params.fit(points.view(), problem.weights(), observer)?;
    Ok(Fit {
        clustering: Clustering::new(grouping, problem.constraints()),
        model: Model::KMeans(model),
    })
}
