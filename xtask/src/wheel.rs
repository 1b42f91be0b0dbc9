//! `cargo xtask wheel`: the Python package as one file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Result, at};
use crate::venv::Venv;

/// Builds the wheel into `dist/`.
pub(crate) fn run() -> Result<()> {
    let wheel = build(&Venv::ensure()?)?;
    let dist = shell::root().join("dist");
    std::fs::create_dir_all(&dist).map_err(at(&dist))?;
    let copy = dist.join(wheel.file_name().unwrap_or(OsStr::new("ilk.whl")));
    std::fs::copy(&wheel, &copy).map_err(at(&copy))?;
    println!("{}", copy.display());
    Ok(())
}

/// Builds the wheel, optimised, among the build products and returns its path.
pub(crate) fn build(venv: &Venv) -> Result<PathBuf> {
    let out = shell::target_dir()?.join("wheel");
    // Wheels of earlier versions would leave open which one was just built.
    if out.exists() {
        std::fs::remove_dir_all(&out).map_err(at(&out))?;
    }
    let mut maturin = Command::new(venv.program("maturin"));
    maturin
        .args(["build", "--release"])
        .args(["--manifest-path", "crates/ilk-python/Cargo.toml"])
        .arg("--interpreter")
        .arg(venv.program("python"))
        .arg("--out")
        .arg(&out)
        .current_dir(shell::root());
    shell::run(&mut maturin)?;
    only_wheel(&out)
}

/// Installs a wheel in place of the one that was there.
pub(crate) fn install(venv: &Venv, wheel: &Path) -> Result<()> {
    shell::run(venv.pip_install().args(["--force-reinstall", "--no-deps"]).arg(wheel))
}

fn only_wheel(folder: &Path) -> Result<PathBuf> {
    let entries = std::fs::read_dir(folder).map_err(at(folder))?;
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension() == Some(OsStr::new("whl")))
        .ok_or_else(|| format!("maturin left no wheel in {}", folder.display()))
}
