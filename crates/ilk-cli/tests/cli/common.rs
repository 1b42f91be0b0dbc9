//! Runs the command in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ilk::method::{AnyMethod, MethodInfo};
use tempfile::TempDir;

/// A folder that disappears with the test.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// The names of the methods of which this holds, as messages list them.
pub(crate) fn methods(which: impl Fn(&MethodInfo) -> bool) -> String {
    let those = AnyMethod::ALL.iter().filter(|info| which(info));
    let names: Vec<&str> = those.map(|info| info.name).collect();
    names.join(", ")
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// With `data.csv`: two groups of three points, a to f, the first one denser.
    pub(crate) fn with_data() -> Self {
        let sandbox = Self::new();
        sandbox.write("data.csv", "id,x,y\na,0,0\nb,0.1,0\nc,0,0.1\nd,5,5\ne,5.2,5\nf,5,5.2\n");
        sandbox
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.file(name), text).expect("the test's own file");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).expect("a file that the run wrote")
    }

    /// The names of all files, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).expect("the folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ilk"));
        command.args(arguments.split_whitespace()).current_dir(self.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &str) -> Ended {
        let output = self.command(arguments).output().expect("the command starts");
        Ended {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("UTF-8 on stdout"),
            err: String::from_utf8(output.stderr).expect("UTF-8 on stderr"),
        }
    }

    /// Runs what must succeed.
    pub(crate) fn ok(&self, arguments: &str) -> Ended {
        let ended = self.run(arguments);
        assert_eq!(ended.code, Some(0), "{arguments}: {}", ended.err);
        ended
    }

    /// Runs what must succeed and parses its result.
    pub(crate) fn json(&self, arguments: &str) -> serde_json::Value {
        let ended = self.ok(&format!("{arguments} --json"));
        serde_json::from_str(&ended.out).expect("JSON on stdout")
    }

    /// Runs what must fail, with nothing on stdout and exactly this on stderr.
    pub(crate) fn refused(&self, arguments: &str, code: i32, message: &str) {
        let ended = self.run(arguments);
        assert_eq!(ended.err, format!("error: {message}\n"), "{arguments}");
        assert_eq!(ended.code, Some(code), "{arguments}");
        assert_eq!(ended.out, "", "{arguments}");
    }
}
