//! Ids as numbers.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::error::{GraphProblem, Place, Position};
use crate::records::{self, Row, default_id, require};
use crate::{Error, Result};

/// The nodes of a graph, numbered in the order of their first appearance. An id is held once, however
/// many edges name it.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    numbers: HashMap<Box<str>, u32>,
    /// The file that lists all of them, where there is one.
    listed_in: Option<PathBuf>,
}

impl Nodes {
    /// The nodes that a table lists.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let mut records = records::open(path)?;
        let header = records.header().to_vec();
        let column = match default_id(&header) {
            Some(column) => column,
            None => require(path, &header, "id")?,
        };
        records.select(&[column], &[]);
        let mut nodes = Self::default();
        let mut positions = Vec::new();
        let mut row = Row::new();
        while records.read(&mut row)? {
            let id = row.cell(column);
            if id.is_empty() {
                return Err(Error::EmptyId {
                    place: row.place(path),
                    column: header[column].clone(),
                });
            }
            let node = nodes.number(id, path, row.position)? as usize;
            if let Some(&first) = positions.get(node) {
                return Err(Error::DuplicateId {
                    place: row.place(path),
                    id: id.to_owned(),
                    first,
                    column: None,
                });
            }
            positions.push(row.position);
        }
        nodes.listed_in = Some(path.to_owned());
        Ok(nodes)
    }

    /// The number of the node with this id, which stands here.
    pub(super) fn number(&mut self, id: &str, path: &Path, position: Position) -> Result<u32> {
        if let Some(&number) = self.numbers.get(id) {
            return Ok(number);
        }
        if let Some(list) = &self.listed_in {
            return Err(Error::UnknownId {
                place: Place::new(path, position),
                id: id.to_owned(),
                data: list.display().to_string(),
            });
        }
        let number = u32::try_from(self.numbers.len())
            .map_err(|_| GraphProblem::TooManyNodes { place: Place::new(path, position) })?;
        self.numbers.insert(id.into(), number);
        Ok(number)
    }

    /// The ids, in the order of their numbers.
    pub(super) fn into_ids(self) -> Vec<String> {
        let mut ids = vec![String::new(); self.numbers.len()];
        for (id, number) in self.numbers {
            ids[number as usize] = id.into_string();
        }
        ids
    }
}
