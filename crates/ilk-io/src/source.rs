//! Files as byte streams: what the ending says, and what the first bytes say.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use crate::error::{Place, Position};
use crate::{Error, Result};

/// What a file's ending says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Separated by commas, or by what the header shows.
    Csv,
    /// Separated by tabs.
    Tsv,
    /// One JSON object a line.
    Jsonl,
    /// One numpy array.
    Npy,
    /// An archive of numpy arrays.
    Npz,
    /// Columns.
    Parquet,
}

impl Format {
    /// The format by the ending, whatever its case; a last `.gz` is looked through.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match name.rsplit_once('.')?.1 {
            "csv" => Some(Self::Csv),
            "tsv" | "tab" => Some(Self::Tsv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "npy" => Some(Self::Npy),
            "npz" => Some(Self::Npz),
            "parquet" | "pq" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// A file's bytes.
pub(crate) type Source = Box<dyn BufRead>;

const BUFFER: usize = 1 << 16;

/// Opens a file for reading.
pub(crate) fn open_file(path: &Path) -> Result<File> {
    let file = File::open(path).map_err(|source| Error::reading(path, source))?;
    let metadata = file.metadata().map_err(|source| Error::reading(path, source))?;
    if metadata.is_dir() {
        let source = std::io::Error::from(std::io::ErrorKind::IsADirectory);
        return Err(Error::CannotRead { path: path.to_owned(), source });
    }
    Ok(file)
}

/// Opens a file and unpacks it if its first bytes are those of gzip.
pub(crate) fn open(path: &Path) -> Result<Source> {
    let reading = |source| Error::reading(path, source);
    let mut file = BufReader::with_capacity(BUFFER, open_file(path)?);
    let start = file.fill_buf().map_err(reading)?;
    if start.starts_with(&[0x1f, 0x8b]) {
        let unpacked = MultiGzDecoder::new(file);
        Ok(Box::new(BufReader::with_capacity(BUFFER, unpacked)))
    } else {
        Ok(Box::new(file))
    }
}

/// Opens a text file: as [`open`], without the byte order mark that some editors write.
pub(crate) fn open_text(path: &Path) -> Result<Source> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let mut source = open(path)?;
    let start = source.fill_buf().map_err(|error| Error::reading(path, error))?;
    if start.starts_with(MARK) {
        source.consume(MARK.len());
    }
    Ok(source)
}

/// Reads everything that is left of a stream, growing with what is there rather than with what a
/// header claims.
pub(crate) fn read_to_end(mut source: impl Read, path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).map_err(|error| Error::reading(path, error))?;
    Ok(bytes)
}

/// The lines of a text file that are not blank.
pub(crate) struct TextLines {
    path: PathBuf,
    source: Source,
    line: u64,
    bytes: Vec<u8>,
}

impl TextLines {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        Ok(Self { path: path.to_owned(), source: open_text(path)?, line: 0, bytes: Vec::new() })
    }

    /// Goes to the next line; false at the end of the file.
    pub(crate) fn advance(&mut self) -> Result<bool> {
        loop {
            self.bytes.clear();
            let read = self.source.read_until(b'\n', &mut self.bytes);
            if read.map_err(|error| Error::reading(&self.path, error))? == 0 {
                return Ok(false);
            }
            self.line += 1;
            if !self.bytes.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }

    /// Which line it is.
    pub(crate) fn position(&self) -> Position {
        Position::Line(self.line)
    }

    /// The line, with what ends it.
    pub(crate) fn text(&self) -> Result<&str> {
        std::str::from_utf8(&self.bytes)
            .map_err(|_| Error::NotUtf8 { place: Place::new(&self.path, self.position()) })
    }
}
