//! What every strategy of asking offers.

use super::question::Question;
use super::state::AskState;
use crate::Result;
use crate::observe::Observer;

/// A question, and what its answer is worth to the strategy that asks it.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedQuestion {
    /// The question.
    pub question: Question,
    /// What the answer is expected to be worth; strategies count differently.
    pub value: f64,
}

/// A strategy of asking: a pure function of what is known to the questions to ask next, the best first.
pub trait Questioner: Sync {
    /// At most `n` questions that were not asked before and whose answers do not follow from what is known; fewer
    /// where there are no more.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    fn questions(
        &self,
        state: &AskState,
        n: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<RankedQuestion>>;
}
