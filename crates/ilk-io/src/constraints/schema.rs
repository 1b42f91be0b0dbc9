//! From columns and words to statements.

use std::path::Path;

use ilk::problem::ConstraintKind;

use crate::error::{ConstraintProblem, Vocabulary};
use crate::records::{Row, find};
use crate::{Error, Result};

/// Which of the three files it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Pairs,
    Triplets,
    Labels,
}

/// One thing that a row says.
#[derive(Debug, PartialEq)]
pub(super) struct Statement<'r> {
    pub(super) kind: ConstraintKind,
    ids: [&'r str; 3],
    count: usize,
    pub(super) label: Option<&'r str>,
    pub(super) weight: f64,
    pub(super) source: Option<&'r str>,
}

impl<'r> Statement<'r> {
    /// The ids it names, in the kind's own order.
    pub(super) fn ids(&self) -> &[&'r str] {
        &self.ids[..self.count]
    }
}

/// Where a file's columns stand.
#[derive(Debug)]
pub(super) struct Schema<'h> {
    header: &'h [String],
    ids: Vec<usize>,
    word: Word,
    weight: Option<usize>,
    confidence: Option<usize>,
    source: Option<usize>,
}

/// The column with the relation or the answer.
#[derive(Debug, Clone, Copy)]
enum Word {
    Relation(usize),
    Answer(usize),
    /// None is needed: the first id is closer to the second than to the third.
    Closer,
    Label(usize),
}

const PAIR_HEADERS: &[&[&str]] =
    &[&["id_a", "id_b"], &["id_1", "id_2"], &["unique_id_l", "unique_id_r"]];
const ODD_HEADERS: &[&[&str]] = &[&["id_a", "id_b", "id_c"]];
const CLOSER_HEADERS: &[&[&str]] = &[&["anchor", "near", "far"], &["head", "winner", "loser"]];

impl<'h> Schema<'h> {
    pub(super) fn new(path: &Path, header: &'h [String], what: What) -> Result<Self> {
        let missing = |wanted: &str| Error::MissingColumn {
            path: path.to_owned(),
            wanted: wanted.to_owned(),
            found: header.to_vec(),
        };
        let columns = |known: &[&[&str]]| -> Option<Vec<usize>> {
            known.iter().find_map(|names| {
                let found = names.iter().map(|name| find(header, name));
                found.collect::<Option<Vec<usize>>>()
            })
        };
        let need = |name: &str| find(header, name).ok_or_else(|| missing(&format!("{name:?}")));
        let (ids, word) = match what {
            What::Pairs => {
                let wanted = "\"id_a\" and \"id_b\" (or id_1, id_2; or unique_id_l, unique_id_r)";
                let ids = columns(PAIR_HEADERS).ok_or_else(|| missing(wanted))?;
                (ids, Word::Relation(need("relation")?))
            }
            What::Triplets => {
                if let Some(ids) = columns(ODD_HEADERS) {
                    (ids, Word::Answer(need("answer")?))
                } else {
                    let wanted = "\"id_a\", \"id_b\" and \"id_c\" (or anchor, near, far; or head, winner, loser)";
                    let ids = columns(CLOSER_HEADERS).ok_or_else(|| missing(wanted))?;
                    (ids, Word::Closer)
                }
            }
            What::Labels => (vec![need("id")?], Word::Label(need("label")?)),
        };
        Ok(Self {
            header,
            ids,
            word,
            weight: find(header, "weight"),
            confidence: find(header, "confidence"),
            source: find(header, "source").or_else(|| find(header, "annotator")),
        })
    }

    /// What a row says; none if it says nothing.
    pub(super) fn parse<'r>(&self, path: &Path, row: &'r Row) -> Result<Option<Statement<'r>>> {
        let mut ids = [""; 3];
        for (id, &column) in ids.iter_mut().zip(&self.ids) {
            *id = row.cell(column);
        }
        let [a, b, c] = ids;
        let (kind, ids, label) = match self.word {
            Word::Relation(column) => match relation(row.cell(column)) {
                Some(Some(kind)) => (kind, ids, None),
                Some(None) => return Ok(None),
                None => return Err(self.unknown_word(path, row, column, Vocabulary::Relation)),
            },
            Word::Answer(column) => {
                let odd = |ids| (ConstraintKind::OddOneOut, ids, None);
                let word = row.cell(column);
                match word.to_ascii_lowercase().as_str() {
                    "a" => odd([b, c, a]),
                    "b" => odd([a, c, b]),
                    "c" => odd(ids),
                    "equal" => (ConstraintKind::AboutEqual, ids, None),
                    "skip" => return Ok(None),
                    // The letters name columns, also where ids are letters.
                    "" => return Err(self.unknown_word(path, row, column, Vocabulary::Answer)),
                    _ if word == a => odd([b, c, a]),
                    _ if word == b => odd([a, c, b]),
                    _ if word == c => odd(ids),
                    _ => return Err(self.unknown_word(path, row, column, Vocabulary::Answer)),
                }
            }
            Word::Closer => (ConstraintKind::Closer, ids, None),
            Word::Label(column) => match row.cell(column) {
                "" => return Ok(None),
                label => (ConstraintKind::Label, ids, Some(label)),
            },
        };
        if let Some(&column) = self.ids.iter().find(|&&column| row.cell(column).is_empty()) {
            return Err(Error::EmptyId {
                place: row.place(path),
                column: self.header[column].clone(),
            });
        }
        let confidence = self.parse_confidence(path, row)?;
        if confidence == 0.0 {
            return Ok(None);
        }
        let source = self.source.map(|column| row.cell(column));
        Ok(Some(Statement {
            kind,
            ids,
            count: self.ids.len(),
            label,
            weight: confidence * self.parse_weight(path, row)?,
            source: source.filter(|source| !source.is_empty()),
        }))
    }

    fn parse_weight(&self, path: &Path, row: &Row) -> Result<f64> {
        let text = self.weight.map_or("", |column| row.cell(column));
        if text.is_empty() {
            return Ok(1.0);
        }
        match text.parse::<f64>() {
            Ok(weight) if weight.is_finite() && weight > 0.0 => Ok(weight),
            _ => {
                Err(ConstraintProblem::BadWeight { place: row.place(path), value: text.to_owned() }
                    .into())
            }
        }
    }

    /// How sure the person was, from 0 to 1: the answer counts that much.
    fn parse_confidence(&self, path: &Path, row: &Row) -> Result<f64> {
        let text = self.confidence.map_or("", |column| row.cell(column));
        if text.is_empty() {
            return Ok(1.0);
        }
        match text.parse::<f64>() {
            Ok(confidence) if (0.0..=1.0).contains(&confidence) => Ok(confidence),
            _ => Err(ConstraintProblem::BadConfidence {
                place: row.place(path),
                value: text.to_owned(),
            }
            .into()),
        }
    }

    fn unknown_word(&self, path: &Path, row: &Row, column: usize, vocabulary: Vocabulary) -> Error {
        ConstraintProblem::UnknownWord {
            place: row.place(path),
            column: self.header[column].clone(),
            word: row.cell(column).to_owned(),
            vocabulary,
        }
        .into()
    }
}

/// The kind that a word stands for; `Some(None)` for skip. Spreadsheets and data frames may have
/// turned 1 into 1.0, and a dash into another joint.
#[allow(clippy::option_option, reason = "known or not, and then given or skipped")]
fn relation(word: &str) -> Option<Option<ConstraintKind>> {
    let word = word.to_ascii_lowercase().replace(['_', ' '], "-");
    match word.as_str() {
        "must-link" | "ml" | "1" | "1.0" | "same" | "match" => Some(Some(ConstraintKind::MustLink)),
        "cannot-link" | "cl" | "-1" | "-1.0" | "different" | "distinct" => {
            Some(Some(ConstraintKind::CannotLink))
        }
        "skip" => Some(None),
        _ => None,
    }
}
