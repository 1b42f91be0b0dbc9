//! The names of the points.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::{Error, Result};

/// Unique ids, one a point.
#[derive(Debug, Clone)]
pub(super) struct Ids {
    pub(super) names: Vec<Arc<str>>,
    position: HashMap<Arc<str>, usize>,
}

impl Ids {
    pub(super) fn new(ids: impl IntoIterator<Item: AsRef<str>>) -> Result<Self> {
        let names: Vec<Arc<str>> = ids.into_iter().map(|id| id.as_ref().into()).collect();
        let mut position = HashMap::with_capacity(names.len());
        for (second, name) in names.iter().enumerate() {
            match position.entry(Arc::clone(name)) {
                Entry::Vacant(entry) => {
                    entry.insert(second);
                }
                Entry::Occupied(entry) => {
                    return Err(Error::DuplicateId {
                        id: name.to_string(),
                        first: *entry.get(),
                        second,
                    });
                }
            }
        }
        Ok(Self { names, position })
    }

    pub(super) fn index_of(&self, id: &str) -> Option<usize> {
        self.position.get(id).copied()
    }
}
