//! What was asked for on the command line.

use crate::fuzz::{SECONDS, Target};

/// What `cargo xtask` can do, for people.
pub(crate) const USAGE: &str = "\
Usage: cargo xtask TASK

  test                      set everything up and run every test: Rust, shell, Python
  ci                        format, clippy, rustdoc, the demo, then test, and the style and types of Python
  bench [--quick] [NAME]... run the benches; a full run writes docs/benchmarks.md
  fuzz [--seconds N] [--parameters N] [--seed N]
                            damaged files for every reader, for N seconds (60); with --parameters,
                            N cases of random parameters for every method, in N seconds at most
  wheel                     build the Python wheel, optimised, into dist/
  docs                      build the documentation of the Rust crates
  screenshots               reports as a browser shows them, into target/screenshots, and the page of
                            `ilk studio`, into docs/images/studio (needs Chromium and npm)
  studio-page               build the page of `ilk studio` into its sources (needs npm)
  terminal                  draw `ilk ask` as a terminal shows it, into docs/images

PYTHON names the Python interpreter to use (3.10 or newer; python3 unless set).";

/// One task with its options.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Run every test.
    Test,
    /// Run everything a change must pass.
    Ci,
    /// Run the benches.
    Bench {
        /// Smaller sizes and fewer repetitions.
        quick: bool,
        /// Only these; all if empty.
        names: Vec<String>,
    },
    /// Draw damaged files or random parameters.
    Fuzz {
        /// Which.
        target: Target,
        /// Where the draws begin.
        seed: u64,
    },
    /// Build the release wheel.
    Wheel,
    /// Build the documentation.
    Docs,
    /// Show reports in a browser.
    Screenshots,
    /// Build the page of the studio.
    StudioPage,
    /// Draw a session in a terminal.
    Terminal,
    /// Print the usage.
    Help,
}

/// Reads the arguments that follow `cargo xtask`.
pub(crate) fn parse(args: impl IntoIterator<Item = String>) -> Result<Task, String> {
    let mut args = args.into_iter();
    let Some(name) = args.next() else {
        return Err("no task was named".to_owned());
    };
    let task = match name.as_str() {
        "test" => Task::Test,
        "ci" => Task::Ci,
        "bench" => return bench(args),
        "fuzz" => return fuzz(args),
        "wheel" => Task::Wheel,
        "docs" => Task::Docs,
        "screenshots" => Task::Screenshots,
        "studio-page" => Task::StudioPage,
        "terminal" => Task::Terminal,
        "help" | "--help" | "-h" => return Ok(Task::Help),
        _ => return Err(format!("there is no task {name:?}")),
    };
    match args.next() {
        Some(extra) => Err(format!("{name} takes no argument, but {extra:?} was given")),
        None => Ok(task),
    }
}

fn bench(args: impl Iterator<Item = String>) -> Result<Task, String> {
    let mut quick = false;
    let mut names = Vec::new();
    for arg in args {
        match arg.as_str() {
            "--quick" => quick = true,
            option if option.starts_with('-') => {
                return Err(format!("bench has no option {option:?}"));
            }
            _ => names.push(arg),
        }
    }
    Ok(Task::Bench { quick, names })
}

fn fuzz(mut args: impl Iterator<Item = String>) -> Result<Task, String> {
    let (mut cases, mut seconds, mut seed) = (None, None, 1);
    while let Some(option) = args.next() {
        let mut number = || {
            let text = args.next().ok_or_else(|| format!("{option} needs a number"))?;
            text.parse().map_err(|_| format!("{option} {text}: {text:?} is no whole number"))
        };
        match option.as_str() {
            "--seconds" => seconds = Some(number()?),
            "--parameters" => cases = Some(number()?),
            "--seed" => seed = number()?,
            _ => return Err(format!("fuzz has no option {option:?}")),
        }
    }
    let target = match cases {
        Some(cases) => Target::Parameters { cases, seconds },
        None => Target::Files { seconds: seconds.unwrap_or(SECONDS) },
    };
    Ok(Task::Fuzz { target, seed })
}

#[cfg(test)]
mod tests;
