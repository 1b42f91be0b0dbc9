//! `cargo xtask test`: every test there is, on a machine with nothing but Rust and Python.

use crate::parts::Parts;
use crate::readme;
use crate::shell::{self, Result};
use crate::venv::Venv;
use crate::wheel::{self, Profile};

/// Where property tests find the seed of their cases. Here it is fixed, so that the same change always
/// has the same result; `cargo test` alone draws other cases every time, which is how they are hunted.
const PROPERTY_SEED: &str = "PROPTEST_RNG_SEED";

/// Runs all tests and says what became of each part.
pub(crate) fn run() -> Result<()> {
    let mut parts = Parts::default();
    add_parts(&mut parts);
    parts.finish()
}

/// The parts of the task, for others to include.
pub(crate) fn add_parts(parts: &mut Parts) {
    // The Python crate is a shared library without Rust tests; pytest tests it through its wheel.
    let rust = parts.run("Rust and shell tests", || {
        let mut test = shell::cargo([
            "test",
            "--workspace",
            "--exclude",
            "ilk-python",
            "--no-fail-fast",
        ]);
        if std::env::var_os(PROPERTY_SEED).is_none() {
            test.env(PROPERTY_SEED, "1");
        }
        shell::run(&mut test)
    });
    let Some(venv) = parts.run("Python environment", Venv::ensure) else {
        for name in ["Python wheel", "Python tests", "README examples"] {
            parts.skip(name, "there is no Python environment");
        }
        return;
    };
    let installed = parts.run("Python wheel", || {
        wheel::install(&venv, &wheel::build(&venv, Profile::Dev)?)
    });
    if installed.is_none() {
        for name in ["Python tests", "README examples"] {
            parts.skip(name, "there is no wheel");
        }
        return;
    }
    parts.run("Python tests", || {
        let tests = shell::root().join("crates/ilk-python");
        shell::run(
            venv.python()
                .args(["-m", "pytest", "-q"])
                .current_dir(tests),
        )
    });
    if rust.is_some() {
        parts.run("README examples", || readme::run(&venv));
    } else {
        parts.skip("README examples", "the Rust tests failed");
    }
}
