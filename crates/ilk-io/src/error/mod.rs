//! The one error type of the crate. Every message says what is wrong, where (file, line, column,
//! id) and what to do about it.

mod advice;
mod array;
mod constraint;
mod graph;
mod image;
mod model;
mod place;

use std::io;
use std::path::{Path, PathBuf};

pub(crate) use advice::{byte_size, list, word};
use advice::{gap_advice, one_sided, text_advice};
pub use array::ArrayProblem;
pub use constraint::ConstraintProblem;
pub use graph::GraphProblem;
pub use image::ImageProblem;
pub use model::ModelProblem;
pub use place::{Place, Position, Vocabulary};

/// What every fallible function of the crate returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can be wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file does not exist.
    #[error("{}: there is no such file; check the name and the folder", path.display())]
    NotFound {
        /// The file.
        path: PathBuf,
    },
    /// The system refused to read the file.
    #[error("{}: cannot be read: {source}", path.display())]
    CannotRead {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// A line of a file of answers is no answer.
    #[error("{}: line {line}: {reason}", path.display())]
    BadAnswer {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The file's name does not say which format it has.
    #[error("{}: unknown kind of file; name it with one of the endings {known}", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// The endings that are understood here.
        known: &'static str,
    },
    /// The file's format was left out when this program was built.
    #[error("{}: this build of ilk reads no {format} files; build it with the feature `{feature}`, or convert the file to CSV", path.display())]
    FormatLeftOut {
        /// The file.
        path: PathBuf,
        /// The format.
        format: &'static str,
        /// The feature of the crate that reads it.
        feature: &'static str,
    },
    /// The file is not what its name says, or it is damaged.
    #[error("{}: cannot be read as {format}: {reason}; the file is damaged or of another kind", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The format it should have.
        format: &'static str,
        /// The reader's message.
        reason: String,
    },
    /// An image cannot be used.
    #[error("{}: {problem}", path.display())]
    Image {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: ImageProblem,
    },
    /// Its arrays cannot be used.
    #[error("{}: {problem}", path.display())]
    Array {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: ArrayProblem,
    },
    /// A line of a file of constraints cannot be used.
    #[error(transparent)]
    Constraint(#[from] ConstraintProblem),
    /// A list of edges cannot be used.
    #[error(transparent)]
    Graph(#[from] GraphProblem),
    /// A model cannot be used.
    #[error("{origin} {problem}")]
    Model {
        /// The file, or "the data".
        origin: String,
        /// Why.
        problem: ModelProblem,
    },
    /// A line of text is not in the encoding that all text files must have.
    #[error("{place}: the text is not UTF-8; save the file as UTF-8")]
    NotUtf8 {
        /// Where.
        place: Place,
    },
    /// The file has no bytes, or blank lines only.
    #[error("{}: the file is empty; a header line and at least one row are needed", path.display())]
    EmptyFile {
        /// The file.
        path: PathBuf,
    },
    /// There is a header, but nothing below it.
    #[error("{}: there is a header but no row below it; at least one row is needed", path.display())]
    NoRows {
        /// The file.
        path: PathBuf,
    },
    /// The first line is made of numbers.
    #[error("{}: line 1 ({line:?}) looks like data; {}put a header line with the names of the columns above it", path.display(), if *is_table { "add --no-header, or " } else { "" })]
    NoHeader {
        /// The file.
        path: PathBuf,
        /// The line.
        line: String,
        /// Whether it is a table, which can be read without a header.
        is_table: bool,
    },
    /// A quote opens a field and is not closed, so that the rows below become a part of the field.
    #[error(
        "{place}: a quote opens a field here and is not closed before the next one opens or the file ends; close it, or write \"\" for a quote within quotes"
    )]
    OpenQuote {
        /// Where it opens.
        place: Place,
    },
    /// The file is a spreadsheet.
    #[error("{}: this is a spreadsheet, not a table of text; save the sheet as CSV (UTF-8) and give that file", path.display())]
    Spreadsheet {
        /// The file.
        path: PathBuf,
    },
    /// The file unpacks to more than is allowed.
    #[error("{}: it unpacks to more than {}; if it is meant to be that large, raise the limit with --max-unpacked", path.display(), byte_size(*most))]
    TooLargeUnpacked {
        /// The file.
        path: PathBuf,
        /// Bytes that are unpacked at most.
        most: u64,
    },
    /// Every row has gaps, and rows with gaps were to be dropped.
    #[error("{}: each of the {rows} rows lacks a value, so --missing drop leaves none; leave out the columns with gaps by --exclude, or use --missing mean", path.display())]
    AllDropped {
        /// The file.
        path: PathBuf,
        /// How many rows there are.
        rows: usize,
    },
    /// A column has no value to take the mean of.
    #[error("{}: column {column:?} has no value at all to fill its gaps with; leave it out with --exclude {}", path.display(), word(column))]
    NothingToFillWith {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// New rows have gaps, and the model knows nothing to fill them with.
    #[error("{}: the model was fitted without --missing {missing}, so it has no values to fill gaps with; use --missing drop, or fit it again with --missing {missing}", path.display())]
    ModelFillsNoGaps {
        /// The file.
        path: PathBuf,
        /// What was asked for.
        missing: &'static str,
    },
    /// Two columns have the same name.
    #[error("{}: two columns are named {column:?}; rename one{}", path.display(), if column.parse::<f64>().is_ok() { ", or add --no-header if the first line is a row of a table" } else { "" })]
    DuplicateColumn {
        /// The file.
        path: PathBuf,
        /// The name.
        column: String,
    },
    /// A row has more or fewer fields than the header.
    #[error(
        "{place}: the row has {found} fields, but the header has {expected}; quote fields that hold the delimiter, and fill in what is missing"
    )]
    Ragged {
        /// Where.
        place: Place,
        /// Fields in the row.
        found: usize,
        /// Fields in the header.
        expected: usize,
    },
    /// A column that was asked for, or that the format needs, is not there.
    #[error("{}: there is no column {wanted}; the columns are {}", path.display(), list(found))]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// What was looked for.
        wanted: String,
        /// The columns there are.
        found: Vec<String>,
    },
    /// Every column was left out.
    #[error("{}: no column is left to cluster by; the columns are {}; name some with --features", path.display(), list(found))]
    NoFeatures {
        /// The file.
        path: PathBuf,
        /// The columns there are.
        found: Vec<String>,
    },
    /// Text stands where a number must be.
    #[error(
        "{place}, column {column:?}: {value:?} is not a number{}",
        text_advice(column, value, others)
    )]
    NotANumber {
        /// Where.
        place: Place,
        /// The column.
        column: String,
        /// The text.
        value: String,
        /// Other columns that hold text.
        others: Vec<String>,
    },
    /// NaN or an infinity stands where a number must be.
    #[error(
        "{place}, column {column:?}: the value is {value}; replace it, {}or leave the column out with --exclude {}",
        gap_advice(value),
        word(column)
    )]
    NotFinite {
        /// Where.
        place: Place,
        /// The column.
        column: String,
        /// The value, as it is written in the file.
        value: String,
    },
    /// Nothing stands where a number must be.
    #[error(
        "{place}, column {column:?}: the cell is empty; fill it in, {}or leave the column out with --exclude {}",
        gap_advice(""),
        word(column)
    )]
    EmptyCell {
        /// Where.
        place: Place,
        /// The column.
        column: String,
    },
    /// A row has no id.
    #[error("{place}, column {column:?}: the id is empty; give every row an id")]
    EmptyId {
        /// Where.
        place: Place,
        /// The id column.
        column: String,
    },
    /// Two rows have the same id.
    #[error(
        "{place}: id {id:?} stands in {first} already; ids must be unique{}",
        column.as_ref().map(|column| format!("; correct them, or number the rows with --exclude {}", word(column))).unwrap_or_default()
    )]
    DuplicateId {
        /// Where the id stands again.
        place: Place,
        /// The id.
        id: String,
        /// Where it stood first.
        first: Position,
        /// The column, where the rows can do without ids.
        column: Option<String>,
    },
    /// A constraint names an id that the data does not have.
    #[error("{place}: id {id:?} is not in {data}; correct it, or drop the line")]
    UnknownId {
        /// Where.
        place: Place,
        /// The id.
        id: String,
        /// The data: its path, or "the data".
        data: String,
    },
    /// Two labellings are not about the same points.
    #[error("{} and {} have no id in common: {}; give files about the same rows, or name the columns of ids with --id", left.display(), right.display(), one_sided(left, only_left, right, only_right))]
    DifferentIds {
        /// The first file.
        left: PathBuf,
        /// The second file.
        right: PathBuf,
        /// Ids in the first file only.
        only_left: Vec<String>,
        /// Ids in the second file only.
        only_right: Vec<String>,
    },
    /// A model cannot be turned into bytes.
    #[error("the model cannot be saved: {reason}")]
    CannotEncode {
        /// The encoder's message.
        reason: String,
    },
    /// The folder of a file that is to be written does not exist.
    #[error("{}: cannot be written: there is no folder {}; make it first", path.display(), folder.display())]
    MissingFolder {
        /// The file.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The system refused to write the file.
    #[error("{}: cannot be written: {source}; choose another place, or change who may write there", path.display())]
    CannotWrite {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// A recipe is not valid JSON, or has a field that is unknown or of the wrong kind.
    #[error("{origin}: not a recipe: {reason}")]
    BadRecipe {
        /// The file, or "the recipe".
        origin: String,
        /// What is wrong.
        reason: String,
    },
    /// A method has no such parameter.
    #[error("{method} has no parameter {name:?}; it has {known}")]
    UnknownParameter {
        /// The method.
        method: &'static str,
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A parameter's value cannot be read.
    #[error("{name} = {value:?} is not allowed for {method}: it must be {expected}")]
    BadParameter {
        /// The method.
        method: &'static str,
        /// The parameter.
        name: String,
        /// The value given.
        value: String,
        /// What it must be.
        expected: String,
    },
    /// The engine refused what a line of a file says.
    #[error("{place}: {source}")]
    InLine {
        /// Where.
        place: Place,
        /// The engine's message.
        source: Box<ilk::Error>,
    },
    /// The engine refused what a file holds.
    #[error("{}: {source}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// The engine's message.
        source: Box<ilk::Error>,
    },
    /// The engine refused what was asked.
    #[error(transparent)]
    Engine(Box<ilk::Error>),
}

impl From<ilk::Error> for Error {
    fn from(error: ilk::Error) -> Self {
        Self::Engine(Box::new(error))
    }
}

impl Error {
    /// An error of reading `path`: it is not there, it is packed and damaged, or the system refuses.
    pub(crate) fn reading(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { path: path.to_owned() },
            // Plain files never give these: they are what unpacking a damaged one gives.
            io::ErrorKind::UnexpectedEof => Self::unreadable(path, "gzip", &"it ends too early"),
            io::ErrorKind::FileTooLarge => {
                Self::TooLargeUnpacked { path: path.to_owned(), most: crate::limit::max_unpacked() }
            }
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                Self::unreadable(path, "gzip", &source)
            }
            _ => Self::CannotRead { path: path.to_owned(), source },
        }
    }

    /// What a format's own reader found wrong with `path`.
    pub(crate) fn unreadable(
        path: &Path,
        format: &'static str,
        reason: &dyn std::fmt::Display,
    ) -> Self {
        Self::Unreadable { path: path.to_owned(), format, reason: reason.to_string() }
    }
}
