//! One JSON object a line.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{Records, Row};
use crate::error::Position;
use crate::source::TextLines;
use crate::{Error, Result};

/// A JSONL file. Its columns are the keys of all lines, which takes a first pass over the file: an
/// optional key such as `weight` may first appear far down.
pub(crate) struct JsonlRecords {
    objects: Objects,
    header: Vec<String>,
}

impl JsonlRecords {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let mut objects = Objects::open(path)?;
        let mut header: Vec<String> = Vec::new();
        while let Some((_, object)) = objects.next()? {
            for key in object.keys() {
                if !header.contains(key) {
                    header.push(key.clone());
                }
            }
        }
        if header.is_empty() {
            return Err(Error::EmptyFile { path: path.to_owned() });
        }
        Ok(Self { objects: Objects::open(path)?, header })
    }
}

impl Records for JsonlRecords {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn read(&mut self, row: &mut Row) -> Result<bool> {
        let Some((position, object)) = self.objects.next()? else {
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
                    return Err(Error::unreadable(&self.objects.path, "JSONL", &reason));
                }
            }
        }
        Ok(true)
    }
}

/// The objects of a file with their lines; blank lines are passed over.
struct Objects {
    path: PathBuf,
    lines: TextLines,
}

impl Objects {
    fn open(path: &Path) -> Result<Self> {
        Ok(Self { path: path.to_owned(), lines: TextLines::open(path)? })
    }

    fn next(&mut self) -> Result<Option<(Position, Map<String, Value>)>> {
        if !self.lines.advance()? {
            return Ok(None);
        }
        let position = self.lines.position();
        match serde_json::from_str(self.lines.text()?) {
            Ok(object) => Ok(Some((position, object))),
            Err(error) => {
                let reason = format!("{position}: {error}");
                Err(Error::unreadable(&self.path, "JSONL", &reason))
            }
        }
    }
}
