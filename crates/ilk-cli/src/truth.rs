//! The ground truth to score by: a column of the table, or a file of its own.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ilk_io::{PartitionOptions, TableOptions, is_array, read_partition};

use crate::failure::Usage;

/// Where the ground truth is.
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

    /// The file, where it is not the data.
    pub(crate) fn own_file(&self) -> Option<&Path> {
        self.column.is_none().then_some(self.file.as_path())
    }

    /// Leaves the truth out of the features: the truth must not be a feature. An array beside the data is
    /// not.
    pub(crate) fn exclude_from(&self, table: &mut TableOptions, data: &Path) {
        let Some(column) = &self.column else { return };
        let is_apart = table.features.is_some() || is_array(data);
        if !is_apart && !table.exclude.contains(column) {
            table.exclude.push(column.clone());
        }
    }

    /// The truth's name, and the true label of every id of the data; none where it is not known. `id_column` is that
    /// of the data.
    pub(crate) fn read(
        &self,
        table: &TableOptions,
        id_column: Option<&String>,
        ids: &[String],
    ) -> Result<(String, Vec<Option<String>>)> {
        let is_in_data = self.column.is_some();
        let options = PartitionOptions {
            // A column of the data is matched with its rows as the data are: by their ids or numbers.
            numbered: is_in_data && id_column.is_none(),
            id: id_column.filter(|_| is_in_data && !is_array(&self.file)).cloned(),
            column: self.column.clone(),
            no_header: is_in_data && table.no_header,
        };
        let name = match &self.column {
            Some(column) => format!("column {column:?}"),
            None => self.file.display().to_string(),
        };
        let partition = read_partition(&self.file, &options)
            .with_context(|| format!("--truth {name} cannot be used"))?;
        let truth = partition.labels_of(ids);
        if truth.iter().all(Option::is_none) {
            let file = self.file.display();
            let message =
                format!("{file}: no id of the data has a true label there; check the ids");
            return Err(Usage(message).into());
        }
        Ok((name, truth))
    }
}
