//! Mean shift as a method: the constraints choose the bandwidth, then every point climbs to a mode.
//!
//! Mean shift itself cannot use a pair. But its bandwidth sets the resolution, and pairs tell which one is
//! right: too large a bandwidth joins cannot-linked points, too small a one separates must-linked points. So with
//! `bandwidth = auto` and any pairs or labels, mean shift runs over a grid of bandwidths, and the one whose
//! clusters agree best is proposed. Every pair is a fair test, because the shift itself does not use it. Only both
//! kinds of pairs bound the bandwidth on both sides. Without pairs it is the bandwidth around which clusters change
//! least, and it stays so unless the proposed one predicts held-out constraints better.

use super::{Method, MethodInfo};
use crate::Result;
use crate::group::mean_shift::MeanShift;
use crate::group::{GroupingAlgorithm, GroupingInput};
use crate::observe::Observer;
use crate::outcome::{AnyModel, Chosen, Clustering, Fit};
use crate::problem::{ConstraintKind, InputKind, Points, Problem};
use crate::refine::Refinement;
use crate::select::ConstraintAgreement;
use crate::select::bandwidth::{bandwidth_by_agreement, stable_bandwidth};
use crate::select::supervised::{Grouped, SupervisedGrouping, fit_supervised};
use crate::similarity::Bandwidth;

impl MeanShift {
    /// What mean shift takes and offers.
    pub const INFO: &'static MethodInfo = &MethodInfo {
        name: "mean-shift",
        class: "MeanShift",
        summary: "Points climb to the modes of their density; a mode is a cluster. Pairs and labels choose the bandwidth.",
        paper: "Fukunaga and Hostetler 1975; Comaniciu and Meer 2002",
        version: 4,
        inputs: &[InputKind::Points],
        supervision: &[ConstraintKind::MustLink, ConstraintKind::CannotLink, ConstraintKind::Label],
        takes_clusters: false,
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
        let points = Self::INFO.points_of(problem)?;
        self.check()?;
        let is_open = self.bandwidth == Bandwidth::Auto;
        let mut without = self.clone();
        if is_open && let Some(stable) = self.stable_bandwidth(points, problem, observer)? {
            without.bandwidth = Bandwidth::Fixed(stable);
        }
        let shift = MeanShiftByConstraints { with: without.clone(), without, is_open };
        fit_supervised(&shift, problem, observer)
    }
}

impl MeanShift {
    /// The bandwidth with the most stable clusters; `None` where all points coincide.
    fn stable_bandwidth(
        &self,
        points: &Points,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Option<f64>> {
        let distinct = points.distinct_rows();
        let weights = distinct.weights(problem.weights());
        stable_bandwidth(self, &points.select(&distinct.first), Some(&weights), observer)
    }
}

/// Mean shift with one bandwidth without constraints and another one with them.
#[derive(Clone)]
struct MeanShiftByConstraints {
    without: MeanShift,
    with: MeanShift,
    /// Whether the bandwidth may be chosen.
    is_open: bool,
}

impl SupervisedGrouping for MeanShiftByConstraints {
    fn refinement(&self) -> Refinement {
        Refinement::Auto
    }

    fn n_clusters(&self) -> Option<usize> {
        None
    }

    fn seed(&self) -> u64 {
        self.without.seed
    }

    /// The bandwidth whose clusters agree best with pairs and labels.
    fn with_chosen_settings(
        &self,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<(Self, Vec<Chosen>)> {
        let mut chosen = self.clone();
        let points = MeanShift::INFO.points_of(problem)?;
        if let (true, Bandwidth::Fixed(stable)) = (self.is_open, &self.without.bandwidth)
            && ConstraintAgreement::has_pairs(problem.constraints())
        {
            let distinct = points.distinct_rows();
            let problem = &problem.over_distinct_rows(points, &distinct)?;
            let places = &points.select(&distinct.first);
            let bandwidth =
                bandwidth_by_agreement(&self.without, places, problem, *stable, observer)?;
            chosen.with.bandwidth = Bandwidth::Fixed(bandwidth);
        }
        Ok((chosen, Vec::new()))
    }

    fn group_problem<'a>(
        &self,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let points = MeanShift::INFO.points_of(problem)?;
        let shift = if problem.constraints().is_empty() { &self.without } else { &self.with };
        let input = GroupingInput::new(points).with_weights(problem.weights());
        let (grouping, model) = shift.group(input, observer)?;
        let clustering = Clustering::new(grouping, problem.constraints());
        let model = AnyModel::MeanShift(model);
        Ok(Grouped::of_points(Fit { clustering, model }, points))
    }
}
