//! A course of questions about one draw, answered by its classes, and what is found on the way.

use std::time::Instant;

use anyhow::Result;
use ilk::ask::{QuestionKind, Session, SessionOptions, SimulatedOracle, Strategy};
use ilk::group::Label;
use ilk::observe::Observer;
use ilk::problem::{Constraints, Problem};
use serde::Serialize;

/// How a course asks, and how many answers its last question has. A digest of it names its cells.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Questions {
    pub(crate) strategy: Strategy,
    pub(crate) kind: QuestionKind,
    /// The share of wrong answers.
    pub(crate) noise: f64,
    /// The share of questions that are asked again.
    pub(crate) repeats: f64,
    /// Answers after which clusters are scored.
    pub(crate) answers: usize,
}

/// What is known after so many answers.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::reproduce) struct Stop {
    pub(in crate::reproduce) answers: usize,
    pub(in crate::reproduce) labels: Vec<Label>,
    pub(in crate::reproduce) constraints: Constraints,
    /// For every point, whether no question named it.
    pub(in crate::reproduce) free: Vec<bool>,
    /// Seconds of one question so far, with learning from its answer.
    pub(in crate::reproduce) seconds: f64,
}

impl Questions {
    /// Asks, and stops after these numbers of answers, which ascend. Where nothing is left to ask, later stops
    /// find what the last answer left.
    pub(in crate::reproduce) fn stops(
        &self,
        problem: &Problem,
        truth: &[usize],
        at: &[usize],
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Vec<Stop>> {
        let classes = truth.iter().map(|&class| Some(class)).collect();
        let oracle = SimulatedOracle::new(classes, truth.len(), self.noise, seed)?;
        let options = SessionOptions {
            strategy: self.strategy,
            kind: self.kind,
            judging: 0.0,
            repeats: self.repeats,
            seed,
        };
        let start = Instant::now();
        let mut session = Session::new(problem.clone(), options, observer)?;
        let mut seconds = start.elapsed().as_secs_f64();
        let mut stops = Vec::new();
        for &answers in at {
            let start = Instant::now();
            while session.state().answered().len() < answers {
                let Some(next) = session.questions(1, observer)?.pop() else { break };
                let number = session.state().answered().len();
                let answer = oracle.answer(&next.question, number);
                session.answer(&next, answer, 1.0, None)?;
            }
            seconds += start.elapsed().as_secs_f64();
            let mut free = vec![true; truth.len()];
            for answered in session.state().answered() {
                for point in answered.question.points() {
                    free[point] = false;
                }
            }
            stops.push(Stop {
                answers,
                labels: session.clusters()?,
                constraints: session.state().constraints(),
                free,
                seconds: seconds / answers.max(1) as f64,
            });
        }
        Ok(stops)
    }
}
