//! Mean shift as a method: the bandwidth is chosen by what was said, then the points climb.

use super::MethodInfo;
use crate::group::mean_shift::MeanShift;
use crate::observe::Observer;
use crate::outcome::{Clustering, Fit, Model};
use crate::problem::{ConstraintKind, Input, InputKind, Problem};
use crate::{Error, Result};

/// What mean shift takes and offers.
pub(super) static INFO: MethodInfo = MethodInfo {
    name: "mean-shift",
    class: "MeanShift",
    summary: "Points climb to the modes of their density; a mode is a cluster. Pairs and labels choose the bandwidth.",
    paper: "Fukunaga and Hostetler 1975; Comaniciu and Meer 2002",
    inputs: &[InputKind::Points],
    supervision: &[
        ConstraintKind::MustLink,
        ConstraintKind::CannotLink,
        ConstraintKind::Label,
    ],
    needs_clusters: false,
    predicts: true,
    parameters: MeanShift::PARAMETERS,
};

/// Finds the groups.
pub(super) fn fit(params: &MeanShift, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
    let Input::Points(points) = problem.input() else {
        return Err(Error::NoConvergence);
    };
    let (grouping, model) = params.fit(points, problem.weights(), observer)?;
    let clustering = Clustering::new(grouping, problem.constraints());
    Ok(Fit {
        clustering,
        model: Model::MeanShift(model),
    })
}
