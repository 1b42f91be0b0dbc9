//! A file of answers that grows by one answer at a time, and from which a session goes on.
//!
//! It is a file of constraints (`pairs.csv`, `triplets.csv` or `labels.csv`) with the columns `weight`, `annotator`,
//! `created_at`, `source` and `note`, and with `question`, the number of the question: the pairs of a group share one,
//! and with it stands how many they are (`7/8`). Every answer is one write that ends with a line, so a process that is
//! killed loses at most the answer in flight.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ilk::ask::{Answer, Answered, Purpose, Question, QuestionKind};
use ilk::problem::Constraints;

use crate::{Error, Result};

/// Columns after those of the points and the answer.
const COMMON: [&str; 6] = ["weight", "annotator", "created_at", "source", "note", "question"];

/// The note where the annotator could not tell.
const CANNOT_TELL: &str = "cannot tell";

/// An open file of answers.
#[derive(Debug)]
pub struct AnswerFile {
    path: PathBuf,
    file: File,
    /// Where each answer begins.
    starts: Vec<u64>,
    /// Where the last one ends.
    end: u64,
}

/// An answer with what the engine does not look at.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerRecord {
    /// The question and its answer.
    pub answered: Answered,
    /// When it was given, as text.
    pub created_at: String,
    /// What the annotator noted.
    pub note: String,
}

/// A file of answers that was opened.
#[derive(Debug)]
pub struct OpenedAnswers {
    /// The file, to append to.
    pub file: AnswerFile,
    /// The answers that were there.
    pub answers: Vec<AnswerRecord>,
    /// Whether the last line was cut off, and left out.
    pub was_cut_off: bool,
}

impl AnswerFile {
    /// Opens a file of answers to questions of a kind about points with these names, or begins one. A last line that was
    /// cut off in the middle is left out.
    ///
    /// # Errors
    /// A file that cannot be read or written, or that holds no answers of this kind.
    pub fn open(path: &Path, kind: QuestionKind, names: &Constraints) -> Result<OpenedAnswers> {
        let cannot_write = |source| Error::CannotWrite { path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(cannot_write)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)
            .map_err(|source| Error::CannotRead { path: path.to_owned(), source })?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut was_cut_off = whole < text.len();
        text.truncate(whole);
        let mut rows = parse(path, kind, &text, names, false)?;
        if let Some((start, _)) = rows.pop_if(|(_, last)| last.is_incomplete()) {
            text.truncate(usize::try_from(start).unwrap_or(usize::MAX));
            was_cut_off = true;
        }
        let (starts, answers) = rows.into_iter().map(|(start, row)| (start, row.record)).unzip();
        let end = text.len() as u64;
        let mut opened = Self { path: path.to_owned(), file, starts, end };
        opened.file.set_len(end).map_err(cannot_write)?;
        if text.is_empty() {
            opened.write(&header(kind)).map_err(cannot_write)?;
        }
        Ok(OpenedAnswers { file: opened, answers, was_cut_off })
    }

    /// Appends an answer, and waits until the system has it.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn append(&mut self, record: &AnswerRecord, names: &Constraints) -> Result<()> {
        let start = self.end;
        let rows = rows_of(record, self.starts.len(), names);
        self.write(&rows)
            .map_err(|source| Error::CannotWrite { path: self.path.clone(), source })?;
        self.starts.push(start);
        Ok(())
    }

    /// Takes the last answer out of the file again.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn undo(&mut self) -> Result<()> {
        if let Some(start) = self.starts.pop() {
            self.file
                .set_len(start)
                .map_err(|source| Error::CannotWrite { path: self.path.clone(), source })?;
            self.end = start;
        }
        Ok(())
    }

    fn write(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        for row in rows {
            csv.write_record(row)?;
        }
        let bytes = csv.into_inner().map_err(csv::IntoInnerError::into_error)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&bytes)?;
        self.file.sync_data()?;
        self.end += bytes.len() as u64;
        Ok(())
    }
}

/// An answer as it was read.
struct ParsedAnswer {
    record: AnswerRecord,
    /// The points of the group that it is, where the file tells.
    group_size: Option<usize>,
}

impl ParsedAnswer {
    /// Whether the file ends within it.
    fn is_incomplete(&self) -> bool {
        let read = self.record.answered.question.points().len() - 1;
        self.group_size.is_some_and(|size| read < size)
    }
}

/// The answers of a file, each with the byte at which it begins. In a batch, rows without an answer are left out.
fn parse(
    path: &Path,
    kind: QuestionKind,
    text: &[u8],
    names: &Constraints,
    is_batch: bool,
) -> Result<Vec<(u64, ParsedAnswer)>> {
    let unreadable =
        |line: u64, reason: String| Error::BadAnswer { path: path.to_owned(), line, reason };
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let mut csv = csv::ReaderBuilder::new().flexible(true).from_reader(text);
    let headers = csv.headers().map_err(|error| unreadable(1, error.to_string()))?;
    let found: Vec<String> = headers.iter().map(str::to_owned).collect();
    let own = header(kind)[0].len() - COMMON.len();
    let wanted = &header(kind)[0][..own];
    if let Some(missing) = wanted.iter().find(|name| !found.contains(name)) {
        let reason = format!(
            "there is no column {missing:?}; give a file that `ilk ask --kind {kind}` began, or a new one"
        );
        return Err(unreadable(1, reason));
    }
    let word = &wanted[own - 1];
    let mut read: Vec<(u64, ParsedAnswer)> = Vec::new();
    let mut last_question = None;
    for record in csv.records() {
        let record = record.map_err(|error| {
            unreadable(error.position().map_or(0, csv::Position::line), error.to_string())
        })?;
        let (line, start) =
            record.position().map_or((0, 0), |position| (position.line(), position.byte()));
        let cell = |name: &str| {
            let column = found.iter().position(|other| other == name);
            column.and_then(|at| record.get(at)).unwrap_or("").trim()
        };
        if is_batch && cell(word).is_empty() {
            continue;
        }
        let parsed = parse_row(kind, &cell, names).map_err(|reason| unreadable(line, reason))?;
        let number = Some(cell("question").to_owned()).filter(|number| !number.is_empty());
        let is_next_row =
            kind == QuestionKind::Group && number.is_some() && last_question == number;
        match read.last_mut() {
            Some((_, last)) if is_next_row => {
                join_group(&mut last.record.answered, parsed.answered);
            }
            _ => {
                let size = number.as_deref().and_then(|number| number.split_once('/'));
                let group_size = size.and_then(|(_, size)| size.parse().ok());
                read.push((start, ParsedAnswer { record: parsed, group_size }));
            }
        }
        last_question = number;
    }
    Ok(read)
}

/// Writes answers to a file, from which a session can go on.
///
/// # Errors
/// Errors of the system.
pub fn write_answers(
    path: &Path,
    kind: QuestionKind,
    answers: &[AnswerRecord],
    names: &Constraints,
) -> Result<()> {
    crate::write_file(path, |out| {
        let mut csv = csv::Writer::from_writer(out);
        let rows = answers.iter().enumerate();
        let rows = rows.flat_map(|(number, record)| rows_of(record, number, names));
        for row in header(kind).into_iter().chain(rows) {
            csv.write_record(&row)?;
        }
        csv.flush()
    })
}

/// Writes questions for people who answer in a spreadsheet: the columns of a file of answers, with the answer left empty,
/// and after them what `shown` has of every point, such as the columns of the data.
///
/// # Errors
/// Errors of `out`.
pub fn write_batch(
    out: &mut dyn Write,
    questions: &[(Question, Purpose)],
    names: &Constraints,
    shown: &BatchColumns<'_>,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let Some((first, _)) = questions.first() else { return csv.flush() };
    let mut header = header(first.kind()).remove(0);
    let n_points = match first {
        Question::Label { .. } => 1,
        Question::Pair { .. } | Question::Group { .. } => 2,
        Question::Triplet { .. } => 3,
    };
    for letter in ["a", "b", "c"].iter().take(n_points) {
        header.extend(shown.names.iter().map(|name| format!("{letter}: {name}")));
    }
    csv.write_record(&header)?;
    for (number, (question, purpose)) in questions.iter().enumerate() {
        let record = AnswerRecord {
            answered: Answered {
                purpose: *purpose,
                ..Answered::new(question.clone(), Answer::Skip)
            },
            created_at: String::new(),
            note: String::new(),
        };
        let points = question.points();
        for (at, mut row) in rows_of(&record, number, names).into_iter().enumerate() {
            let own = row.len() - COMMON.len();
            row[own - 1].clear();
            let of_row = match question {
                Question::Group { anchor, .. } => vec![*anchor, points[at + 1]],
                _ => points.clone(),
            };
            row.extend(of_row.into_iter().flat_map(|point| (shown.row)(point)));
            csv.write_record(&row)?;
        }
    }
    csv.flush()
}

/// What a batch shows of every point.
pub struct BatchColumns<'a> {
    /// The names of the columns.
    pub names: &'a [String],
    /// The text of every column of a point.
    pub row: &'a dyn Fn(usize) -> Vec<String>,
}

/// Reads a batch that was filled in: the rows with an answer.
///
/// # Errors
/// A file that cannot be read, or a row that is no answer.
pub fn read_batch(
    path: &Path,
    kind: QuestionKind,
    names: &Constraints,
) -> Result<Vec<AnswerRecord>> {
    let text = std::fs::read(path)
        .map_err(|source| Error::CannotRead { path: path.to_owned(), source })?;
    let rows = parse(path, kind, &text, names, true)?;
    Ok(rows.into_iter().map(|(_, row)| row.record).collect())
}

/// The header, as the only row.
fn header(kind: QuestionKind) -> Vec<Vec<String>> {
    let own: &[&str] = match kind {
        QuestionKind::Pair | QuestionKind::Group => &["id_a", "id_b", "relation"],
        QuestionKind::Triplet => &["id_a", "id_b", "id_c", "answer"],
        QuestionKind::Label => &["id", "label"],
    };
    vec![own.iter().chain(&COMMON).map(|&name| name.to_owned()).collect()]
}

/// The rows of an answer: one, or one for every point of a group.
fn rows_of(record: &AnswerRecord, number: usize, names: &Constraints) -> Vec<Vec<String>> {
    let Answered { question, answer, confidence, annotator, purpose } = &record.answered;
    let note = match answer {
        Answer::CannotTell if record.note.is_empty() => CANNOT_TELL.to_owned(),
        Answer::CannotTell => format!("{CANNOT_TELL}: {}", record.note),
        _ => record.note.clone(),
    };
    let common = [
        confidence.to_string(),
        annotator.clone().unwrap_or_default(),
        record.created_at.clone(),
        format!("ask:{}", purpose_name(*purpose)),
        note,
        match question {
            Question::Group { points, .. } => format!("{number}/{}", points.len()),
            _ => number.to_string(),
        },
    ];
    let name = |point: usize| names.name_of(point);
    let relation = |is_same: bool| if is_same { "must-link" } else { "cannot-link" }.to_owned();
    let own: Vec<Vec<String>> = match question {
        Question::Pair { points: [a, b] } => {
            let given = match answer {
                Answer::Same => relation(true),
                Answer::Different => relation(false),
                _ => "skip".to_owned(),
            };
            vec![vec![name(*a), name(*b), given]]
        }
        Question::Triplet { points: [a, b, c] } => {
            let given = match answer {
                Answer::Odd(at) => ["a", "b", "c"].get(*at).copied().unwrap_or("skip"),
                Answer::Equal => "equal",
                _ => "skip",
            };
            vec![vec![name(*a), name(*b), name(*c), given.to_owned()]]
        }
        Question::Group { anchor, points } => {
            let given = |point: &usize| match answer {
                Answer::Together(chosen) => relation(chosen.contains(point)),
                _ => "skip".to_owned(),
            };
            points.iter().map(|point| vec![name(*anchor), name(*point), given(point)]).collect()
        }
        Question::Label { point } => {
            let given =
                if let Answer::Label(label) = answer { label.clone() } else { String::new() };
            vec![vec![name(*point), given]]
        }
    };
    own.into_iter()
        .map(|mut row| {
            row.extend(common.iter().cloned());
            row
        })
        .collect()
}

/// One row as an answer; a row of a group is a group of one point.
fn parse_row<'a>(
    kind: QuestionKind,
    cell: &impl Fn(&str) -> &'a str,
    names: &Constraints,
) -> std::result::Result<AnswerRecord, String> {
    let point = |column: &str| {
        let id = cell(column);
        names
            .index_of(id)
            .ok_or_else(|| format!("id {id:?} of column {column:?} is not in the data"))
    };
    let unknown = |column: &str, known: &str| {
        format!("{:?} in column {column:?} is no answer; write {known}", cell(column))
    };
    let note = cell("note");
    let (note, left_out) = match note.strip_prefix(CANNOT_TELL) {
        Some(rest) => (rest.trim_start_matches(": "), Answer::CannotTell),
        None => (note, Answer::Skip),
    };
    let (question, answer) = match kind {
        QuestionKind::Pair | QuestionKind::Group => {
            let (a, b) = (point("id_a")?, point("id_b")?);
            let is_same = match cell("relation") {
                "must-link" | "same" | "ml" | "1" => Some(true),
                "cannot-link" | "different" | "cl" | "-1" => Some(false),
                "skip" => None,
                _ => return Err(unknown("relation", "must-link, cannot-link or skip")),
            };
            if kind == QuestionKind::Pair {
                let answer = is_same.map_or(left_out, |is_same| {
                    if is_same { Answer::Same } else { Answer::Different }
                });
                (Question::pair(a, b), answer)
            } else {
                let answer = is_same.map_or(left_out, |is_same| {
                    Answer::Together(if is_same { vec![b] } else { Vec::new() })
                });
                (Question::group(a, vec![b]), answer)
            }
        }
        QuestionKind::Triplet => {
            let given = [point("id_a")?, point("id_b")?, point("id_c")?];
            let question = Question::triplet(given[0], given[1], given[2]);
            // The points of a question are sorted; a file may name them in any order.
            let position = |at: usize| {
                Answer::Odd(question.points().iter().position(|&p| p == given[at]).unwrap_or(at))
            };
            let answer = match cell("answer") {
                "a" => position(0),
                "b" => position(1),
                "c" => position(2),
                "equal" => Answer::Equal,
                "skip" => left_out,
                _ => return Err(unknown("answer", "a, b, c (the odd one), equal or skip")),
            };
            (question, answer)
        }
        QuestionKind::Label => {
            let answer = match cell("label") {
                "" => left_out,
                label => Answer::Label(label.to_owned()),
            };
            (Question::Label { point: point("id")? }, answer)
        }
    };
    let weight = cell("weight");
    let confidence = match weight {
        "" => 1.0,
        _ => weight.parse().map_err(|_| format!("weight {weight:?} is no number"))?,
    };
    let annotator = Some(cell("annotator")).filter(|name| !name.is_empty()).map(str::to_owned);
    let purpose = match cell("source").strip_prefix("ask:") {
        Some("judge") => Purpose::Judge,
        Some("repeat") => Purpose::Repeat,
        Some("confirm") => Purpose::Confirm,
        _ => Purpose::Learn,
    };
    Ok(AnswerRecord {
        answered: Answered { question, answer, confidence, annotator, purpose },
        created_at: cell("created_at").to_owned(),
        note: note.to_owned(),
    })
}

/// Adds the next row of a group.
fn join_group(group: &mut Answered, next: Answered) {
    let (Question::Group { anchor, points }, Question::Group { points: other, .. }) =
        (&group.question, next.question)
    else {
        return;
    };
    group.question = Question::group(*anchor, points.iter().copied().chain(other).collect());
    if let (Answer::Together(chosen), Answer::Together(more)) = (&mut group.answer, next.answer) {
        chosen.extend(more);
    }
}

fn purpose_name(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Learn => "learn",
        Purpose::Judge => "judge",
        Purpose::Repeat => "repeat",
        Purpose::Confirm => "confirm",
    }
}
