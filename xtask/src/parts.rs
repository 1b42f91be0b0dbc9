//! A task in parts: every part that can run does, and the end says what became of each.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::shell::Result;

/// What became of a part.
#[derive(Debug)]
enum Outcome {
    Passed(Duration),
    Failed(Duration, String),
    Skipped(String),
}

/// The parts so far.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    done: Vec<(&'static str, Outcome)>,
}

impl Parts {
    /// Runs a part. A failure is kept for the end, so that one run shows all there is to mend.
    /// Returns what the part made, if it passed.
    pub(crate) fn run<T>(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<T>,
    ) -> Option<T> {
        eprintln!("\n== {name}");
        let start = Instant::now();
        let result = work();
        let took = start.elapsed();
        match result {
            Ok(made) => {
                self.done.push((name, Outcome::Passed(took)));
                Some(made)
            }
            Err(message) => {
                eprintln!("error: {message}");
                self.done.push((name, Outcome::Failed(took, message)));
                None
            }
        }
    }

    /// Notes a part that cannot run.
    pub(crate) fn skip(&mut self, name: &'static str, why: &str) {
        self.done.push((name, Outcome::Skipped(why.to_owned())));
    }

    /// Prints a line a part and a total. Fails if any part failed.
    pub(crate) fn finish(self) -> Result<()> {
        println!("\n{}", self.summary());
        match self.failed() {
            0 => Ok(()),
            1 => Err("1 part failed".to_owned()),
            failed => Err(format!("{failed} parts failed")),
        }
    }

    fn failed(&self) -> usize {
        let failed = |outcome: &Outcome| matches!(outcome, Outcome::Failed(..));
        self.done.iter().filter(|(_, o)| failed(o)).count()
    }

    fn summary(&self) -> String {
        let width = self.done.iter().map(|(name, _)| name.len()).max();
        let width = width.unwrap_or(0).max("total".len());
        let mut text = String::new();
        let mut total = Duration::ZERO;
        for (name, outcome) in &self.done {
            let (word, took, note) = match outcome {
                Outcome::Passed(took) => ("ok", *took, ""),
                Outcome::Failed(took, message) => ("failed", *took, message.as_str()),
                Outcome::Skipped(why) => ("skipped", Duration::ZERO, why.as_str()),
            };
            total += took;
            let line = format!("{name:width$}  {word:7}  {:7.1} s  {note}", took.as_secs_f64());
            let _ = writeln!(text, "{}", line.trim_end());
        }
        let word = if self.failed() == 0 { "ok" } else { "failed" };
        let _ = write!(text, "{:width$}  {word:7}  {:7.1} s", "total", total.as_secs_f64());
        text
    }
}

#[cfg(test)]
mod tests;
