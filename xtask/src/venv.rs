//! The Python environment of the checkout: `.venv`, with the packages of a pinned list.
//!
//! A stamp in it records the list and the interpreter it was made with. When either changes, the
//! environment is made anew; until then it is left alone, so that a second run starts at once.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::shell::{self, Result, at};

/// The pinned list of packages, from the root of the checkout.
const REQUIREMENTS: &str = "crates/ilk-python/requirements-test.txt";
/// The stamp's name inside the environment.
const STAMP: &str = "made-by-xtask";
/// What the stamp says until everything is installed.
const UNFINISHED: &str = "unfinished";
/// The oldest Python that the package supports.
const OLDEST: (u32, u32) = (3, 10);

/// Prints the version and the interpreter outside of any environment; fails without venv and pip.
const PROBE: &str = "\
import sys
print(sys.version_info[0], sys.version_info[1])
print(getattr(sys, '_base_executable', None) or sys.executable)
import ensurepip, venv
print('complete')";

/// A Python environment that holds what tests and benches need.
#[derive(Debug)]
pub(crate) struct Venv {
    folder: PathBuf,
}

impl Venv {
    /// The environment of this checkout, made if it is absent or out of date.
    pub(crate) fn ensure() -> Result<Self> {
        let interpreter = Interpreter::find()?;
        let list = shell::root().join(REQUIREMENTS);
        let packages = std::fs::read_to_string(&list).map_err(at(&list))?;
        let wanted = format!("{}\n{packages}", interpreter.describe());
        let venv = Self { folder: shell::root().join(".venv") };
        let stamp = venv.folder.join(STAMP);
        let found = std::fs::read_to_string(&stamp).ok();
        match state(venv.folder.exists(), found.as_deref(), &wanted) {
            State::Ready => return Ok(venv),
            State::Foreign => {
                return Err(format!(
                    "{} was made by something else; move it away, so that the pinned packages can be \
                     installed into a fresh one",
                    venv.folder.display()
                ));
            }
            State::Stale => std::fs::remove_dir_all(&venv.folder).map_err(at(&venv.folder))?,
            State::Absent => {}
        }
        // The stamp comes first: an environment whose making was interrupted is then known as ours.
        std::fs::create_dir(&venv.folder).map_err(at(&venv.folder))?;
        std::fs::write(&stamp, UNFINISHED).map_err(at(&stamp))?;
        shell::run(Command::new(&interpreter.path).args(["-m", "venv"]).arg(&venv.folder))?;
        shell::run(venv.pip_install().arg("--requirement").arg(&list))?;
        std::fs::write(&stamp, wanted).map_err(at(&stamp))?;
        Ok(venv)
    }

    /// Its Python.
    pub(crate) fn python(&self) -> Command {
        let mut command = Command::new(self.program("python"));
        command.current_dir(shell::root());
        command
    }

    /// One of its programs.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        if cfg!(windows) {
            self.folder.join("Scripts").join(format!("{name}.exe"))
        } else {
            self.folder.join("bin").join(name)
        }
    }

    /// `pip install` into it, to be completed with what to install.
    pub(crate) fn pip_install(&self) -> Command {
        let mut command = self.python();
        command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        command
    }
}

/// What there is in the place of the environment.
#[derive(Debug, PartialEq, Eq)]
enum State {
    /// Nothing.
    Absent,
    /// An environment that is not ours to remove.
    Foreign,
    /// Ours, made for another list or another Python, or never finished.
    Stale,
    /// Ours and up to date.
    Ready,
}

fn state(exists: bool, stamp: Option<&str>, wanted: &str) -> State {
    match stamp {
        _ if !exists => State::Absent,
        None => State::Foreign,
        Some(stamp) if stamp == wanted => State::Ready,
        Some(_) => State::Stale,
    }
}

/// A Python that environments can be made with.
#[derive(Debug, PartialEq, Eq)]
struct Interpreter {
    path: PathBuf,
    version: (u32, u32),
}

impl Interpreter {
    /// The one that `PYTHON` names, or `python3`.
    fn find() -> Result<Self> {
        let fallback = if cfg!(windows) { "python" } else { "python3" };
        let name = std::env::var("PYTHON").unwrap_or_else(|_| fallback.to_owned());
        let output = Command::new(&name)
            .args(["-c", PROBE])
            .stderr(Stdio::null())
            .output()
            .map_err(|error| {
                format!(
                    "{name} could not be started ({error}); install Python {}.{} or newer, or set \
                     PYTHON to its path",
                    OLDEST.0, OLDEST.1
                )
            })?;
        Self::from_probe(&name, &String::from_utf8_lossy(&output.stdout))
    }

    /// Reads what the probe printed.
    fn from_probe(name: &str, printed: &str) -> Result<Self> {
        let mut lines = printed.lines();
        let version = lines.next().and_then(|line| {
            let (major, minor) = line.split_once(' ')?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        });
        let (Some(version), Some(path)) = (version, lines.next()) else {
            return Err(format!("{name} is not a working Python; set PYTHON to the path of one"));
        };
        if version < OLDEST {
            return Err(format!(
                "{name} is Python {}.{}, but {}.{} or newer is needed; set PYTHON to the path of one",
                version.0, version.1, OLDEST.0, OLDEST.1
            ));
        }
        if lines.next() != Some("complete") {
            return Err(format!(
                "{name} cannot make environments: its venv or ensurepip module is missing (on Debian \
                 and Ubuntu: apt install python3-venv)"
            ));
        }
        Ok(Self { path: Path::new(path).to_owned(), version })
    }

    fn describe(&self) -> String {
        let (major, minor) = self.version;
        format!("Python {major}.{minor} at {}", self.path.display())
    }
}

#[cfg(test)]
mod tests;
