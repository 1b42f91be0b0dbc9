//! Answers from true labels, some of them wrong: a simulated annotator.

use super::question::{Answer, Question};
use crate::error::check_length;
use crate::group::Label;
use crate::numerics::rng::{Rng, rng_stream};
use crate::{Error, Result};

/// Answers questions by the truth, of which a share is wrong.
///
/// A wrong answer to a pair is the other one; to a triplet another point, or an odd one where all are about equal; to a
/// group that one of its points, drawn at random, is judged wrongly. Every answer is drawn by the seed and its number
/// alone. Questions about points without a class have no answer.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedOracle {
    truth: Vec<Label>,
    noise: f64,
    seed: u64,
}

impl SimulatedOracle {
    /// An oracle that knows these classes and answers wrongly with the probability `noise`.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a noise that is not from 0 to 1, [`Error::WrongLength`] for another number of labels than
    /// of points.
    pub fn new(truth: Vec<Label>, n_points: usize, noise: f64, seed: u64) -> Result<Self> {
        check_length("the list of true labels", truth.len(), n_points)?;
        if !(0.0..=1.0).contains(&noise) {
            return Err(Error::bad_parameter("noise", noise, "it must be from 0 to 1"));
        }
        Ok(Self { truth, noise, seed })
    }

    /// The answer to a question; `number` counts the questions.
    pub fn answer(&self, question: &Question, number: usize) -> Answer {
        let mut rng = rng_stream(self.seed, 4 << 32 | number as u64);
        if question.points().iter().any(|&point| self.truth[point].is_none()) {
            return Answer::CannotTell;
        }
        let is_wrong = rng.uniform() < self.noise;
        let class = |point: usize| self.truth[point];
        match question {
            Question::Pair { points: [a, b] } => {
                let is_same = (class(*a) == class(*b)) != is_wrong;
                if is_same { Answer::Same } else { Answer::Different }
            }
            Question::Triplet { points } => triplet(points.map(class), is_wrong, &mut rng),
            Question::Group { anchor, points } => {
                let wrong = if is_wrong { Some(rng.below(points.len())) } else { None };
                let is_chosen = |&(at, point): &(usize, &usize)| {
                    (class(*point) == class(*anchor)) != (wrong == Some(at))
                };
                let chosen = points.iter().enumerate().filter(is_chosen);
                Answer::Together(chosen.map(|(_, &point)| point).collect())
            }
            Question::Label { point } => {
                let right = class(*point).unwrap_or(0);
                let others: Vec<usize> = self.truth.iter().flatten().copied().collect();
                let label = if is_wrong { others[rng.below(others.len())] } else { right };
                Answer::Label(label.to_string())
            }
        }
    }
}

/// The odd one of three classes.
fn triplet([a, b, c]: [Label; 3], is_wrong: bool, rng: &mut Rng) -> Answer {
    let odd = match (a == b, a == c, b == c) {
        (true, false, _) => Some(2),
        (false, true, _) => Some(1),
        (false, false, true) => Some(0),
        _ => None,
    };
    match (odd, is_wrong) {
        (Some(odd), false) => Answer::Odd(odd),
        (Some(odd), true) => Answer::Odd((odd + 1 + rng.below(2)) % 3),
        (None, false) => Answer::Equal,
        (None, true) => Answer::Odd(rng.below(3)),
    }
}
