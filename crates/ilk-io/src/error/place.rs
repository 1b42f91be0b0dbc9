//! Where in a file something stands, and which words may stand there.

use std::path::{Path, PathBuf};

/// Where in a file a row stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// A line of a text file, counted from 1 as editors do; the header is line 1.
    Line(u64),
    /// A row of an array or a column file, counted from 0 as the default ids are.
    Row(u64),
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row} (counted from 0)"),
        }
    }
}

/// A place in a file, written as `pairs.csv, line 7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as it was named by the caller.
    pub path: PathBuf,
    /// The row in it.
    pub position: Position,
}

impl Place {
    pub(crate) fn new(path: &Path, position: Position) -> Self {
        Self { path: path.to_owned(), position }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {}", self.path.display(), self.position)
    }
}

/// The words of a column, written as what they are and which there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vocabulary {
    /// What two points are to each other.
    Relation,
    /// A comparison of three points.
    Answer,
}

impl std::fmt::Display for Vocabulary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Relation => {
                "a relation; write must-link, cannot-link or skip \
                 (also read: ml, cl, 1, -1, same, different, match, distinct)"
            }
            Self::Answer => "an answer; write a, b or c (the odd one) or its id, equal or skip",
        })
    }
}
