//! Every recipe at every number of clusters, judged by held-out constraints.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::{Array1, Array2, Axis};
use rayon::prelude::*;

use super::Auto;
use super::deadline::in_time;
use super::recipes::{Recipe, rounds, with_comparisons_as_pairs};
use crate::evaluate::adjusted_rand;
use crate::group::{Label, n_clusters};
use crate::method::{MeanShift, Method};
use crate::observe::{Event, Observer, report};
use crate::outcome::ClusterCountSupport;
use crate::parameter::AutoOr;
use crate::problem::{Constraints, Input, Problem};
use crate::select::folds::{scarcer_kind_count, smooth};
use crate::select::held_out::HeldOut;
use crate::select::n_clusters::separation::{
    Modularity, kernel_distances, point_distances, silhouette,
};
use crate::select::{ConstraintAgreement, Split};
use crate::{Error, Result};

/// Numbers of clusters that are tried.
const CLUSTERS: [usize; 12] = [2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25];

/// Points that a cluster needs at least for its number to be tried.
const POINTS_A_CLUSTER: usize = 3;

/// Folds of the constraints.
const FOLDS: usize = 3;

/// The share of the budget of time after which no further round begins.
const SHARE_OF_TRIALS: f64 = 0.5;

/// The share of it after which a recipe that is being tried is dropped.
const END_OF_TRIALS: f64 = 0.75;

/// What a score counts for in the logarithm of a weight, times m / √(m + [`FEW_JUDGES`]) with m the number of pairs of the
/// scarcer kind: its root where there are many of them, and less where there are few.
const TRUST_IN_SCORES: f64 = 4.0;
const FEW_JUDGES: f64 = 5.0;

/// What the support that the data give to a number of clusters counts for, and how much more it does where there are no
/// constraints.
const TRUST_IN_SUPPORT: f64 = 5.0;
const WITHOUT_CONSTRAINTS: f64 = 2.0;

/// What the separation of the clusters counts for in that support, beside the agreement of the methods.
const SHARE_OF_SEPARATION: f64 = 0.5;

/// Pairs of the scarcer kind at which members with and without constraints count the same before any score does.
const EVEN_JUDGES: f64 = 5.0;

/// The share of all weight that the members of an ensemble have, and how many they are at most.
const KEPT_WEIGHT: f64 = 0.98;
const MAX_MEMBERS: usize = 40;

/// A recipe at a number of clusters, with what came of it on the sample.
#[derive(Clone)]
pub(super) struct Member {
    /// The position of the recipe.
    pub(super) recipe: usize,
    pub(super) k: usize,
    /// Its labels of the sample, one list a fold.
    pub(super) of_fold: Vec<Vec<Label>>,
    /// The agreement with held-out constraints.
    pub(super) score: f64,
}

/// A member of an ensemble, with its weight.
pub(super) type Weighted<'a> = (&'a Member, f64);

/// All members, and the constraints that judged them.
#[derive(Clone)]
pub(super) struct Trials {
    pub(super) recipes: Vec<Recipe>,
    pub(super) members: Vec<Member>,
    pub(super) folds: Vec<Fold>,
    /// The numbers of clusters that were tried.
    pub(super) ks: Vec<usize>,
    /// Whether held-out constraints judged the members.
    pub(super) is_judged: bool,
    /// Pairs of the scarcer kind.
    pub(super) n_judges: usize,
    /// Whether the run was cancelled before all recipes were tried.
    pub(super) is_cut_off: bool,
    /// How far the data support every number of clusters, and what speaks for it.
    support: BTreeMap<usize, (f64, ClusterCountSupport)>,
}

/// The constraints of a fold.
#[derive(Clone)]
pub(super) struct Fold {
    pub(super) train: Constraints,
    /// Pairs that name a point held out.
    pub(super) test: Constraints,
}

impl Fold {
    /// The constraints of a split. Of the pairs that a comparison stands for those alone are tested that name a point held
    /// out: the training constraints may imply the others.
    fn new(split: &Split) -> Result<Self> {
        let mut test = Constraints::new(split.test.n());
        for (pair, kind) in with_comparisons_as_pairs(&split.test)?.pairs() {
            if pair.points.iter().any(|point| split.held_out.binary_search(point).is_ok()) {
                test.add(kind, &pair.points, pair.weight, pair.source.as_deref())?;
            }
        }
        Ok(Self { train: split.train.clone(), test })
    }
}

impl Trials {
    /// Tries the recipes on a sample of the problem.
    pub(super) fn new(params: &Auto, problem: &Problem, observer: &dyn Observer) -> Result<Self> {
        let held_out = HeldOut::new(problem, FOLDS, 1, params.seed)?;
        let sampled = held_out.problem();
        let judges = with_comparisons_as_pairs(sampled.constraints())?;
        let n_judges = scarcer_kind_count(&judges);
        let splits = held_out.folds().splits().iter();
        let folds = splits.map(Fold::new).collect::<Result<Vec<_>>>()?;
        let is_judged = !folds.is_empty() && ConstraintAgreement::has_pairs(&judges);
        let ks = params.clusters_to_try(sampled, observer)?;
        let mut trials = Self {
            recipes: Vec::new(),
            members: Vec::new(),
            folds,
            ks,
            is_judged,
            n_judges: if is_judged { n_judges } else { 0 },
            is_cut_off: false,
            support: BTreeMap::new(),
        };
        let rounds = params.rounds(problem)?;
        let deadline = params.deadline(END_OF_TRIALS);
        let total = rounds.iter().map(Vec::len).sum();
        for round in rounds {
            let left = params.fits_left(&trials, observer);
            if left == 0 {
                break;
            }
            let round: Vec<Recipe> = round.into_iter().take(left).collect();
            let outcome = trials.run(round, sampled, (&judges, deadline), total, observer);
            if let Err(Error::Cancelled { .. }) = outcome
                && !trials.members.is_empty()
                && observer.keeps_best()
            {
                trials.is_cut_off = true;
                break;
            }
            outcome?;
        }
        let first = trials.recipes.first().cloned();
        if let (true, true, Some(first)) = (trials.members.is_empty(), deadline.is_finite(), first)
        {
            // Nothing was in time: the likeliest recipe is tried to the end.
            trials.recipes.clear();
            trials.run(vec![first], sampled, (&judges, f64::INFINITY), 1, observer)?;
        }
        trials.support = trials.support_by_clusters(sampled)?;
        Ok(trials)
    }

    /// Tries the recipes of a round; those that are not quick only until the deadline. Where it is cancelled, those that
    /// were tried by then are kept.
    fn run(
        &mut self,
        round: Vec<Recipe>,
        sampled: &Problem,
        (judges, deadline): (&Constraints, f64),
        total: usize,
        observer: &dyn Observer,
    ) -> Result<()> {
        let before = self.recipes.len();
        let finished = AtomicUsize::new(before);
        let (folds, ks) = (&self.folds, &self.ks);
        let found: Vec<(Vec<Member>, Result<()>)> = round
            .par_iter()
            .enumerate()
            .map(|(at, recipe)| {
                let deadline = if recipe.is_quick() { f64::INFINITY } else { deadline };
                let members = in_time(observer, deadline, |observer| {
                    members_of(recipe, before + at, sampled, (folds, judges), ks, observer)
                });
                let members = match members {
                    Ok(members) => members.unwrap_or_default(),
                    Err(error) => return (Vec::new(), Err(error)),
                };
                let finished = finished.fetch_add(1, Ordering::Relaxed) + 1;
                (members, report(observer, &Event::new("trying recipes", 1, finished, total)))
            })
            .collect();
        self.recipes.extend(round);
        let mut outcome = Ok(());
        for (members, ended) in found {
            self.members.extend(members);
            outcome = outcome.and(ended);
        }
        outcome
    }

    /// The members that hold nearly all of the weight where `n_judges` pairs of the scarcer kind judged them, the
    /// heaviest first. None leave the members that are given no constraints.
    pub(super) fn ensemble(&self, n_judges: usize) -> Vec<Weighted<'_>> {
        let judges = n_judges as f64;
        let trust = TRUST_IN_SUPPORT * (1.0 + WITHOUT_CONSTRAINTS / (1.0 + judges));
        let informed = judges / (judges + FEW_JUDGES).sqrt();
        let exponent = |member: &Member| {
            TRUST_IN_SCORES * informed * member.score + trust * self.support(member.k)
        };
        let largest = self.members.iter().map(exponent).fold(f64::NEG_INFINITY, f64::max);
        let is_supervised = |member: &Member| self.recipes[member.recipe].is_supervised();
        let n_supervised = self.members.iter().filter(|member| is_supervised(member)).count();
        let n_unsupervised = self.members.len() - n_supervised;
        let prior = |member: &Member| match is_supervised(member) {
            true if n_unsupervised == 0 => 1.0,
            true => judges / (judges + EVEN_JUDGES) / n_supervised as f64,
            false => EVEN_JUDGES / (judges + EVEN_JUDGES) / n_unsupervised as f64,
        };
        let mut all: Vec<Weighted<'_>> = self
            .members
            .iter()
            .map(|member| (member, prior(member) * (exponent(member) - largest).exp()))
            .collect();
        let total: f64 = all.iter().map(|(_, weight)| weight).sum();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.truncate(MAX_MEMBERS);
        let mut held = 0.0;
        all.into_iter()
            .map(|(member, weight)| (member, weight / total))
            .take_while(|(_, weight)| {
                let is_needed = held < KEPT_WEIGHT;
                held += weight;
                is_needed
            })
            .collect()
    }

    /// How far the data support a number of clusters: how much the methods without constraints agree among each other when
    /// they look for so many, and how well separated the clusters are.
    pub(super) fn support(&self, k: usize) -> f64 {
        self.support.get(&k).map_or(0.0, |(support, _)| *support)
    }

    /// Takes every number of clusters as equally supported.
    pub(super) fn forget_support(&mut self) {
        self.support.clear();
    }

    /// What speaks for every number of clusters without constraints.
    pub(super) fn cluster_counts(&self) -> impl Iterator<Item = ClusterCountSupport> {
        self.support.values().map(|(_, of_count)| *of_count)
    }

    /// For every number of clusters the mean agreement (adjusted Rand index) of the methods without constraints, half of
    /// it smoothed over neighbouring numbers, plus half the squared separation of the first method's clusters, as a
    /// share of the largest one: the silhouette of k-means, or the modularity of the clusters of a graph.
    fn support_by_clusters(
        &self,
        sampled: &Problem,
    ) -> Result<BTreeMap<usize, (f64, ClusterCountSupport)>> {
        let mut by_k: BTreeMap<usize, Vec<&Member>> = BTreeMap::new();
        for member in &self.members {
            if !self.recipes[member.recipe].is_supervised() {
                by_k.entry(member.k).or_default().push(member);
            }
        }
        let agreements = by_k.values().map(|members| mean_agreement(members));
        let agreements = Array1::from_vec(agreements.collect::<Result<_>>()?);
        let smoothed = smooth(&agreements, Axis(0));
        let first = by_k.values().map(|members| {
            let first = members.iter().find(|member| member.recipe == 0);
            first.map_or(&[][..], |member| member.labels(0))
        });
        let separations = separations(sampled, &first.collect::<Vec<_>>());
        let largest = separations.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let each = agreements.iter().zip(&smoothed).zip(separations);
        let support = each.zip(by_k.keys()).map(|(((&agreement, smoothed), separation), &k)| {
            let support = f64::midpoint(agreement, *smoothed)
                + SHARE_OF_SEPARATION * (separation / largest).powi(2);
            let of_count =
                ClusterCountSupport { n_clusters: k, agreement, separation, score: None };
            (k, (support, of_count))
        });
        Ok(support.collect())
    }
}

/// How well the clusters of each of these partitions are separated, at least 0; 0 where there is no partition.
fn separations(sampled: &Problem, partitions: &[&[Label]]) -> Vec<f64> {
    let of_each = |separation: &dyn Fn(&[Label], usize) -> f64| {
        let of_labels = |labels: &&[Label]| match n_clusters(labels) {
            0 => 0.0,
            k => separation(labels, k).max(0.0),
        };
        partitions.iter().map(of_labels).collect()
    };
    let by_distances = |distances: Array2<f64>| {
        of_each(&|labels, k| silhouette(&distances, sampled.weights(), labels, k))
    };
    match sampled.input() {
        Input::Points(points) => by_distances(point_distances(points)),
        Input::Kernel(kernel) => by_distances(kernel_distances(&kernel.view())),
        Input::Graph(graph) => {
            let modularity = Modularity::new(graph.matrix());
            of_each(&|labels, k| modularity.of(labels, k))
        }
    }
}

/// The mean adjusted Rand index of every two of the partitions.
fn mean_agreement(members: &[&Member]) -> Result<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for (at, a) in members.iter().enumerate() {
        for b in &members[..at] {
            sum += adjusted_rand(a.labels(0), b.labels(0))?;
            count += 1;
        }
    }
    Ok(sum / f64::from(count.max(1)))
}

/// The members of a recipe.
fn members_of(
    recipe: &Recipe,
    position: usize,
    sampled: &Problem,
    (folds, judges): (&[Fold], &Constraints),
    ks: &[usize],
    observer: &dyn Observer,
) -> Result<Vec<Member>> {
    let runs = if recipe.is_supervised() {
        let of_fold = |fold: &Fold| {
            let train = sampled.with_constraints(fold.train.clone())?;
            recipe.fit(&train, ks, false, observer)
        };
        folds.iter().map(of_fold).collect::<Result<Vec<_>>>()?
    } else {
        vec![recipe.fit(sampled, ks, false, observer)?]
    };
    let mut members = Vec::new();
    for (at, &k) in ks.iter().enumerate() {
        let of_fold: Vec<Vec<Label>> = runs
            .iter()
            .filter_map(|run| run.iter().find(|fit| fit.at == at).map(|fit| fit.labels.clone()))
            .collect();
        if of_fold.is_empty() || of_fold.len() < runs.len() {
            continue;
        }
        let mut agreement = ConstraintAgreement::default();
        if recipe.is_supervised() {
            for (labels, fold) in of_fold.iter().zip(folds) {
                agreement += ConstraintAgreement::of(labels, &fold.test);
            }
        } else {
            agreement = ConstraintAgreement::of(&of_fold[0], judges);
        }
        let score = agreement.score();
        members.push(Member { recipe: position, k, of_fold, score });
    }
    Ok(members)
}

impl Member {
    /// The labels of the sample without the constraints held out in a fold.
    pub(super) fn labels(&self, fold: usize) -> &[Label] {
        self.of_fold.get(fold).unwrap_or(&self.of_fold[0])
    }
}

impl Auto {
    /// The numbers of clusters that members are given: a grid from the least that the constraints allow, and the number
    /// that mean shift finds.
    fn clusters_to_try(&self, sampled: &Problem, observer: &dyn Observer) -> Result<Vec<usize>> {
        if let Some(k) = self.given_clusters() {
            return Ok(vec![k.min(sampled.len())]);
        }
        let most = (sampled.len() / POINTS_A_CLUSTER).max(1);
        let least = sampled.constraints().check().min_clusters().clamp(1, most);
        let mut ks: Vec<usize> = CLUSTERS.to_vec();
        ks.push(least.max(2));
        if matches!(sampled.input(), Input::Points(_)) {
            let none = sampled.with_constraints(Constraints::new(sampled.len()))?;
            let shift = MeanShift { seed: self.seed, ..MeanShift::default() };
            ks.push(shift.fit(&none, observer)?.clustering.n_clusters);
        }
        ks.retain(|&k| k <= most && k >= least.max(2));
        if ks.is_empty() {
            ks.push(1);
        }
        ks.sort_unstable();
        ks.dedup();
        Ok(ks)
    }

    /// The recipes of the methods that may be members.
    fn rounds(&self, problem: &Problem) -> Result<Vec<Vec<Recipe>>> {
        let mut rounds = rounds(problem, self.seed)?;
        let Some(members) = self.members.fixed() else { return Ok(rounds) };
        let mut offered: Vec<&str> =
            rounds.iter().flatten().map(|recipe| recipe.describe().0).collect();
        offered.sort_unstable();
        offered.dedup();
        for round in &mut rounds {
            round.retain(|recipe| members.include(recipe.describe().0));
        }
        rounds.retain(|round| !round.is_empty());
        if rounds.is_empty() {
            let expected = format!(
                "on this problem members may be {}; others need constraints or another input",
                offered.join(", ")
            );
            return Err(Error::bad_parameter("members", members, expected));
        }
        Ok(rounds)
    }

    /// How many more recipes may be tried.
    fn fits_left(&self, trials: &Trials, observer: &dyn Observer) -> usize {
        let tried = trials.recipes.len();
        match self.n_fits {
            AutoOr::Fixed(n_fits) => n_fits.saturating_sub(tried),
            AutoOr::Auto => {
                let is_late = observer.seconds().is_some_and(|s| s > SHARE_OF_TRIALS * self.budget);
                if tried > 0 && is_late { 0 } else { usize::MAX }
            }
        }
    }
}
