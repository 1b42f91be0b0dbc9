//! Strategies that the papers give as a course of questions: the course is run again from its beginning with the answers
//! that are known, and the first one that is not known is the question.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::memo::Memo;
use super::question::Question;
use super::questioner::RankedQuestion;
use super::space::{AskSpace, Part};
use super::state::{AskState, is_entailed};
use crate::Result;
use crate::problem::Closure;

/// Ends a course when it has as many questions as were asked for.
pub(super) type Course<T = ()> = ControlFlow<(), T>;

/// Makes a strategy a [`Questioner`](super::questioner::Questioner) that asks by its course, a function of a [`Replay`].
macro_rules! asks_by_course {
    ($strategy:ty, $course:expr) => {
        impl $crate::ask::Questioner for $strategy {
            fn questions(
                &self,
                state: &$crate::ask::AskState,
                n: usize,
                _observer: &dyn $crate::Observer,
            ) -> $crate::Result<Vec<$crate::ask::RankedQuestion>> {
                $crate::ask::replay::Replay::run(state, n, $course)
            }
        }
    };
}
pub(super) use asks_by_course;

/// A course of questions about units that is run again.
pub(super) struct Replay<'a> {
    pub(super) space: &'a AskSpace,
    pub(super) seed: u64,
    memo: &'a Memo,
    closure: Closure,
    asked: HashSet<&'a Question>,
    /// What the course takes for granted about questions that are still open, so that it can go on to the next.
    wanted: usize,
    found: Vec<Question>,
}

impl<'a> Replay<'a> {
    /// At most `n` questions of a course.
    pub(super) fn run(
        state: &'a AskState,
        n: usize,
        course: impl FnOnce(&mut Self) -> Result<Course>,
    ) -> Result<Vec<RankedQuestion>> {
        if n == 0 {
            return Ok(Vec::new());
        }
        let mut replay = Self {
            space: state.space(),
            seed: state.seed(),
            memo: state.memo(),
            closure: state.pairs().closure(),
            asked: state.asked(),
            wanted: n,
            found: Vec::new(),
        };
        // The course may also end because it has no more questions.
        let _ = course(&mut replay)?;
        let ranked = replay
            .found
            .into_iter()
            .enumerate()
            .map(|(rank, question)| RankedQuestion { question, value: 1.0 / (rank + 1) as f64 });
        Ok(ranked.collect())
    }

    /// Units split into at most so many parts by k-means. A course is run again for every question, and most of its splits
    /// are those of the question before.
    pub(super) fn split(&self, units: &[usize], parts: usize) -> Result<Arc<Vec<Part>>> {
        self.memo.split(units, parts, || self.space.split(units, parts, self.seed))
    }

    /// Whether two units belong together. Where that is not known it is a question of the course, which goes on as if
    /// they did not; so it does where the question was left out.
    pub(super) fn ask(&mut self, a: usize, b: usize) -> Course<bool> {
        let [p, q] = [a, b].map(|unit| self.space.representatives[unit]);
        if self.closure.are_linked(p, q) {
            return Course::Continue(true);
        }
        let question = Question::pair(p, q);
        let is_open = !is_entailed(&question, &self.closure)
            && !self.asked.contains(&question)
            && !self.found.contains(&question);
        if is_open {
            self.found.push(question);
            if self.found.len() == self.wanted {
                return Course::Break(());
            }
        }
        Course::Continue(false)
    }
}

/// The neighbourhoods of a course: units that are known to belong together, one neighbourhood a cluster.
#[derive(Debug, Default)]
pub(super) struct Neighborhoods {
    pub(super) units: Vec<Vec<usize>>,
}

impl Neighborhoods {
    /// Asks a unit's neighbourhood in this order of the neighbourhoods; it founds one where it is in none.
    pub(super) fn place(
        &mut self,
        replay: &mut Replay<'_>,
        unit: usize,
        order: &[usize],
    ) -> Course {
        for &neighborhood in order {
            let nearest = self.units[neighborhood].iter().copied();
            let nearest = nearest.reduce(|best, other| {
                if replay.space.dist_sq(unit, other) < replay.space.dist_sq(unit, best) {
                    other
                } else {
                    best
                }
            });
            let Some(other) = nearest else { continue };
            if replay.ask(unit, other)? {
                self.units[neighborhood].push(unit);
                return Course::Continue(());
            }
        }
        self.units.push(vec![unit]);
        Course::Continue(())
    }

    /// The neighbourhoods by the distance of their means from a unit, the nearest first.
    pub(super) fn nearest_first(&self, space: &AskSpace, unit: usize) -> Vec<usize> {
        let distances: Vec<f64> =
            self.units.iter().map(|units| space.dist_sq_to_mean(unit, units)).collect();
        let mut order: Vec<usize> = (0..self.units.len()).collect();
        order.sort_by(|&a, &b| distances[a].total_cmp(&distances[b]));
        order
    }
}
