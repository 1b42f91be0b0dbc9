//! A session: questions for learning, for judging, and asked again, one after the other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::question::{Answer, Question, QuestionKind};
use super::questioner::{Questioner, RankedQuestion};
use super::state::{Answered, AskState, Purpose};
use super::{Random, Strategy};
use crate::group::Label;
use crate::numerics::rng::rng_stream;
use crate::observe::Observer;
use crate::problem::Problem;
use crate::{Error, Result};

/// Answers from which on questions are asked again.
const BEFORE_REPEATS: usize = 10;

/// How a session asks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SessionOptions {
    /// How questions are chosen.
    pub strategy: Strategy,
    /// What kind of questions.
    pub kind: QuestionKind,
    /// The share of questions about random points that are kept for judging; nothing is learned from them.
    pub judging: f64,
    /// The share of questions that are asked again.
    pub repeats: f64,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            strategy: Strategy::Auto,
            kind: QuestionKind::Pair,
            judging: 0.15,
            repeats: 0.05,
            seed: 0,
        }
    }
}

/// A question of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NextQuestion {
    /// The question.
    pub question: Question,
    /// What it is asked for.
    pub purpose: Purpose,
    /// What its answer is expected to be worth; none where nothing is learned from it.
    pub value: Option<f64>,
}

/// Questions one after the other, of which some are kept for judging and some asked again.
///
/// What the next question is for depends on the seed and the number of answers alone, so a session that was cut off and
/// given the same answers again goes on as it would have.
///
/// ```
/// use ilk::ask::{Answer, Question, Session, SessionOptions};
/// use ilk::{Points, Problem, Silent};
///
/// let points = Points::from_rows(&[[0.0], [0.2], [5.0], [5.1]].map(Vec::from))?;
/// let mut session = Session::new(Problem::unsupervised(points), SessionOptions::default(), &Silent)?;
/// while let Some(next) = session.questions(1, &Silent)?.pop() {
///     let Question::Pair { points: [a, b] } = next.question else { break };
///     let answer = if (a < 2) == (b < 2) { Answer::Same } else { Answer::Different };
///     session.answer(&next, answer, 1.0, None)?;
/// }
/// assert_eq!(session.clusters()?, [0, 0, 1, 1].map(Some));
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    state: AskState,
    options: SessionOptions,
}

impl Session {
    /// A session about a problem, which may have constraints already.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for shares outside 0 to 1 and a strategy that does not ask this kind; errors of
    /// [`AskState::new`].
    pub fn new(problem: Problem, options: SessionOptions, observer: &dyn Observer) -> Result<Self> {
        for (parameter, share) in [("judging", options.judging), ("repeats", options.repeats)] {
            if !(0.0..=0.5).contains(&share) {
                return Err(Error::bad_parameter(parameter, share, "it must be from 0 to 0.5"));
            }
        }
        options.strategy.questioner(options.kind)?;
        Ok(Self { state: AskState::new(problem, options.seed, observer)?, options })
    }

    /// What is known.
    pub fn state(&self) -> &AskState {
        &self.state
    }

    /// How it asks.
    pub fn options(&self) -> &SessionOptions {
        &self.options
    }

    /// The next questions, at most `n`, the first to be asked first; none where nothing is left to ask.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn questions(&self, n: usize, observer: &dyn Observer) -> Result<Vec<NextQuestion>> {
        let done = self.state.answered().len();
        let purposes: Vec<Purpose> = (done..done + n).map(|at| self.purpose(at)).collect();
        let count = |purpose: Purpose| purposes.iter().filter(|&&other| other == purpose).count();
        let again = self.asked_again(count(Purpose::Repeat));
        let random = Random { kind: self.options.kind };
        let judging = match count(Purpose::Judge) {
            0 => Vec::new(),
            wanted => random.questions(&self.state, wanted, observer)?,
        };
        // Questions that are missing elsewhere are made up for by questions to learn from.
        let wanted = n - again.len() - judging.len();
        let questioner = self.options.strategy.questioner(self.options.kind)?;
        let learning = match wanted {
            0 => Vec::new(),
            wanted => questioner.questions(&self.state, wanted + judging.len(), observer)?,
        };
        let is_judging =
            |ranked: &RankedQuestion| judging.iter().any(|other| other.question == ranked.question);
        let learning: Vec<RankedQuestion> =
            learning.into_iter().filter(|ranked| !is_judging(ranked)).take(wanted).collect();
        let mut again = again.into_iter();
        let mut judging = judging.into_iter();
        let mut learning = learning.into_iter();
        let mut questions = Vec::new();
        for purpose in purposes {
            let other = match purpose {
                Purpose::Repeat => again.next().map(|question| (question, Purpose::Repeat)),
                Purpose::Judge => judging.next().map(|ranked| (ranked.question, Purpose::Judge)),
                Purpose::Learn => None,
            };
            questions.extend(match other {
                Some((question, purpose)) => Some(NextQuestion { question, purpose, value: None }),
                None => learning.next().map(|ranked| NextQuestion {
                    question: ranked.question,
                    purpose: Purpose::Learn,
                    value: Some(ranked.value),
                }),
            });
        }
        Ok(questions)
    }

    /// What the question after so many answers is for.
    fn purpose(&self, answered: usize) -> Purpose {
        let drawn = rng_stream(self.options.seed, 2 << 32 | answered as u64).uniform();
        if drawn < self.options.judging {
            Purpose::Judge
        } else if drawn < self.options.judging + self.options.repeats && answered >= BEFORE_REPEATS
        {
            Purpose::Repeat
        } else {
            Purpose::Learn
        }
    }

    /// Questions that are asked again: random ones of those that were answered once.
    fn asked_again(&self, n: usize) -> Vec<Question> {
        let answered = self.state.answered();
        let mut times: BTreeMap<&Question, usize> = BTreeMap::new();
        for one in answered.iter().filter(|one| one.answer.is_informative()) {
            *times.entry(&one.question).or_default() += 1;
        }
        let mut once: Vec<&Question> = answered
            .iter()
            .filter(|one| one.purpose == Purpose::Learn && times.get(&one.question) == Some(&1))
            .map(|one| &one.question)
            .collect();
        rng_stream(self.options.seed, 3 << 32 | answered.len() as u64).shuffle(&mut once);
        once.into_iter().take(n).cloned().collect()
    }

    /// Takes an answer.
    ///
    /// # Errors
    /// Those of [`AskState::with`].
    pub fn answer(
        &mut self,
        question: &NextQuestion,
        answer: Answer,
        confidence: f64,
        annotator: Option<&str>,
    ) -> Result<()> {
        self.push(Answered {
            question: question.question.clone(),
            answer,
            confidence,
            annotator: annotator.map(str::to_owned),
            purpose: question.purpose,
        })
    }

    /// Takes an answer that was given before, as when a session is continued.
    ///
    /// # Errors
    /// Those of [`AskState::with`].
    pub fn push(&mut self, answered: Answered) -> Result<()> {
        self.state = self.state.with(answered)?;
        Ok(())
    }

    /// Takes the last answer back; `None` where there is none.
    pub fn undo(&mut self) -> Option<Answered> {
        let last = self.state.answered().last().cloned();
        self.state = self.state.undone();
        last
    }

    /// The clusters that the answers name: [`AskState::clusters`].
    ///
    /// # Errors
    /// Those of [`AskState::clusters`].
    pub fn clusters(&self) -> Result<Vec<Label>> {
        self.state.clusters()
    }
}
