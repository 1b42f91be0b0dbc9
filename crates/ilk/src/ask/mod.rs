//! The next best question.
//!
//! A [`Questioner`] is a pure function of an [`AskState`] (a problem, the answers so far and a seed) to the questions
//! whose answers are worth most, so undo and resume are replays and batches cost nothing. [`Strategy`] has the names:
//!
//! | strategy | asks about |
//! |---|---|
//! | [`ExpectedChange`] | what is expected to decide most points; the default |
//! | [`Random`] | random points |
//! | [`ExploreConsolidate`] | the farthest point, then random ones |
//! | [`Npu`] | the point with the least certain neighbourhood |
//! | [`SuperInstances`] | the medoids of parts that are split and merged, as COBRAS |
//! | [`AggregateSplit`] | clusters that may be one, and halves of one, as A3S |
//!
//! A [`Session`] asks one question after the other, keeps some for judging and asks some again; it reports how well the
//! clusters agree with those, how often annotators contradict themselves, and what more questions are expected
//! to change. [`SimulatedOracle`] answers from true labels.
//!
//! ```
//! use ilk::ask::{Answer, Answered, AskState, Question, Strategy};
//! use ilk::{Points, Problem, Silent};
//!
//! let points = Points::from_rows(&[[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]].map(Vec::from))?;
//! let mut state = AskState::new(Problem::unsupervised(points), 0, &Silent)?;
//! let questioner = Strategy::Auto.questioner(Default::default())?;
//! for _ in 0..3 {
//!     let Some(next) = questioner.questions(&state, 1, &Silent)?.pop() else { break };
//!     let Question::Pair { points: [a, b] } = next.question else { break };
//!     let answer = if (a < 3) == (b < 3) { Answer::Same } else { Answer::Different };
//!     state = state.with(Answered::new(next.question, answer))?;
//! }
//! assert_eq!(state.clusters()?, [0, 0, 0, 1, 1, 1].map(Some));
//! # Ok::<(), ilk::Error>(())
//! ```

mod aggregate_split;
mod annotators;
mod belief;
mod clusters;
mod expected_change;
mod explore_consolidate;
mod judge;
mod learned_space;
mod links;
mod memo;
mod npu;
mod oracle;
mod question;
mod questioner;
mod random;
mod replay;
mod session;
mod space;
mod state;
mod strategy;
mod super_instances;

pub use aggregate_split::AggregateSplit;
pub use annotators::AnnotatorErrors;
pub use expected_change::ExpectedChange;
pub use explore_consolidate::ExploreConsolidate;
pub use judge::{Agreement, Disagreement, ExpectedGain};
pub use npu::Npu;
pub use oracle::SimulatedOracle;
pub use question::{Answer, Question, QuestionKind};
pub use questioner::{Questioner, RankedQuestion};
pub use random::Random;
pub use session::{NextQuestion, Session, SessionOptions};
pub use state::{Answered, AskState, Purpose};
pub use strategy::Strategy;
pub use super_instances::SuperInstances;
