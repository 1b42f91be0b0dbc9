//! `cargo xtask test`: every test there is, on a machine with nothing but Rust and Python.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::package::Package;
use crate::parts::Parts;
use crate::readme;
use crate::shell::{self, Result};
use crate::studio;
use crate::venv::Venv;

/// The variable with the seed of property tests.
const PROPERTY_SEED: &str = "PROPTEST_RNG_SEED";

/// The variable that names the file in which tests list the shared files that are not there.
const ABSENT: &str = "ILK_ABSENT";

/// The seed of drawn cases: what the variable says; with `CI=true` one of the commit, so that every change is tried on other
/// cases and the same change always on the same; else 1.
pub(crate) fn seed() -> u64 {
    let given = std::env::var(PROPERTY_SEED).ok().and_then(|text| text.parse().ok());
    let is_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    given.or_else(|| is_ci.then(seed_of_commit).flatten()).unwrap_or(1)
}

/// The first 32 bits of the commit's name.
fn seed_of_commit() -> Option<u64> {
    let mut git = Command::new("git");
    let output = git.args(["rev-parse", "HEAD"]).current_dir(shell::root()).output().ok()?;
    let name = String::from_utf8(output.stdout).ok()?;
    u64::from_str_radix(name.get(..8)?, 16).ok()
}

/// Runs all tests and says what became of each part.
pub(crate) fn run() -> Result<()> {
    let mut parts = Parts::default();
    add_parts(&mut parts);
    parts.finish()
}

/// The parts of the task, for others to include.
pub(crate) fn add_parts(parts: &mut Parts) {
    let rust = parts.run("Rust and shell tests", rust_tests);
    studio::add_parts(parts, rust.is_some());
    let Some(venv) = parts.run("Python environment", Venv::ensure) else {
        for name in ["Python package", "Python tests", "README examples"] {
            parts.skip(name, "there is no Python environment");
        }
        return;
    };
    let Some(package) = parts.run("Python package", python_package) else {
        for name in ["Python tests", "README examples"] {
            parts.skip(name, "there is no Python package");
        }
        return;
    };
    parts.run("Python tests", || {
        let tests = shell::root().join("crates/ilk-python");
        let mut python = package.python(&venv);
        shell::run(python.args(["-m", "pytest", "-q"]).current_dir(tests))
    });
    if rust.is_some() {
        parts.run("README examples", || readme::run(&package, &venv));
    } else {
        parts.skip("README examples", "the Rust tests failed");
    }
}

fn rust_tests() -> Result<()> {
    let seed = seed();
    let absent = shell::target_dir()?.join("absent.txt");
    let _ = std::fs::remove_file(&absent);
    let mut test = shell::cargo(["test", "--workspace", "--no-fail-fast"]);
    test.env(PROPERTY_SEED, seed.to_string()).env(ABSENT, &absent);
    eprintln!("the seed of property tests: {PROPERTY_SEED}={seed}");
    let result = shell::run(&mut test);
    tell_absent(&absent);
    result
}

/// Names the shared files for lack of which tests were skipped.
fn tell_absent(list: &Path) {
    let text = std::fs::read_to_string(list).unwrap_or_default();
    let files: BTreeSet<&str> = text.lines().collect();
    if !files.is_empty() {
        let names = files.iter().copied().collect::<Vec<_>>().join(", ");
        eprintln!("skipped: tests on {} files that are not in ../shared: {names}", files.len());
    }
}

/// Builds the Python module and puts its package together. With `--tests` cargo selects the features of
/// the command above, so that all that the two share is compiled once.
fn python_package() -> Result<Package> {
    shell::run(&mut shell::cargo(["build", "--workspace", "--lib", "--tests"]))?;
    Package::stage()
}
