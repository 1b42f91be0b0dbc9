//! The two streams: results on stdout, diagnostics on stderr.

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};

use anyhow::{Context, Result};
use ilk_io::{Table, TableNote};
use serde::Serialize;

use crate::failure::ClosedPipe;
use crate::text::{harmless, quoted};

/// Where output goes, and how much of it.
#[derive(Debug)]
pub(crate) struct Terminal {
    json: bool,
    quiet: bool,
    command_line: String,
}

impl Terminal {
    /// `arguments` are those of the process, the first of which is the command itself.
    pub(crate) fn new(json: bool, quiet: bool, arguments: &[OsString]) -> Self {
        let mut words = vec!["ilk".to_owned()];
        words.extend(arguments.iter().skip(1).map(|word| quoted(&word.to_string_lossy())));
        Self { json, quiet, command_line: words.join(" ") }
    }

    /// The command as it could be typed again.
    pub(crate) fn command_line(&self) -> &str {
        &self.command_line
    }

    /// Whether results are written as JSON.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// Whether a progress bar would be seen and is wanted.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Writes a diagnostic.
    pub(crate) fn info(&self, line: impl AsRef<str>) {
        if !self.quiet {
            write_line(line.as_ref());
        }
    }
}

/// Writes a warning, also where other diagnostics are not wanted.
pub(crate) fn warn(line: impl AsRef<str>) {
    write_line(&format!("warning: {}", line.as_ref()));
}

/// Notes what was done with a table, and warns of what looks wrong with it.
pub(crate) fn table_notes(table: &Table, terminal: &Terminal) {
    for note in &table.notes {
        let head = match note {
            TableNote::Filled { .. } => "filled in",
            TableNote::OneHot { .. } => "one-hot",
            TableNote::Projected { .. } => "projected",
            _ => "left out",
        };
        if note.is_warning() {
            warn(note.to_string());
        } else {
            terminal.info(format!("{head:<12} {note}"));
        }
    }
}

/// Writes a result.
pub(crate) fn result(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut stdout = Stdout { inner: io::stdout().lock(), is_closed: false };
    let mut out = BufWriter::new(&mut stdout);
    let done = write(&mut out).and_then(|()| out.flush());
    // What is still in the buffer after an error has nowhere to go.
    let _ = out.into_parts();
    if done.is_err() && stdout.is_closed {
        return Err(ClosedPipe.into());
    }
    done.context("the results could not be written to stdout")
}

/// Notes when the reader has gone. Writers of CSV and JSON between us and the pipe pass errors on in
/// their own wrapping, so the kind of what they return does not say it.
struct Stdout<'a> {
    inner: io::StdoutLock<'a>,
    is_closed: bool,
}

impl Stdout<'_> {
    fn noted<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &done {
            self.is_closed |= error.kind() == io::ErrorKind::BrokenPipe;
        }
        done
    }
}

impl Write for Stdout<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.inner.write(bytes);
        self.noted(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.inner.flush();
        self.noted(done)
    }
}

/// Writes a result as indented JSON.
pub(crate) fn result_json(value: &impl Serialize) -> Result<()> {
    result(|out| {
        serde_json::to_writer_pretty(&mut *out, value).map_err(io::Error::from)?;
        writeln!(out)
    })
}

fn write_line(line: &str) {
    // A closed stderr must not end a run whose results are wanted.
    let _ = writeln!(io::stderr(), "{}", harmless(line));
}
