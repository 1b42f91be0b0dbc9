//! Files in and out, as the interfaces use them.

#![allow(missing_docs, reason = "tests are named after what they prove")]

mod answers;
mod arrays;
mod clusters;
mod constraints;
mod csv;
mod fuzz;
mod graph;
mod hostile;
mod images;
mod model;
mod parameter;
#[cfg(feature = "parquet")]
mod parquet;
mod partition;
mod recipe;
mod scale;
mod scribbles;
mod tables;
mod write;

use std::path::PathBuf;

use ilk_io::{Error, Result, Table, TableOptions};
use tempfile::TempDir;

/// A folder that is removed afterwards.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, contents).expect("a file in a temporary folder");
        path
    }

    fn table(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<Table> {
        ilk_io::read_table(self.file(name, contents), &TableOptions::default())
    }

    /// The message of an error, with file names instead of paths.
    fn message<T>(&self, result: Result<T>) -> String {
        let error: Error = result.err().expect("an error");
        let folder = self.0.path().display().to_string();
        error.to_string().replace(&format!("{folder}/"), "").replace(&folder, "FOLDER")
    }

    /// The names of all files in the folder.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.0.path())
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name().display().to_string())
            .collect();
        names.sort();
        names
    }
}

/// The options that take these columns.
fn features(names: &[&str]) -> TableOptions {
    TableOptions {
        features: Some(names.iter().map(|&name| name.to_owned()).collect()),
        ..TableOptions::default()
    }
}
