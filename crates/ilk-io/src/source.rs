//! Files as byte streams: what the ending says, and what the first bytes say.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use flate2::bufread::MultiGzDecoder;

use crate::error::{Place, Position};
use crate::limit::Limited;
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
    /// The format by the ending, whatever its case; a last `.gz` is looked through. That of stdin is
    /// found in its first line.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        if is_stdin(path) {
            return Self::of_stdin();
        }
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

    fn of_stdin() -> Option<Self> {
        let mut source = open_text(Path::new(STDIN)).ok()?;
        let start = source.fill_buf().ok()?;
        if start.starts_with(b"\x93NUMPY") {
            return Some(Self::Npy);
        }
        if start.starts_with(b"{") {
            return Some(Self::Jsonl);
        }
        let line = start.split(|&byte| byte == b'\n').next()?;
        line.iter().any(|byte| b",;\t".contains(byte)).then_some(Self::Csv)
    }
}

/// The name that stands for standard input.
const STDIN: &str = "-";

/// Whether a path stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN)
}

/// All of standard input, which is read once, however often it is opened.
fn stdin_bytes() -> Result<&'static [u8]> {
    static BYTES: OnceLock<std::result::Result<Vec<u8>, String>> = OnceLock::new();
    let read = || {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|error| error.to_string())
    };
    BYTES.get_or_init(read).as_deref().map_err(|error| Error::CannotRead {
        path: "stdin".into(),
        source: std::io::Error::other(error.clone()),
    })
}

/// A file's bytes.
pub(crate) type Source = Box<dyn BufRead>;

const BUFFER: usize = 1 << 16;

/// Opens a file for reading.
pub(crate) fn open_file(path: &Path) -> Result<File> {
    if is_stdin(path) {
        let source = std::io::Error::other("this format cannot be read from stdin; give a file");
        return Err(Error::CannotRead { path: "stdin".into(), source });
    }
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
    let mut packed: Source = if is_stdin(path) {
        Box::new(Cursor::new(stdin_bytes()?))
    } else {
        Box::new(BufReader::with_capacity(BUFFER, open_file(path)?))
    };
    let start = packed.fill_buf().map_err(|error| Error::reading(path, error))?;
    if start.starts_with(&[0x1f, 0x8b]) {
        let unpacked = Limited::new(MultiGzDecoder::new(packed));
        return Ok(Box::new(BufReader::with_capacity(BUFFER, unpacked)));
    }
    Ok(packed)
}

/// Opens a text file: as [`open`], without the byte order mark that some editors write, and with
/// UTF-16, which spreadsheets call Unicode text, turned into UTF-8.
pub(crate) fn open_text(path: &Path) -> Result<Source> {
    let mut source = open(path)?;
    let start = source.fill_buf().map_err(|error| Error::reading(path, error))?;
    match *start {
        [0xef, 0xbb, 0xbf, ..] => source.consume(3),
        [b'P', b'K', 3, 4, ..] | [0xd0, 0xcf, 0x11, 0xe0, ..] => {
            return Err(Error::Spreadsheet { path: path.to_owned() });
        }
        [0xff, 0xfe, ..] => return from_utf16(source, path, u16::from_le_bytes),
        [0xfe, 0xff, ..] => return from_utf16(source, path, u16::from_be_bytes),
        _ => {}
    }
    Ok(source)
}

/// Text of which every two bytes are a unit of UTF-16, after its mark.
fn from_utf16(source: Source, path: &Path, unit: fn([u8; 2]) -> u16) -> Result<Source> {
    let bytes = read_to_end(Limited::new(source), path)?;
    let units = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: std::result::Result<String, _> = char::decode_utf16(units).collect();
    match text {
        Ok(text) if bytes.len().is_multiple_of(2) => Ok(Box::new(Cursor::new(text.into_bytes()))),
        _ => Err(Error::unreadable(path, "UTF-16", &"it is cut short or damaged")),
    }
}

/// For a file of unknown kind: whether it is there at all, and whether it is a spreadsheet.
pub(crate) fn refuse_spreadsheet(path: &Path) -> Result<()> {
    open_file(path)?;
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("xlsx" | "xls" | "xlsm" | "xlsb" | "ods") => {
            Err(Error::Spreadsheet { path: path.to_owned() })
        }
        _ => Ok(()),
    }
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
