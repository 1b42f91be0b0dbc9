//! Questions about points, and their answers.

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

crate::choice! {
    /// What kind of question is asked.
    #[derive(Default, Hash, PartialOrd, Ord)]
    pub enum QuestionKind {
        /// Do these two points belong together?
        #[default]
        Pair = "pair",
        /// Which of these three points is the odd one?
        Triplet = "triplet",
        /// Which of these points belong with this one?
        Group = "group",
        /// What is this point?
        Label = "label",
    }
}

impl QuestionKind {
    /// The fewest points that a question of this kind is about.
    pub fn least_points(self) -> usize {
        match self {
            Self::Label => 1,
            Self::Pair | Self::Group => 2,
            Self::Triplet => 3,
        }
    }
}

/// A question about points.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Question {
    /// Do these two points belong together?
    Pair {
        /// The points, the smaller index first.
        points: [usize; 2],
    },
    /// Which of these three points is the odd one?
    Triplet {
        /// The points, in ascending order.
        points: [usize; 3],
    },
    /// Which of `points` belong with `anchor`?
    Group {
        /// The point that the others are compared with.
        anchor: usize,
        /// The others, in ascending order.
        points: Vec<usize>,
    },
    /// What is this point?
    Label {
        /// The point.
        point: usize,
    },
}

impl Question {
    /// Whether two points belong together.
    pub fn pair(a: usize, b: usize) -> Self {
        Self::Pair { points: [a.min(b), a.max(b)] }
    }

    /// Which of three points is the odd one.
    pub fn triplet(a: usize, b: usize, c: usize) -> Self {
        let mut points = [a, b, c];
        points.sort_unstable();
        Self::Triplet { points }
    }

    /// Which points belong with `anchor`.
    pub fn group(anchor: usize, mut points: Vec<usize>) -> Self {
        points.sort_unstable();
        Self::Group { anchor, points }
    }

    /// Its kind.
    pub fn kind(&self) -> QuestionKind {
        match self {
            Self::Pair { .. } => QuestionKind::Pair,
            Self::Triplet { .. } => QuestionKind::Triplet,
            Self::Group { .. } => QuestionKind::Group,
            Self::Label { .. } => QuestionKind::Label,
        }
    }

    /// The points that it shows; of a group the anchor first.
    pub fn points(&self) -> Vec<usize> {
        match self {
            Self::Pair { points } => points.to_vec(),
            Self::Triplet { points } => points.to_vec(),
            Self::Group { anchor, points } => {
                std::iter::once(anchor).chain(points).copied().collect()
            }
            Self::Label { point } => vec![*point],
        }
    }

    /// Refuses a question about points that do not exist, or about one point twice.
    pub(super) fn check(&self, n: usize) -> Result<()> {
        let mut points = self.points();
        points.sort_unstable();
        let is_repeated = points.windows(2).any(|two| two[0] == two[1]);
        let last = points.last().copied().unwrap_or(0);
        if last >= n || is_repeated || (self.kind() == QuestionKind::Group && points.len() < 2) {
            let expected =
                format!("a question names different points from 0 to {}", n.saturating_sub(1));
            return Err(Error::bad_parameter("question", format!("{self:?}"), expected));
        }
        Ok(())
    }
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The two points belong together.
    Same,
    /// The two points do not belong together.
    Different,
    /// The point at this position (0, 1 or 2) of a triplet is the odd one.
    Odd(usize),
    /// The three points of a triplet are about equally different.
    Equal,
    /// These points of a group belong with its anchor, and the others do not.
    Together(Vec<usize>),
    /// The point has this label.
    Label(String),
    /// The question is left out.
    Skip,
    /// The annotator cannot tell.
    CannotTell,
}

impl Answer {
    /// Whether it says anything about the points.
    pub fn is_informative(&self) -> bool {
        !matches!(self, Self::Skip | Self::CannotTell)
    }

    /// Refuses an answer to another kind of question.
    pub(super) fn check(&self, question: &Question) -> Result<()> {
        let fits = match (self, question) {
            (Self::Skip | Self::CannotTell, _)
            | (Self::Same | Self::Different, Question::Pair { .. })
            | (Self::Equal, Question::Triplet { .. }) => true,
            (Self::Odd(position), Question::Triplet { .. }) => *position < 3,
            (Self::Together(chosen), Question::Group { points, .. }) => {
                chosen.iter().all(|point| points.contains(point))
            }
            (Self::Label(name), Question::Label { .. }) => !name.is_empty(),
            _ => false,
        };
        if fits {
            return Ok(());
        }
        let expected = match question {
            Question::Pair { .. } => "a pair is same, different, skip or cannot_tell",
            Question::Triplet { .. } => {
                "a triplet has an odd one, 0, 1 or 2, or is equal, skip or cannot_tell"
            }
            Question::Group { .. } => {
                "a group has a list of those of its points that belong with the first, or is skip or cannot_tell"
            }
            Question::Label { .. } => "a label is a text that is not empty, or skip or cannot_tell",
        };
        Err(Error::bad_parameter("answer", format!("{self:?}"), expected))
    }
}
