//! `cargo xtask ci`: everything that a change must pass.

use crate::fuzz::{self, Target};
use crate::parts::Parts;
use crate::readme;
use crate::shell::{self, Result, TempDir};
use crate::test::{self, seed};
use crate::venv::Venv;

/// Seconds of damaged files; `cargo xtask fuzz` goes on for longer.
const SECONDS: u64 = 5;

/// Runs all checks and says what became of each.
pub(crate) fn run() -> Result<()> {
    let mut parts = Parts::default();
    parts.run("format", || shell::run(&mut shell::cargo(["fmt", "--all", "--check"])));
    parts.run("clippy", || {
        let lint = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
        shell::run(&mut shell::cargo(lint))
    });
    parts.run("rustdoc", || {
        let mut doc = shell::cargo(["doc", "--no-deps", "--workspace"]);
        shell::run(doc.env("RUSTDOCFLAGS", "-D warnings"))
    });
    parts.run("first command of the README", demo);
    test::add_parts(&mut parts);
    parts.run("damaged files", || fuzz::run(Target::Files { seconds: SECONDS }, seed()));
    parts.run("Python style", || python_tool(&["ruff", "check", "--quiet"]));
    parts.run("Python types", || python_tool(&["mypy", "--no-error-summary"]));
    parts.run("README types", || readme::check_types(&Venv::ensure()?));
    parts.finish()
}

/// A module over the Python package and its tests, as strict as `pyproject.toml` says.
fn python_tool(arguments: &[&str]) -> Result<()> {
    let package = shell::root().join("crates/ilk-python");
    let venv = Venv::ensure()?;
    shell::run(venv.python().arg("-m").args(arguments).current_dir(package))
}

/// `cargo run --release -- demo`, in a folder that is thrown away.
fn demo() -> Result<()> {
    let folder = TempDir::new("demo")?;
    let mut demo = shell::cargo(["run", "--release", "--manifest-path"]);
    demo.arg(shell::root().join("Cargo.toml")).args(["--", "demo"]);
    shell::run(demo.current_dir(folder.path()))
}
