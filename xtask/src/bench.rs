//! `cargo xtask bench`: runs the benches and writes what they found as one page.
//!
//! A bench is a program that prints Markdown to stdout: a bench of the crate `ilk` without the
//! standard harness, or a Python script, which runs with the release wheel installed. Each compares
//! within its own run, so that a ratio does not depend on what the machine did at another time.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

use crate::shell::{self, Result, at};
use crate::venv::Venv;
use crate::wheel;

const RUST_BENCHES: &str = "crates/ilk/benches";
const PYTHON_BENCHES: &str = "crates/ilk-python/benches";

/// What a bench is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Language {
    Rust,
    Python,
}

/// A bench by its file's name without the ending. Both languages may have one of the same name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Bench {
    language: Language,
    name: String,
}

/// Runs the benches of these names, or all. Only a full run replaces `docs/benchmarks.md`.
pub(crate) fn run(quick: bool, names: &[String]) -> Result<()> {
    let root = shell::root();
    let mut known = found(&root.join(RUST_BENCHES), "rs", Language::Rust);
    known.extend(found(&root.join(PYTHON_BENCHES), "py", Language::Python));
    if known.is_empty() {
        return Err(format!("there are no benches in {RUST_BENCHES} and {PYTHON_BENCHES}"));
    }
    let chosen = choose(&known, names)?;

    let venv = if chosen.iter().any(|bench| bench.language == Language::Python) {
        let venv = Venv::ensure()?;
        wheel::install(&venv, &wheel::build(&venv)?)?;
        Some(venv)
    } else {
        None
    };
    let mut sections = Vec::new();
    for bench in &chosen {
        let section = measure(bench, venv.as_ref(), quick)?;
        println!("{section}");
        sections.push(section);
    }

    let full = !quick && names.is_empty();
    let path = if full {
        root.join("docs/benchmarks.md")
    } else {
        shell::target_dir()?.join("benchmarks.md")
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(at(folder))?;
    }
    std::fs::write(&path, page(&machine(), quick, names, &sections)).map_err(at(&path))?;
    println!("written to {}", path.display());
    Ok(())
}

/// The benches in a folder, sorted; none where the folder is absent.
fn found(folder: &Path, ending: &str, language: Language) -> Vec<Bench> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut benches: Vec<Bench> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new(ending)))
        .filter_map(|path| Some(Bench { language, name: path.file_stem()?.to_str()?.to_owned() }))
        .collect();
    benches.sort();
    benches
}

/// The benches of these names, in their usual order; all if no name is given.
fn choose(known: &[Bench], names: &[String]) -> Result<Vec<Bench>> {
    if let Some(name) = names.iter().find(|name| known.iter().all(|b| b.name != **name)) {
        let mut all: Vec<&str> = known.iter().map(|bench| bench.name.as_str()).collect();
        all.sort_unstable();
        all.dedup();
        return Err(format!("there is no bench {name:?}; known benches: {}", all.join(", ")));
    }
    let asked = |bench: &&Bench| names.is_empty() || names.contains(&bench.name);
    Ok(known.iter().filter(asked).cloned().collect())
}

/// Runs one bench and returns the Markdown that it printed.
fn measure(bench: &Bench, venv: Option<&Venv>, quick: bool) -> Result<String> {
    let mut command = match (bench.language, venv) {
        (Language::Python, Some(venv)) => {
            let mut python = venv.python();
            python.arg(Path::new(PYTHON_BENCHES).join(&bench.name).with_extension("py"));
            python
        }
        (Language::Python, None) => return Err("there is no Python environment".to_owned()),
        (Language::Rust, _) => shell::cargo(["bench", "-p", "ilk", "--bench", &bench.name, "--"]),
    };
    if quick {
        command.arg("--quick");
    }
    Ok(shell::capture(&mut command)?.trim().to_owned())
}

/// The whole page.
fn page(machine: &str, quick: bool, names: &[String], sections: &[String]) -> String {
    let mut command = String::from("cargo xtask bench");
    if quick {
        command.push_str(" --quick");
    }
    for name in names {
        let _ = write!(command, " {name}");
    }
    let mut page = format!(
        "# Benchmarks\n\n\
         Written by `{command}`. Every ratio compares two measurements of the same run.\n\n\
         {machine}\n"
    );
    for section in sections {
        let _ = write!(page, "\n{section}\n");
    }
    page
}

/// The machine in a sentence.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let unit = if cores == 1 { "core" } else { "cores" };
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processor(&info).unwrap_or(std::env::consts::ARCH);
    let rustc = shell::capture(std::process::Command::new("rustc").arg("--version"));
    let rustc = rustc.unwrap_or_else(|_| "an unknown rustc".to_owned());
    let system = std::env::consts::OS;
    format!("Machine: {cores} {unit} of {model}, {system}, {}.", rustc.trim())
}

/// The model of the processor, as Linux gives it.
fn processor(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

#[cfg(test)]
mod tests;
