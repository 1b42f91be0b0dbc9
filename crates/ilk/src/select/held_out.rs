//! The score of settings by constraints that they were not given.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::sample::ProblemSample;
use super::{ConstraintAgreement, Folds};
use crate::observe::{Event, Observer};
use crate::problem::{Constraints, Problem};
use crate::{Error, Result};

/// Points on which settings are tried, at most, unless constraints name more.
const MAX_POINTS: usize = 500;

/// Constraints by which settings are tried, about. More of them improve the choice little, and every trial
/// learns from them.
const MAX_CONSTRAINTS: usize = 1000;

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
        let sample = ProblemSample::of_constraints(problem, MAX_CONSTRAINTS, MAX_POINTS, seed)?;
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
        let total = settings.len() * self.folds.splits().len();
        let finished = AtomicUsize::new(0);
        settings
            .par_iter()
            .map(|setting| {
                let prepared = prepare(setting)?;
                let mut agreement = ConstraintAgreement::default();
                for split in self.folds.splits() {
                    let train = self.problem().with_constraints(split.train.clone())?;
                    agreement += trial(setting, &prepared, &train, &split.test)?;
                    let finished = finished.fetch_add(1, Ordering::Relaxed) + 1;
                    let event = Event::new("choosing by held-out answers", 1, finished, total);
                    if observer.event(&event).is_break() {
                        return Err(Error::Cancelled { iterations: 1 });
                    }
                }
                Ok(agreement.score())
            })
            .collect()
    }
}

/// The position of the largest score, the first of equal ones.
pub(crate) fn first_best(scores: impl IntoIterator<Item = f64>) -> usize {
    let scores = scores.into_iter().enumerate();
    let best = scores.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map_or(0, |(at, _)| at)
}
