//! How a failed run ends: one readable message and the right exit code.

use std::fmt;
use std::io::Write;

use crate::progress::written;
use crate::text::harmless;

/// A mistake in the command line itself, found after it was parsed.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// The reader of the output closed the pipe, which is no failure.
#[derive(Debug)]
pub(crate) struct ClosedPipe;

impl fmt::Display for ClosedPipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the reader of the output has gone")
    }
}

impl std::error::Error for ClosedPipe {}

/// The check found contradictions; they have been listed already.
#[derive(Debug)]
pub(crate) struct Contradictory;

impl fmt::Display for Contradictory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the constraints contradict each other")
    }
}

impl std::error::Error for Contradictory {}

/// The user pressed Ctrl-C, and what was finished until then is kept; the message says where.
#[derive(Debug)]
pub(crate) struct Interrupted(pub(crate) String);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Interrupted {}

/// `ilk check` found contradictions.
const CONTRADICTORY: u8 = 3;
/// The user pressed Ctrl-C.
pub(crate) const CANCELLED: u8 = 130;

/// Prints why the run failed and returns the exit code.
pub(crate) fn report(error: &anyhow::Error) -> u8 {
    if error.is::<ClosedPipe>() {
        return 0;
    }
    if error.is::<Contradictory>() {
        return CONTRADICTORY;
    }
    if error.is::<Interrupted>() {
        let _ = writeln!(std::io::stderr(), "{error}");
        return CANCELLED;
    }
    let code = exit_code(error);
    // Where even stderr is closed nothing more can be reported.
    let _ = if code == CANCELLED {
        writeln!(std::io::stderr(), "{error}; {}", written())
    } else {
        writeln!(std::io::stderr(), "error: {}", harmless(&message(error)))
    };
    code
}

/// The error and its causes, each on its own line; a cause that the line above quotes is not
/// repeated.
fn message(error: &anyhow::Error) -> String {
    let mut lines = vec![error.to_string()];
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !lines.iter().any(|line| line.contains(&cause)) {
            lines.push(cause);
        }
    }
    lines.join("\n  because: ")
}

fn exit_code(error: &anyhow::Error) -> u8 {
    for cause in error.chain() {
        let engine = match cause.downcast_ref::<ilk_io::Error>() {
            Some(ilk_io::Error::UnknownParameter { .. } | ilk_io::Error::BadParameter { .. }) => {
                return 2;
            }
            Some(ilk_io::Error::Engine(engine)) => Some(&**engine),
            _ => cause.downcast_ref::<ilk::Error>(),
        };
        match engine {
            Some(ilk::Error::Cancelled { .. }) => return CANCELLED,
            Some(
                ilk::Error::UnknownMethod { .. }
                | ilk::Error::UnknownDataset { .. }
                | ilk::Error::BadParameter { .. },
            ) => return 2,
            _ => {}
        }
        if cause.is::<Usage>() {
            return 2;
        }
    }
    1
}
