//! A person at the terminal: the rows side by side, what differs marked, and a key for every answer.

use std::io::{self, BufRead, Write};

use anyhow::{Context, Result};
use ilk::ask::{Answer, NextQuestion, Question};

use super::rows::AskedPoints;
use super::{Answerer, Reply};
use crate::text::{harmless, short};

/// Characters of a line of a cell.
const WIDTH: usize = 28;

/// Lines of a cell that is a list.
const LINES: usize = 6;

/// Reads lines: a key and Enter.
pub(crate) struct Person;

impl Answerer for Person {
    fn answer(
        &mut self,
        question: &NextQuestion,
        number: usize,
        rows: &AskedPoints<'_>,
    ) -> Result<Reply> {
        show(&format!("\n{}", shown(&question.question, number, rows)))?;
        loop {
            show(&format!("{} > ", keys(&question.question)))?;
            let mut line = String::new();
            let read = io::stdin().lock().read_line(&mut line);
            if read.context("the answer could not be read from stdin")? == 0 {
                return Ok(Reply::Quit);
            }
            if let Some(reply) = reply(line.trim(), &question.question) {
                return Ok(reply);
            }
            show(&format!("{:?} is no answer here\n", line.trim()))?;
        }
    }
}

/// Questions go to stderr, so that stdout holds results alone.
fn show(text: &str) -> Result<()> {
    let mut stderr = io::stderr().lock();
    stderr.write_all(harmless(text).as_bytes())?;
    Ok(stderr.flush()?)
}

fn keys(question: &Question) -> &'static str {
    match question {
        Question::Pair { .. } => "[s]ame  [d]ifferent  [k] skip  [?] can't tell  [u]ndo  [q]uit",
        Question::Triplet { .. } => {
            "the odd one: [a] [b] [c]  [e]qual  [k] skip  [?] can't tell  [u]ndo  [q]uit"
        }
        Question::Group { .. } => {
            "letters of those that belong with a, such as bd, or [-] none  [k] skip  [?] can't tell  [u]ndo  [q]uit"
        }
        Question::Label { .. } => "=NAME, such as =cat  [k] skip  [?] can't tell  [u]ndo  [q]uit",
    }
}

fn reply(line: &str, question: &Question) -> Option<Reply> {
    let answered =
        |answer: Answer| Some(Reply::Answered { answer, confidence: 1.0, note: String::new() });
    let lower = line.to_lowercase();
    match (lower.as_str(), question) {
        ("u" | "undo", _) => Some(Reply::Undo),
        ("q" | "quit", _) => Some(Reply::Quit),
        ("k" | "skip", _) => answered(Answer::Skip),
        ("?" | "cannot tell" | "can't tell", _) => answered(Answer::CannotTell),
        ("s" | "same", Question::Pair { .. }) => answered(Answer::Same),
        ("d" | "different", Question::Pair { .. }) => answered(Answer::Different),
        ("a", Question::Triplet { .. }) => answered(Answer::Odd(0)),
        ("b", Question::Triplet { .. }) => answered(Answer::Odd(1)),
        ("c", Question::Triplet { .. }) => answered(Answer::Odd(2)),
        ("e" | "equal", Question::Triplet { .. }) => answered(Answer::Equal),
        ("-" | "none", Question::Group { .. }) => answered(Answer::Together(Vec::new())),
        (letters, Question::Group { points, .. }) if !letters.is_empty() => {
            let chosen = letters.chars().map(|letter| {
                let at = (letter as usize).checked_sub('b' as usize)?;
                points.get(at).copied()
            });
            answered(Answer::Together(chosen.collect::<Option<Vec<usize>>>()?))
        }
        (_, Question::Label { .. }) => {
            let name = line.strip_prefix('=')?.trim();
            if name.is_empty() { None } else { answered(Answer::Label(name.to_owned())) }
        }
        _ => None,
    }
}

/// The rows in columns beside each other; a `*` marks what differs.
fn shown(question: &Question, number: usize, rows: &AskedPoints<'_>) -> String {
    let points = question.points();
    let what = match question {
        Question::Pair { .. } => "do these belong together?",
        Question::Triplet { .. } => "which is the odd one?",
        Question::Group { .. } => "which of the others belong with a?",
        Question::Label { .. } => "what is this?",
    };
    let cells: Vec<Vec<String>> = points.iter().map(|&point| rows.cells(point)).collect();
    let mut lines = vec![
        std::iter::once(String::new())
            .chain((0..points.len()).map(|at| char::from(b'a' + (at % 26) as u8).to_string()))
            .collect::<Vec<String>>(),
    ];
    let ids = points.iter().map(|&point| short(rows.id(point), WIDTH));
    lines.push(std::iter::once("id".to_owned()).chain(ids).collect());
    for (column, name) in rows.names().iter().enumerate() {
        let of_row = || cells.iter().map(|cells| cells[column].as_str());
        let differs = of_row().any(|cell| cell != cells[0][column]);
        let mark = if differs && points.len() > 1 { "* " } else { "  " };
        let head = format!("{mark}{}", short(name, WIDTH));
        if rows.noun() == "node" {
            let lists: Vec<Vec<String>> = of_row().map(wrapped).collect();
            for at in 0..lists.iter().map(Vec::len).max().unwrap_or(0) {
                let head = if at == 0 { head.clone() } else { String::new() };
                let line = lists.iter().map(|list| list.get(at).cloned().unwrap_or_default());
                lines.push(std::iter::once(head).chain(line).collect());
            }
            continue;
        }
        lines.push(std::iter::once(head).chain(of_row().map(|cell| short(cell, WIDTH))).collect());
    }
    format!("question {}: {what}\n{}", number + 1, crate::text::table(&lines))
}

/// A list over several lines, broken between its items.
fn wrapped(list: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for item in list.split_inclusive(", ") {
        let last = lines.len() - 1;
        let width = lines[last].chars().count() + item.trim_end().chars().count();
        if width > WIDTH && !lines[last].is_empty() {
            lines.push(String::new());
        }
        let last = lines.len() - 1;
        lines[last].push_str(item);
    }
    let is_cut = lines.len() > LINES;
    lines.truncate(LINES);
    if let (true, Some(last)) = (is_cut, lines.last_mut()) {
        last.push_str("...");
    }
    lines.iter().map(|line| short(line.trim_end(), WIDTH)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_broken_between_their_items_and_cut_after_some_lines() {
        assert_eq!(wrapped(""), [""]);
        assert_eq!(wrapped("ann, bob"), ["ann, bob"]);
        let names: Vec<String> = (0..40).map(|node| format!("node{node}")).collect();
        let lines = wrapped(&names.join(", "));
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[0], "node0, node1, node2, node3,");
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{lines:?}");
    }

    #[test]
    fn letters_choose_members_of_a_group_and_unknown_ones_are_refused() {
        let group = Question::group(7, vec![3, 9, 4]);
        let chosen = |line: &str| match reply(line, &group) {
            Some(Reply::Answered { answer: Answer::Together(chosen), .. }) => Some(chosen),
            _ => None,
        };
        assert_eq!(chosen("bd"), Some(vec![3, 9]));
        assert_eq!(chosen("-"), Some(Vec::new()));
        assert_eq!(chosen("be"), None);
        assert_eq!(chosen("a"), None);
    }
}
