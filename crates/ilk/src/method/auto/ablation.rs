//! What the consensus would be without one of its ingredients, from one run of the trials.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use super::Auto;
use super::agree::HeldOutConsensus;
use super::fit::{agreed_labels, one_label_for_copies};
use super::kernel_rows::rows_of_kernel;
use super::trials::{Member, Trials};
use crate::group::Label;
use crate::observe::{Observer, Silent};
use crate::problem::{Constraints, Input, Problem};
use crate::select::inconsistency::filter_inconsistent;
use crate::select::sample::with_precomputed_kernel;
use crate::similarity::AffinityName;
use crate::{Error, Result};

/// A part of the consensus that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ingredient {
    /// The scores of members by held-out constraints: all members have the same.
    Scores,
    /// The support that the data give to a number of clusters: all numbers have the same.
    DataSupport,
    /// The choice of where to cut by held-out constraints: the cut is at an agreement of one half.
    ChosenCut,
    /// The members without constraints as what is taken unless the others predict held-out constraints better.
    Fallback,
    /// What constraints imply, in the agreement and for constrained points at the end: the constraints reach the clusters by
    /// the members alone.
    Implied,
    /// All members but the one with the best score.
    OtherMembers,
    /// All members of this method.
    Method(&'static str),
}

/// Every member of a consensus with its scores and its fit with all constraints, from which the clusters follow by any
/// choice of [`Ingredient`]s without another fit.
///
/// ```
/// use ilk::method::{Auto, Ingredient};
/// use ilk::observe::Silent;
/// use ilk::problem::{Constraints, Points, Problem};
///
/// let rows: Vec<Vec<f64>> =
///     (0..20).map(|i| vec![f64::from(i % 10) * 0.3, f64::from(i / 10) * 5.0]).collect();
/// let problem = Problem::new(Points::from_rows(&rows)?, Constraints::new(20))?;
/// let trials = Auto::default().trials(&problem, &Silent)?;
/// let clusters = trials.clusters(None)?;
/// assert_eq!(clusters, trials.clusters(Some(Ingredient::Method("mssc")))?);
/// # Ok::<(), ilk::Error>(())
/// ```
pub struct ConsensusTrials {
    params: Auto,
    problem: Problem,
    trials: Trials,
    /// The labels with all constraints, by recipe and number of clusters.
    fitted: BTreeMap<(usize, usize), Vec<Label>>,
}

impl Auto {
    /// Tries all members that the budget allows and fits each with all constraints.
    ///
    /// # Errors
    /// Those of a fit; [`Error::BadParameter`] where there are more points than `sample`.
    pub fn trials(&self, problem: &Problem, observer: &dyn Observer) -> Result<ConsensusTrials> {
        Self::INFO.check_supports(problem)?;
        self.check()?;
        if problem.len() > self.sample {
            let expected = format!("trials are of {} points, all of them", problem.len());
            return Err(Error::bad_parameter("sample", self.sample, expected));
        }
        let given = with_precomputed_kernel(problem, self.kernel == AffinityName::Precomputed)?;
        let (problem, _) = filter_inconsistent(&given, true)?;
        let problem = problem.into_owned();
        let trials = Trials::new(self, &problem, observer)?;
        let mut ks: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for member in &trials.members {
            ks.entry(member.recipe).or_default().push(member.k);
        }
        let fits = ks
            .into_par_iter()
            .map(|(recipe, ks)| {
                let fits = trials.recipes[recipe].fit(&problem, &ks, false, observer)?;
                let of = |fit: super::recipes::MemberFit| ((recipe, ks[fit.at]), fit.labels);
                Ok(fits.into_iter().map(of).collect::<Vec<_>>())
            })
            .collect::<Result<Vec<_>>>()?;
        let fitted = fits.into_iter().flatten().collect();
        Ok(ConsensusTrials { params: self.clone(), problem, trials, fitted })
    }
}

impl ConsensusTrials {
    /// The clusters of the consensus, without an ingredient or with all.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where no members are left.
    pub fn clusters(&self, without: Option<Ingredient>) -> Result<Vec<Label>> {
        if without == Some(Ingredient::OtherMembers) {
            return self.best_alone();
        }
        let trials = self.trials_without(without);
        if trials.members.is_empty() {
            return Err(Error::unsupported("a consensus", "no members", "leave out another one"));
        }
        let given = self.params.given_clusters();
        let consensus = match without {
            Some(Ingredient::Fallback) if trials.n_judges > 0 => {
                HeldOutConsensus::judged(&trials, given)
            }
            _ => HeldOutConsensus::best(&trials, given),
        };
        let partitions: Vec<(&[Label], f64)> = consensus
            .members
            .iter()
            .filter_map(|(member, weight)| Some((self.labels_of(member)?, *weight)))
            .collect();
        let cut = (consensus.cut, given.is_none());
        let labels = if without == Some(Ingredient::Implied) {
            agreed_labels(&partitions, &without_constraints(&self.problem)?, cut, &Silent)?
        } else {
            agreed_labels(&partitions, &self.problem, cut, &Silent)?
        };
        Ok(match (self.problem.input(), rows_of_kernel(self.problem.input())?) {
            (Input::Points(rows), _) => one_label_for_copies(rows, &labels),
            (_, Some(rows)) => one_label_for_copies(&rows, &labels),
            _ => labels,
        })
    }

    fn labels_of(&self, member: &Member) -> Option<&[Label]> {
        self.fitted.get(&(member.recipe, member.k)).map(Vec::as_slice)
    }

    /// The clusters of the member with the best score, and without scores of the one with the largest weight.
    fn best_alone(&self) -> Result<Vec<Label>> {
        let mut members = self.trials.ensemble(0).into_iter().map(|(member, _)| member);
        let mut best = members.next();
        if self.trials.is_judged {
            let scored =
                |best: Option<&Member>, next: &Member| best.is_none_or(|b| next.score > b.score);
            for member in &self.trials.members {
                best = if scored(best, member) { Some(member) } else { best };
            }
        }
        let labels = best.and_then(|member| self.labels_of(member));
        let none = || Error::unsupported("a consensus", "no members", "leave out another one");
        labels.map(<[Label]>::to_vec).ok_or_else(none)
    }

    /// What was tried, as it would be without an ingredient.
    fn trials_without(&self, without: Option<Ingredient>) -> Trials {
        let mut trials = self.trials.clone();
        match without {
            Some(Ingredient::Scores) => {
                trials.members.iter_mut().for_each(|member| member.score = 0.0);
            }
            Some(Ingredient::DataSupport) => trials.forget_support(),
            Some(Ingredient::ChosenCut) => trials.ks.clear(),
            Some(Ingredient::Implied) => {
                for fold in &mut trials.folds {
                    fold.train = Constraints::new(fold.train.n());
                }
            }
            Some(Ingredient::Method(name)) => {
                let recipes = &trials.recipes;
                trials.members.retain(|member| recipes[member.recipe].describe().0 != name);
            }
            Some(Ingredient::Fallback | Ingredient::OtherMembers) | None => {}
        }
        trials
    }
}

fn without_constraints(problem: &Problem) -> Result<Problem> {
    problem.with_constraints(Constraints::new(problem.len()))
}
