//! `cargo xtask docs`: the documentation of the crates that others use.

use crate::shell::{self, Result};

/// Builds it and says where it is.
pub(crate) fn run() -> Result<()> {
    shell::run(&mut shell::cargo(["doc", "--no-deps", "-p", "ilk", "-p", "ilk-io"]))?;
    let page = shell::target_dir()?.join("doc/ilk/index.html");
    println!("{}", page.display());
    Ok(())
}
