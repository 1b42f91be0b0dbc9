//! `cargo xtask screenshots`: reports as a browser shows them, for people to look at, and the page of `ilk studio` into
//! docs/images/studio.
//!
//! Needs Chromium (Debian: `apt-get install chromium`). No part of CI: a person looks at the images, no test compares them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Result, TempDir, at};
use crate::studio;

/// Names under which Chromium is installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The commands that make the pages, without `ilk`.
const COMMANDS: [&str; 10] = [
    "demo --out demo",
    "generate nested-blobs --coarse --out blobs.csv --pairs-out pairs.csv --n-pairs 300",
    "cluster blobs.csv --truth label --pairs pairs.csv --fits 6 --report auto.html --out auto.csv",
    "cluster many.csv --method mean-shift --set bandwidth=1 --report many.html --plot many.svg --out many-clusters.csv",
    "cluster wide.csv --method kmeans --clusters 4 --truth kind --report wide.html --out wide-clusters.csv",
    "neighbors many.csv --neighbors 8 --out edges.csv",
    "graph edges.csv --clusters 8 --report graph.html --out graph-clusters.csv",
    "generate concentric-circles --out circles.csv --pairs-out circles-pairs.csv --per-class 6",
    "cluster circles.csv --truth label --pairs circles-pairs.csv --method skms --report circles.html --stability stability.svg \
     --out circles-clusters.csv",
    "cluster circles.csv --truth label --pairs circles-pairs.csv --method cms --report cms.html --animate cms-move.html --out \
     cms-clusters.csv",
];

/// A click on the second cluster of the last plot, as a person does it.
const CLICK: &str = "<script>[...document.querySelectorAll('figure svg [data-c=\"1\"]')].at(-1)\
     .dispatchEvent(new MouseEvent('click', {bubbles: true}))</script>";

/// Writes the screenshots.
pub(crate) fn run() -> Result<()> {
    let browser = Browser::find()?;
    shell::run(&mut shell::cargo(["build", "--package", "ilk-cli"]))?;
    let ilk = shell::bin_dir()?.join(format!("ilk{}", std::env::consts::EXE_SUFFIX));
    let work = TempDir::new("screenshots")?;
    let write = |name: &str, text: String| {
        let path = work.path().join(name);
        std::fs::write(&path, text).map_err(at(&path))
    };
    write("many.csv", many())?;
    write("wide.csv", wide())?;
    for line in COMMANDS {
        let mut command = Command::new(&ilk);
        shell::run(command.args(line.split_whitespace()).arg("--quiet").current_dir(work.path()))?;
    }
    let out = shell::target_dir()?.join("screenshots");
    std::fs::create_dir_all(&out).map_err(at(&out))?;
    let page = |name: &str| work.path().join(name);
    for name in ["auto", "many", "wide", "graph", "circles", "cms"] {
        let (page, picture) = (page(&format!("{name}.html")), out.join(format!("{name}.png")));
        browser.shoot(&page, &picture, (1100, 3600), &[])?;
    }
    browser.shoot(&page("demo/report.html"), &out.join("demo.png"), (1100, 3600), &[])?;
    browser.shoot(&page("stability.svg"), &out.join("stability.png"), (960, 640), &[])?;
    let dark = ["--blink-settings=preferredColorScheme=0"];
    browser.shoot(&page("auto.html"), &out.join("dark.png"), (1100, 2400), &dark)?;
    // A window has a least width that is more than a phone's; a frame has none.
    let frame = "<body style=\"margin:0\"><iframe src=\"auto.html\" style=\"border:0;width:390px;height:3600px\">";
    write("phone.html", frame.to_owned())?;
    browser.shoot(&page("phone.html"), &out.join("phone.png"), (390, 3600), &[])?;
    let report = page("many.html");
    let report = std::fs::read_to_string(&report).map_err(at(&report))?;
    write("clicked.html", report.replace("</body>", &format!("{CLICK}</body>")))?;
    browser.shoot(&page("clicked.html"), &out.join("clicked.png"), (1100, 1100), &[])?;
    browser.print(&page("auto.html"), &out.join("print.pdf"))?;
    studio::pictures(&browser.0)?;
    println!("{}", out.display());
    Ok(())
}

/// Thirty groups on a lattice.
fn many() -> String {
    let mut text = "id,x,y\n".to_owned();
    for i in 0..600 {
        let (column, row, turn) = (i % 6, i / 6 % 5, f64::from(i));
        let radius = (turn * 0.37).fract();
        let x = 6.0 * f64::from(column) + radius * turn.cos();
        let y = 6.0 * f64::from(row) + radius * turn.sin();
        text.extend([format!("point-{i},{x:.3},{y:.3}\n")]);
    }
    text
}

/// Four groups in six columns, one row far away and one between groups.
fn wide() -> String {
    const NAMES: [&str; 4] = ["ant", "bee", "cow", "dog"];
    let mut text = "id,legs,wings,weight,length,speed,noise,kind\n".to_owned();
    for i in 0..200_usize {
        let (group, turn) = (i % 4, i as f64);
        let at = |column: usize| {
            let center = [1.0, 7.0, 3.0][(group * 5 + column * 3) % 3];
            center + (turn * (0.61 + 0.1 * column as f64)).sin()
        };
        let cells: Vec<String> = (0..6).map(|column| format!("{:.3}", at(column))).collect();
        let name = NAMES[group];
        text.extend([format!("{name}-{i},{},{name}\n", cells.join(","))]);
    }
    text + "whale,40,40,40,40,40,40,cow\nbat,4,4,4,4,4,4,dog\n"
}

/// Chromium, under whichever name it is installed.
pub(crate) fn find_browser() -> Option<PathBuf> {
    let folders: Vec<PathBuf> =
        std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    let mut places = BROWSERS.iter().flat_map(|name| folders.iter().map(move |it| it.join(name)));
    places.find(|path| path.is_file())
}

/// A browser without a window.
struct Browser(PathBuf);

impl Browser {
    fn find() -> Result<Self> {
        find_browser()
            .map(Self)
            .ok_or_else(|| format!("there is no browser; install one of {}", BROWSERS.join(", ")))
    }

    fn command(&self, profile: &Path) -> Command {
        let mut command = Command::new(&self.0);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"]);
        command.args(["--no-first-run", "--disable-background-networking", "--disable-sync"]);
        command.args(["--disable-component-update", "--hide-scrollbars"]);
        command.arg(format!("--user-data-dir={}", profile.display()));
        command
    }

    fn shoot(
        &self,
        page: &Path,
        picture: &Path,
        (width, height): (usize, usize),
        options: &[&str],
    ) -> Result<()> {
        let profile = TempDir::new("browser")?;
        let mut command = self.command(profile.path());
        command.arg(format!("--window-size={width},{height}")).args(options);
        command.arg(format!("--screenshot={}", picture.display()));
        shell::run(command.arg(format!("file://{}", page.display())))
    }

    fn print(&self, page: &Path, file: &Path) -> Result<()> {
        let profile = TempDir::new("browser")?;
        let mut command = self.command(profile.path());
        command.arg("--no-pdf-header-footer").arg(format!("--print-to-pdf={}", file.display()));
        shell::run(command.arg(format!("file://{}", page.display())))
    }
}
