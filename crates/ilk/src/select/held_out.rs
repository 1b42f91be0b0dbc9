//! The score of settings by constraints that they were not given.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::sample::ProblemSample;
use super::{ConstraintAgreement, Folds, Split};
use crate::group::Label;
use crate::observe::{Event, Observer, Unreported};
use crate::problem::{Constraints, Problem};
use crate::refine::{MustLinkPolicy, NeighborSpace, RefineOptions, Refinement};
use crate::{Error, Result};

/// Points on which settings are tried, at most, unless constraints name more.
const MAX_POINTS: usize = 500;

/// Constraints by which settings are tried, about. More of them improve the choice little, and every trial
/// learns from them.
const MAX_CONSTRAINTS: usize = 1000;

/// What a setting was chosen by, for the report, where nothing could be held out.
pub(crate) const TOO_FEW_ANSWERS: &str =
    "default, since there are too few answers to hold some out";

/// A sample of a problem, and folds of its constraints.
pub(crate) struct HeldOut<'a> {
    sample: ProblemSample<'a>,
    folds: Folds,
}

impl<'a> HeldOut<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        folds: usize,
        repeats: usize,
        seed: u64,
    ) -> Result<Self> {
        Self::with_points(problem, MAX_POINTS, folds, repeats, seed)
    }

    /// The same on the constrained points alone, for what needs no others.
    pub(crate) fn of_constrained(
        problem: &'a Problem,
        folds: usize,
        repeats: usize,
        seed: u64,
    ) -> Result<Self> {
        Self::with_points(problem, 0, folds, repeats, seed)
    }

    fn with_points(
        problem: &'a Problem,
        max_points: usize,
        folds: usize,
        repeats: usize,
        seed: u64,
    ) -> Result<Self> {
        let sample = ProblemSample::of_constraints(problem, MAX_CONSTRAINTS, max_points, seed)?;
        let folds = Folds::new(sample.problem().constraints(), folds, repeats, seed)?;
        Ok(Self { sample, folds })
    }

    /// The folds of its constraints.
    pub(crate) fn folds(&self) -> &Folds {
        &self.folds
    }

    /// The problem on which settings are tried, with all its constraints.
    pub(crate) fn problem(&self) -> &Problem {
        self.sample.problem()
    }

    /// The score of every setting over all folds.
    ///
    /// `prepare` does what all folds share. `trial` groups the points of a problem that has the training
    /// constraints of a fold, and compares the result with the test constraints.
    pub(crate) fn scores<S: Sync, P>(
        &self,
        settings: &[S],
        prepare: impl Fn(&S) -> Result<P> + Sync,
        trial: impl Fn(&S, &P, &Problem, &Constraints) -> Result<ConstraintAgreement> + Sync,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let agreements = self.trials(settings, prepare, trial, observer)?;
        let pooled = |of_setting: Vec<ConstraintAgreement>| {
            let mut total = ConstraintAgreement::default();
            for agreement in of_setting {
                total += agreement;
            }
            total.score()
        };
        Ok(agreements.into_iter().map(pooled).collect())
    }

    /// The mean score of every setting over all folds, by a `trial` that scores itself.
    pub(crate) fn mean_scores<S: Sync>(
        &self,
        settings: &[S],
        trial: impl Fn(&S, &Problem, &Constraints) -> Result<f64> + Sync,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let trial =
            |setting: &S, (): &(), train: &Problem, test: &Constraints| trial(setting, train, test);
        let scores = self.trials(settings, |_| Ok(()), trial, observer)?;
        let mean =
            |of_setting: Vec<f64>| of_setting.iter().sum::<f64>() / of_setting.len().max(1) as f64;
        Ok(scores.into_iter().map(mean).collect())
    }

    /// What every setting comes to on every fold.
    fn trials<S: Sync, P, T: Send>(
        &self,
        settings: &[S],
        prepare: impl Fn(&S) -> Result<P> + Sync,
        trial: impl Fn(&S, &P, &Problem, &Constraints) -> Result<T> + Sync,
        observer: &dyn Observer,
    ) -> Result<Vec<Vec<T>>> {
        let total = settings.len() * self.folds.splits().len();
        let finished = AtomicUsize::new(0);
        settings
            .par_iter()
            .map(|setting| {
                let prepared = prepare(setting)?;
                let of_split = |split: &Split| {
                    let train = self.problem().with_constraints(split.train.clone())?;
                    let came_to = trial(setting, &prepared, &train, &split.test)?;
                    let finished = finished.fetch_add(1, Ordering::Relaxed) + 1;
                    let event = Event::new("choosing by held-out answers", 1, finished, total);
                    if observer.event(&event).is_break() {
                        return Err(Error::Cancelled { iterations: 1 });
                    }
                    Ok(came_to)
                };
                self.folds.splits().iter().map(of_split).collect()
            })
            .collect()
    }
}

/// The labels that a method which finds the number of clusters would end with, from those that a trial found in a space.
pub(crate) fn refined_for_trial<'a>(
    refinement: Refinement,
    must_links: MustLinkPolicy,
    (space, labels): (impl Into<NeighborSpace<'a>>, &[Label]),
    constraints: &Constraints,
    observer: &dyn Observer,
) -> Result<Vec<Label>> {
    let options = RefineOptions { must_links, divide: true, may_merge: true, are_consistent: true };
    refinement.refined_labels(options, space, labels, constraints, &Unreported(observer))
}

/// The position of the largest score, the first of equal ones.
pub(crate) fn first_best(scores: impl IntoIterator<Item = f64>) -> usize {
    let scores = scores.into_iter().enumerate();
    let best = scores.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map_or(0, |(at, _)| at)
}
