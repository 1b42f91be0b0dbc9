//! How good the clusters are, how sure the annotators, and whether more questions are worth their time.

use std::collections::BTreeMap;

use super::question::{Answer, Question};
use super::session::Session;
use super::state::{Answered, Purpose};
use crate::Result;
use crate::group::Label;
use crate::observe::Observer;

/// The quantile of the normal distribution of intervals of 95%.
const QUANTILE: f64 = 1.96;

/// How well clusters agree with the answers that are kept for judging.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Answers with which the clusters agree.
    pub agreeing: usize,
    /// Answers that they can be compared with.
    pub total: usize,
    /// Wilson's interval of the share of agreement, of 95%.
    pub interval: (f64, f64),
}

/// What more questions are expected to change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedGain {
    /// Questions looked at.
    pub n_questions: usize,
    /// The share of all points that the answers are expected to move to the right cluster, at most.
    pub share: f64,
}

/// How often an annotator contradicts earlier answers.
#[derive(Debug, Clone, PartialEq)]
pub struct AnnotatorErrors {
    /// The annotator; none where the answers have no annotator.
    pub annotator: Option<String>,
    /// Questions that were answered again.
    pub repeated: usize,
    /// Those of them that were answered otherwise than before.
    pub contradicted: usize,
    /// The estimated share of wrong answers e: two answers differ with the probability 2 e (1 - e).
    pub error_rate: f64,
}

impl Session {
    /// How well the clusters agree with the pairs that are kept for judging; `None` before the first.
    ///
    /// # Errors
    /// Those of [`clusters`](Self::clusters).
    pub fn agreement(&self) -> Result<Option<Agreement>> {
        let labels = self.clusters()?;
        let (mut agreeing, mut total) = (0, 0);
        let judging =
            self.state().answered().iter().filter(|answered| answered.purpose == Purpose::Judge);
        for agrees in judging.filter_map(|answered| agrees(answered, &labels)) {
            total += 1;
            agreeing += usize::from(agrees);
        }
        Ok((total > 0).then(|| Agreement { agreeing, total, interval: wilson(agreeing, total) }))
    }

    /// What the next `n` questions are expected to change: the sum of what the strategy expects of each. `None` where it
    /// expects nothing in numbers, as those of the papers.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn expected_gain(&self, n: usize, observer: &dyn Observer) -> Result<Option<ExpectedGain>> {
        if self.options().strategy != super::Strategy::Auto {
            return Ok(None);
        }
        let questioner = super::ExpectedChange { kind: self.options().kind };
        let questions = super::Questioner::questions(&questioner, self.state(), n, observer)?;
        let points: f64 = questions.iter().map(|ranked| ranked.value.max(0.0)).sum();
        let share = (points / self.state().space().total()).min(1.0);
        Ok(Some(ExpectedGain { n_questions: n, share }))
    }

    /// How often every annotator contradicts earlier answers, by name.
    pub fn annotator_errors(&self) -> Vec<AnnotatorErrors> {
        let mut first: BTreeMap<&Question, &Answer> = BTreeMap::new();
        let mut counts: BTreeMap<Option<&str>, (usize, usize)> = BTreeMap::new();
        // Answers that were asked again because they were not expected are wrong more often than others.
        let is_fair =
            |one: &&Answered| one.answer.is_informative() && one.purpose != Purpose::Confirm;
        for answered in self.state().answered().iter().filter(is_fair) {
            match first.get(&answered.question) {
                None => {
                    first.insert(&answered.question, &answered.answer);
                }
                Some(&before) => {
                    let (repeated, contradicted) =
                        counts.entry(answered.annotator.as_deref()).or_default();
                    *repeated += 1;
                    *contradicted += usize::from(*before != answered.answer);
                }
            }
        }
        let errors = |(annotator, (repeated, contradicted)): (Option<&str>, (usize, usize))| {
            let share = contradicted as f64 / repeated as f64;
            let error_rate = (1.0 - (1.0 - 2.0 * share).max(0.0).sqrt()) / 2.0;
            AnnotatorErrors {
                annotator: annotator.map(str::to_owned),
                repeated,
                contradicted,
                error_rate,
            }
        };
        counts.into_iter().map(errors).collect()
    }
}

/// Whether clusters agree with an answer; `None` where it says nothing of clusters.
fn agrees(answered: &Answered, labels: &[Label]) -> Option<bool> {
    let is_same = |[a, b]: [usize; 2]| labels[a].is_some() && labels[a] == labels[b];
    let (together, apart) = answered.implied_pairs();
    if together.is_empty() && apart.is_empty() {
        return None;
    }
    Some(together.into_iter().all(is_same) && !apart.into_iter().any(is_same))
}

/// Wilson's interval of a share (Wilson 1927).
fn wilson(successes: usize, total: usize) -> (f64, f64) {
    let (n, z_sq) = (total as f64, QUANTILE * QUANTILE);
    let share = successes as f64 / n;
    let center = (share + z_sq / (2.0 * n)) / (1.0 + z_sq / n);
    let half =
        QUANTILE / (1.0 + z_sq / n) * (share * (1.0 - share) / n + z_sq / (4.0 * n * n)).sqrt();
    ((center - half).max(0.0), (center + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_is_that_of_the_textbook() {
        // Newcombe (1998), Table I: 81 of 263 gives 0.2553 to 0.3662.
        let (low, high) = wilson(81, 263);
        assert!((low - 0.2553).abs() < 1e-4 && (high - 0.3662).abs() < 1e-4, "{low} {high}");
        // 0 of 20 gives 0 to 0.1611.
        let (low, high) = wilson(0, 20);
        assert!(low == 0.0 && (high - 0.1611).abs() < 1e-4, "{low} {high}");
    }
}
