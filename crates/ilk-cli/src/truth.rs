//! The right answer to score by: a column of the table, or a file of its own.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ilk_io::{PartitionOptions, TableOptions, is_array, read_partition};

use crate::failure::Usage;

/// Where the right answer is.
#[derive(Debug)]
pub(crate) struct TruthSource {
    file: PathBuf,
    /// The column, where the truth is in the table itself.
    column: Option<String>,
}

impl TruthSource {
    /// A file.
    pub(crate) fn of_file(file: &Path) -> Self {
        Self { file: file.to_owned(), column: None }
    }

    /// A file of this name, if there is one; else a column of the data.
    pub(crate) fn new(name: &str, data: &Path) -> Self {
        if Path::new(name).is_file() {
            return Self::of_file(Path::new(name));
        }
        Self { file: data.into(), column: Some(name.to_owned()) }
    }

    /// Leaves the truth out of the features: the answer must not be among the questions. An array beside the data is
    /// not.
    pub(crate) fn exclude_from(&self, table: &mut TableOptions, data: &Path) {
        let Some(column) = &self.column else { return };
        let is_apart = table.features.is_some() || is_array(data);
        if !is_apart && !table.exclude.contains(column) {
            table.exclude.push(column.clone());
        }
    }

    /// The truth's name, and the true label of every id.
    pub(crate) fn read(
        &self,
        id: Option<&String>,
        ids: &[String],
    ) -> Result<(String, Vec<Option<String>>)> {
        let options = PartitionOptions {
            id: id.filter(|_| self.column.is_some()).cloned(),
            column: self.column.clone(),
        };
        let name = match &self.column {
            Some(column) => format!("column {column:?}"),
            None => self.file.display().to_string(),
        };
        let partition = read_partition(&self.file, &options)
            .with_context(|| format!("--truth {name} cannot be used"))?;
        let truth = partition.labels_of(ids).map_err(|id| {
            let file = self.file.display();
            Usage(format!("{file}: id {id:?} of the data has no row; give every id one, with an empty label where the truth is unknown"))
        })?;
        Ok((name, truth))
    }
}
