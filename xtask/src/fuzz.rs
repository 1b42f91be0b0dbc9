//! `cargo xtask fuzz`: damaged files for every reader, or random parameters for every method.

use crate::shell::{self, Result};

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// Damaged files, for so many seconds.
    Files {
        /// How long.
        seconds: u64,
    },
    /// Methods with random parameters, so many cases.
    Parameters {
        /// How many.
        cases: u64,
        /// After how long no new one begins.
        seconds: Option<u64>,
    },
}

/// Seconds where none are given.
pub(crate) const SECONDS: u64 = 60;

/// Draws cases from a seed. What fails is named by the seed and its number.
pub(crate) fn run(target: Target, seed: u64) -> Result<()> {
    let (binary, cases, seconds) = match target {
        Target::Files { seconds } => ("io", None, Some(seconds)),
        Target::Parameters { cases, seconds } => ("it", Some(cases), seconds),
    };
    // Of the whole workspace, so that the features are those of all tests and nothing is compiled twice.
    let arguments = [
        "test",
        "--workspace",
        "--test",
        binary,
        "--",
        "fuzz::",
        "--nocapture",
        "--test-threads=1",
    ];
    let mut test = shell::cargo(arguments);
    // What panics is caught and counted; its trace would only hide the list.
    test.env("ILK_FUZZ_SEED", seed.to_string());
    for (variable, value) in [("ILK_FUZZ_CASES", cases), ("ILK_FUZZ_SECONDS", seconds)] {
        if let Some(value) = value {
            test.env(variable, value.to_string());
        }
    }
    shell::run(test.env("RUST_BACKTRACE", "0"))
}
