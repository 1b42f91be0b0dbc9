//! Random questions.

use super::question::{Question, QuestionKind};
use super::questioner::{Questioner, RankedQuestion};
use super::state::{AskState, is_entailed};
use crate::Result;
use crate::numerics::rng::{Rng, rng_stream};
use crate::observe::Observer;

/// Draws for one question that is new.
const ATTEMPTS: usize = 200;

/// Points that a group compares with its first.
pub(super) const GROUP: usize = 8;

/// Questions about points that are drawn at random: the measure of every other strategy, and the questions by which clusters
/// are judged, since only these are fair to all clusterings.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random {
    /// What kind of questions.
    pub kind: QuestionKind,
}

impl Questioner for Random {
    fn questions(
        &self,
        state: &AskState,
        n: usize,
        _observer: &dyn Observer,
    ) -> Result<Vec<RankedQuestion>> {
        let closure = state.pairs().closure();
        let asked = state.asked();
        // Each number of answers has its own stream, so that the same state always draws the same.
        let mut rng = rng_stream(state.seed(), 1 << 32 | state.answered().len() as u64);
        let mut found: Vec<RankedQuestion> = Vec::new();
        for _ in 0..ATTEMPTS.saturating_mul(n) {
            if found.len() == n {
                break;
            }
            let Some(question) = draw(self.kind, state.problem().len(), &mut rng) else { break };
            let is_new = !asked.contains(&question)
                && !is_entailed(&question, &closure)
                && found.iter().all(|other| other.question != question);
            if is_new {
                found.push(RankedQuestion { question, value: 1.0 });
            }
        }
        Ok(found)
    }
}

fn draw(kind: QuestionKind, n: usize, rng: &mut Rng) -> Option<Question> {
    let points = |count: usize, rng: &mut Rng| (n >= count).then(|| rng.sample(n, count));
    Some(match kind {
        QuestionKind::Pair => {
            let drawn = points(2, rng)?;
            Question::pair(drawn[0], drawn[1])
        }
        QuestionKind::Triplet => {
            let drawn = points(3, rng)?;
            Question::triplet(drawn[0], drawn[1], drawn[2])
        }
        QuestionKind::Group => {
            let mut drawn = points((GROUP + 1).min(n.max(2)), rng)?;
            let anchor = drawn.remove(0);
            Question::group(anchor, drawn)
        }
        QuestionKind::Label => Question::Label { point: points(1, rng)?[0] },
    })
}
