//! `cargo xtask terminal`: the first questions of `ilk ask` as a terminal shows them, for the README.
//!
//! The command runs with keys that are typed for it; what it writes is drawn line by line.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::shell::{self, Result, TempDir, at};

/// Where the picture is.
const PICTURE: &str = "docs/images/ask.svg";

/// What is typed: a command without `ilk`, and the keys that answer it.
const SESSION: [(&str, &[&str]); 4] = [
    ("generate moons --n 200 --out moons.csv", &[]),
    ("ask moons.csv --exclude label --answers answers.csv", &["d", "s", "q"]),
    ("ask moons.csv --truth label --answers answers.csv --budget 40 --clusters clusters.csv", &[]),
    ("evaluate clusters.csv moons.csv", &[]),
];

/// Width of a character and height of a line in the picture.
const CELL: (f64, f64) = (7.8, 18.0);

/// Lines and columns around the text.
const MARGIN: f64 = 2.0;

/// Writes the picture.
pub(crate) fn run() -> Result<()> {
    shell::run(&mut shell::cargo(["build", "--package", "ilk-cli"]))?;
    let ilk = shell::bin_dir()?.join(format!("ilk{}", std::env::consts::EXE_SUFFIX));
    let work = TempDir::new("terminal")?;
    let mut lines = Vec::new();
    for (arguments, keys) in SESSION {
        lines.push(format!("$ ilk {arguments}"));
        lines.extend(transcript(&ilk, work.path(), arguments, keys)?);
        lines.push(String::new());
    }
    lines.pop();
    let picture = shell::root().join(PICTURE);
    std::fs::write(&picture, svg(&lines)).map_err(at(&picture))?;
    println!("{}", picture.display());
    Ok(())
}

/// What a terminal shows of a command whose questions these keys answer.
fn transcript(ilk: &Path, folder: &Path, arguments: &str, keys: &[&str]) -> Result<Vec<String>> {
    let mut child = Command::new(ilk)
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(at(ilk))?;
    if let Some(mut stdin) = child.stdin.take() {
        let typed = keys.join("\n") + "\n";
        stdin.write_all(typed.as_bytes()).map_err(at(ilk))?;
    }
    let ended = child.wait_with_output().map_err(at(ilk))?;
    let written = String::from_utf8_lossy(&ended.stderr);
    if !ended.status.success() {
        return Err(format!("ilk {arguments} failed: {written}"));
    }
    // A key ends the line of the prompt on a terminal; here nothing does.
    let mut typed = keys.iter();
    let mut shown = String::new();
    for part in written.split_inclusive(" > ") {
        shown.push_str(part);
        if part.ends_with(" > ")
            && let Some(key) = typed.next()
        {
            shown.push_str(key);
            shown.push('\n');
        }
    }
    shown.push_str(&String::from_utf8_lossy(&ended.stdout));
    Ok(shown.lines().map(str::to_owned).collect())
}

/// The lines in a window, what is typed in a colour of its own.
fn svg(lines: &[String]) -> String {
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = (columns as f64 + 2.0 * MARGIN) * CELL.0;
    let height = (lines.len() as f64 + 2.0 * MARGIN) * CELL.1;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
         <title>ilk ask in a terminal</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1d232b\"/>\n\
         <g font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"13\" \
         fill=\"#d7dde4\" xml:space=\"preserve\">\n"
    );
    for (number, line) in lines.iter().enumerate() {
        let y = (number as f64 + MARGIN + 0.5) * CELL.1;
        let x = MARGIN * CELL.0;
        // A line's length is fixed, so that columns stay below each other whatever the font.
        let length = line.chars().count() as f64 * CELL.0;
        let color = if line.starts_with("$ ") { " fill=\"#8fd18f\"" } else { "" };
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\"{color}>{}</text>",
            escaped(line)
        );
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::svg;

    #[test]
    fn every_line_is_drawn_and_signs_of_markup_are_escaped() {
        let picture = svg(&["$ ilk ask a.csv".to_owned(), "a < b & c".to_owned()]);
        assert_eq!(picture.matches("<text ").count(), 2);
        assert!(picture.contains("a &lt; b &amp; c"));
        assert!(picture.contains("fill=\"#8fd18f\">$ ilk ask a.csv</text>"));
    }
}
