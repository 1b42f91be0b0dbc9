//! Which column is the id, and which are the coordinates.

use std::path::Path;

use super::TableOptions;
use crate::records::{default_id, require};
use crate::{Error, Result};

/// Positions of columns in the header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) id: Option<usize>,
    pub(super) features: Vec<usize>,
}

impl Layout {
    pub(super) fn new(path: &Path, header: &[String], options: &TableOptions) -> Result<Self> {
        let find = |name: &String| require(path, header, name);
        let excluded: Vec<usize> = options.exclude.iter().map(find).collect::<Result<_>>()?;
        let named: Option<Vec<usize>> = match &options.features {
            Some(names) => Some(names.iter().map(find).collect::<Result<_>>()?),
            None => None,
        };
        let id = match &options.id {
            Some(name) => Some(find(name)?),
            None => default_id(header).filter(|id| {
                !excluded.contains(id) && !named.as_ref().is_some_and(|named| named.contains(id))
            }),
        };
        let candidates = named
            .unwrap_or_else(|| (0..header.len()).filter(|&column| Some(column) != id).collect());
        let features: Vec<usize> =
            candidates.into_iter().filter(|column| !excluded.contains(column)).collect();
        if features.is_empty() {
            return Err(Error::NoFeatures { path: path.to_owned(), found: header.to_vec() });
        }
        Ok(Self { id, features })
    }
}
