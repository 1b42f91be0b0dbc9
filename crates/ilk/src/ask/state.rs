//! What is known when the next question is chosen.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::belief::Belief;
use super::memo::Memo;
use super::question::{Answer, Question};
use super::space::AskSpace;
use crate::observe::Observer;
use crate::problem::{Closure, ConstraintKind, Constraints, Problem, Triplet};
use crate::{Error, Result};

/// Answers between two metrics that are learned from them.
const BETWEEN_METRICS: usize = 10;

/// What a question was asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// To learn from the answer.
    #[default]
    Learn,
    /// To judge clusters by it: nothing is learned from the answer.
    Judge,
    /// To see whether it is answered as before.
    Repeat,
    /// To confirm an answer that was not expected.
    Confirm,
}

/// A question with its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// The question.
    pub question: Question,
    /// The answer.
    pub answer: Answer,
    /// How sure who answered is, above 0 and at most 1: the weight of the constraints.
    pub confidence: f64,
    /// Who answered.
    pub annotator: Option<String>,
    /// What it was asked for.
    pub purpose: Purpose,
}

impl Answered {
    /// A sure answer to a question that is asked to learn.
    pub fn new(question: Question, answer: Answer) -> Self {
        Self { question, answer, confidence: 1.0, annotator: None, purpose: Purpose::Learn }
    }

    /// The pairs that the answer says belong together, and those that it says do not. A triplet with an odd one is
    /// read as a question about groups: the other two belong together, and neither with the odd one.
    pub fn implied_pairs(&self) -> (Vec<[usize; 2]>, Vec<[usize; 2]>) {
        match (&self.question, &self.answer) {
            (Question::Pair { points }, Answer::Same) => (vec![*points], Vec::new()),
            (Question::Pair { points }, Answer::Different) => (Vec::new(), vec![*points]),
            (Question::Triplet { points }, &Answer::Odd(odd)) => {
                let [a, b] = [(odd + 1) % 3, (odd + 2) % 3].map(|at| points[at]);
                (vec![[a, b]], vec![[a, points[odd]], [b, points[odd]]])
            }
            (Question::Group { anchor, points }, Answer::Together(chosen)) => {
                let pair = |&point: &usize| [*anchor, point];
                let others = points.iter().filter(|point| !chosen.contains(point));
                (chosen.iter().map(pair).collect(), others.map(pair).collect())
            }
            _ => (Vec::new(), Vec::new()),
        }
    }

    /// Adds what it says as constraints.
    ///
    /// # Errors
    /// [`Error::TwoLabels`] where a point has another label already.
    pub fn add_to(&self, constraints: &mut Constraints) -> Result<()> {
        let (weight, source) = (self.confidence, self.annotator.as_deref());
        match (&self.question, &self.answer) {
            (Question::Triplet { points }, &Answer::Odd(odd)) => {
                let [a, b] = [(odd + 1) % 3, (odd + 2) % 3].map(|at| points[at]);
                let kind = ConstraintKind::OddOneOut;
                constraints.add(kind, &[a, b, points[odd]], weight, source)?;
            }
            (Question::Triplet { points }, Answer::Equal) => {
                let kind = ConstraintKind::AboutEqual;
                constraints.add(kind, points, weight, source)?;
            }
            (Question::Label { point }, Answer::Label(name)) => {
                constraints.add_label(*point, name, weight, source)?;
            }
            _ => {
                let (linked, separated) = self.implied_pairs();
                for pair in linked {
                    let kind = ConstraintKind::MustLink;
                    constraints.add(kind, &pair, weight, source)?;
                }
                for pair in separated {
                    let kind = ConstraintKind::CannotLink;
                    constraints.add(kind, &pair, weight, source)?;
                }
            }
        }
        Ok(())
    }
}

/// What is known when the next question is chosen: a problem, its answers in order, and a seed.
///
/// A state is a value. An answer makes a new state and leaves the old one as it was, so to undo is to go back to an
/// earlier value, and to resume is to give the same answers again. All clones share the data and what was computed
/// from it once.
///
/// ```
/// use ilk::ask::{Answer, Answered, AskState, Question};
/// use ilk::{Points, Problem, Silent};
///
/// let points = Points::from_rows(&[[0.0], [0.2], [5.0], [5.1]].map(Vec::from))?;
/// let state = AskState::new(Problem::unsupervised(points), 0, &Silent)?;
/// let next = state.with(Answered::new(Question::pair(0, 1), Answer::Same))?;
/// assert_eq!(next.constraints().must_links().len(), 1);
/// assert_eq!(next.undone(), state);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct AskState {
    problem: Problem,
    answered: Vec<Answered>,
    seed: u64,
    space: Arc<AskSpace>,
    memo: Arc<Memo>,
}

impl PartialEq for AskState {
    /// Equal where the same answers were given on the same data.
    fn eq(&self, other: &Self) -> bool {
        let same_space = Arc::ptr_eq(&self.space, &other.space) || self.space == other.space;
        self.answered == other.answered
            && self.seed == other.seed
            && same_space
            && self.problem.constraints() == other.problem.constraints()
    }
}

impl AskState {
    /// The state before any question, with the constraints that the problem has already.
    ///
    /// # Errors
    /// [`Error::Cancelled`], and errors of data too large to be prepared.
    pub fn new(problem: Problem, seed: u64, observer: &dyn Observer) -> Result<Self> {
        let space = Arc::new(AskSpace::new(&problem, seed, observer)?);
        Ok(Self { problem, answered: Vec::new(), seed, space, memo: Arc::default() })
    }

    /// The state after one more answer.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a question about other points, an answer that does not fit its question, and a
    /// confidence that is not above 0 and at most 1; [`Error::TwoLabels`] for a point whose label was given before any
    /// question.
    pub fn with(&self, answered: Answered) -> Result<Self> {
        answered.question.check(self.problem.len())?;
        answered.answer.check(&answered.question)?;
        let confidence = answered.confidence;
        if !(confidence > 0.0 && confidence <= 1.0) {
            let expected = "it must be above 0 and at most 1";
            return Err(Error::bad_parameter("confidence", confidence, expected));
        }
        // Answers may contradict each other, but not a label that was given before.
        answered.add_to(&mut self.problem.constraints().clone())?;
        let mut next = self.clone();
        next.answered.push(answered);
        Ok(next)
    }

    /// The state before the last answer; the same where there is none.
    #[must_use]
    pub fn undone(&self) -> Self {
        let mut previous = self.clone();
        previous.answered.pop();
        previous
    }

    /// Forgets all other answers.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&Answered) -> bool) {
        self.answered.retain(is_kept);
    }

    /// The data, with the constraints that were there before any question.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The questions that were answered, in order.
    pub fn answered(&self) -> &[Answered] {
        &self.answered
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What was computed from the data once.
    pub(crate) fn space(&self) -> &Arc<AskSpace> {
        &self.space
    }

    /// The units with the field that the answers suggest: it is learned anew after every [`BETWEEN_METRICS`] answers.
    pub(crate) fn learned_space(&self) -> Result<Arc<AskSpace>> {
        let answered = &self.answered[..self.answered.len() / BETWEEN_METRICS * BETWEEN_METRICS];
        if answered.is_empty() {
            return Ok(Arc::clone(&self.space));
        }
        self.memo.learned.get(answered.to_vec(), || {
            let earlier = Self { answered: answered.to_vec(), ..self.clone() };
            let found = self.space.learned(&self.problem, &earlier.pairs(), earlier.is_noisy())?;
            Ok(found.map_or_else(|| Arc::clone(&self.space), Arc::new))
        })
    }

    /// What the answers say about every unit.
    pub(super) fn belief(&self) -> Result<Arc<Belief>> {
        self.memo.beliefs.get(self.answered.clone(), || {
            let space = self.learned_space()?;
            Ok(Arc::new(Belief::new(&space, &self.pairs(), self.is_noisy())?))
        })
    }

    /// What is kept because it is needed again.
    pub(super) fn memo(&self) -> &Memo {
        &self.memo
    }

    /// The constraints that were given before and those of the answers, without those that are kept for judging.
    pub fn constraints(&self) -> Constraints {
        self.constraints_of(|answered| answered.purpose != Purpose::Judge)
    }

    /// All constraints, also those that are kept for judging.
    pub fn all_constraints(&self) -> Constraints {
        self.constraints_of(|_| true)
    }

    fn constraints_of(&self, is_taken: impl Fn(&Answered) -> bool) -> Constraints {
        let mut constraints = self.problem.constraints().clone();
        let mut labels: BTreeMap<usize, Vec<(&str, f64)>> = BTreeMap::new();
        for answered in self.answered.iter().filter(|answered| is_taken(answered)) {
            if let (Question::Label { point }, Answer::Label(name)) =
                (&answered.question, &answered.answer)
            {
                let of_point = labels.entry(*point).or_default();
                match of_point.iter_mut().find(|(other, _)| other == name) {
                    Some((_, weight)) => *weight += answered.confidence,
                    None => of_point.push((name, answered.confidence)),
                }
            }
        }
        for answered in self.answered.iter().filter(|answered| is_taken(answered)) {
            // `with` has added every answer to the constraints of the problem before.
            let _ = match &answered.question {
                Question::Label { point } => match labels.remove(point).and_then(net_label) {
                    Some((name, weight)) => {
                        let source = answered.annotator.as_deref();
                        constraints.add_label(*point, name, weight, source).map(|_| ())
                    }
                    None => Ok(()),
                },
                _ => answered.add_to(&mut constraints),
            };
        }
        constraints
    }

    /// The constraints as must-links, cannot-links and labels: comparisons are read as questions about groups, and of
    /// contradicting answers about two points what weighs more counts.
    pub(crate) fn pairs(&self) -> Constraints {
        let given = self.constraints();
        let mut net: BTreeMap<[usize; 2], f64> = BTreeMap::new();
        let mut add = |[a, b]: [usize; 2], weight: f64| {
            *net.entry([a.min(b), a.max(b)]).or_default() += weight;
        };
        let before = self.problem.constraints();
        for (pair, kind) in before.pairs() {
            let is_same = kind == ConstraintKind::MustLink;
            add(pair.points, if is_same { pair.weight } else { -pair.weight });
        }
        for triplet in before.odd_one_outs() {
            let [a, b, odd] = triplet.points;
            add([a, b], triplet.weight);
            add([a, odd], -triplet.weight);
            add([b, odd], -triplet.weight);
        }
        for answered in self.answered.iter().filter(|answered| answered.purpose != Purpose::Judge) {
            let (linked, separated) = answered.implied_pairs();
            for pair in linked {
                add(pair, answered.confidence);
            }
            for pair in separated {
                add(pair, -answered.confidence);
            }
        }
        let mut pairs = labels_alone(&given);
        for ([a, b], weight) in net {
            // The points of questions are different and exist.
            let kind =
                if weight > 0.0 { ConstraintKind::MustLink } else { ConstraintKind::CannotLink };
            if weight != 0.0 {
                let _ = pairs.add(kind, &[a, b], weight.abs(), None);
            }
        }
        add_equals(&mut pairs, given.about_equals());
        pairs
    }

    /// Whether any point was given two different labels by answers.
    pub fn has_two_labels(&self) -> bool {
        let mut names: BTreeMap<usize, &str> = BTreeMap::new();
        self.answered.iter().any(|one| match (&one.question, &one.answer) {
            (Question::Label { point }, Answer::Label(name)) => {
                *names.entry(*point).or_insert(name) != name
            }
            _ => false,
        })
    }

    /// Whether any question was answered in two ways: then other answers may be wrong too.
    pub(crate) fn is_noisy(&self) -> bool {
        let mut answers: BTreeMap<&Question, &Answer> = BTreeMap::new();
        let informative = self.answered.iter().filter(|one| one.answer.is_informative());
        informative
            .into_iter()
            .any(|one| *answers.entry(&one.question).or_insert(&one.answer) != &one.answer)
    }

    /// The questions that were asked.
    pub(crate) fn asked(&self) -> HashSet<&Question> {
        self.answered.iter().map(|answered| &answered.question).collect()
    }
}

/// The label that weighs more than all others of a point together, and by how much.
fn net_label(labels: Vec<(&str, f64)>) -> Option<(&str, f64)> {
    let total: f64 = labels.iter().map(|(_, weight)| weight).sum();
    let net = |(name, weight): (_, f64)| (name, 2.0 * weight - total);
    labels.into_iter().map(net).find(|(_, net)| *net > 0.0)
}

/// The labels of constraints.
fn labels_alone(constraints: &Constraints) -> Constraints {
    let mut labels = Constraints::new(constraints.n());
    for labelled in constraints.labels() {
        let name = &constraints.label_names()[labelled.label];
        // They are labels already.
        let _ = labels.add_label(labelled.point, name, labelled.weight, None);
    }
    labels
}

/// Adds what follows from "about equal": three points of one group, or of three groups.
fn add_equals(pairs: &mut Constraints, equals: &[Triplet]) {
    let closure = pairs.closure();
    for triplet in equals {
        let [a, b, c] = triplet.points;
        for [x, y, z] in [[a, b, c], [a, c, b], [b, c, a]] {
            // The points of a triplet are different and exist.
            if closure.are_linked(x, y) {
                let _ = pairs.must_link(x, z);
            } else if closure.are_separated(x, y) {
                let _ = pairs.cannot_link(x, z);
                let _ = pairs.cannot_link(y, z);
            }
        }
    }
}

/// Whether the answer to a question follows from what is known.
pub(crate) fn is_entailed(question: &Question, closure: &Closure) -> bool {
    let is_known = |a: usize, b: usize| closure.are_linked(a, b) || closure.are_separated(a, b);
    match question {
        Question::Pair { points: [a, b] } => is_known(*a, *b),
        Question::Triplet { points: [a, b, c] } => {
            is_known(*a, *b) && is_known(*a, *c) && is_known(*b, *c)
        }
        Question::Group { anchor, points } => points.iter().all(|&point| is_known(*anchor, point)),
        Question::Label { point } => {
            closure.labelled_components().binary_search(&closure.component_of(*point)).is_ok()
        }
    }
}
