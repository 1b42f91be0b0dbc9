//! Any program as the annotator: it is started once, reads questions and writes answers, both as JSON lines.

use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ilk::ask::{Answer, NextQuestion, Question};
use serde_json::{Value, json};

use super::rows::AskedPoints;
use super::{Answerer, Reply};
use crate::text::short;

/// Characters of a line that messages quote.
const QUOTED: usize = 120;

/// Bytes that a line of the program has at most.
const LONGEST: u64 = 1 << 20;

/// A running program.
pub(crate) struct Program {
    command: String,
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<std::io::Result<String>>,
    timeout: Duration,
}

impl Program {
    /// Starts a command of the shell. It has so long for every answer.
    pub(crate) fn start(command: &str, timeout: Duration) -> Result<Self> {
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let mut child = Command::new(shell)
            .args([flag, command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("the oracle {command:?} could not be started"))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("the oracle {command:?} has no streams");
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Some(line) = next_line(&mut stdout) {
                let is_last = line.is_err();
                if sender.send(line).is_err() || is_last {
                    break;
                }
            }
        });
        Ok(Self { command: command.to_owned(), child, stdin, lines, timeout })
    }

    fn line(&mut self, number: usize) -> Result<String> {
        let command = &self.command;
        match self.lines.recv_timeout(self.timeout) {
            Ok(line) => line.with_context(|| {
                format!(
                    "what the oracle {command:?} wrote cannot be read as question {number}'s answer"
                )
            }),
            Err(RecvTimeoutError::Timeout) => bail!(
                "the oracle {command:?} has not answered question {number} within {} s; give it longer with --timeout",
                self.timeout.as_secs()
            ),
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.child.wait().map(|status| status.to_string());
                let status = status.unwrap_or_else(|error| error.to_string());
                bail!(
                    "the oracle {command:?} ended before it answered question {number} ({status})"
                )
            }
        }
    }
}

/// A line without its end; none at the end of the stream. A program may write without end, so a line has its limit.
fn next_line(stdout: &mut impl BufRead) -> Option<io::Result<String>> {
    let mut bytes = Vec::new();
    let read = match stdout.take(LONGEST).read_until(b'\n', &mut bytes) {
        Ok(read) => read as u64,
        Err(error) => return Some(Err(error)),
    };
    if read == 0 {
        return None;
    }
    let invalid = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
    if read == LONGEST && bytes.last() != Some(&b'\n') {
        return Some(Err(invalid(format!("a line is longer than {LONGEST} bytes"))));
    }
    let text = String::from_utf8(bytes).map_err(|_| invalid("it is no UTF-8 text".to_owned()));
    Some(text.map(|text| text.trim_end_matches(['\n', '\r']).to_owned()))
}

impl Answerer for Program {
    fn answer(
        &mut self,
        question: &NextQuestion,
        number: usize,
        rows: &AskedPoints<'_>,
    ) -> Result<Reply> {
        let asked = as_json(&question.question, number, rows);
        let sent = writeln!(self.stdin, "{asked}").and_then(|()| self.stdin.flush());
        // Why a program has ended is in its exit status, which `line` reports.
        if sent.is_err() {
            self.line(number)?;
        }
        let line = self.line(number)?;
        parse(&line, &question.question, number, rows).with_context(|| {
            format!(
                "the oracle {:?} wrote {:?} as the answer to question {number}",
                self.command,
                short(&line, QUOTED)
            )
        })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn as_json(question: &Question, number: usize, rows: &AskedPoints<'_>) -> Value {
    let points = question.points();
    json!({
        "question": number,
        "kind": question.kind().name(),
        "ids": points.iter().map(|&point| rows.id(point)).collect::<Vec<&str>>(),
        "rows": points.iter().map(|&point| rows.as_json(point)).collect::<Vec<Value>>(),
    })
}

/// The answer in a line: `{"answer": "same", "confidence": 0.9, "note": "..."}`.
fn parse(line: &str, question: &Question, number: usize, rows: &AskedPoints<'_>) -> Result<Reply> {
    let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(line) else {
        bail!("an answer is a JSON object on one line, such as {}", example(question));
    };
    if let Some(echoed) = fields.get("question").filter(|echoed| **echoed != json!(number)) {
        bail!(
            "it answers question {echoed}; answer every question once, in the order of the questions"
        );
    }
    let answer = fields.get("answer").unwrap_or(&Value::Null);
    let answer = match (answer, question) {
        (Value::String(word), _) if word == "skip" => Answer::Skip,
        (Value::String(word), _) if word == "cannot_tell" => Answer::CannotTell,
        (Value::String(word), Question::Pair { .. }) if word == "same" => Answer::Same,
        (Value::String(word), Question::Pair { .. }) if word == "different" => Answer::Different,
        (Value::String(word), Question::Triplet { .. }) if word == "equal" => Answer::Equal,
        (Value::Number(odd), Question::Triplet { .. })
            if odd.as_u64().is_some_and(|odd| odd < 3) =>
        {
            Answer::Odd(odd.as_u64().unwrap_or(0) as usize)
        }
        (Value::Array(ids), Question::Group { points, .. }) => {
            let point =
                |id: &Value| rows.point(id.as_str()?).filter(|point| points.contains(point));
            let Some(chosen) = ids.iter().map(point).collect::<Option<Vec<usize>>>() else {
                bail!("the list may hold ids of the question but the first alone");
            };
            Answer::Together(chosen)
        }
        (Value::String(label), Question::Label { .. }) if !label.is_empty() => {
            Answer::Label(label.clone())
        }
        _ => bail!(
            "\"answer\" is missing or no answer to this kind of question; write {}",
            example(question)
        ),
    };
    let confidence = match fields.get("confidence") {
        None | Some(Value::Null) => 1.0,
        Some(value) => match value.as_f64() {
            Some(confidence) if confidence > 0.0 && confidence <= 1.0 => confidence,
            _ => bail!("\"confidence\" is {value}; it must be a number above 0 and at most 1"),
        },
    };
    let note = fields.get("note").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(Reply::Answered { answer, confidence, note })
}

fn example(question: &Question) -> &'static str {
    match question {
        Question::Pair { .. } => r#"{"answer": "same"}, "different", "skip" or "cannot_tell""#,
        Question::Triplet { .. } => {
            r#"{"answer": 0}, 1 or 2 for the odd one, "equal", "skip" or "cannot_tell""#
        }
        Question::Group { .. } => {
            r#"{"answer": ["id", "id"]} with those that belong with the first, "skip" or "cannot_tell""#
        }
        Question::Label { .. } => r#"{"answer": "name of the label"}, "skip" or "cannot_tell""#,
    }
}
