//! The examples of the README, run.
//!
//! A fenced block whose info string is a language and the word `run` is a promise. The blocks run
//! in their order in one empty folder, so that one may use what another wrote. Rust blocks are doc
//! tests of the crate `ilk`.

use std::process::Command;

use crate::package::Package;
use crate::shell::{self, Result, TempDir, at};
use crate::venv::Venv;

/// A block to run.
#[derive(Debug, PartialEq, Eq)]
struct Block<'a> {
    language: &'a str,
    /// Where its fence stands, counted from 1.
    line: usize,
    code: String,
}

/// Runs every block with the command and the Python package of the tests.
pub(crate) fn run(package: &Package, venv: &Venv) -> Result<()> {
    let readme = shell::root().join("README.md");
    let text = std::fs::read_to_string(&readme).map_err(at(&readme))?;
    let folder = TempDir::new("readme")?;
    for block in blocks(&text) {
        let mut command = match block.language {
            "sh" => shell_with_ilk()?,
            "python" => package.python(venv),
            other => {
                return Err(format!("README.md, line {}: cannot run {other}", block.line));
            }
        };
        shell::run(command.arg("-c").arg(&block.code).current_dir(folder.path()))
            .map_err(|error| format!("README.md, line {}: {error}", block.line))?;
    }
    Ok(())
}

/// Checks the types of every Python block with pyright, as an editor would show them.
pub(crate) fn check_types(venv: &Venv) -> Result<()> {
    let readme = shell::root().join("README.md");
    let text = std::fs::read_to_string(&readme).map_err(at(&readme))?;
    let folder = TempDir::new("readme-types")?;
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).map_err(at(&path))
    };
    for block in blocks(&text).into_iter().filter(|block| block.language == "python") {
        write(&format!("README_line_{}.py", block.line), &block.code)?;
    }
    let sources = shell::root().join("crates/ilk-python/python");
    write(
        "pyrightconfig.json",
        &format!("{{\"extraPaths\": [{:?}]}}", sources.display().to_string()),
    )?;
    let mut pyright = venv.python();
    pyright.args(["-m", "pyright", "--pythonpath"]).arg(venv.program("python"));
    shell::run(pyright.arg("--project").arg(folder.path()))
}

/// A shell that stops at the first error and finds the command `ilk` that the tests built.
fn shell_with_ilk() -> Result<Command> {
    let mut folders = vec![shell::bin_dir()?];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let path = std::env::join_paths(folders).map_err(|error| error.to_string())?;
    let mut command = Command::new("sh");
    command.arg("-eu").env("PATH", path);
    Ok(command)
}

fn blocks(markdown: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = markdown.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let code: Vec<&str> =
            lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        if let Some((language, "run")) = info.split_once(' ') {
            blocks.push(Block { language, line: number + 1, code: code.join("\n") });
        }
    }
    blocks
}

#[cfg(test)]
mod tests;
