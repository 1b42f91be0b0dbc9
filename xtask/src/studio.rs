//! The page of `ilk studio`: built by npm, committed as it is built, and walked through in a browser.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::parts::Parts;
use crate::screenshots::find_browser;
use crate::shell::{self, Result, TempDir, at};

/// The sources of the page, from the root of the checkout.
const PAGE: &str = "crates/ilk-studio/page";

/// The files that the server holds.
const FILES: [&str; 3] = ["index.html", "studio.js", "studio.css"];

/// Where the pictures of the page are in the documentation.
const PICTURES: &str = "docs/images/studio";

/// Builds the page into the sources of the server.
pub(crate) fn build() -> Result<()> {
    install()?;
    build_into(&page().join("dist"))
}

/// Adds the parts of `cargo xtask test`: is the page the one of its sources, and does a person get through it?
pub(crate) fn add_parts(parts: &mut Parts, is_built: bool) {
    let (page, walk) = ("studio page", "studio in a browser");
    if !has_npm() {
        for name in [page, walk] {
            parts.skip(name, "there is no npm 10 or newer (on Debian and Ubuntu: apt install npm)");
        }
        return;
    }
    let installed = parts.run(page, || {
        install()?;
        check()
    });
    let Some(browser) = find_browser().or_else(install_browser) else {
        parts.skip(walk, "there is no Chromium (on Debian and Ubuntu: apt install chromium)");
        return;
    };
    if installed.is_none() || !is_built {
        parts.skip(walk, "the page or the command was not built");
        return;
    }
    parts.run(walk, || {
        let pictures = shell::target_dir()?.join("screenshots").join("studio");
        self::walk(&browser, &pictures)
    });
}

/// Draws the pictures of the documentation; the command must have been built.
pub(crate) fn pictures(browser: &Path) -> Result<()> {
    install()?;
    walk(browser, &shell::root().join(PICTURES))
}

fn page() -> PathBuf {
    shell::root().join(PAGE)
}

/// npm, which on Windows is a script.
fn npm() -> Command {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(page());
    npm
}

fn has_npm() -> bool {
    let output = npm().arg("--version").stderr(Stdio::null()).output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let major = version.ok().and_then(|text| text.split('.').next()?.trim().parse::<u32>().ok());
    major.is_some_and(|major| major >= 10)
}

/// Installs the pinned packages, unless they are those already.
fn install() -> Result<()> {
    let list = page().join("package-lock.json");
    let stamp = page().join("node_modules").join("made-by-xtask");
    let wanted = std::fs::read_to_string(&list).map_err(at(&list))?;
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    shell::run(npm().args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))?;
    std::fs::write(&stamp, wanted).map_err(at(&stamp))
}

fn build_into(folder: &Path) -> Result<()> {
    let mut vite = npm();
    vite.args(["run", "--silent", "build", "--", "--emptyOutDir", "--logLevel=warn", "--outDir"]);
    shell::run(vite.arg(folder))
}

/// Checks the types, and that the page that is committed is the one of these sources.
fn check() -> Result<()> {
    shell::run(npm().args(["run", "--silent", "check"]))?;
    let fresh = TempDir::new("page")?;
    build_into(fresh.path())?;
    for name in FILES {
        let read = |folder: &Path| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(at(&path))
        };
        if read(fresh.path())? != read(&page().join("dist"))? {
            return Err(format!(
                "{PAGE}/dist/{name} is not what its sources make; run `cargo xtask studio-page` and commit it"
            ));
        }
    }
    Ok(())
}

/// Installs Debian's Chromium where this is allowed without a question.
fn install_browser() -> Option<PathBuf> {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    if !is_root {
        return None;
    }
    let apt = |arguments: &[&str]| {
        let mut apt = Command::new("apt-get");
        shell::run(apt.args(["-qq", "-y"]).args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt(&["update"]).and_then(|()| apt(&["install", "chromium"])).ok()?;
    find_browser()
}

/// A person's whole path, by the command that the tests built.
fn walk(browser: &Path, pictures: &Path) -> Result<()> {
    let ilk = shell::bin_dir()?.join(format!("ilk{}", std::env::consts::EXE_SUFFIX));
    let mut node = Command::new("node");
    node.arg("tests/walk.mjs").args([&ilk, browser, pictures]).current_dir(page());
    shell::run(&mut node)
}
