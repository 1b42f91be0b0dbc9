//! What the pages can ask for and do, whatever carries it: every change is in the log before it is acknowledged.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Result, anyhow};
use ilk::observe::Observer;
use serde::{Deserialize, Serialize};

use crate::fits::Fits;
use crate::log::{AnswerById, Event, Log, Logged, Relation};
use crate::map::Map;
use crate::project::Project;
use crate::study::{Data, Study};
use crate::views::{self, QuestionView};
use crate::{Drawing, Images, Options};

/// Characters of a name or a note, at most.
const LONGEST: usize = 2000;

/// An open studio.
pub(crate) struct Studio {
    pub(crate) project: Project,
    pub(crate) fits: Arc<Fits>,
    pub(crate) map: Map,
    pub(crate) images: Option<Images>,
    pub(crate) drawing: Drawing,
    desk: Mutex<Desk>,
}

/// What changes, and the file in which the changes are.
struct Desk {
    study: Study,
    log: Log,
}

/// Why something was not done.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// It cannot be, whoever asks.
    Wrong(String),
    /// It is about a question that is no longer asked.
    Outdated(String),
    /// There is no such thing, or not yet.
    Absent(String),
    /// It went wrong here.
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

/// An answer as the page sends it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivenAnswer {
    question: String,
    answer: AnswerById,
    #[serde(default = "sure")]
    confidence: f64,
    #[serde(default)]
    annotator: Option<String>,
    #[serde(default)]
    note: String,
}

fn sure() -> f64 {
    1.0
}

/// A statement as the page sends it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivenStatement {
    relation: Relation,
    rows: Vec<String>,
    #[serde(default)]
    others: Vec<String>,
    #[serde(default)]
    annotator: Option<String>,
}

/// What became of an answer.
#[derive(Serialize)]
pub(crate) struct Taken {
    /// The number of the entry.
    entry: usize,
    /// Whether it had been taken before; then nothing has changed.
    repeated: bool,
    revision: usize,
    /// The next question.
    question: Option<QuestionView>,
}

impl Studio {
    pub(crate) fn open(options: Options, observer: &dyn Observer) -> Result<Self> {
        let project = Project::open(&options.project, options.settings)?;
        let (log, events) = Log::open(&project.log())?;
        let data = Arc::new(Data::read(&project.settings)?);
        let plane = (options.drawing.plane)(&project.settings, &data.table, &data.scaling)?;
        let map = Map::of(&plane, &data.table.ids);
        let mut study = Study::new(data, project.settings.seed, observer)?;
        for (number, logged) in events.into_iter().enumerate() {
            study.apply(logged).map_err(|error| {
                anyhow!("{}, event {}: {error:#}", project.log().display(), number + 1)
            })?;
        }
        project.keep_settings()?;
        let fits = Fits::start()?;
        fits.want(&study);
        let desk = Mutex::new(Desk { study, log });
        let Options { images, drawing, .. } = options;
        Ok(Self { project, fits, map, images, drawing, desk })
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        // An event is applied to a copy, so what a panic left is whole.
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The study as it is now.
    pub(crate) fn study(&self) -> Study {
        self.desk().study.clone()
    }

    /// Where the images of rows are.
    pub(crate) fn image(&self, point: usize) -> std::result::Result<PathBuf, Refusal> {
        let absent = || Refusal::Absent("there is no such image".to_owned());
        let images = self.images.as_ref().ok_or_else(absent)?;
        let study = self.study();
        let columns = study.data.table.columns.as_ref().ok_or_else(absent)?;
        let column = columns.names().iter().position(|name| *name == images.column);
        let cell = column.and_then(|column| columns.cell(point, column)).ok_or_else(absent)?;
        images.file(cell).ok_or_else(absent)
    }

    pub(crate) fn state(&self) -> Result<views::State> {
        let mut desk = self.desk();
        let changed = self.project.data_changed;
        views::state(&mut desk.study, &self.fits, changed, self.images.is_some())
    }

    /// Takes an answer. One to a question that was answered before is acknowledged again.
    pub(crate) fn answer(&self, given: GivenAnswer) -> std::result::Result<Taken, Refusal> {
        let GivenAnswer { question: id, answer, confidence, annotator, note } = given;
        check_text("the note", &note)?;
        check_text("the annotator", annotator.as_deref().unwrap_or_default())?;
        let mut desk = self.desk();
        if let Some(entry) = desk.study.answer_to(&id) {
            return taken(&mut desk.study, entry, true);
        }
        let issued = desk.study.question()?.filter(|issued| issued.id == id).ok_or_else(|| {
            Refusal::Outdated(
                "this question is no longer asked: other answers came in between; take the next one".to_owned(),
            )
        })?;
        let asked = desk.study.by_ids(&issued.next.question);
        let purpose = issued.next.purpose;
        let event =
            Event::Answer { question: id, asked, answer, confidence, annotator, purpose, note };
        self.commit(&mut desk, event)?;
        let entry = desk.study.entries.len() - 1;
        taken(&mut desk.study, entry, false)
    }

    pub(crate) fn state_that(&self, given: GivenStatement) -> std::result::Result<Taken, Refusal> {
        let GivenStatement { relation, rows, others, annotator } = given;
        let mut desk = self.desk();
        let unknown = rows.iter().chain(&others).find(|id| desk.study.data.point(id).is_none());
        if let Some(unknown) = unknown {
            return Err(Refusal::Wrong(format!("row {unknown:?} is not in the data")));
        }
        self.commit(&mut desk, Event::Statement { relation, rows, others, annotator })?;
        let entry = desk.study.entries.len() - 1;
        taken(&mut desk.study, entry, false)
    }

    /// Takes back an entry, or the last one that counts.
    pub(crate) fn delete(&self, entry: Option<usize>) -> std::result::Result<Taken, Refusal> {
        let mut desk = self.desk();
        let entry = entry.or_else(|| desk.study.last());
        let entry =
            entry.ok_or_else(|| Refusal::Absent("there is no answer to take back".to_owned()))?;
        self.commit(&mut desk, Event::Delete { entry })?;
        taken(&mut desk.study, entry, false)
    }

    /// Takes an event that changes no answer, or the kind of the questions.
    pub(crate) fn remark(&self, event: Event) -> std::result::Result<views::State, Refusal> {
        if let Event::Name { row, name } = &event {
            check_text("the name", name)?;
            self.check_row(row)?;
        }
        if let Event::Done { row, .. } = &event {
            self.check_row(row)?;
        }
        let mut desk = self.desk();
        self.commit(&mut desk, event)?;
        let changed = self.project.data_changed;
        Ok(views::state(&mut desk.study, &self.fits, changed, self.images.is_some())?)
    }

    fn check_row(&self, row: &str) -> std::result::Result<(), Refusal> {
        match self.desk().study.data.point(row) {
            Some(_) => Ok(()),
            None => Err(Refusal::Wrong(format!("row {row:?} is not in the data"))),
        }
    }

    /// Applies an event to a copy, writes it to the log, and only then takes it.
    fn commit(&self, desk: &mut Desk, event: Event) -> std::result::Result<(), Refusal> {
        let before = desk.study.revision;
        let mut next = desk.study.clone();
        let logged = Logged { at: ilk_io::now(), event };
        next.apply(logged.clone()).map_err(|error| Refusal::Wrong(format!("{error:#}")))?;
        if next.revision != before {
            self.fits.cancel();
        }
        if let Err(error) = desk.log.append(&logged) {
            self.fits.resume(before);
            return Err(error.into());
        }
        desk.study = next;
        if desk.study.revision != before {
            // The next question first: it is what is waited for.
            let asked = desk.study.question();
            self.fits.want(&desk.study);
            asked?;
        }
        Ok(())
    }
}

fn taken(study: &mut Study, entry: usize, repeated: bool) -> std::result::Result<Taken, Refusal> {
    let issued = study.question()?;
    let rows = study.data.rows();
    let question = issued.map(|issued| views::question_view(&issued, &rows));
    Ok(Taken { entry, repeated, revision: study.revision, question })
}

fn check_text(what: &str, text: &str) -> std::result::Result<(), Refusal> {
    let length = text.chars().count();
    if length > LONGEST {
        return Err(Refusal::Wrong(format!(
            "{what} has {length} characters, and {LONGEST} is the most; make it shorter"
        )));
    }
    Ok(())
}
