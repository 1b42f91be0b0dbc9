//! Images of rows, from below one folder.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

/// Where images are, and which column names them.
#[derive(Debug, Clone)]
pub struct Images {
    root: PathBuf,
    pub(crate) column: String,
}

/// Kinds of images that are shown, by the ends of their names; SVG is not among them, because it may hold scripts.
const KINDS: [(&str, &str); 5] = [
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
];

impl Images {
    /// Images from below a folder, named by a column of the table.
    ///
    /// # Errors
    /// What is no folder.
    pub fn new(root: &Path, column: String) -> Result<Self> {
        let found = root.canonicalize();
        let root = found.with_context(|| format!("{} cannot be read", root.display()))?;
        if !root.is_dir() {
            bail!("{} is no folder; give the one that holds the images", root.display());
        }
        Ok(Self { root, column })
    }

    /// The file of a cell, if it is an image from below the folder, links followed.
    pub(crate) fn file(&self, cell: &str) -> Option<PathBuf> {
        let file = self.root.join(cell).canonicalize().ok()?;
        (file.starts_with(&self.root) && file.is_file() && kind(&file).is_some()).then_some(file)
    }
}

/// The media type of an image.
pub(crate) fn kind(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    KINDS.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind)
}
