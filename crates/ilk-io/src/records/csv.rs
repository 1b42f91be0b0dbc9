//! Delimited text.

use std::io::{self, BufRead, Chain, Cursor, Read};
use std::path::{Path, PathBuf};

use csv::{ByteRecord, ReaderBuilder, StringRecord, Terminator};

use super::quotes::{OpenQuote, QuoteCheck};
use super::{HeaderLine, Records, Row};
use crate::error::{Place, Position};
use crate::source::{self, Source};
use crate::{Error, Result};

/// A CSV or TSV file with a header.
///
/// Lines end at `\n`, and a `\r` before it is dropped here rather than by the parser, because the
/// parser counts lines by `\n` and would be one behind in a file of `\r\n`. A `\n` is added at the
/// end of the file, so that each record ends in one and its own line follows from the count.
pub(crate) struct CsvRecords {
    path: PathBuf,
    reader: csv::Reader<QuoteCheck<Lines>>,
    header: Vec<String>,
    /// The first line, where it is a row.
    first: Option<Row>,
}

/// A file with a line break at its end.
type Lines = Chain<Source, Cursor<&'static [u8]>>;

impl CsvRecords {
    /// Opens a file; without a delimiter, it is what the first line shows.
    pub(crate) fn open(path: &Path, delimiter: Option<u8>, line: HeaderLine) -> Result<Self> {
        let mut source = source::open_text(path)?;
        let delimiter = match delimiter {
            Some(delimiter) => delimiter,
            None => sniff(source.fill_buf().map_err(|error| Error::reading(path, error))?),
        };
        let reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .terminator(Terminator::Any(b'\n'))
            .from_reader(QuoteCheck::new(source.chain(Cursor::new(b"\n".as_slice())), delimiter));
        let mut records = Self { path: path.to_owned(), reader, header: Vec::new(), first: None };
        let mut row = Row::new();
        if !records.next_record(&mut row)? {
            return Err(Error::EmptyFile { path: path.to_owned() });
        }
        if line == HeaderLine::Absent {
            records.header = (0..row.cells.len()).map(|column| format!("x{column}")).collect();
            records.first = Some(row);
            return Ok(records);
        }
        records.header = row.cells.iter().map(|name| name.trim().to_owned()).collect();
        records.refuse_data_as_header()?;
        Ok(records)
    }

    /// Reads a record of any length.
    fn next_record(&mut self, row: &mut Row) -> Result<bool> {
        let mut bytes = std::mem::take(&mut row.cells).into_byte_record();
        loop {
            let before = self.reader.position().line();
            let more =
                self.reader.read_byte_record(&mut bytes).map_err(|error| self.unreadable(error))?;
            if !more {
                return Ok(false);
            }
            drop_carriage_return(&mut bytes);
            if bytes.len() == 1 && bytes[0].is_empty() {
                continue;
            }
            row.position = Position::Line(self.line(before, &bytes));
            break;
        }
        row.cells = StringRecord::from_byte_record(bytes)
            .map_err(|_| Error::NotUtf8 { place: Place::new(&self.path, row.position) })?;
        Ok(true)
    }

    /// The line on which the record just read begins: the parser now stands on the line after it,
    /// and the record itself may span several.
    fn line(&self, before: u64, record: &ByteRecord) -> u64 {
        let after = self.reader.position().line();
        if after == before + 1 {
            return before;
        }
        let lines = record.as_slice().split(|&byte| byte == b'\n').count() as u64;
        after.saturating_sub(lines)
    }

    fn unreadable(&self, error: csv::Error) -> Error {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => self.refused(error),
            other => Error::unreadable(&self.path, "CSV", &format_args!("{other:?}")),
        }
    }

    /// An error of the stream: an open quote, or one of reading.
    fn refused(&self, error: io::Error) -> Error {
        let quote = error.get_ref().and_then(|inner| inner.downcast_ref::<OpenQuote>());
        match quote {
            Some(quote) => {
                Error::OpenQuote { place: Place::new(&self.path, Position::Line(quote.line)) }
            }
            None => Error::reading(&self.path, error),
        }
    }

    /// A header of numbers alone is data, unless it counts the columns, as tables without names
    /// are often written.
    fn refuse_data_as_header(&self) -> Result<()> {
        let numbers: Option<Vec<f64>> = self.header.iter().map(|name| name.parse().ok()).collect();
        let Some(numbers) = numbers else {
            return Ok(());
        };
        let counts_from = |start: usize| {
            numbers.iter().enumerate().all(|(i, &number)| number == (start + i) as f64)
        };
        if counts_from(0) || counts_from(1) {
            return Ok(());
        }
        let line = self.header.join(",");
        Err(Error::NoHeader { path: self.path.clone(), line, is_table: false })
    }
}

impl Records for CsvRecords {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn read(&mut self, row: &mut Row) -> Result<bool> {
        if let Some(first) = self.first.take() {
            *row = first;
        } else if !self.next_record(row)? {
            return Ok(false);
        }
        if row.cells.len() != self.header.len() {
            return Err(Error::Ragged {
                place: row.place(&self.path),
                found: row.cells.len(),
                expected: self.header.len(),
            });
        }
        Ok(true)
    }
}

/// The delimiter of a header line: a comma, or else a semicolon or a tab if there is one.
fn sniff(start: &[u8]) -> u8 {
    let mut quoted = false;
    let mut seen = [false; 3];
    for &byte in start {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => break,
            b',' if !quoted => seen[0] = true,
            b';' if !quoted => seen[1] = true,
            b'\t' if !quoted => seen[2] = true,
            _ => {}
        }
    }
    match seen {
        [false, true, _] => b';',
        [false, false, true] => b'\t',
        _ => b',',
    }
}

/// Drops the `\r` of a line that ends in `\r\n`.
fn drop_carriage_return(record: &mut ByteRecord) {
    let Some(last) = record.len().checked_sub(1) else {
        return;
    };
    if let Some(kept) = record[last].strip_suffix(b"\r") {
        let kept = kept.to_vec();
        record.truncate(last);
        record.push_field(&kept);
    }
}
