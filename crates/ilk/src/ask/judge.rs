//! How good the clusters are, which answers disagree, and whether more questions are worth their time.

use std::collections::BTreeMap;

use super::belief::Belief;
use super::question::{Answer, Question};
use super::session::Session;
use super::state::{Answered, AskState, Purpose};
use crate::Result;
use crate::group::Label;
use crate::observe::Observer;
use crate::problem::ConstraintKind;

/// How probable a wrong answer is beside a right one, where nothing else is known of it.
const ELSE_WRONG: f64 = 0.05;

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

/// A question that annotators answered differently.
#[derive(Debug, Clone, PartialEq)]
pub struct Disagreement {
    /// The question.
    pub question: Question,
    /// Every annotator's last answer that says anything, by name.
    pub answers: Vec<(Option<String>, Answer)>,
}

/// What more questions are expected to change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedGain {
    /// Questions looked at.
    pub n_questions: usize,
    /// The share of all points that the answers are expected to move to the right cluster, at most.
    pub share: f64,
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
        let names = self.names_of_clusters(&labels);
        for agrees in judging.filter_map(|answered| agrees(answered, &labels, &names)) {
            total += 1;
            agreeing += usize::from(agrees);
        }
        Ok((total > 0).then(|| Agreement { agreeing, total, interval: wilson(agreeing, total) }))
    }

    /// The label that most labelled points of every cluster have, of those that are learned from.
    fn names_of_clusters(&self, labels: &[Label]) -> BTreeMap<usize, String> {
        let mut counts: BTreeMap<usize, BTreeMap<&str, usize>> = BTreeMap::new();
        let learned = self.state().answered().iter().filter(|one| one.purpose != Purpose::Judge);
        for one in learned {
            if let (Question::Label { point }, Answer::Label(name)) = (&one.question, &one.answer)
                && let Some(cluster) = labels[*point]
            {
                *counts.entry(cluster).or_default().entry(name).or_default() += 1;
            }
        }
        let most = |names: BTreeMap<&str, usize>| {
            let most = names.into_iter().reduce(|a, b| if b.1 > a.1 { b } else { a });
            most.map_or(String::new(), |(name, _)| name.to_owned())
        };
        counts.into_iter().map(|(cluster, names)| (cluster, most(names))).collect()
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

    /// The questions that annotators answered differently, in the order in which they were first asked.
    pub fn disagreements(&self) -> Vec<Disagreement> {
        let mut order: Vec<&Question> = Vec::new();
        let mut answers: BTreeMap<&Question, BTreeMap<Option<&str>, &Answer>> = BTreeMap::new();
        for one in self.state().answered().iter().filter(|one| one.answer.is_informative()) {
            let of_question = answers.entry(&one.question).or_default();
            if of_question.is_empty() {
                order.push(&one.question);
            }
            of_question.insert(one.annotator.as_deref(), &one.answer);
        }
        let disagreement = |question: &Question| {
            let of_question = &answers[question];
            let mut each = of_question.values();
            let first = each.next()?;
            each.any(|answer| answer != first).then(|| Disagreement {
                question: question.clone(),
                answers: of_question
                    .iter()
                    .map(|(annotator, &answer)| (annotator.map(str::to_owned), answer.clone()))
                    .collect(),
            })
        };
        order.into_iter().filter_map(disagreement).collect()
    }
}

impl AskState {
    /// Of constraints that contradict each other (each with its points, in the order of its kind) the one that is likeliest
    /// to be wrong: by the field that the other answers leave, and by how often it was answered so. None where there are
    /// no constraints, or labels among them.
    ///
    /// # Errors
    /// Those of [`clusters`](AskState::clusters).
    pub fn likeliest_wrong(&self, all: &[(ConstraintKind, Vec<usize>)]) -> Result<Option<usize>> {
        let statements = all.iter().map(|(kind, points)| Statement::new(*kind, points));
        let Some(statements) = statements.collect::<Option<Vec<Statement>>>() else {
            return Ok(None);
        };
        let mut others = self.clone();
        others.retain(|answered| !statements.iter().any(|one| one.is_asked_by(answered)));
        let space = self.learned_space()?;
        let belief = Belief::new(&space, &others.pairs(), others.is_noisy())?;
        let chance_of_same =
            |a: usize, b: usize| belief.chance_of_same(space.unit_of[a], space.unit_of[b]);
        let cost = |one: &Statement| {
            let chance = one.chance(&chance_of_same).clamp(0.001, 0.999);
            self.weight_of(one) * ELSE_WRONG.ln() - chance.ln()
        };
        let costs = statements.iter().map(cost);
        let first =
            |best: (usize, f64), other: (usize, f64)| if other.1 > best.1 { other } else { best };
        Ok(costs.enumerate().reduce(first).map(|(at, _)| at))
    }

    /// The confidence of all answers that say the same, added up.
    fn weight_of(&self, statement: &Statement) -> f64 {
        let agrees = |one: &&Answered| statement.is_said_by(one);
        self.answered().iter().filter(agrees).map(|one| one.confidence).sum()
    }
}

/// What a constraint says of its points.
#[derive(Debug, Clone, Copy)]
enum Statement {
    Pair {
        points: [usize; 2],
        is_same: bool,
    },
    /// The first two belong together, the last with neither.
    Odd([usize; 3]),
    Equal([usize; 3]),
    /// The first is closer to the second than to the third.
    Closer([usize; 3]),
}

impl Statement {
    fn new(kind: ConstraintKind, points: &[usize]) -> Option<Self> {
        let is_same = kind == ConstraintKind::MustLink;
        Some(match (kind, points) {
            (ConstraintKind::MustLink | ConstraintKind::CannotLink, &[a, b]) => {
                Self::Pair { points: [a.min(b), a.max(b)], is_same }
            }
            (ConstraintKind::OddOneOut, &[a, b, c]) => Self::Odd([a, b, c]),
            (ConstraintKind::AboutEqual, &[a, b, c]) => Self::Equal([a, b, c]),
            (ConstraintKind::Closer, &[a, b, c]) => Self::Closer([a, b, c]),
            _ => return None,
        })
    }

    /// Whether an answer is about the same points.
    fn is_asked_by(&self, answered: &Answered) -> bool {
        match self {
            Self::Pair { points, .. } => {
                let (together, apart) = answered.implied_pairs();
                together.iter().chain(&apart).any(|&[p, q]| [p.min(q), p.max(q)] == *points)
            }
            Self::Odd([a, b, c]) | Self::Equal([a, b, c]) | Self::Closer([a, b, c]) => {
                answered.question == Question::triplet(*a, *b, *c)
            }
        }
    }

    /// Whether an answer says it.
    fn is_said_by(&self, answered: &Answered) -> bool {
        if !self.is_asked_by(answered) {
            return false;
        }
        match (self, &answered.question, &answered.answer) {
            (Self::Pair { points, is_same }, ..) => {
                let (together, apart) = answered.implied_pairs();
                let implied = if *is_same { together } else { apart };
                implied.iter().any(|&[p, q]| [p.min(q), p.max(q)] == *points)
            }
            (Self::Odd([.., odd]), Question::Triplet { points }, Answer::Odd(at)) => {
                points.get(*at) == Some(odd)
            }
            (Self::Equal(_), _, Answer::Equal) => true,
            _ => false,
        }
    }

    /// How probable it is, where two points belong together with this probability. Of three points the possible answers are
    /// weighed: each may be the odd one, or all or none of them belong together.
    fn chance(&self, same: &dyn Fn(usize, usize) -> f64) -> f64 {
        match *self {
            Self::Pair { points: [a, b], is_same } => {
                if is_same {
                    same(a, b)
                } else {
                    1.0 - same(a, b)
                }
            }
            Self::Odd([a, b, c]) | Self::Equal([a, b, c]) | Self::Closer([a, b, c]) => {
                let (ab, ac, bc) = (same(a, b), same(a, c), same(b, c));
                let odd = |two: f64, x: f64, y: f64| two * (1.0 - x) * (1.0 - y);
                let equal = ab * ac * bc + (1.0 - ab) * (1.0 - ac) * (1.0 - bc);
                let (c_odd, b_odd, a_odd) = (odd(ab, ac, bc), odd(ac, ab, bc), odd(bc, ab, ac));
                let total = (c_odd + b_odd + a_odd + equal).max(f64::MIN_POSITIVE);
                let share = match self {
                    Self::Odd(_) => c_odd,
                    Self::Equal(_) => equal,
                    // Where neither of the two is the odd one, each is as likely to be closer.
                    _ => c_odd + 0.5 * (a_odd + equal),
                };
                share / total
            }
        }
    }
}

/// Whether clusters agree with an answer; `None` where it says nothing of clusters. A label agrees with a cluster whose
/// points mostly have it.
fn agrees(answered: &Answered, labels: &[Label], names: &BTreeMap<usize, String>) -> Option<bool> {
    if let (Question::Label { point }, Answer::Label(name)) = (&answered.question, &answered.answer)
    {
        return Some(names.get(&labels[*point]?)? == name);
    }
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
