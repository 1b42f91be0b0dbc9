//! Where a consensus is cut and how honest its votes are, by held-out constraints.

use ndarray::{Array1, Array2, Axis};

use super::trials::{Fold, Trials, Weighted};
use crate::group::consensus::{CoAssociation, Cut};
use crate::group::{Label, n_clusters};
use crate::numerics::average_linkage::Dendrogram;
use crate::outcome::{Calibration, Confidence, add_votes, shares};
use crate::select::ConstraintAgreement;
use crate::select::folds::{MIN_CONSTRAINTS, smooth};
use crate::select::held_out::first_best;

/// The agreement at which a consensus is cut where there are too few constraints to choose.
const HALF: Cut = Cut::Agreement(0.5);

/// Pairs of the scarcer kind from which on they choose where a consensus is cut.
const FEWEST_JUDGES: usize = 4;

/// The same from which on they choose members: a single pair is kept or broken by chance.
const FEWEST_TO_DEPART: usize = 2;

/// How much better another cut or ensemble must predict held-out constraints, times the root of the pairs of the scarcer
/// kind.
const MARGIN: f64 = 0.3;

/// What the support that the data give to a number of clusters counts for beside held-out constraints, over the root of
/// the pairs of the scarcer kind.
const PRIOR_OF_SUPPORT: f64 = 0.3;

/// Powers of the votes that are tried.
const SHARPNESS: [f64; 6] = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0];

/// Chances that all members err alike that are tried.
const COMMON_ERRORS: [f64; 8] = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5];

/// What is usual over many sets: it holds where no pair is held out, and counts for so many pairs beside those that are.
const USUAL: Calibration = Calibration { sharpness: 1.5, common_error: 0.2 };
const PAIRS_OF_USUAL: f64 = 20.0;

/// The consensus of the members without the constraints held out in each fold.
pub(super) struct HeldOutConsensus<'a> {
    pub(super) members: Vec<Weighted<'a>>,
    /// Where its tree is cut.
    pub(super) cut: Cut,
    /// The agreement with held-out constraints of every number of clusters that was tried; empty where there are too few.
    pub(super) scores: Vec<f64>,
    folds: Vec<(&'a Fold, CoAssociation, Dendrogram)>,
}

impl<'a> HeldOutConsensus<'a> {
    /// The consensus that predicts held-out constraints: of the members that they favour, or, unless that is better
    /// by a margin, of those that are given no constraints, so that answers are followed where they are known to help.
    /// `given` is the number of clusters, where it is given.
    pub(super) fn best(trials: &'a Trials, given: Option<usize>) -> Self {
        let cut = given.map_or(HALF, Cut::Clusters);
        let without = Self::new(trials, trials.ensemble(0), cut);
        if trials.n_judges < FEWEST_TO_DEPART {
            return without;
        }
        let judged = Self::judged(trials, given);
        let margin = MARGIN * caution(trials);
        let is_better = judged.score(judged.cut) > without.score(cut) + margin;
        if is_better { judged } else { Self { scores: judged.scores, ..without } }
    }

    /// The consensus of the members that held-out constraints favour, cut where they favour it.
    pub(super) fn judged(trials: &'a Trials, given: Option<usize>) -> Self {
        let cut = given.map_or(HALF, Cut::Clusters);
        let mut judged = Self::new(trials, trials.ensemble(trials.n_judges), cut);
        if given.is_none() {
            judged.choose_cut(trials);
        }
        judged
    }

    fn new(trials: &'a Trials, members: Vec<Weighted<'a>>, cut: Cut) -> Self {
        let of_fold = |(at, fold): (usize, &'a Fold)| {
            let partitions: Vec<(&[Label], f64)> =
                members.iter().map(|(member, weight)| (member.labels(at), *weight)).collect();
            let n = fold.train.n();
            let agreement = CoAssociation::new(n, &partitions).with_implied(&fold.train.closure());
            let tree = agreement.tree();
            (fold, agreement, tree)
        };
        let folds = trials.folds.iter().enumerate().map(of_fold).collect();
        Self { members, cut, scores: Vec::new(), folds }
    }

    /// Takes the cut whose clusters agree best with held-out constraints: at an agreement of one half, or into one of the
    /// numbers of clusters that were tried where that is better.
    fn choose_cut(&mut self, trials: &Trials) {
        self.cut = HALF;
        if trials.n_judges < FEWEST_JUDGES || self.folds.is_empty() || trials.ks.is_empty() {
            return;
        }
        let caution = caution(trials);
        let scores: Vec<f64> = trials.ks.iter().map(|&k| self.score(Cut::Clusters(k))).collect();
        let smoothed = smooth(&Array1::from_vec(scores.clone()), Axis(0));
        let worth = smoothed
            .iter()
            .zip(&trials.ks)
            .map(|(score, &k)| score + PRIOR_OF_SUPPORT * caution * trials.support(k));
        let best = first_best(worth);
        let is_better = scores[best] > self.score(HALF) + MARGIN * caution;
        if is_better {
            self.cut = Cut::Clusters(trials.ks[best]);
        }
        self.scores = scores;
    }

    fn score(&self, cut: Cut) -> f64 {
        let mut total = ConstraintAgreement::default();
        for (fold, agreement, tree) in &self.folds {
            total += ConstraintAgreement::of(&agreement.clusters(tree, cut), &fold.test);
        }
        total.score()
    }

    /// How the votes predict held-out pairs best: with p_i the probabilities of the clusters of point i, a pair shares a
    /// cluster with the probability p_i · p_j, and the sum of its negative logarithm over all pairs, plus what departs
    /// from the usual, is least.
    pub(super) fn calibration(&self) -> Calibration {
        let votes_of_fold = |(at, (fold, agreement, tree)): (usize, &(&'a Fold, _, _))| {
            let labels = CoAssociation::clusters(agreement, tree, self.cut);
            (*fold, self.votes(at, &labels))
        };
        let votes: Vec<(&Fold, Array2<f64>)> =
            self.folds.iter().enumerate().map(votes_of_fold).collect();
        let mut candidates = Vec::new();
        for sharpness in SHARPNESS {
            let of_votes = Calibration { sharpness, common_error: 0.0 };
            let of_fold = |(fold, votes): &(&Fold, Array2<f64>)| {
                chances(&Confidence::of_votes(votes.clone(), of_votes), fold)
            };
            let chances: Vec<Chance> = votes.iter().flat_map(of_fold).collect();
            if chances.len() < MIN_CONSTRAINTS {
                return USUAL;
            }
            for common_error in COMMON_ERRORS {
                let loss: f64 = chances.iter().map(|chance| chance.loss(common_error)).sum();
                let calibration = Calibration { sharpness, common_error };
                candidates.push((calibration, -loss - PAIRS_OF_USUAL * departure(calibration)));
            }
        }
        candidates[first_best(candidates.iter().map(|(_, likelihood)| *likelihood))].0
    }

    fn votes(&self, fold: usize, labels: &[Label]) -> Array2<f64> {
        let of_fold = |&(member, weight): &Weighted<'a>| (member.labels(fold), weight);
        votes(self.members.iter().map(of_fold), labels)
    }
}

/// How far held-out constraints may mislead: one over the root of the pairs of the scarcer kind.
fn caution(trials: &Trials) -> f64 {
    1.0 / (trials.n_judges as f64).sqrt()
}

/// The votes of partitions, each with its weight, on the clusters that `labels` are.
pub(super) fn votes<'a>(
    partitions: impl Iterator<Item = (&'a [Label], f64)>,
    labels: &[Label],
) -> Array2<f64> {
    let k = n_clusters(labels);
    let mut votes = Array2::zeros((labels.len(), k));
    for (own, weight) in partitions {
        let shares = shares(own, n_clusters(own), (labels, k));
        add_votes(&mut votes, own, weight, &shares);
    }
    votes
}

/// Probabilities are kept this far from 0 and 1, so that one pair does not decide.
const CAUTION: f64 = 0.02;

/// How far a calibration is from the usual: the cross-entropy of the common errors, and the squared logarithm of the ratio of
/// the powers.
fn departure(Calibration { sharpness, common_error }: Calibration) -> f64 {
    let cross_entropy = USUAL.common_error * common_error.ln()
        + (1.0 - USUAL.common_error) * (1.0 - common_error).ln();
    (sharpness / USUAL.sharpness).ln().powi(2) - cross_entropy
}

/// The chance that a held-out pair shares a cluster, if the members do not all err alike.
struct Chance {
    same: f64,
    n_clusters: usize,
    is_must_link: bool,
}

impl Chance {
    /// The negative logarithm of the chance of what is known about the pair.
    fn loss(&self, common_error: f64) -> f64 {
        let kept = (1.0 - common_error).powi(2);
        let same = kept * self.same + (1.0 - kept) / self.n_clusters as f64;
        let same = same.clamp(CAUTION, 1.0 - CAUTION);
        -if self.is_must_link { same } else { 1.0 - same }.ln()
    }
}

fn chances(confidence: &Confidence, fold: &Fold) -> Vec<Chance> {
    let rows = &confidence.probabilities;
    let of_pair = |[a, b]: [usize; 2], is_must_link| Chance {
        same: rows.row(a).dot(&rows.row(b)),
        n_clusters: rows.ncols().max(1),
        is_must_link,
    };
    let must = fold.test.must_links().iter().map(|pair| of_pair(pair.points, true));
    let cannot = fold.test.cannot_links().iter().map(|pair| of_pair(pair.points, false));
    must.chain(cannot).collect()
}
