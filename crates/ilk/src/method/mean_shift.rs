//! Mean shift as a method: the constraints choose the bandwidth, then every point climbs to a mode.
//!
//! Mean shift itself cannot use a pair. But its bandwidth sets the resolution, and pairs tell which one is
//! right: too large a bandwidth joins cannot-linked points, too small a one separates must-linked points. So with
//! `bandwidth = auto` and any pairs or labels, mean shift runs over a grid of bandwidths, and the one whose
//! clusters agree best is kept. Every pair is a fair test, because the shift itself does not use it. Only both
//! kinds of pairs bound the bandwidth on both sides.

use super::{Method, MethodInfo};
use crate::Result;
use crate::group::mean_shift::MeanShift;
use crate::group::{GroupingAlgorithm, GroupingInput};
use crate::observe::{Event, Observer};
use crate::outcome::{AnyModel, Clustering, Fit};
use crate::problem::{ConstraintKind, InputKind, Points, Problem};
use crate::refine::Refinement;
use crate::select::ConstraintAgreement;
use crate::select::bandwidth::{BandwidthTrial, bandwidth_by_agreement};
use crate::select::supervised::{Grouped, SupervisedGrouping, fit_supervised};
use crate::select::supervision::Supervision;
use crate::similarity::Bandwidth;

impl MeanShift {
    /// What mean shift takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "mean-shift",
        class: "MeanShift",
        summary: "Points climb to the modes of their density; a mode is a cluster. Pairs and labels choose the bandwidth.",
        paper: "Fukunaga and Hostetler 1975; Comaniciu and Meer 2002",
        version: 2,
        inputs: &[InputKind::Points],
        supervision: &[ConstraintKind::MustLink, ConstraintKind::CannotLink, ConstraintKind::Label],
        needs_clusters: false,
        predicts: &[InputKind::Points],
        supports_weights: &[InputKind::Points],
        parameters: Self::PARAMETERS,
    };
}

impl Method for MeanShift {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        Self::INFO.check_supports(problem)?;
        fit_supervised(self, problem, observer)
    }
}

impl SupervisedGrouping for MeanShift {
    fn refinement(&self) -> Refinement {
        Refinement::Auto
    }

    fn n_clusters(&self) -> Option<usize> {
        None
    }

    /// Constraints choose one number, the bandwidth, which few of them can do.
    fn least_supervision(&self) -> Supervision {
        Supervision::GROUPING
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn group_problem<'a>(
        &self,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let points = Self::INFO.points_of(problem)?;
        let chosen = (self.bandwidth == Bandwidth::Auto)
            .then(|| select_bandwidth(self, points, problem, observer))
            .transpose()?
            .flatten();
        let params = match chosen {
            Some(bandwidth) => &Self { bandwidth: Bandwidth::Fixed(bandwidth), ..self.clone() },
            None => self,
        };
        let input = GroupingInput::new(points).with_weights(problem.weights());
        let (grouping, model) = params.group(input, observer)?;
        let clustering = Clustering::new(grouping, problem.constraints());
        let model = AnyModel::MeanShift(model);
        Ok(Grouped::of_points(Fit { clustering, model }, points))
    }
}

/// The bandwidth whose clusters agree best with pairs and labels, or the usual one where there are
/// none; `None` where all points coincide.
fn select_bandwidth(
    params: &MeanShift,
    points: &Points,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Option<f64>> {
    let distinct = points.distinct_rows();
    let problem = &problem.over_distinct_rows(points, &distinct)?;
    let points = &points.select(&distinct.first);
    let resolved = params.bandwidth.resolve(points, params.seed)?;
    if resolved.is_degenerate() {
        return Ok(None);
    }
    let usual = resolved.of(0);
    if !ConstraintAgreement::has_pairs(problem.constraints()) {
        return Ok(Some(usual));
    }
    let fit = |trial: &BandwidthTrial<'_>| {
        let observer = |event: &Event| {
            let mut event = *event;
            event.stage = "choosing the bandwidth";
            event.finished += trial.finished * event.total;
            event.total *= trial.total;
            observer.event(&event)
        };
        let params = MeanShift { bandwidth: Bandwidth::Fixed(trial.bandwidth), ..params.clone() };
        let input = GroupingInput::new(trial.points).with_weights(trial.weights);
        let (grouping, _) = params.group(input, &observer)?;
        Ok(grouping.labels)
    };
    bandwidth_by_agreement(points, problem, usual, params.seed, fit).map(Some)
}
