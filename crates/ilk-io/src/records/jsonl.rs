//! One JSON object a line.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{Records, Row};
use crate::error::{Place, Position};
use crate::source::{self, Source};
use crate::{Error, Result};

/// A JSONL file. Its columns are the keys of all lines, which takes a first pass over the file: an
/// optional key such as `weight` may first appear far down.
pub(crate) struct JsonlRecords {
    lines: Lines,
    header: Vec<String>,
}

impl JsonlRecords {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let mut lines = Lines::open(path)?;
        let mut header: Vec<String> = Vec::new();
        while let Some((_, object)) = lines.next_object()? {
            for key in object.keys() {
                if !header.contains(key) {
                    header.push(key.clone());
                }
            }
        }
        if header.is_empty() {
            return Err(Error::EmptyFile {
                path: path.to_owned(),
            });
        }
        Ok(Self {
            lines: Lines::open(path)?,
            header,
        })
    }
}

impl Records for JsonlRecords {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn read(&mut self, row: &mut Row) -> Result<bool> {
        let Some((position, object)) = self.lines.next_object()? else {
            return Ok(false);
        };
        row.position = position;
        row.cells.clear();
        for key in &self.header {
            match object.get(key) {
                None | Some(Value::Null) => row.cells.push_field(""),
                Some(Value::String(text)) => row.cells.push_field(text),
                Some(value @ (Value::Number(_) | Value::Bool(_))) => {
                    row.cells.push_field(&value.to_string());
                }
                Some(Value::Array(_) | Value::Object(_)) => {
                    let reason = format!("{position}: {key:?} holds a list or an object");
                    return Err(Error::unreadable(&self.lines.path, "JSONL", &reason));
                }
            }
        }
        Ok(true)
    }
}

/// The objects of a file with their lines; blank lines are passed over.
struct Lines {
    path: PathBuf,
    source: Source,
    line: u64,
    text: Vec<u8>,
}

impl Lines {
    fn open(path: &Path) -> Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            source: source::open_text(path)?,
            line: 0,
            text: Vec::new(),
        })
    }

    fn next_object(&mut self) -> Result<Option<(Position, Map<String, Value>)>> {
        loop {
            self.text.clear();
            let read = self
                .source
                .read_until(b'\n', &mut self.text)
                .map_err(|error| Error::reading(&self.path, error))?;
            if read == 0 {
                return Ok(None);
            }
            self.line += 1;
            let position = Position::Line(self.line);
            let text = std::str::from_utf8(&self.text).map_err(|_| Error::NotUtf8 {
                place: Place::new(&self.path, position),
            })?;
            if text.trim().is_empty() {
                continue;
            }
            return match serde_json::from_str(text) {
                Ok(object) => Ok(Some((position, object))),
                Err(error) => {
                    let reason = format!("{position}: {error}");
                    Err(Error::unreadable(&self.path, "JSONL", &reason))
                }
            };
        }
    }
}
