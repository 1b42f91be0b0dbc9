//! A session: questions for learning, for judging, and asked again, one after the other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::belief::Belief;
use super::links::Links;
use super::question::{Answer, Question, QuestionKind};
use super::questioner::{Questioner, RankedQuestion};
use super::state::{Answered, AskState, Purpose};
use super::{Random, Strategy};
use crate::group::Label;
use crate::numerics::rng::rng_stream;
use crate::observe::Observer;
use crate::problem::Problem;
use crate::{Error, Result};

/// An answer that was held to be less probable than this is asked again at once.
const SURPRISE: f64 = 0.1;

/// Answers that are looked at whether they are worth to be confirmed, besides the last.
const MOST_AT_STAKE: usize = 4;

/// How much confirming must be worth, as a share of what the next question is.
const WORTH: f64 = 0.5;

/// Questions that are assumed to have been answered twice alike, before any was.
const ASSUMED_AGREEING: f64 = 10.0;

/// Questions that are handed out at once at most.
const LARGEST_BATCH: usize = 10_000;

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

    /// Asks questions of another kind from now on.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a strategy that does not ask this kind.
    pub fn set_kind(&mut self, kind: QuestionKind) -> Result<()> {
        self.options.strategy.questioner(kind)?;
        self.options.kind = kind;
        Ok(())
    }

    /// What is known.
    pub fn state(&self) -> &AskState {
        &self.state
    }

    /// How it asks.
    pub fn options(&self) -> &SessionOptions {
        &self.options
    }

    /// The next questions, at most `n` and at most 10,000, the first to be asked first; none where nothing is left to ask.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn questions(&self, n: usize, observer: &dyn Observer) -> Result<Vec<NextQuestion>> {
        let n = n.min(LARGEST_BATCH);
        if n == 0 {
            return Ok(Vec::new());
        }
        let done = self.state.answered().len();
        if let Some(question) = self.to_confirm(observer)? {
            let confirm = NextQuestion { question, purpose: Purpose::Confirm, value: None };
            let mut questions = self.without_confirming(n - 1, done + 1, observer)?;
            questions.insert(0, confirm);
            return Ok(questions);
        }
        self.without_confirming(n, done, observer)
    }

    /// A question that is asked again because its answer is likely to be wrong, or because much hangs on it: one that
    /// was answered in two ways, an answer that was not expected, or one that would cost more if it was wrong than the
    /// next question brings.
    fn to_confirm(&self, observer: &dyn Observer) -> Result<Option<Question>> {
        let Some(last) = self.state.answered().last() else { return Ok(None) };
        if self.options.repeats == 0.0 {
            return Ok(None);
        }
        if self.is_undecided(&last.question) {
            return Ok(Some(last.question.clone()));
        }
        let Question::Pair { points } = last.question else { return Ok(None) };
        if self.is_surprising(last, points)? {
            return Ok(Some(last.question.clone()));
        }
        match self.options.strategy {
            Strategy::Auto => self.worth_confirming(observer),
            _ => Ok(None),
        }
    }

    /// Whether a question was asked twice and answered in two ways: the third answer decides.
    fn is_undecided(&self, question: &Question) -> bool {
        let is_its = |one: &&Answered| one.question == *question && one.answer.is_informative();
        let answers: Vec<&Answered> = self.state.answered().iter().filter(is_its).collect();
        matches!(answers.as_slice(), [first, second] if first.answer != second.answer)
    }

    /// Whether the last answer was held to be improbable.
    fn is_surprising(&self, last: &Answered, points: [usize; 2]) -> Result<bool> {
        if last.purpose != Purpose::Learn {
            return Ok(false);
        }
        let earlier = self.state.undone();
        let belief = earlier.belief()?;
        let [a, b] = points.map(|point| belief.space.unit_of[point]);
        let chance = belief.chance_of_same(a, b);
        Ok(match last.answer {
            Answer::Same => chance < SURPRISE,
            Answer::Different => chance > 1.0 - SURPRISE,
            _ => false,
        })
    }

    /// The answer that is most worth to be confirmed, where that is worth more than the next question: with e the share of
    /// wrong answers, e times the points that would be in another cluster without it.
    fn worth_confirming(&self, observer: &dyn Observer) -> Result<Option<Question>> {
        let mut candidates = self.by_stake(MOST_AT_STAKE);
        let last = self.state.answered().last();
        candidates
            .extend(last.filter(|one| one.purpose == Purpose::Learn).map(|one| &one.question));
        if candidates.is_empty() {
            return Ok(None);
        }
        let questioner = super::ExpectedChange { kind: self.options.kind };
        let next = questioner.questions(&self.state, 1, observer)?;
        let next = next.first().map_or(0.0, |ranked| ranked.value);
        let space = self.state.learned_space()?;
        let labels = |state: &AskState| -> Result<Vec<usize>> {
            Ok(Belief::new(&space, &state.pairs(), state.is_noisy())?.labels())
        };
        let now = self.state.belief()?.labels();
        let error = self.assumed_error();
        let mut found: Option<(f64, &Question)> = None;
        for question in candidates {
            let mut others = self.state.clone();
            others.retain(|one| one.question != *question);
            let without = labels(&others)?;
            let moved =
                moved(&now, &without, &space.sizes).max(moved(&without, &now, &space.sizes));
            let value = error * moved;
            if value > WORTH * next && found.is_none_or(|(most, _)| value > most) {
                found = Some((value, question));
            }
        }
        Ok(found.map(|(_, question)| question.clone()))
    }

    /// The share of wrong answers by which it is decided what to confirm: half of the share of questions with different
    /// answers among those that were asked again, with a few agreeing ones assumed.
    fn assumed_error(&self) -> f64 {
        let mut answers: BTreeMap<&Question, Vec<&Answer>> = BTreeMap::new();
        for one in self.state.answered().iter().filter(|one| one.answer.is_informative()) {
            answers.entry(&one.question).or_default().push(&one.answer);
        }
        let again = answers.values().filter(|all| all.len() > 1);
        let (mut total, mut different) = (0.0, 0.0);
        for all in again {
            total += 1.0;
            different += f64::from(u8::from(all.iter().any(|answer| *answer != all[0])));
        }
        (different + 0.5) / (2.0 * (total + ASSUMED_AGREEING))
    }

    /// The questions after `done` answers, whatever the last one was.
    fn without_confirming(
        &self,
        n: usize,
        done: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<NextQuestion>> {
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
                Purpose::Learn | Purpose::Confirm => None,
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

    /// Questions that were asked once, to learn from the answer.
    fn asked_once(&self) -> Vec<&Answered> {
        let answered = self.state.answered();
        let mut times: BTreeMap<&Question, usize> = BTreeMap::new();
        for one in answered.iter().filter(|one| one.answer.is_informative()) {
            *times.entry(&one.question).or_default() += 1;
        }
        let is_once =
            |one: &&Answered| one.purpose == Purpose::Learn && times.get(&one.question) == Some(&1);
        answered.iter().filter(is_once).collect()
    }

    /// Questions that are asked again to estimate the share of wrong answers: drawn at random, so that the estimate is
    /// that of all answers.
    fn asked_again(&self, n: usize) -> Vec<Question> {
        let once = self.asked_once();
        let mut rng = rng_stream(self.options.seed, 3 << 32 | self.state.answered().len() as u64);
        let drawn = rng.sample(once.len(), n.min(once.len())).into_iter();
        drawn.map(|at| once[at].question.clone()).collect()
    }

    /// The questions asked once that matter most if the answer is wrong. That is a link of points that are little alike
    /// between two large sets, or a separation of points that are much alike.
    fn by_stake(&self, n: usize) -> Vec<&Question> {
        let links = Links::new(&self.state.pairs());
        let once = self.asked_once();
        let mut once: Vec<(f64, &Question)> =
            once.into_iter().map(|one| (self.stake(one, &links), &one.question)).collect();
        once.sort_by(|a, b| b.0.total_cmp(&a.0));
        once.into_iter().take(n).map(|(_, question)| question).collect()
    }

    /// How much depends on an answer.
    fn stake(&self, answered: &Answered, links: &Links) -> f64 {
        let Question::Pair { points } = answered.question else { return 0.0 };
        let space = self.state.space();
        let [a, b] = points.map(|point| space.unit_of[point]);
        let alike = space.similarity(a, b);
        if answered.answer == Answer::Different {
            return alike;
        }
        (1.0 - alike) * links.smaller_side(points, answered.confidence) as f64
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

/// The weight of the units that are not with most of their cluster in another clustering.
fn moved(from: &[usize], to: &[usize], sizes: &[f64]) -> f64 {
    let mut overlap: BTreeMap<usize, BTreeMap<usize, f64>> = BTreeMap::new();
    for ((&a, &b), size) in from.iter().zip(to).zip(sizes) {
        *overlap.entry(a).or_default().entry(b).or_default() += size;
    }
    let left = |of: &BTreeMap<usize, f64>| {
        of.values().sum::<f64>() - of.values().copied().fold(0.0, f64::max)
    };
    overlap.values().map(left).sum()
}
