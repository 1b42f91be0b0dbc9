//! Mean shift and constrained mean shift as groupings by constraints: one bandwidth without them, and another one with
//! them, which they choose.

use super::ConstraintAgreement;
use super::bandwidth::{bandwidth_by_agreement, stable_bandwidth};
use super::folds::{FOLDS, has_enough_constraints};
use super::grouped::{GroupModel, Grouped};
use super::held_out::{HeldOut, first_best, refined_for_trial};
use super::supervised::SupervisedGrouping;
use crate::group::constrained_mean_shift::{Schedule, ScheduledShift};
use crate::group::mean_shift::MeanShift;
use crate::group::{GroupingAlgorithm, GroupingInput};
use crate::observe::{Observer, Unreported};
use crate::outcome::Chosen;
use crate::problem::{Constraints, Input, MustLinkPolicy, Points, Problem};
use crate::refine::{Refinement, RefinementSpace};
use crate::similarity::Bandwidth;
use crate::{Error, Result};

/// The points of a problem, of which a shift needs the coordinates.
fn points_of(problem: &Problem) -> Result<&Points> {
    match problem.input() {
        Input::Points(points) => Ok(points),
        other => Err(Error::unsupported("a shift of points", &other.kind().to_string(), "points")),
    }
}

/// The bandwidth of mean shift with the most stable clusters; `None` where all points coincide.
pub(crate) fn stable_on(
    params: &MeanShift,
    points: &Points,
    weights: Option<&[f64]>,
    observer: &dyn Observer,
) -> Result<Option<f64>> {
    let distinct = points.distinct_rows();
    let weights = distinct.weights(weights);
    stable_bandwidth(params, &points.select(&distinct.first), Some(&weights), observer)
}

/// Mean shift with one bandwidth without constraints and another one with them.
#[derive(Clone)]
pub(crate) struct MeanShiftByConstraints {
    without: MeanShift,
    with: MeanShift,
    /// Whether the bandwidth may be chosen.
    is_open: bool,
}

impl MeanShiftByConstraints {
    /// Mean shift of the points of a problem; where its bandwidth is open, the one without constraints is that of the
    /// most stable clusters.
    pub(crate) fn new(
        params: &MeanShift,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let is_open = params.bandwidth == Bandwidth::Auto;
        let mut without = params.clone();
        let points = points_of(problem)?;
        if is_open && let Some(stable) = stable_on(params, points, problem.weights(), observer)? {
            without.bandwidth = Bandwidth::Fixed(stable);
        }
        Ok(Self { with: without.clone(), without, is_open })
    }
}

impl SupervisedGrouping for MeanShiftByConstraints {
    /// The bandwidth whose clusters agree best with pairs and labels.
    fn with_chosen_settings(
        &self,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<(Self, Vec<Chosen>)> {
        let mut chosen = self.clone();
        let points = points_of(problem)?;
        if let (true, Bandwidth::Fixed(stable)) = (self.is_open, &self.without.bandwidth)
            && ConstraintAgreement::has_pairs(problem.constraints())
        {
            let distinct = points.distinct_rows();
            let problem = &problem.over_distinct_rows(points, &distinct)?;
            let distinct_points = &points.select(&distinct.first);
            let bandwidth =
                bandwidth_by_agreement(&self.without, distinct_points, problem, *stable, observer)?;
            chosen.with.bandwidth = Bandwidth::Fixed(bandwidth);
        }
        Ok((chosen, Vec::new()))
    }

    fn group_problem<'a>(
        &self,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let points = points_of(problem)?;
        let shift = if problem.constraints().is_empty() { &self.without } else { &self.with };
        let input = GroupingInput::new(points).with_weights(problem.weights());
        let (grouping, model) = shift.group(input, observer)?;
        Ok(Grouped::of_points(grouping, model, points))
    }
}

/// Constrained mean shift whose bandwidth ends at one width without constraints and at another one with them.
#[derive(Clone)]
pub(crate) struct ShiftByConstraints {
    without: ScheduledShift,
    with: ScheduledShift,
    /// The shifts of which the constraints may choose one; none where the bandwidth is given.
    candidates: Vec<ScheduledShift>,
    /// What a must-link is worth when the labels of a trial are refined.
    must_links: MustLinkPolicy,
}

/// Without cannot-links, the largest bandwidth by that of mean shift, which is for a Gaussian of twice the
/// variance that is not truncated.
const WIDEST: f64 = 2.0;

impl ShiftByConstraints {
    /// A shift of the points of a problem with the bandwidths that it has.
    pub(crate) fn given(shift: ScheduledShift, must_links: MustLinkPolicy) -> Self {
        Self { without: shift.clone(), with: shift, candidates: Vec::new(), must_links }
    }

    /// A shift of the points of a problem whose largest bandwidth is open. Without constraints it ends where mean shift
    /// finds stable clusters: without cannot-links, one that grows over all the data joins everything. With
    /// constraints it may end there, at twice as much, or at the largest distance.
    pub(crate) fn with_open_end(
        shift: ScheduledShift,
        must_links: MustLinkPolicy,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let points = points_of(problem)?;
        let stable = stable_on(&MeanShift::default(), points, problem.weights(), observer)?;
        let linear = Schedule::Linear.resolve(points, shift.max_iter, observer)?;
        let (smallest, largest) = (linear[0], linear[linear.len() - 1]);
        let ending_at = |end: f64| ScheduledShift {
            bandwidth: Schedule::Between(smallest.min(end), end),
            ..shift.clone()
        };
        let without = stable.map(|stable| WIDEST * stable);
        let shorter = without.into_iter().flat_map(|end| [end, 2.0 * end]);
        let shorter = shorter.filter(|&end| end < largest);
        Ok(Self {
            candidates: shorter.chain([largest]).map(ending_at).collect(),
            without: without.map_or_else(|| shift.clone(), ending_at),
            with: shift,
            must_links,
        })
    }
}

impl SupervisedGrouping for ShiftByConstraints {
    /// Held-out constraints choose the largest bandwidth; where there are too few of them, it is the one without
    /// constraints.
    fn with_chosen_settings(
        &self,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<(Self, Vec<Chosen>)> {
        let constraints = problem.constraints();
        if self.candidates.is_empty() || !ConstraintAgreement::has_pairs(constraints) {
            return Ok((self.clone(), Vec::new()));
        }
        let (best, by) = if has_enough_constraints(constraints) {
            let trial = |shift: &ScheduledShift, (): &(), train: &Problem, test: &Constraints| {
                let points = points_of(train)?;
                let input = GroupingInput::new(points).with_weights(train.weights());
                let with = if train.constraints().is_empty() { &self.without } else { shift };
                let input = input.with_constraints(train.constraints());
                let labels = with.group(input, &Unreported(observer))?.0.labels;
                let found = (points, labels.as_slice());
                let (dissolve, constraints) = (Refinement::Dissolve, train.constraints());
                let refined =
                    refined_for_trial(dissolve, self.must_links, found, constraints, observer)?;
                Ok(ConstraintAgreement::of(&refined, test))
            };
            let held_out = HeldOut::new(problem, FOLDS, 1, 0)?;
            let scores = held_out.scores(&self.candidates, |_| Ok(()), trial, observer)?;
            (first_best(scores), "held-out answers")
        } else {
            (0, "the stability of clusters, since there are too few answers to hold some out")
        };
        let with = self.candidates[best].clone();
        let note = Chosen::new("bandwidth", &with.bandwidth, by);
        Ok((Self { with, ..self.clone() }, vec![note]))
    }

    fn group_problem<'a>(
        &self,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let (points, constraints) = (points_of(problem)?, problem.constraints());
        let shift = if constraints.is_empty() { &self.without } else { &self.with };
        let input = GroupingInput::new(points).with_weights(problem.weights());
        let (grouping, ()) = shift.group(input.with_constraints(constraints), observer)?;
        let space = RefinementSpace::Points(points.clone());
        Ok(Grouped::new(grouping, space, GroupModel::Neighbors))
    }
}
