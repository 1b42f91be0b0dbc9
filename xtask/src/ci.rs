//! `cargo xtask ci`: everything that a change must pass.

use crate::parts::Parts;
use crate::shell::{self, Result, TempDir};
use crate::test;
use crate::venv::Venv;

/// Runs all checks and says what became of each.
pub(crate) fn run() -> Result<()> {
    if std::env::var("CI").is_ok_and(|ci| ci == "true") {
        require_shared()?;
    }
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
    parts.run("Python types", python_types);
    parts.finish()
}

/// `mypy` over the package, as strict as `pyproject.toml` says.
fn python_types() -> Result<()> {
    let package = shell::root().join("crates/ilk-python");
    let venv = Venv::ensure()?;
    shell::run(venv.python().args(["-m", "mypy", "--no-error-summary"]).current_dir(package))
}

/// Tests that read golden outputs and real data pass with a message where those are absent. That
/// suits a person with a bare clone, but where changes are judged it would hide the tests.
fn require_shared() -> Result<()> {
    let shared = shell::root().join("../shared");
    for folder in ["golden", "data"] {
        if !shared.join(folder).is_dir() {
            return Err(format!(
                "../shared/{folder} is absent: with CI=true the tests on golden outputs and real data \
                 must run, and they look beside the checkout, in {}",
                shared.display()
            ));
        }
    }
    Ok(())
}

/// `cargo run --release -- demo`, in a folder that is thrown away.
fn demo() -> Result<()> {
    let folder = TempDir::new("demo")?;
    let mut demo = shell::cargo(["run", "--release", "--manifest-path"]);
    demo.arg(shell::root().join("Cargo.toml")).args(["--", "demo"]);
    shell::run(demo.current_dir(folder.path()))
}
