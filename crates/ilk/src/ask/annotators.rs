//! How often each annotator errs, from all answers to the same questions.

use std::collections::BTreeMap;

use super::question::{Answer, Question};
use super::session::Session;
use super::state::{Answered, Purpose};

/// Rounds of expectation and maximisation at most.
const ROUNDS: usize = 500;

/// A change of every error rate below this ends the rounds.
const CONVERGED: f64 = 1e-9;

/// The error rates that the rounds stay in: nobody is always right, nor worse than a guess.
const RATES: (f64, f64) = (0.002, 0.5);

/// The rates that rounds start from: where all answers are right or say nothing, no round changes that.
const STARTS: (f64, f64) = (0.05, 0.3);

/// How often an annotator's answers are wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct AnnotatorErrors {
    /// The annotator; none where the answers have no annotator.
    pub annotator: Option<String>,
    /// Questions of theirs that have another answer, by them or by others.
    pub repeated: usize,
    /// Those of them to which not all answers are the same.
    pub contradicted: usize,
    /// The estimated share of wrong answers.
    pub error_rate: f64,
}

/// A question with its answers.
struct Item<'a> {
    /// The answers that were given, each once.
    options: Vec<&'a Answer>,
    /// The annotator, the position of the answer among the options, and whether it counts for their error rate.
    votes: Vec<(usize, usize, bool)>,
    /// How many answers there could have been.
    n_answers: f64,
    /// How probable each of the options is to be right.
    right: Vec<f64>,
}

impl Item<'_> {
    fn is_repeated(&self) -> bool {
        self.votes.iter().filter(|vote| vote.2).count() > 1
    }
}

impl Session {
    /// How often every annotator errs, by name; those of whose answers none can be compared with another are left out.
    ///
    /// Every annotator j gives a wrong answer with the probability e_j, and then each of the wrong ones as often (Dawid and
    /// Skene 1979, with one parameter an annotator). Rounds of expectation and maximisation find the rates under which
    /// the answers are likeliest. What is right is not known, so an annotator who contradicts two others is
    /// likelier to err than these, whoever answered first. With one annotator e solves 2 e (1 - e) = the share of
    /// answers that differ from the first to the same question.
    ///
    /// Answers that were asked again because they were not expected are wrong more often than others, so they
    /// help to find what is right but do not count.
    pub fn annotator_errors(&self) -> Vec<AnnotatorErrors> {
        let mut names: Vec<Option<&str>> = Vec::new();
        let mut items: Vec<Item<'_>> = Vec::new();
        let mut number: BTreeMap<&Question, usize> = BTreeMap::new();
        let answered = self.state().answered();
        for one in answered.iter().filter(|one| one.answer.is_informative()) {
            let name = one.annotator.as_deref();
            let annotator = names.iter().position(|other| *other == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            let at = *number.entry(&one.question).or_insert_with(|| {
                items.push(Item {
                    options: Vec::new(),
                    votes: Vec::new(),
                    n_answers: n_answers(&one.question, answered),
                    right: Vec::new(),
                });
                items.len() - 1
            });
            let item = &mut items[at];
            let option = item.options.iter().position(|other| **other == one.answer);
            let option = option.unwrap_or_else(|| {
                item.options.push(&one.answer);
                item.options.len() - 1
            });
            item.votes.push((annotator, option, one.purpose != Purpose::Confirm));
        }
        let start = first_rate(&items);
        let mut rates = vec![start; names.len()];
        if names.len() > 1 {
            rates.fill(start.clamp(STARTS.0, STARTS.1));
            converge(&mut items, &mut rates);
        }
        let counted = |annotator: usize| {
            let is_theirs =
                |item: &&Item<'_>| item.votes.iter().any(|vote| vote.0 == annotator && vote.2);
            let again = items.iter().filter(is_theirs).filter(|item| item.is_repeated());
            let (mut repeated, mut contradicted) = (0, 0);
            for item in again {
                repeated += 1;
                let mut counting = item.votes.iter().filter(|vote| vote.2).map(|vote| vote.1);
                let first = counting.next();
                contradicted += usize::from(counting.any(|other| Some(other) != first));
            }
            (repeated, contradicted)
        };
        let errors = |annotator: usize| {
            let (repeated, contradicted) = counted(annotator);
            (repeated > 0).then(|| AnnotatorErrors {
                annotator: names[annotator].map(str::to_owned),
                repeated,
                contradicted,
                error_rate: rates[annotator],
            })
        };
        let mut errors: Vec<AnnotatorErrors> = (0..names.len()).filter_map(errors).collect();
        errors.sort_by(|a, b| a.annotator.cmp(&b.annotator));
        errors
    }
}

/// How many answers a question can have.
fn n_answers(question: &Question, answered: &[Answered]) -> f64 {
    match question {
        Question::Pair { .. } => 2.0,
        Question::Triplet { .. } => 4.0,
        Question::Group { points, .. } => 2f64.powf(points.len() as f64),
        Question::Label { .. } => {
            let mut names: Vec<&str> = answered
                .iter()
                .filter_map(|one| match &one.answer {
                    Answer::Label(name) => Some(name.as_str()),
                    _ => None,
                })
                .collect();
            names.sort_unstable();
            names.dedup();
            names.len().max(2) as f64
        }
    }
}

/// The rate e of all annotators together: two answers to a pair differ with the probability 2 e (1 - e).
fn first_rate(items: &[Item<'_>]) -> f64 {
    let again = items.iter().filter(|item| item.is_repeated());
    let (mut total, mut different) = (0.0, 0.0);
    for item in again {
        let counting: Vec<usize> =
            item.votes.iter().filter(|vote| vote.2).map(|vote| vote.1).collect();
        let others = counting.iter().skip(1).filter(|other| **other != counting[0]).count();
        total += (counting.len() - 1) as f64;
        different += others as f64;
    }
    let share = if total > 0.0 { different / total } else { 0.0 };
    (1.0 - (1.0 - 2.0 * share).max(0.0).sqrt()) / 2.0
}

/// Rounds of expectation and maximisation, until they change no rate.
fn converge(items: &mut [Item<'_>], rates: &mut [f64]) {
    for _ in 0..ROUNDS {
        let mut sums = vec![(0.0, 0.0); rates.len()];
        for item in items.iter_mut().filter(|item| item.is_repeated()) {
            item.weigh_options(rates);
            for &(annotator, option, _) in item.votes.iter().filter(|vote| vote.2) {
                sums[annotator].0 += 1.0 - item.right[option];
                sums[annotator].1 += 1.0;
            }
        }
        let mut most = 0.0f64;
        for (rate, (wrong, total)) in rates.iter_mut().zip(sums) {
            if total > 0.0 {
                let next = (wrong / total).min(RATES.1);
                most = most.max((next - *rate).abs());
                *rate = next;
            }
        }
        if most < CONVERGED {
            break;
        }
    }
}

impl Item<'_> {
    /// How probable each option is, given the error rates.
    fn weigh_options(&mut self, rates: &[f64]) {
        let others = self.n_answers - 1.0;
        let chance_of = |right: Option<usize>| -> f64 {
            let of_vote = |&(annotator, option, _): &(usize, usize, bool)| {
                let rate = rates[annotator].clamp(RATES.0, RATES.1);
                if Some(option) == right { 1.0 - rate } else { rate / others }
            };
            self.votes.iter().map(of_vote).product()
        };
        let given: Vec<f64> =
            (0..self.options.len()).map(|option| chance_of(Some(option))).collect();
        // The answers that nobody gave are all as probable.
        let missing = (self.n_answers - self.options.len() as f64).max(0.0);
        let total = given.iter().sum::<f64>() + missing * chance_of(None);
        self.right =
            given.into_iter().map(|chance| chance / total.max(f64::MIN_POSITIVE)).collect();
    }
}
