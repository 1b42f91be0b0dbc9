//! Answers from the truth.

use anyhow::Result;
use ilk::ask::{NextQuestion, SimulatedOracle};

use super::rows::AskedPoints;
use super::{Answerer, Reply};

/// Answers by a column of true labels, some of them wrong.
pub(crate) struct Simulated(pub(crate) SimulatedOracle);

impl Answerer for Simulated {
    fn answer(
        &mut self,
        question: &NextQuestion,
        number: usize,
        _: &AskedPoints<'_>,
    ) -> Result<Reply> {
        let answer = self.0.answer(&question.question, number);
        Ok(Reply::Answered { answer, confidence: 1.0, note: String::new() })
    }
}
