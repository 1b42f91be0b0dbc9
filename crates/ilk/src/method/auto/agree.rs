//! Where a consensus is cut and how honest its votes are, by held-out constraints.

use ndarray::{Array1, Array2, Axis};

use super::trials::{Fold, Trials, Weighted};
use crate::group::consensus::{CoAssociation, Cut};
use crate::group::{Label, n_clusters};
use crate::numerics::average_linkage::Dendrogram;
use crate::outcome::{Confidence, add_votes, shares};
use crate::select::ConstraintAgreement;
use crate::select::folds::{MIN_CONSTRAINTS, smooth};
use crate::select::held_out::first_best;

/// The agreement at which a consensus is cut where there are too few constraints to choose.
const HALF: Cut = Cut::Agreement(0.5);

/// Pairs of the scarcer kind from which on they choose where a consensus is cut.
const FEWEST_JUDGES: usize = 4;

/// How much better another cut or ensemble must predict held-out constraints, times the root of the pairs of the scarcer
/// kind.
const MARGIN: f64 = 0.3;

/// What the support that the data give to a number of clusters counts for beside held-out constraints, over the root of
/// the pairs of the scarcer kind.
const PRIOR_OF_SUPPORT: f64 = 0.3;

/// Powers of the votes that are tried.
const SHARPNESS: [f64; 6] = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0];

/// The consensus of the members without the constraints held out in each fold.
pub(super) struct HeldOutConsensus<'a> {
    pub(super) members: Vec<Weighted<'a>>,
    /// Where its tree is cut.
    pub(super) cut: Cut,
    folds: Vec<(&'a Fold, CoAssociation, Dendrogram)>,
}

impl<'a> HeldOutConsensus<'a> {
    /// The consensus that predicts held-out constraints: of the members that they favour, or, unless that is better
    /// by a margin, of those that are given no constraints, so that answers are followed where they are known to help.
    /// `given` is the number of clusters, where it is given.
    pub(super) fn best(trials: &'a Trials, given: Option<usize>) -> Self {
        let cut = given.map_or(HALF, Cut::Clusters);
        let without = Self::new(trials, trials.ensemble(0), cut);
        if trials.n_judges == 0 {
            return without;
        }
        let mut judged = Self::new(trials, trials.ensemble(trials.n_judges), cut);
        if given.is_none() {
            judged.cut = judged.best_cut(trials);
        }
        let margin = MARGIN * caution(trials);
        let is_better = judged.score(judged.cut) > without.score(cut) + margin;
        if is_better { judged } else { without }
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
        Self { members, cut, folds }
    }

    /// The cut whose clusters agree best with held-out constraints: at an agreement of one half, or into one of the
    /// numbers of clusters that were tried where that is better.
    fn best_cut(&self, trials: &Trials) -> Cut {
        if trials.n_judges < FEWEST_JUDGES || self.folds.is_empty() {
            return HALF;
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
        if is_better { Cut::Clusters(trials.ks[best]) } else { HALF }
    }

    fn score(&self, cut: Cut) -> f64 {
        let mut total = ConstraintAgreement::default();
        for (fold, agreement, tree) in &self.folds {
            total += ConstraintAgreement::of(&agreement.clusters(tree, cut), &fold.test);
        }
        total.score()
    }

    /// The power of the votes by which they predict held-out pairs best: with p_i the probabilities of the clusters of
    /// point i, a pair shares a cluster with the probability p_i · p_j, and the mean of its negative logarithm over all
    /// pairs is least.
    pub(super) fn sharpness(&self) -> f64 {
        let mut losses = [0.0; SHARPNESS.len()];
        let mut n_pairs = 0;
        for (at, (fold, agreement, tree)) in self.folds.iter().enumerate() {
            let labels = agreement.clusters(tree, self.cut);
            let votes = self.votes(at, &labels);
            for (loss, power) in losses.iter_mut().zip(SHARPNESS) {
                let confidence = Confidence::of_votes(votes.clone(), power);
                *loss += log_loss(&confidence, fold);
            }
            n_pairs += fold.test.must_links().len() + fold.test.cannot_links().len();
        }
        if n_pairs < MIN_CONSTRAINTS {
            return 1.0;
        }
        SHARPNESS[first_best(losses.map(|loss| -loss))]
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

fn log_loss(confidence: &Confidence, fold: &Fold) -> f64 {
    let same = |[a, b]: [usize; 2]| {
        let rows = &confidence.probabilities;
        rows.row(a).dot(&rows.row(b)).clamp(CAUTION, 1.0 - CAUTION)
    };
    let must = fold.test.must_links().iter().map(|pair| -same(pair.points).ln());
    let cannot = fold.test.cannot_links().iter().map(|pair| -(1.0 - same(pair.points)).ln());
    must.chain(cannot).sum()
}
