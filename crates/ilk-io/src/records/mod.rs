//! Files of named columns, read row by row as text: the common ground of CSV, JSONL and Parquet.

mod csv;
#[cfg(feature = "parquet")]
mod guard;
mod jsonl;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet_cell;
mod quotes;

use std::collections::HashSet;
use std::path::Path;

use ::csv::StringRecord;

use crate::error::{Place, Position};
use crate::source::{Format, is_stdin};
use crate::{Error, Result};

/// One row; the cells stand in the order of the header, and a missing value is an empty cell.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) position: Position,
    pub(crate) cells: StringRecord,
    /// Cells as numbers, where the file stores numbers; NaN elsewhere. The text of a column that
    /// was selected as numbers may be missing where the number is not.
    pub(crate) numbers: Vec<f64>,
}

impl Row {
    pub(crate) fn new() -> Self {
        Self { position: Position::Line(0), cells: StringRecord::new(), numbers: Vec::new() }
    }

    /// A cell without the blanks around it.
    pub(crate) fn cell(&self, column: usize) -> &str {
        self.cells.get(column).unwrap_or("").trim()
    }

    pub(crate) fn place(&self, path: &Path) -> Place {
        Place::new(path, self.position)
    }
}

/// A file of named columns.
pub(crate) trait Records {
    /// The names of the columns.
    fn header(&self) -> &[String];
    /// Declares before the first row which columns are needed as text and which as numbers; all are
    /// text otherwise. Files that are read whole in any case pass over it.
    fn select(&mut self, _text: &[usize], _numbers: &[usize]) {}
    /// Reads the next row into `row`; false at the end of the file.
    fn read(&mut self, row: &mut Row) -> Result<bool>;
}

/// Whether the first line of delimited text names the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeaderLine {
    Present,
    /// The columns are `x0`, `x1`, …
    Absent,
}

/// Opens a file of named columns.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Records>> {
    open_with(path, HeaderLine::Present)
}

/// Opens a file of columns, named by the first line or not.
pub(crate) fn open_with(path: &Path, line: HeaderLine) -> Result<Box<dyn Records>> {
    let records: Box<dyn Records> = match Format::of(path) {
        Some(Format::Csv) => Box::new(csv::CsvRecords::open(path, None, line)?),
        Some(Format::Tsv) => Box::new(csv::CsvRecords::open(path, Some(b'\t'), line)?),
        None if is_stdin(path) => Box::new(csv::CsvRecords::open(path, None, line)?),
        Some(Format::Jsonl) => Box::new(jsonl::JsonlRecords::open(path)?),
        #[cfg(feature = "parquet")]
        Some(Format::Parquet) => Box::new(parquet::ParquetRecords::open(path)?),
        #[cfg(not(feature = "parquet"))]
        Some(Format::Parquet) => {
            return Err(Error::FormatLeftOut {
                path: path.to_owned(),
                format: "Parquet",
                feature: "parquet",
            });
        }
        Some(Format::Npy | Format::Npz) | None => {
            // A missing file is the more helpful thing to say.
            crate::source::refuse_spreadsheet(path)?;
            return Err(Error::UnknownFormat {
                path: path.to_owned(),
                known: ".csv, .tsv (or either with .gz), .jsonl, .parquet",
            });
        }
    };
    let mut names = HashSet::new();
    match records.header().iter().find(|name| !names.insert(*name)) {
        Some(twice) => Err(Error::DuplicateColumn { path: path.to_owned(), column: twice.clone() }),
        None => Ok(records),
    }
}

/// The column of this name, whatever its case if no column has it exactly.
pub(crate) fn find(header: &[String], name: &str) -> Option<usize> {
    header
        .iter()
        .position(|column| column == name)
        .or_else(|| header.iter().position(|c| c.eq_ignore_ascii_case(name)))
}

/// The column that holds ids when none is named: `id`, or the first that is an index.
pub(crate) fn default_id(header: &[String]) -> Option<usize> {
    find(header, "id").or_else(|| (0..header.len()).find(|&column| is_index(header, column)))
}

/// Whether a column is the index of a data frame: pandas writes it as a first column without a name,
/// calls that `Unnamed: 0` when it reads it back, and in Parquet `__index_level_0__`.
pub(crate) fn is_index(header: &[String], column: usize) -> bool {
    let name = header[column].as_str();
    let is_unnamed = column == 0 && header.len() > 1 && (name.is_empty() || name == "Unnamed: 0");
    is_unnamed || (name.starts_with("__index_level_") && name.ends_with("__"))
}

/// The column of this name, or an error that lists the columns there are.
pub(crate) fn require(path: &Path, header: &[String], name: &str) -> Result<usize> {
    find(header, name).ok_or_else(|| Error::MissingColumn {
        path: path.to_owned(),
        wanted: format!("{name:?}"),
        found: header.to_vec(),
    })
}
