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
use super::folds::effective_count;
use super::held_out::HeldOut;
use crate::Result;
use crate::group::Label;
use crate::observe::{Event, Observer, Silent, report};
use crate::problem::{Constraints, Input, Problem};
use crate::refine::{RefineOptions, Refinement, RefinementSpace};

/// How far a method relies on the constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Supervision {
    /// Whether the grouping uses the constraints.
    pub(crate) in_grouping: bool,
    /// How far its labels are repaired afterwards.
    pub(crate) refinement: Refinement,
}

impl Supervision {
    const fn new(in_grouping: bool, refinement: Refinement) -> Self {
        Self { in_grouping, refinement }
    }

    /// The clustering without constraints, in which constrained points alone move.
    pub(crate) const LEAST: Self = Self::new(false, Refinement::Constrained);

    /// The grouping with constraints, in which constrained points alone move.
    pub(crate) const GROUPING: Self = Self::new(true, Refinement::Constrained);
}

/// What is tried where the number of clusters is given, the least departure first.
const GIVEN_CLUSTERS: [Supervision; 4] = [
    Supervision::LEAST,
    Supervision::new(false, Refinement::Neighbors),
    Supervision::GROUPING,
    Supervision::new(true, Refinement::Neighbors),
];

/// What is tried where the number of clusters is found.
const FOUND_CLUSTERS: [Supervision; 6] = [
    Supervision::LEAST,
    Supervision::new(false, Refinement::Neighbors),
    Supervision::new(false, Refinement::Dissolve),
    Supervision::GROUPING,
    Supervision::new(true, Refinement::Neighbors),
    Supervision::new(true, Refinement::Dissolve),
];

/// How much better a candidate must predict held-out constraints than the least departure, times the root of the number of
/// constraints: about half the standard error of a correlation.
const MARGIN: f64 = 0.5;

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

/// Selects how far the method relies on the constraints.
///
/// `group(problem)` groups the points by the constraints of the problem, which may be none; `least` is taken where there are
/// too few constraints to hold some out. The number of clusters is given if `options.may_merge` does not hold.
pub(crate) fn select_supervision(
    problem: &Problem,
    (least, options): (Supervision, RefineOptions),
    seed: u64,
    group: impl Fn(&Problem) -> Result<GroupedLabels> + Sync,
    observer: &dyn Observer,
) -> Result<Supervision> {
    let is_whole = !matches!(problem.input(), Input::Points(_));
    if is_whole && problem.len() > MAX_WHOLE {
        return Ok(Supervision::GROUPING);
    }
    let n_constraints = effective_count(problem.constraints());
    let repeats = if n_constraints < FEW { 2 } else { 1 };
    let held_out = HeldOut::new(problem, FOLDS, repeats, seed)?;
    let splits = held_out.folds().splits();
    if n_constraints == 0 || splits.is_empty() {
        return Ok(least);
    }
    let all: &[Supervision] = if options.may_merge { &FOUND_CLUSTERS } else { &GIVEN_CLUSTERS };
    // The least comes first, and what departs less is not tried.
    let from = all.iter().position(|&candidate| candidate == least);
    let candidates = &all[from.unwrap_or(0)..];
    let sampled = held_out.problem();
    let none = Constraints::new(sampled.len());
    let without = group(&sampled.with_constraints(none)?)?;
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
            let with = group(&sampled.with_constraints(split.train.clone())?)?;
            let agreement = |candidate: &Supervision| {
                let (labels, space) = if candidate.in_grouping { &with } else { &without };
                let refine = candidate.refinement.to_params(options, space.len());
                let refined = refine.refine(space, labels, &split.train, &Silent)?;
                Ok(ConstraintAgreement::of(&refined.labels, &split.test))
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
    let at_stake = (scores[0] / INFORMATIVE).clamp(0.0, 1.0);
    scores[0] += at_stake * MARGIN / (n_constraints as f64).sqrt();
    Ok(candidates[super::held_out::first_best(scores)])
}
