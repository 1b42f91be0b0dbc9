//! Running other programs, and where things are.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A task either works or says in one sentence why not.
pub(crate) type Result<T> = std::result::Result<T, String>;

/// The folder of the checkout.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable when it runs a program; the constant serves a binary started by hand.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.parent().map_or(manifest.clone(), Path::to_owned)
}

/// The folder in which cargo put this program, and puts others of the same profile.
pub(crate) fn bin_dir() -> Result<PathBuf> {
    let program = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
    Ok(program.parent().map_or_else(root, Path::to_owned))
}

/// The folder of build products.
pub(crate) fn target_dir() -> Result<PathBuf> {
    let bin = bin_dir()?;
    Ok(bin.parent().map_or(bin.clone(), Path::to_owned))
}

/// Cargo, in the checkout.
pub(crate) fn cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    command
}

/// Runs a program with its output shown.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = describe(command);
    eprintln!("$ {line}");
    let status =
        command.status().map_err(|error| format!("`{line}` could not be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{line}` failed ({status})")) }
}

/// Runs a program and returns what it wrote to stdout; stderr is shown.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let line = describe(command);
    eprintln!("$ {line}");
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("`{line}` could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{line}` failed ({})", output.status));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| format!("`{line}` printed something that is not UTF-8"))
}

/// A command as a person would type it: the program's own name and the first line of each argument.
fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    std::iter::once(name)
        .chain(command.get_args())
        .map(|word| {
            let word = word.to_string_lossy();
            match word.trim().split_once('\n') {
                Some((first, _)) => format!("'{first} ...'"),
                None => word.into_owned(),
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Adds the path of a file operation that failed to its error.
pub(crate) fn at(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// An empty folder that is removed when it goes out of scope.
pub(crate) struct TempDir(PathBuf);

impl TempDir {
    /// Makes the folder; `name` keeps those of different parts apart.
    pub(crate) fn new(name: &str) -> Result<Self> {
        let path = std::env::temp_dir().join(format!("ilk-{name}-{}", std::process::id()));
        std::fs::create_dir(&path).map_err(at(&path))?;
        Ok(Self(path))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        // A folder that stays behind in the system's temporary folder does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
