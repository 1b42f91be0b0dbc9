//! The log of what people did: append-only, a line of JSON an event, and the truth of a project.
//!
//! Rows are named by their ids, so that the log holds when rows of the data move. An event is on the disk before anyone is
//! told that it was taken; a line that was cut off by the end of a process is left out.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use ilk::ask::{Purpose, QuestionKind};
use serde::{Deserialize, Serialize};

/// Something that a person did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Event {
    /// An answer to a question. It is an entry: the entries are numbered from 0 in the order of the log.
    Answer {
        /// The question that was asked; an answer to it is taken once.
        question: String,
        #[serde(flatten)]
        asked: Asked,
        answer: AnswerById,
        confidence: f64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        annotator: Option<String>,
        purpose: Purpose,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
    /// What a person said without being asked. It is an entry too.
    Statement {
        relation: Relation,
        rows: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        others: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        annotator: Option<String>,
    },
    /// An entry is taken back.
    Delete { entry: usize },
    /// The kind of the next questions.
    Kind { kind: QuestionKind },
    /// The cluster in which a row is has a name.
    Name { row: String, name: String },
    /// The cluster in which a row is needs no more questions, or does after all.
    Done { row: String, done: bool },
}

/// A question by the ids of its rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Asked {
    pub(crate) kind: QuestionKind,
    /// The rows; of a group the one that the others are compared with comes first.
    pub(crate) rows: Vec<String>,
}

/// An answer that names rows by their ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum AnswerById {
    /// The two belong together.
    Same,
    /// The two do not.
    Different,
    /// The row that is the odd one of three.
    Odd(String),
    /// The three are about equally different.
    Equal,
    /// The rows of a group that belong with the first.
    Together(Vec<String>),
    /// What the row is.
    Label(String),
    /// Left out.
    Skip,
    /// Nobody could tell.
    CannotTell,
}

/// What a statement says of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Relation {
    /// They belong together.
    Together,
    /// None of them belongs with any of the others.
    Apart,
}

/// An event, and when it came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Logged {
    pub(crate) at: String,
    #[serde(flatten)]
    pub(crate) event: Event,
}

/// The open file.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    file: File,
    /// Where the last whole event ends.
    end: u64,
    /// Whether the file may hold part of an event that could not be written.
    is_torn: bool,
}

impl Log {
    /// Opens the log, or begins one, and keeps other processes from writing to it. Returns the events that it holds.
    pub(crate) fn open(path: &Path) -> Result<(Self, Vec<Logged>)> {
        let cannot = |what: &str| format!("{}: the log cannot be {what}", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| cannot("opened"))?;
        if file.try_lock().is_err() {
            bail!(
                "{}: another `ilk studio` has this project open; close it, or give another folder with --project",
                path.display()
            );
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).with_context(|| cannot("read"))?;
        // What stands after the last end of a line was cut off before anybody was told that it was taken.
        let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut events = Vec::new();
        for (number, line) in text[..end].split(|&byte| byte == b'\n').enumerate() {
            if line.is_empty() {
                continue;
            }
            events.push(serde_json::from_slice(line).with_context(|| {
                format!("{}, line {}: this is no event", path.display(), number + 1)
            })?);
        }
        let end = end as u64;
        file.set_len(end).with_context(|| cannot("written"))?;
        Ok((Self { path: path.to_owned(), file, end, is_torn: false }, events))
    }

    /// Appends an event and waits until the disk has it.
    pub(crate) fn append(&mut self, logged: &Logged) -> Result<()> {
        let mut line = serde_json::to_vec(logged)?;
        line.push(b'\n');
        self.write(&line).with_context(|| {
            format!("{}: the event could not be written, and was not taken", self.path.display())
        })
    }

    fn write(&mut self, line: &[u8]) -> std::io::Result<()> {
        if self.is_torn {
            self.file.set_len(self.end)?;
        }
        self.is_torn = true;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(line)?;
        self.file.sync_data()?;
        self.end += line.len() as u64;
        self.is_torn = false;
        Ok(())
    }
}
