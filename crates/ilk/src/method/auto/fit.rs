//! The consensus of the members that held-out constraints favour.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use rayon::prelude::*;

use super::agree::{HeldOutConsensus, votes};
use super::deadline::in_time;
use super::kernel_rows::{model_of_kernel, rows_of_kernel};
use super::recipes::MemberFit;
use super::trials::{Trials, Weighted};
use super::{Auto, MAX_WHOLE};
use crate::group::consensus::{CoAssociation, Cut};
use crate::group::{Grouping, Label, StopReason, n_clusters, renumber_by_appearance};
use crate::method::{Method, SsKernelKMeans};
use crate::observe::{Event, Observer, report};
use crate::outcome::{
    AnyModel, Calibration, Chosen, ClusterCountSupport, Clustering, Confidence, ConsensusModel,
    Fit, MemberReport, PointConfidence, TransductiveModel, VotingMember,
};
use crate::problem::{Input, Points, Problem};
use crate::refine::{MustLinkPolicy, RefineOptions, Refinement, RefinementSpace};
use crate::select::inconsistency::filter_inconsistent;
use crate::select::labelled::{fit_of_labels, labels_of_all_points};
use crate::select::sample::ProblemSample;
use crate::{Error, Result};

/// Fits a problem that the method takes.
pub(super) fn fit(params: &Auto, given: &Problem, observer: &dyn Observer) -> Result<Fit> {
    if let Some((points, labels)) = labels_of_all_points(given) {
        return fit_of_labels(given, points, labels);
    }
    if !matches!(given.input(), Input::Points(_)) && given.len() > MAX_WHOLE {
        return fit_large(params, given, observer);
    }
    let (problem, filtered) = filter_inconsistent(given, true)?;
    let trials = Trials::new(params, &problem, observer)?;
    if trials.members.is_empty() {
        return Err(Error::unsupported("auto", "this problem", "name a method"));
    }
    let mut fit = match consensus_fit(params, given, (&problem, &trials), observer) {
        // All that may be the best was tried: what is left is short.
        Err(Error::Cancelled { .. }) if observer.keeps_best() => {
            consensus_fit(params, given, (&problem, &trials), observer)?
        }
        fit => fit?,
    };
    fit.clustering.chosen.extend(filtered);
    Ok(fit)
}

/// The fit by the members that were tried; `problem` is the one that is given, without inconsistent constraints.
fn consensus_fit(
    params: &Auto,
    given: &Problem,
    (problem, trials): (&Problem, &Trials),
    observer: &dyn Observer,
) -> Result<Fit> {
    let consensus = HeldOutConsensus::best(trials, params.given_clusters());
    let calibration = consensus.calibration();

    let sample = ProblemSample::of(problem, params.sample, params.seed)?;
    let sampled = sample.problem();
    let ensemble = &consensus.members;
    let mut refits = refit(trials, ensemble, sampled, params.deadline(1.0), observer)?;
    if refits.is_empty() {
        refits = refit(trials, ensemble, sampled, f64::INFINITY, observer)?;
    }
    let (refits, members): (Vec<_>, Vec<_>) =
        refits.into_iter().map(|(fit, member)| ((fit, member.1), member)).unzip();
    let partitions: Vec<(&[Label], f64)> =
        refits.iter().map(|(fit, weight)| (fit.labels.as_slice(), *weight)).collect();
    let divide = params.given_clusters().is_none();
    let labels = agreed_labels(&partitions, sampled, (consensus.cut, divide), observer)?;

    let n_members = refits.len();
    let mut fit = assemble(given, sampled, refits, &labels, calibration, observer)?;
    fit.clustering.iterations = n_members;
    if trials.is_cut_off {
        fit.clustering.stop = StopReason::Cancelled;
    }
    fit.clustering.leaderboard = leaderboard(trials, &members);
    fit.clustering.cluster_counts = cluster_counts(trials, &consensus.scores);
    let by = match (params.given_clusters(), consensus.cut) {
        (Some(_), _) => None,
        (None, Cut::Clusters(_)) => Some("held-out answers"),
        (None, Cut::Agreement(_)) => Some("the agreement of the members"),
    };
    let found = fit.clustering.n_clusters;
    fit.clustering.requested_clusters = params.given_clusters().or(Some(found));
    fit.clustering.chosen.extend(by.map(|by| Chosen::new("n_clusters", found, by)));
    Ok(fit)
}

/// Fits a graph or a kernel matrix that is too large for a consensus.
fn fit_large(params: &Auto, given: &Problem, observer: &dyn Observer) -> Result<Fit> {
    let n_clusters = params.n_clusters;
    let kmeans = SsKernelKMeans { n_clusters, seed: params.seed, ..SsKernelKMeans::default() };
    kmeans.fit(given, observer)
}

/// Fits the members with all constraints, the heaviest recipe first; the others only until the deadline.
fn refit<'a>(
    trials: &Trials,
    ensemble: &[Weighted<'a>],
    sampled: &Problem,
    deadline: f64,
    observer: &dyn Observer,
) -> Result<Vec<(MemberFit, Weighted<'a>)>> {
    let mut by_recipe: BTreeMap<usize, Vec<Weighted<'a>>> = BTreeMap::new();
    for weighted in ensemble {
        by_recipe.entry(weighted.0.recipe).or_default().push(*weighted);
    }
    let mut by_recipe: Vec<(usize, Vec<Weighted<'a>>)> = by_recipe.into_iter().collect();
    by_recipe.sort_by(|a, b| b.1[0].1.total_cmp(&a.1[0].1));
    let total = by_recipe.len();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let fits = by_recipe
        .par_iter()
        .enumerate()
        .map(|(rank, (recipe, members))| {
            let ks: Vec<usize> =
                members.iter().map(|(member, _)| member.k.min(sampled.len())).collect();
            let deadline = if rank == 0 { f64::INFINITY } else { deadline };
            let fits = in_time(observer, deadline, |observer| {
                trials.recipes[*recipe].fit(sampled, &ks, true, observer)
            })?;
            let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            report(observer, &Event::new("fitting members", 1, done, total))?;
            let fits = fits.unwrap_or_default();
            Ok(fits.into_iter().map(|fit| (members[fit.at], fit)).collect::<Vec<_>>())
        })
        .collect::<Result<Vec<_>>>()?;
    let mut all: Vec<(MemberFit, Weighted<'a>)> =
        fits.into_iter().flatten().map(|(member, fit)| (fit, member)).collect();
    let order =
        |(_, (member, weight)): &(MemberFit, Weighted<'a>)| (*weight, Reverse(member.recipe));
    all.sort_by(|a, b| order(b).partial_cmp(&order(a)).unwrap_or(Ordering::Equal));
    Ok(all)
}

/// The clusters that the partitions agree on, with constrained points moved to where they break nothing: to a cluster
/// of points that the members vote alike on.
pub(super) fn agreed_labels(
    partitions: &[(&[Label], f64)],
    sampled: &Problem,
    (cut, divide): (Cut, bool),
    observer: &dyn Observer,
) -> Result<Vec<Label>> {
    let constraints = sampled.constraints();
    let closure = constraints.closure();
    let agreement = CoAssociation::new(sampled.len(), partitions).with_implied(&closure);
    let labels = agreement.clusters(&agreement.tree(), cut);
    if constraints.is_empty() {
        return Ok(labels);
    }
    let options = RefineOptions {
        must_links: MustLinkPolicy::Auto,
        divide,
        may_merge: false,
        are_consistent: closure.contradicted_cannot_links(constraints).is_empty(),
    };
    let space = Points::new(votes(partitions.iter().copied(), &labels))?;
    let refine = Refinement::Constrained.to_params(options, sampled.len());
    let space = RefinementSpace::Points(space);
    Ok(refine.refine(&space, &labels, constraints, observer)?.labels)
}

/// The fit of all points from the labels of the sample.
fn assemble(
    given: &Problem,
    sampled: &Problem,
    refits: Vec<(MemberFit, f64)>,
    labels: &[Label],
    calibration: Calibration,
    observer: &dyn Observer,
) -> Result<Fit> {
    let (Input::Points(sample), Input::Points(all)) = (sampled.input(), given.input()) else {
        let rows = rows_of_kernel(sampled.input())?;
        let labels = match &rows {
            Some(rows) => one_label_for_copies(rows, labels),
            None => labels.to_vec(),
        };
        let partitions = refits.iter().map(|(fit, weight)| (fit.labels.as_slice(), *weight));
        let confidence = Confidence::of_votes(votes(partitions, &labels), calibration);
        let mut certainty = PointConfidence::default();
        certainty.extend(&confidence, &labels);
        let model = match rows {
            Some(rows) => model_of_kernel(&rows, refits, &labels, calibration)?,
            None => TransductiveModel::new(n_clusters(&labels), given.len()).into(),
        };
        return Ok(finished(given, labels, certainty, model));
    };
    let labels = &one_label_for_copies(sample, labels);
    let k = n_clusters(labels);
    let members = voting_members(refits, (labels, k));
    let model = ConsensusModel::new(members, k, calibration).with_labels_of(sample, labels)?;
    let (labels, certainty) = place(&model, all, observer)?;
    Ok(finished(given, labels, certainty, AnyModel::from(model)))
}

/// The members with a model that places new points, as those that vote on the clusters of `consensus`.
pub(super) fn voting_members(
    refits: Vec<(MemberFit, f64)>,
    consensus: (&[Label], usize),
) -> Vec<VotingMember> {
    let places = |model: &AnyModel| !matches!(model, AnyModel::Transductive(_));
    let member = |(fit, weight): (MemberFit, f64)| {
        let model = fit.model.filter(places)?;
        Some(VotingMember::new(model, weight, &fit.labels, consensus))
    };
    refits.into_iter().filter_map(member).collect()
}

/// The labels with one label for points that are equal: that of most of them.
pub(super) fn one_label_for_copies(points: &Points, labels: &[Label]) -> Vec<Label> {
    let distinct = points.distinct_rows();
    let mut counts: Vec<BTreeMap<Label, usize>> = vec![BTreeMap::new(); distinct.first.len()];
    for (label, &row) in labels.iter().zip(&distinct.distinct_row_of) {
        *counts[row].entry(*label).or_default() += 1;
    }
    let most = |counts: &BTreeMap<Label, usize>| {
        let heaviest = counts.iter().max_by_key(|&(label, count)| (count, Reverse(label)));
        heaviest.and_then(|(label, _)| *label)
    };
    let of_row: Vec<Label> = counts.iter().map(most).collect();
    let unified: Vec<Label> = distinct.distinct_row_of.iter().map(|&row| of_row[row]).collect();
    renumber_by_appearance(&unified).0
}

/// The clusters of all points by the votes, and how sure they are.
fn place(
    model: &ConsensusModel,
    points: &Points,
    observer: &dyn Observer,
) -> Result<(Vec<Label>, PointConfidence)> {
    let mut labels = Vec::with_capacity(points.len());
    let mut certainty = PointConfidence::default();
    for (done, block) in points.blocks().enumerate() {
        let confidence = model.predict_confidence(&block, observer)?;
        let of_block = confidence.labels();
        certainty.extend(&confidence, &of_block);
        labels.extend(of_block);
        report(observer, &Event::new("placing points", done + 1, labels.len(), points.len()))?;
    }
    Ok((labels, certainty))
}

fn finished(
    given: &Problem,
    labels: Vec<Label>,
    certainty: PointConfidence,
    model: AnyModel,
) -> Fit {
    let k = n_clusters(&labels);
    let grouping = Grouping::new(labels, k, StopReason::Converged, Vec::new());
    let mut clustering = Clustering::new(grouping, given.constraints());
    clustering.confidence = Some(certainty);
    Fit { clustering, model }
}

/// The numbers of clusters that were tried, for the report.
fn cluster_counts(trials: &Trials, scores: &[f64]) -> Vec<ClusterCountSupport> {
    let score_of = |k: usize| scores.get(trials.ks.iter().position(|&tried| tried == k)?).copied();
    trials
        .cluster_counts()
        .map(|of_count| ClusterCountSupport { score: score_of(of_count.n_clusters), ..of_count })
        .collect()
}

/// The members of the consensus, for the report.
fn leaderboard(trials: &Trials, ensemble: &[Weighted<'_>]) -> Vec<MemberReport> {
    let of_member = |&(member, weight): &Weighted<'_>| {
        let (method, settings) = trials.recipes[member.recipe].describe();
        MemberReport {
            method: method.to_owned(),
            n_clusters: Some(member.k),
            settings,
            score: trials.is_judged.then_some(member.score),
            weight,
        }
    };
    ensemble.iter().map(of_member).collect()
}
