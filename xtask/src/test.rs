//! `cargo xtask test`: every test there is, on a machine with nothing but Rust and Python.

use crate::package::Package;
use crate::parts::Parts;
use crate::readme;
use crate::shell::{self, Result};
use crate::venv::Venv;

/// The variable with the seed of property tests. Here it is fixed, so that the same change always has
/// the same result; `cargo test` alone draws other cases every time, which is how they are hunted.
const PROPERTY_SEED: &str = "PROPTEST_RNG_SEED";

/// Runs all tests and says what became of each part.
pub(crate) fn run() -> Result<()> {
    let mut parts = Parts::default();
    add_parts(&mut parts);
    parts.finish()
}

/// The parts of the task, for others to include.
pub(crate) fn add_parts(parts: &mut Parts) {
    let rust = parts.run("Rust and shell tests", rust_tests);
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
    let mut test = shell::cargo(["test", "--workspace", "--no-fail-fast"]);
    if std::env::var_os(PROPERTY_SEED).is_none() {
        test.env(PROPERTY_SEED, "1");
    }
    shell::run(&mut test)
}

/// Builds the Python module and puts its package together. With `--tests` cargo selects the features of
/// the command above, so that all that the two share is compiled once.
fn python_package() -> Result<Package> {
    shell::run(&mut shell::cargo(["build", "--workspace", "--lib", "--tests"]))?;
    Package::stage()
}
