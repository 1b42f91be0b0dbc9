//! Who answers the questions of `ilk ask`: a person, a program, or the truth.

pub(crate) mod ended;
pub(crate) mod person;
pub(crate) mod program;
pub(crate) mod rows;
pub(crate) mod simulated;
pub(crate) mod status;

use anyhow::Result;
use ilk::ask::{Answer, NextQuestion};
use rows::AskedPoints;

/// What came of a question.
#[derive(Debug)]
pub(crate) enum Reply {
    /// An answer.
    Answered {
        answer: Answer,
        /// Above 0 and at most 1.
        confidence: f64,
        note: String,
    },
    /// The answer before is taken back.
    Undo,
    /// No more questions now.
    Quit,
}

/// Whoever answers.
pub(crate) trait Answerer {
    /// Answers a question; `number` is how many were answered before.
    fn answer(
        &mut self,
        question: &NextQuestion,
        number: usize,
        rows: &AskedPoints<'_>,
    ) -> Result<Reply>;
}
