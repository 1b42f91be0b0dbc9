//! A project: a folder with what was chosen, the log, and caches that may be deleted.
//!
//! | file | what |
//! |---|---|
//! | `project.toml` | the data, their SHA-256, columns, scaling, seed |
//! | `events.jsonl` | the [log](crate::log), the only truth |
//! | `export/` | what was exported last |

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use ilk_io::{Scale, TableOptions, resolve, write_file};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// What a project is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The table.
    pub data: PathBuf,
    /// The SHA-256 of the table when the project was last opened.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sha256: String,
    /// How columns are scaled.
    #[serde(default)]
    pub scale: Scale,
    /// Seed of everything random.
    #[serde(default)]
    pub seed: u64,
    /// Which columns are what.
    #[serde(default)]
    pub table: TableOptions,
}

/// An open project.
#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) folder: PathBuf,
    pub(crate) settings: Settings,
    /// Whether the settings, or the hash of the data in them, are not those of the file.
    is_new: bool,
    /// Whether the data are not what they were when the project was last opened.
    pub(crate) data_changed: bool,
}

/// The name of the file with the settings.
const SETTINGS: &str = "project.toml";

impl Project {
    /// Opens the project of a folder, or begins it with `wanted`. A project that is there keeps its settings; data and
    /// settings that differ from those are refused.
    pub(crate) fn open(folder: &Path, wanted: Option<Settings>) -> Result<Self> {
        let path = folder.join(SETTINGS);
        let mut settings = match std::fs::read_to_string(&path) {
            Ok(text) => {
                let found: Settings = toml::from_str(&text).with_context(|| {
                    format!("{}: this is no project of ilk studio", path.display())
                })?;
                if let Some(wanted) = wanted {
                    refuse_other(&path, &found, &wanted)?;
                }
                found
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let Some(wanted) = wanted else {
                    bail!(
                        "{} holds no project; name the table too: ilk studio DATA --project {}",
                        folder.display(),
                        folder.display()
                    );
                };
                std::fs::create_dir_all(folder)
                    .with_context(|| format!("{} cannot be made", folder.display()))?;
                Settings { data: resolve(&wanted.data), ..wanted }
            }
            Err(error) => {
                return Err(error).with_context(|| format!("{} cannot be read", path.display()));
            }
        };
        let sha256 = sha256_of(&settings.data)?;
        let is_new = settings.sha256 != sha256;
        let data_changed = !settings.sha256.is_empty() && is_new;
        settings.sha256 = sha256;
        Ok(Self { folder: folder.to_owned(), settings, is_new, data_changed })
    }

    /// Writes settings that are new. It comes after the data were read by them: settings that do not fit the data must
    /// not bind the next start.
    pub(crate) fn keep_settings(&self) -> Result<()> {
        if !self.is_new {
            return Ok(());
        }
        let text = toml::to_string(&self.settings).context("the settings cannot be written")?;
        write_file(self.folder.join(SETTINGS), |out| out.write_all(text.as_bytes()))?;
        Ok(())
    }

    /// The log.
    pub(crate) fn log(&self) -> PathBuf {
        self.folder.join("events.jsonl")
    }

    /// The folder of what is exported.
    pub(crate) fn export(&self) -> PathBuf {
        self.folder.join("export")
    }
}

fn refuse_other(path: &Path, found: &Settings, wanted: &Settings) -> Result<()> {
    let same_data = resolve(&found.data) == resolve(&wanted.data);
    let differs = [
        ("the data", !same_data),
        ("--scale", found.scale != wanted.scale),
        ("--seed", found.seed != wanted.seed),
        ("the columns", found.table != wanted.table),
    ];
    let differs: Vec<&str> = differs.iter().filter(|(_, it)| *it).map(|(what, _)| *what).collect();
    if differs.is_empty() {
        return Ok(());
    }
    bail!(
        "{}: the project was begun with other settings ({}); leave these out, or give another folder with --project",
        path.display(),
        differs.join(", ")
    )
}

/// The SHA-256 of a file, in hexadecimal digits.
fn sha256_of(path: &Path) -> Result<String> {
    let cannot = || format!("{} cannot be read", path.display());
    let mut file = File::open(path).with_context(cannot)?;
    let mut hash = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block).with_context(cannot)? {
            0 => return Ok(hex(&hash.finalize())),
            n => hash.update(&block[..n]),
        }
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
