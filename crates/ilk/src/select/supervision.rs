//! How far a method relies on the constraints, by held-out constraints.
//!
//! Constraints must not make a clustering worse. A grouping that learns from many of them is usually better than one
//! that learns from none, but with few constraints, or with ones that its model cannot express, it can be worse; and a
//! repair of labels by their neighbours helps where groups are connected, and harms where they are not. So the
//! candidates are ordered by how far they depart from the clustering without constraints, and one that departs
//! further is taken only if it predicts held-out constraints better.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::ConstraintAgreement;
use super::folds::{effective_count, scarcer_kind_count};
use super::held_out::{HeldOut, TOO_FEW_ANSWERS, first_best};
use crate::Result;
use crate::group::Label;
use crate::observe::{Event, Observer, Unreported, report};
use crate::outcome::Chosen;
use crate::problem::{Constraints, Input, Problem};
use crate::refine::{RefineOptions, Refinement, RefinementSpace};

/// How a grouping uses the constraints, the least departure from the clustering without them first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GroupingBy {
    /// Not at all.
    Data,
    /// By the method's own means.
    Constraints,
    /// By the method's own means, in a space that was learned from them
    /// ([`learned_space`](super::learned_space)).
    LearnedSpace,
}

/// How far a method relies on the constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Supervision {
    /// How the grouping uses the constraints.
    pub(crate) grouping: GroupingBy,
    /// How far its labels are repaired afterwards.
    pub(crate) refinement: Refinement,
}

impl Supervision {
    pub(crate) const fn new(grouping: GroupingBy, refinement: Refinement) -> Self {
        Self { grouping, refinement }
    }

    /// The clustering without constraints, in which constrained points alone move.
    pub(crate) const LEAST: Self = Self::new(GroupingBy::Data, Refinement::Constrained);

    /// The grouping with constraints, in which constrained points alone move.
    pub(crate) const GROUPING: Self = Self::new(GroupingBy::Constraints, Refinement::Constrained);

    /// What was chosen and by what, for the report.
    pub(crate) fn as_chosen(self, by: &str) -> Vec<Chosen> {
        let mut chosen = Vec::new();
        if self.grouping == GroupingBy::LearnedSpace {
            chosen.push(Chosen::new("space", "learned", by));
        }
        chosen.push(Chosen::new("refine", self.refinement, by));
        chosen
    }

    /// All that is tried, the least departure first.
    fn candidates(options: RefineOptions, has_learned_space: bool) -> Vec<Self> {
        let mut refinements = vec![Refinement::Constrained, Refinement::Neighbors];
        if options.may_merge {
            refinements.push(Refinement::Dissolve);
        }
        let mut groupings = vec![GroupingBy::Data, GroupingBy::Constraints];
        if has_learned_space {
            groupings.push(GroupingBy::LearnedSpace);
        }
        let of_grouping = |grouping: GroupingBy| {
            refinements.iter().map(move |&refinement| Self::new(grouping, refinement))
        };
        groupings.into_iter().flat_map(of_grouping).collect()
    }
}

/// How much better a candidate must predict held-out constraints than the least departure, in standard errors of its
/// score s: (1 - s²) over the root of the number of pairs of the scarcer kind, as of a correlation.
const MARGIN: f64 = 0.6;

/// The same where the method finds the number of clusters itself: without constraints that is a guess, which there is less
/// reason to hold on to.
const MARGIN_OF_GUESS: f64 = 0.5;

/// The score of the least departure from which on the whole margin is asked for: a clustering that is no better than
/// chance has nothing to lose.
const INFORMATIVE: f64 = 0.3;

/// Constraints below which each split is drawn twice.
const FEW: usize = 60;

/// Folds: more than elsewhere, so that a trial has most of the constraints.
const FOLDS: usize = 5;

/// Nodes or rows of a kernel matrix above which nothing is tried, since these cannot be sampled.
const MAX_WHOLE: usize = 5000;

/// Labels, and the space in which their neighbours are found.
pub(crate) type GroupedLabels = (Vec<Label>, RefinementSpace);

/// What was selected.
pub(crate) struct SelectedSupervision {
    pub(crate) supervision: Supervision,
    /// What the selection was based on, for the report.
    pub(crate) by: &'static str,
    /// How far the clustering without constraints agrees with them, where something was tried.
    pub(crate) agreement_without: Option<f64>,
}

impl SelectedSupervision {
    /// A selection without trials, and why there were none.
    pub(crate) fn untried(supervision: Supervision, why: &'static str) -> Self {
        Self { supervision, by: why, agreement_without: None }
    }

    fn by_held_out(supervision: Supervision, agreement_without: f64) -> Self {
        let by = match supervision.grouping {
            GroupingBy::Data => "held-out answers, which favour a grouping without the constraints",
            _ => "held-out answers",
        };
        Self { supervision, by, agreement_without: Some(agreement_without) }
    }
}

/// Selects how far the method relies on the constraints.
///
/// `group(problem, by)` groups the points of the problem; `untried` is taken where there are too few constraints to
/// hold some out, and nothing that departs less than `least` is tried. The number of clusters is given if `options.may_merge` does not hold.
pub(crate) fn select_supervision(
    problem: &Problem,
    (least, untried, options): (Supervision, Supervision, RefineOptions),
    has_learned_space: bool,
    seed: u64,
    group: impl Fn(&Problem, GroupingBy) -> Result<GroupedLabels> + Sync,
    observer: &dyn Observer,
) -> Result<SelectedSupervision> {
    let is_whole = !matches!(problem.input(), Input::Points(_));
    if is_whole && problem.len() > MAX_WHOLE {
        let why = "default, since a graph or kernel matrix of this size is not tried in part";
        return Ok(SelectedSupervision::untried(Supervision::GROUPING, why));
    }
    let n_constraints = effective_count(problem.constraints());
    let repeats = if n_constraints < FEW { 2 } else { 1 };
    let held_out = HeldOut::new(problem, FOLDS, repeats, seed)?;
    let splits = held_out.folds().splits();
    if n_constraints == 0 || splits.is_empty() {
        return Ok(SelectedSupervision::untried(untried, TOO_FEW_ANSWERS));
    }
    let mut candidates = Supervision::candidates(options, has_learned_space);
    // The least comes first, and what departs less is not tried.
    let from = candidates.iter().position(|&candidate| candidate == least);
    candidates.drain(..from.unwrap_or(0));
    let is_tried = |by: GroupingBy| candidates.iter().any(|candidate| candidate.grouping == by);
    let sampled = held_out.problem();
    let none = sampled.with_constraints(Constraints::new(sampled.len()))?;
    let without = group(&none, GroupingBy::Data)?;
    let finished = AtomicUsize::new(0);
    let trial_is_done = || {
        let done = finished.fetch_add(1, Ordering::Relaxed) + 1;
        let event = Event::new("choosing by held-out answers", 1, done, splits.len() + 1);
        report(observer, &event)
    };
    trial_is_done()?;
    let agreements = splits
        .par_iter()
        .map(|split| {
            let train = sampled.with_constraints(split.train.clone())?;
            let with = group(&train, GroupingBy::Constraints)?;
            let by_learned_space = is_tried(GroupingBy::LearnedSpace)
                .then(|| group(&train, GroupingBy::LearnedSpace))
                .transpose()?;
            let agreement = |candidate: &Supervision| {
                let (labels, space) = match (candidate.grouping, &by_learned_space) {
                    (GroupingBy::Data, _) => &without,
                    (GroupingBy::LearnedSpace, Some(learned)) => learned,
                    _ => &with,
                };
                let Supervision { refinement, .. } = *candidate;
                let refined = refinement.refined_labels(
                    options,
                    space,
                    labels,
                    &split.train,
                    &Unreported(observer),
                )?;
                Ok(ConstraintAgreement::of(&refined, &split.test))
            };
            let agreements = candidates.iter().map(agreement).collect::<Result<Vec<_>>>()?;
            trial_is_done()?;
            Ok(agreements)
        })
        .collect::<Result<Vec<_>>>()?;
    let mut scores: Vec<f64> = (0..candidates.len())
        .map(|candidate| {
            let mut total = ConstraintAgreement::default();
            for of_split in &agreements {
                total += of_split[candidate];
            }
            total.score()
        })
        .collect();
    let least_score = scores[0].clamp(0.0, 1.0);
    let at_stake = (least_score / INFORMATIVE).min(1.0) * (1.0 - least_score * least_score);
    let n_judges = scarcer_kind_count(problem.constraints()).max(1);
    let margin = if options.may_merge { MARGIN_OF_GUESS } else { MARGIN };
    scores[0] += at_stake * margin / (n_judges as f64).sqrt();
    let agreement = ConstraintAgreement::of(&without.0, sampled.constraints());
    Ok(SelectedSupervision::by_held_out(candidates[first_best(scores)], agreement.score()))
}
