//! What people said, as the page lists it: entries in words, and those that contradict each other.

use ilk::ask::{Purpose, Question, QuestionKind};
use ilk::problem::ConstraintKind;
use serde::Serialize;

use crate::log::{AnswerById, Event};
use crate::study::{Entry, Standing, Study};

/// Contradictions that are listed.
const CONTRADICTIONS: usize = 20;

/// Rows that a sentence names.
const LISTED: usize = 10;

#[derive(Serialize)]
pub(crate) struct AnswerView {
    entry: usize,
    at: String,
    /// The question that it answers.
    question: Option<String>,
    standing: &'static str,
    /// The id that is not in the data.
    missing: Option<String>,
    purpose: Option<Purpose>,
    annotator: Option<String>,
    note: String,
    rows: Vec<String>,
    others: Vec<String>,
    /// The points of the rows and the others, in their order.
    points: Vec<Option<usize>>,
    kind: Option<QuestionKind>,
    answer: serde_json::Value,
    sentence: String,
}

#[derive(Serialize)]
pub(crate) struct ContradictionsView {
    total: usize,
    contradictions: Vec<ContradictionView>,
}

#[derive(Serialize)]
struct ContradictionView {
    /// The chain in words.
    text: String,
    /// The answers that it is made of.
    entries: Vec<usize>,
    /// The answer that is likeliest to be wrong.
    likeliest_wrong: Option<usize>,
}

/// All answers and statements, those that were taken back too.
pub(crate) fn answers(study: &Study) -> Vec<AnswerView> {
    let view = |(number, entry): (usize, &Entry)| {
        let (standing, missing) = match &entry.standing {
            Standing::Counts => ("counts", None),
            Standing::Deleted => ("deleted", None),
            Standing::Missing(id) => ("missing", Some(id.clone())),
        };
        let none = Vec::new();
        let (rows, others, annotator, note, kind, purpose, answer) = match &entry.logged.event {
            Event::Answer { asked, answer, annotator, note, purpose, .. } => {
                let answer = serde_json::to_value(answer).unwrap_or_default();
                (
                    &asked.rows,
                    &none,
                    annotator,
                    note.clone(),
                    Some(asked.kind),
                    Some(*purpose),
                    answer,
                )
            }
            Event::Statement { rows, others, annotator, relation } => {
                let answer = serde_json::to_value(relation).unwrap_or_default();
                (rows, others, annotator, String::new(), None, None, answer)
            }
            _ => (&none, &none, &None, String::new(), None, None, serde_json::Value::Null),
        };
        let question = match &entry.logged.event {
            Event::Answer { question, .. } => Some(question.clone()),
            _ => None,
        };
        AnswerView {
            entry: number,
            at: entry.logged.at.clone(),
            question,
            standing,
            missing,
            purpose,
            annotator: annotator.clone(),
            note,
            rows: rows.clone(),
            others: others.clone(),
            points: rows.iter().chain(others).map(|id| study.data.point(id)).collect(),
            kind,
            answer,
            sentence: sentence(&entry.logged.event),
        }
    };
    study.entries.iter().enumerate().map(view).collect()
}

/// An entry in words.
fn sentence(event: &Event) -> String {
    let list = |ids: &[String]| match ids {
        ids if ids.len() > LISTED => {
            format!("{} and {} more", ids[..LISTED].join(", "), ids.len() - LISTED)
        }
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        ids => ids.join(", "),
    };
    match event {
        Event::Answer { asked, answer, .. } => match answer {
            AnswerById::Same => format!("{} belong together", list(&asked.rows)),
            AnswerById::Different => format!("{} do not belong together", list(&asked.rows)),
            AnswerById::Odd(id) => format!("of {}, {id} is the odd one", list(&asked.rows)),
            AnswerById::Equal => format!("{} are about equally different", list(&asked.rows)),
            AnswerById::Together(ids) => {
                let (first, rest) = asked
                    .rows
                    .split_first()
                    .map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
                let others: Vec<String> =
                    rest.iter().filter(|id| !ids.contains(id)).cloned().collect();
                match (ids.is_empty(), others.is_empty()) {
                    (true, _) => format!("none of {} with {first}", list(&others)),
                    (_, true) => format!("{} with {first}", list(ids)),
                    _ => format!("{} with {first}; not {}", list(ids), list(&others)),
                }
            }
            AnswerById::Label(label) => format!("{} is {label}", list(&asked.rows)),
            AnswerById::Skip => format!("skipped {}", list(&asked.rows)),
            AnswerById::CannotTell => format!("cannot tell of {}", list(&asked.rows)),
        },
        Event::Statement { rows, others, .. } if others.is_empty() => {
            format!("{} belong together", list(rows))
        }
        Event::Statement { rows, others, .. } => {
            format!("{} apart from {}", list(rows), list(others))
        }
        _ => String::new(),
    }
}

/// Answers that contradict each other, each with its chain and the answer that is likeliest to be wrong.
pub(crate) fn contradictions(study: &Study) -> anyhow::Result<ContradictionsView> {
    let constraints = study.constraints(true);
    let check = constraints.check();
    let total = check.n_contradictions();
    let mut contradictions = Vec::new();
    for (number, text) in check.explanations().take(CONTRADICTIONS).enumerate() {
        let made_of = check.entries(number);
        let points = |&(kind, entry): &(ConstraintKind, usize)| {
            Some((kind, constraints.points_of(kind, entry)?.to_vec()))
        };
        let wrong = match made_of.iter().map(points).collect::<Option<Vec<_>>>() {
            Some(entries) => study.session.state().likeliest_wrong(&entries)?,
            None => None,
        };
        let entry = |&(kind, entry): &(ConstraintKind, usize)| {
            let points = constraints.points_of(kind, entry)?;
            entry_with(study, kind, points)
        };
        let likeliest_wrong = wrong.and_then(|at| entry(&made_of[at]));
        let mut entries: Vec<usize> = made_of.iter().filter_map(entry).collect();
        entries.sort_unstable();
        entries.dedup();
        contradictions.push(ContradictionView { text, entries, likeliest_wrong });
    }
    Ok(ContradictionsView { total, contradictions })
}

/// The last entry that says this of points.
fn entry_with(study: &Study, kind: ConstraintKind, points: &[usize]) -> Option<usize> {
    let is_it = |one: &ilk::ask::Answered| match kind {
        ConstraintKind::MustLink | ConstraintKind::CannotLink => {
            let (together, apart) = one.implied_pairs();
            let implied = if kind == ConstraintKind::MustLink { together } else { apart };
            let is_triplet = matches!(one.question, Question::Triplet { .. });
            !is_triplet && implied.iter().any(|pair| same(pair, points))
        }
        _ => same(&one.question.points(), points),
    };
    let says =
        |entry: &Entry| entry.standing == Standing::Counts && entry.answered.iter().any(is_it);
    study.entries.iter().rposition(says)
}

fn same(a: &[usize], b: &[usize]) -> bool {
    let sorted = |points: &[usize]| {
        let mut points = points.to_vec();
        points.sort_unstable();
        points
    };
    sorted(a) == sorted(b)
}
