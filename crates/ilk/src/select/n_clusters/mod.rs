//! The number of clusters, for methods that take one, where it was left open.
//!
//! A sample of the input is grouped into 2, 3, ... clusters without the constraints, and two things are asked of each
//! grouping: how well separated its clusters are, by the data alone ([`candidates`]), and how well it agrees with the
//! pairs and labels. No constraint has to be held out, since none took part in the grouping. The number is the one
//! with the largest
//!
//! ```text
//! w A(k) + (1 - w) S(k),   w = c / (c + 15)
//! ```
//!
//! with S the separation, A the agreement, smoothed over neighbouring k, and c the pairs of the scarcer kind,
//! must-links or cannot-links: without constraints it is the separation that decides, and a few do not outweigh it.
//! It is never below what the constraints imply: the classes of the labels, and points of which any two are
//! separated. Where nearly all points lie in clusters with a labelled point, labels name what there is, and it is the
//! number of their classes. docs/n_clusters.md compares this with other rules.

mod candidates;
pub(crate) mod separation;
#[cfg(test)]
mod tests;

use ndarray::{Array1, Axis};

use super::ConstraintAgreement;
use super::folds::{scarcer_kind_count, smooth};
use crate::Result;
use crate::error::check_n_clusters;
use crate::group::Grouping;
use crate::observe::Observer;
use crate::outcome::{AnyModel, Chosen, Fit};
use crate::parameter::AutoOr;
use crate::problem::{Constraints, Problem};
use candidates::{Candidate, Candidates};

/// Pairs of the scarcer kind that count as much as the separation.
const EVEN_PAIRS: f64 = 15.0;

/// The share of the points that may lie in clusters without a labelled point where the labels name all classes.
const UNLABELLED_SHARE: f64 = 0.1;

/// The number of clusters of a fit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClusterCount {
    /// The number that was asked for, if any.
    pub(crate) given: AutoOr<usize>,
    /// Whether points are the rows of a kernel matrix.
    pub(crate) is_precomputed: bool,
    pub(crate) seed: u64,
}

impl ClusterCount {
    /// Calls `fit` with the number of clusters, which is never `auto`. The outcome says how it was chosen.
    ///
    /// # Errors
    /// [`Error::TooManyClusters`](crate::Error::TooManyClusters) for more clusters than points, and those of `fit`.
    pub(crate) fn fit(
        self,
        problem: &Problem,
        observer: &dyn Observer,
        fit: impl FnOnce(AutoOr<usize>) -> Result<Fit>,
    ) -> Result<Fit> {
        let (k, by) = match self.given {
            AutoOr::Fixed(k) => {
                check_n_clusters(k, problem.len())?;
                (k, None)
            }
            AutoOr::Auto => {
                let (k, by) = self.choose(problem, observer)?;
                (k, Some(by))
            }
        };
        let mut fit = fit(AutoOr::Fixed(k))?;
        fit.clustering.requested_clusters = Some(k);
        if let Some(by) = by {
            fit.clustering.chosen.insert(0, Chosen::new("n_clusters", k, by));
        }
        Ok(fit)
    }

    /// As [`fit`](Self::fit), for a grouping that uses no constraints.
    pub(crate) fn group<M: Into<AnyModel>>(
        self,
        problem: &Problem,
        observer: &dyn Observer,
        group: impl FnOnce(AutoOr<usize>) -> Result<(Grouping, M)>,
    ) -> Result<Fit> {
        self.fit(problem, observer, |n_clusters| {
            let (grouping, model) = group(n_clusters)?;
            Ok(Fit::new(grouping, model, problem.constraints()))
        })
    }

    /// The number of clusters, and what it was chosen by.
    fn choose(self, problem: &Problem, observer: &dyn Observer) -> Result<(usize, &'static str)> {
        let constraints = problem.constraints();
        let n = problem.len();
        let n_labels = constraints.label_names().len();
        if n_labels > 0 && constraints.labels().len() >= n {
            return Ok((n_labels, BY_LABELS));
        }
        let lowest = constraints.check().min_clusters().max(n_labels).clamp(1, n.max(1));
        let found = Candidates::new(problem, self.is_precomputed, lowest, self.seed, observer)?;
        Ok(selected(&found.candidates, &found.constraints, lowest).unwrap_or((
            lowest,
            if lowest > 1 { BY_LOWER_BOUND } else { "nothing: too few points differ" },
        )))
    }
}

const BY_LABELS: &str = "the classes of the labels";
const BY_LOWER_BOUND: &str = "the points that the constraints separate";

/// The number of clusters of the best of some candidates, in the order of their numbers, and what it was chosen by;
/// `None` without candidates. It is at least `lowest`.
fn selected(
    candidates: &[Candidate],
    constraints: &Constraints,
    lowest: usize,
) -> Option<(usize, &'static str)> {
    let best_of = |score: &dyn Fn(usize) -> f64| {
        let enough = (0..candidates.len()).filter(|&at| candidates[at].k >= lowest);
        enough.reduce(|best, at| if score(at) > score(best) { at } else { best })
    };
    let by_separation = best_of(&|at| candidates[at].separation);
    let n_labels = constraints.label_names().len();
    if let Some(at) = by_separation
        && n_labels > 1
        && unlabelled_share(&candidates[at], constraints) < UNLABELLED_SHARE
    {
        return Some((lowest, if lowest > n_labels { BY_LOWER_BOUND } else { BY_LABELS }));
    }
    let by_separation = by_separation?;
    let pairs = scarcer_kind_count(constraints) as f64;
    if pairs == 0.0 {
        let k = candidates[by_separation].k;
        return Some((k, "how well clusters are separated"));
    }
    let weight = pairs / (pairs + EVEN_PAIRS);
    let agreements = candidates
        .iter()
        .map(|candidate| ConstraintAgreement::of(&candidate.labels, constraints).score());
    let agreements = smooth(&agreements.collect::<Array1<f64>>(), Axis(0));
    let best = best_of(&|at| weight * agreements[at] + (1.0 - weight) * candidates[at].separation)?;
    Some((
        candidates[best].k,
        "agreement with the constraints, and how well clusters are separated",
    ))
}

/// The share of the points that lie in clusters without a labelled point.
fn unlabelled_share(candidate: &Candidate, constraints: &Constraints) -> f64 {
    let mut has_label = vec![false; candidate.k];
    for labelled in constraints.labels() {
        if let Some(cluster) = candidate.labels[labelled.point] {
            has_label[cluster] = true;
        }
    }
    let is_unlabelled = |cluster: &&usize| !has_label[**cluster];
    let unlabelled = candidate.labels.iter().flatten().filter(is_unlabelled).count();
    unlabelled as f64 / candidate.labels.len().max(1) as f64
}
