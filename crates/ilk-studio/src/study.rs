//! The data and what people said about them: the fold of all events of the log.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use ilk::ask::{Answer, Answered, NextQuestion, Question, QuestionKind, Session, SessionOptions};
use ilk::observe::{Observer, Silent};
use ilk::problem::{Constraints, Points, Problem};
use ilk_io::{AnswerRecord, Rows, Scale, Scaling, Table, read_table};
use sha2::{Digest as _, Sha256};

use crate::log::{AnswerById, Asked, Event, Logged, Relation};
use crate::project::{Settings, hex};

/// Pairs of rows that one statement is about, at most.
const MAX_PAIRS: usize = 10_000;

/// The data, which stay as they are while the studio runs.
#[derive(Debug)]
pub(crate) struct Data {
    pub(crate) table: Table,
    pub(crate) scaling: Scaling,
    /// The scaled points, without constraints.
    pub(crate) problem: Problem,
    /// No constraints, with the ids of all rows.
    pub(crate) names: Constraints,
    /// The standard deviation of every feature, in its own units.
    pub(crate) spreads: Vec<f64>,
    /// Columns that are not shown.
    left_out: Vec<String>,
}

/// What became of an answer or a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It counts.
    Counts,
    /// It was taken back.
    Deleted,
    /// It names a row that is not in the data now.
    Missing(String),
}

/// An answer or a statement.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) logged: Logged,
    pub(crate) standing: Standing,
    /// What it says to the session; a statement may be several answers.
    pub(crate) answered: Vec<Answered>,
}

/// A question with the name by which an answer refers to it.
#[derive(Debug, Clone)]
pub(crate) struct Issued {
    pub(crate) id: String,
    pub(crate) next: NextQuestion,
}

/// The next question.
#[derive(Debug, Clone)]
enum Next {
    /// It has not been looked for yet.
    Unknown,
    /// It, or none where nothing is left to ask.
    Known(Option<Issued>),
}

/// The state of a project. Two that were made from the same data and the same events are equal in all that is shown.
#[derive(Debug, Clone)]
pub(crate) struct Study {
    pub(crate) data: Arc<Data>,
    /// Before any answer.
    start: Session,
    pub(crate) session: Session,
    pub(crate) entries: Vec<Entry>,
    /// Names of clusters by a row in them; later ones count more.
    pub(crate) cluster_names: Vec<(String, String)>,
    /// Rows whose clusters are done.
    pub(crate) done: BTreeMap<String, bool>,
    /// How often what the session knows has changed.
    pub(crate) revision: usize,
    next: Next,
}

impl Data {
    pub(crate) fn read(settings: &Settings) -> Result<Self> {
        let options = ilk_io::TableOptions { keep: true, ..settings.table.clone() };
        let table = read_table(&settings.data, &options)?;
        let scaling = settings.scale.fit(&table.points);
        let n = table.ids.len();
        if n < QuestionKind::Group.least_points().max(3) {
            let data = settings.data.display();
            bail!(
                "{data} has {n} rows, and a question may be about 3; give a table with more rows"
            );
        }
        let problem = Problem::new(scaling.apply(&table.points)?, Constraints::new(n))?;
        let names = Constraints::with_ids(&table.ids)?;
        let spreads = Scale::Standard.fit(&table.points).factor;
        // A name may be a list with commas.
        let names_in = |list: &String| {
            let each = list.split(',').map(|name| name.trim().to_owned());
            each.chain([list.clone()]).collect::<Vec<_>>()
        };
        let left_out = settings.table.exclude.iter().flat_map(names_in).collect();
        Ok(Self { table, scaling, problem, names, spreads, left_out })
    }

    /// The rows as they are shown: without the columns that were left out, such as one that holds the answer.
    pub(crate) fn rows(&self) -> Rows<'_> {
        Rows::new(&self.table, &self.left_out)
    }

    /// The point with an id.
    pub(crate) fn point(&self, id: &str) -> Option<usize> {
        self.names.index_of(id)
    }

    /// The id of a point.
    pub(crate) fn id(&self, point: usize) -> &str {
        &self.table.ids[point]
    }

    /// The ids of points.
    pub(crate) fn ids(&self, points: &[usize]) -> Vec<String> {
        points.iter().map(|&point| self.id(point).to_owned()).collect()
    }

    /// The points as they are grouped.
    pub(crate) fn scaled(&self) -> Result<&Points> {
        match self.problem.input() {
            ilk::problem::Input::Points(points) => Ok(points),
            _ => bail!("the data are no points"),
        }
    }
}

impl Study {
    pub(crate) fn new(data: Arc<Data>, seed: u64, observer: &dyn Observer) -> Result<Self> {
        let options = SessionOptions { seed, ..SessionOptions::default() };
        let start = Session::new(data.problem.clone(), options, observer)?;
        Ok(Self {
            data,
            session: start.clone(),
            start,
            entries: Vec::new(),
            cluster_names: Vec::new(),
            done: BTreeMap::new(),
            revision: 0,
            next: Next::Unknown,
        })
    }

    /// Takes an event.
    ///
    /// # Errors
    /// What cannot be taken; then the study is not to be used any more.
    pub(crate) fn apply(&mut self, logged: Logged) -> Result<()> {
        match &logged.event {
            Event::Answer { .. } | Event::Statement { .. } => self.add_entry(logged)?,
            Event::Delete { entry } => self.delete(*entry)?,
            Event::Kind { kind } => {
                self.session.set_kind(*kind)?;
                self.start.set_kind(*kind)?;
                self.next = Next::Unknown;
            }
            Event::Name { row, name } => {
                self.cluster_names.retain(|(other, _)| other != row);
                self.cluster_names.push((row.clone(), name.clone()));
            }
            Event::Done { row, done } => {
                self.done.insert(row.clone(), *done);
            }
        }
        Ok(())
    }

    fn add_entry(&mut self, logged: Logged) -> Result<()> {
        let (answered, standing) = match self.in_points(&logged.event)? {
            Ok(answered) => (answered, Standing::Counts),
            Err(missing) => (Vec::new(), Standing::Missing(missing)),
        };
        for one in &answered {
            self.session.push(one.clone())?;
        }
        self.entries.push(Entry { logged, standing, answered });
        self.changed();
        Ok(())
    }

    fn delete(&mut self, number: usize) -> Result<()> {
        let last = self.entries.iter().rposition(|entry| entry.standing == Standing::Counts);
        let Some(entry) =
            self.entries.get_mut(number).filter(|it| it.standing != Standing::Deleted)
        else {
            bail!("there is no answer {number} that could be taken back");
        };
        let had = std::mem::replace(&mut entry.standing, Standing::Deleted);
        if last == Some(number) {
            (0..entry.answered.len()).for_each(|_| drop(self.session.undo()));
        } else if had == Standing::Counts {
            let mut session = self.start.clone();
            for one in self.counting().flat_map(|entry| &entry.answered) {
                session.push(one.clone())?;
            }
            self.session = session;
        }
        self.changed();
        Ok(())
    }

    fn changed(&mut self) {
        self.revision += 1;
        self.next = Next::Unknown;
    }

    /// Entries that count, in order.
    pub(crate) fn counting(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.standing == Standing::Counts)
    }

    /// The number of the last entry that counts.
    pub(crate) fn last(&self) -> Option<usize> {
        self.entries.iter().rposition(|entry| entry.standing == Standing::Counts)
    }

    /// The entry that answered a question, whether it counts or not.
    pub(crate) fn answer_to(&self, question: &str) -> Option<usize> {
        let is_its = |entry: &Entry| matches!(&entry.logged.event, Event::Answer { question: id, .. } if id == question);
        self.entries.iter().rposition(is_its)
    }

    /// What people said, as constraints on rows with ids; answers that are kept for judging or not.
    pub(crate) fn constraints(&self, with_judging: bool) -> Constraints {
        let mut constraints = self.data.names.clone();
        for one in self.session.state().answered() {
            if with_judging || one.purpose != ilk::ask::Purpose::Judge {
                // The session has taken it before.
                let _ = one.add_to(&mut constraints);
            }
        }
        constraints
    }

    /// The answers in the order in which they were given, as files hold them.
    pub(crate) fn records(&self) -> Vec<AnswerRecord> {
        let of_entry = |entry: &Entry| {
            let note = match &entry.logged.event {
                Event::Answer { note, .. } => note.clone(),
                _ => "a statement, not asked for".to_owned(),
            };
            let created_at = entry.logged.at.clone();
            let record = move |answered: &Answered| AnswerRecord {
                answered: answered.clone(),
                created_at: created_at.clone(),
                note: note.clone(),
            };
            entry.answered.iter().map(record).collect::<Vec<_>>()
        };
        self.counting().flat_map(of_entry).collect()
    }

    /// The next question; none where nothing is left to ask. The same state has the same question.
    pub(crate) fn question(&mut self) -> Result<Option<Issued>> {
        if let Next::Known(issued) = &self.next {
            return Ok(issued.clone());
        }
        let next = self.session.questions(1, &Silent)?.pop();
        let issued = next.map(|next| Issued { id: self.name_of(&next), next });
        self.next = Next::Known(issued.clone());
        Ok(issued)
    }

    /// A name that no other question of this project has.
    fn name_of(&self, next: &NextQuestion) -> String {
        let mut hash = Sha256::new();
        hash.update((self.revision as u64).to_le_bytes());
        hash.update(next.question.kind().name());
        for point in next.question.points() {
            hash.update([0]);
            hash.update(self.data.id(point));
        }
        hex(&hash.finalize()[..12])
    }

    /// A question and an answer by ids.
    pub(crate) fn by_ids(&self, question: &Question) -> Asked {
        Asked { kind: question.kind(), rows: self.data.ids(&question.points()) }
    }

    /// What an event says, in points; the first id that is not in the data where there is one.
    fn in_points(&self, event: &Event) -> Result<std::result::Result<Vec<Answered>, String>> {
        let points = |ids: &[String]| -> std::result::Result<Vec<usize>, String> {
            ids.iter().map(|id| self.data.point(id).ok_or_else(|| id.clone())).collect()
        };
        match event {
            Event::Answer { asked, answer, confidence, annotator, purpose, .. } => {
                let rows = match points(&asked.rows) {
                    Ok(rows) => rows,
                    Err(missing) => return Ok(Err(missing)),
                };
                let question = question_of(asked.kind, &rows)?;
                let answer = self.answer_of(answer, &question)?;
                Ok(Ok(vec![Answered {
                    question,
                    answer,
                    confidence: *confidence,
                    annotator: annotator.clone(),
                    purpose: *purpose,
                }]))
            }
            Event::Statement { relation, rows, others, annotator } => {
                let (rows, others) = match (points(rows), points(others)) {
                    (Ok(rows), Ok(others)) => (rows, others),
                    (Err(missing), _) | (_, Err(missing)) => return Ok(Err(missing)),
                };
                let stated = stated(*relation, &rows, &others)?;
                let answered = stated.into_iter().map(|(question, answer)| Answered {
                    annotator: annotator.clone(),
                    ..Answered::new(question, answer)
                });
                Ok(Ok(answered.collect()))
            }
            _ => Ok(Ok(Vec::new())),
        }
    }

    /// An answer that names rows, in points.
    fn answer_of(&self, answer: &AnswerById, question: &Question) -> Result<Answer> {
        let points = question.points();
        let point = |id: &String| {
            let point = self.data.point(id).filter(|point| points.contains(point));
            point.with_context(|| format!("row {id:?} is not in the question"))
        };
        Ok(match answer {
            AnswerById::Same => Answer::Same,
            AnswerById::Different => Answer::Different,
            AnswerById::Equal => Answer::Equal,
            AnswerById::Skip => Answer::Skip,
            AnswerById::CannotTell => Answer::CannotTell,
            AnswerById::Label(label) => Answer::Label(label.clone()),
            AnswerById::Odd(id) => {
                let odd = point(id)?;
                Answer::Odd(points.iter().position(|&other| other == odd).unwrap_or(0))
            }
            AnswerById::Together(ids) => {
                Answer::Together(ids.iter().map(point).collect::<Result<Vec<usize>>>()?)
            }
        })
    }
}

fn question_of(kind: QuestionKind, rows: &[usize]) -> Result<Question> {
    Ok(match (kind, rows) {
        (QuestionKind::Pair, &[a, b]) => Question::pair(a, b),
        (QuestionKind::Triplet, &[a, b, c]) => Question::triplet(a, b, c),
        (QuestionKind::Group, [anchor, others @ ..]) => Question::group(*anchor, others.to_vec()),
        (QuestionKind::Label, &[point]) => Question::Label { point },
        _ => bail!("a {kind} is not about {} rows", rows.len()),
    })
}

/// A statement as questions with their answers.
fn stated(relation: Relation, rows: &[usize], others: &[usize]) -> Result<Vec<(Question, Answer)>> {
    let mut all: Vec<usize> = rows.iter().chain(others).copied().collect();
    let given = all.len();
    all.sort_unstable();
    all.dedup();
    if all.len() < given {
        bail!("a row is named twice; name every row once");
    }
    let pairs = match relation {
        Relation::Together => rows.len().saturating_sub(1),
        Relation::Apart => rows.len() * others.len(),
    };
    if pairs == 0 || (relation == Relation::Together && !others.is_empty()) {
        bail!(
            "\"together\" is about two or more rows, \"apart\" about rows and the others that they do not belong with"
        );
    }
    if pairs > MAX_PAIRS {
        bail!(
            "this is about {pairs} pairs of rows, and {MAX_PAIRS} is the most; choose fewer rows"
        );
    }
    Ok(match (relation, rows, others) {
        (Relation::Together, &[a, b], _) => vec![(Question::pair(a, b), Answer::Same)],
        (Relation::Together, rows, _) => {
            let rest = rows[1..].to_vec();
            vec![(Question::group(rows[0], rest.clone()), Answer::Together(rest))]
        }
        (Relation::Apart, &[a], &[b]) => vec![(Question::pair(a, b), Answer::Different)],
        (Relation::Apart, rows, others) => {
            let apart = |&row: &usize| {
                (Question::group(row, others.to_vec()), Answer::Together(Vec::new()))
            };
            rows.iter().map(apart).collect()
        }
    })
}
