//! Gaussian mixtures as a method.

use super::MethodInfo;
use crate::Result;
use crate::group::mixture::GaussianMixture;
use crate::observe::Observer;
use crate::outcome::{Clustering, Fit, Model};
use crate::problem::{InputKind, Points, Problem};

/// What Gaussian mixtures take and offer.
pub(super) static INFO: MethodInfo = MethodInfo {
    name: "gaussian-mixture",
    class: "GaussianMixture",
    summary: "Points belong to the likeliest of k normal distributions, whose shapes are found along with them.",
    paper: "Dempster, Laird and Rubin, Maximum likelihood from incomplete data via the EM algorithm, 1977",
    inputs: &[InputKind::Points],
    supervision: &[],
    needs_clusters: true,
    predicts: true,
    weighs: true,
    parameters: GaussianMixture::PARAMETERS,
};

/// Finds the groups of a problem over `points`.
pub(super) fn fit(
    params: &GaussianMixture,
    points: &Points,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Fit> {
    let (grouping, model) = params.fit(points.view(), problem.weights(), observer)?;
    Ok(Fit {
        clustering: Clustering::new(grouping, problem.constraints()),
        model: Model::Mixture(model),
    })
}
