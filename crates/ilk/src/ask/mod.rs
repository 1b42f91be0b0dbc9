//! The next best question.

mod belief;
mod expected_change;
mod question;
mod questioner;
mod space;
mod state;

pub use expected_change::ExpectedChange;
pub use question::{Answer, Question, QuestionKind};
pub use questioner::{Questioner, RankedQuestion};
pub use state::{Answered, AskState, Purpose};

impl AskState {
    /// The clusters.
    pub fn quick_labels(&self) -> crate::Result<Vec<usize>> {
        let belief = belief::Belief::new(self)?;
        let labels = belief.labels();
        Ok(self.space().unit_of.iter().map(|&u| labels[u]).collect())
    }
}
