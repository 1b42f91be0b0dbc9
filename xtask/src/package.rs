//! The Python package as the tests import it: its sources, and the module that cargo built beside the
//! Rust tests.
//!
//! A wheel would be built by a cargo command of its own. That selects fewer packages, so that shared
//! dependencies have other features, and the numerical crates are compiled a second time.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Result, at};
use crate::venv::Venv;

/// The sources of the package, from the root of the checkout.
const SOURCES: &str = "crates/ilk-python/python/ilk";
/// The name that Python looks for.
const MODULE: &str = if cfg!(windows) { "_core.pyd" } else { "_core.abi3.so" };

/// A folder from which Python imports the package.
#[derive(Debug)]
pub(crate) struct Package {
    folder: PathBuf,
}

impl Package {
    /// Copies the sources and the built module into one folder among the build products.
    pub(crate) fn stage() -> Result<Self> {
        let folder = shell::target_dir()?.join("python");
        let package = folder.join("ilk");
        // Files that are no longer there must not be found either.
        if package.exists() {
            std::fs::remove_dir_all(&package).map_err(at(&package))?;
        }
        std::fs::create_dir_all(&package).map_err(at(&package))?;
        let sources = shell::root().join(SOURCES);
        for entry in std::fs::read_dir(&sources).map_err(at(&sources))? {
            let path = entry.map_err(at(&sources))?.path();
            if let (true, Some(name)) = (path.is_file(), path.file_name()) {
                copy(&path, &package.join(name))?;
            }
        }
        let built = shell::bin_dir()?.join(format!("{DLL_PREFIX}_core{DLL_SUFFIX}"));
        copy(&built, &package.join(MODULE))?;
        Ok(Self { folder })
    }

    /// The Python of an environment, which imports this package and no installed one.
    pub(crate) fn python(&self, venv: &Venv) -> Command {
        let mut python = venv.python();
        python.env("PYTHONPATH", &self.folder);
        python
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::copy(from, to).map_err(at(from))?;
    Ok(())
}
