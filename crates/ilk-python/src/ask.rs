//! A session of questions. Questions and answers cross as JSON, as the engine itself reads and writes them.

use std::path::PathBuf;

use ilk::ask::{Answered, Session, SessionOptions};
use ilk::problem::{Points, Problem};
use ilk_io::{AnswerFile, AnswerRecord};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::constraints::Constraints;
use crate::error::{OrRaise, not_understood};
use crate::model::label_array;
use crate::run;

/// Questions about points, one after the other.
#[pyclass(module = "ilk._core")]
pub(crate) struct AskSession {
    session: Session,
    /// The answers with their times and notes, as a file keeps them.
    records: Vec<AnswerRecord>,
    /// The file that every answer is appended to.
    file: Option<AnswerFile>,
    names: ilk::problem::Constraints,
}

#[pymethods]
impl AskSession {
    /// A session about points; how it asks comes as JSON.
    #[new]
    #[pyo3(signature = (x, options, constraints=None, ids=None, n_jobs=None))]
    fn begin(
        py: Python<'_>,
        x: PyReadonlyArray2<'_, f64>,
        options: &str,
        constraints: Option<PyRef<'_, Constraints>>,
        ids: Option<Vec<String>>,
        n_jobs: Option<isize>,
    ) -> PyResult<Self> {
        let options: SessionOptions =
            serde_json::from_str(options).map_err(|error| not_understood(&error))?;
        let points = Points::new(x.as_array().to_owned()).or_raise()?;
        let n = points.len();
        let given = match constraints {
            Some(constraints) => constraints.engine().clone(),
            None => ilk::problem::Constraints::new(n),
        };
        let names = match ids {
            Some(ids) => ilk::problem::Constraints::with_ids(ids).or_raise()?,
            None => ilk::problem::Constraints::new(n),
        };
        let problem = Problem::new(points, given).or_raise()?;
        let session =
            run::cancellable(py, n_jobs, move |observer| Session::new(problem, options, observer))?;
        Ok(Self { session: session.or_raise()?, records: Vec::new(), file: None, names })
    }

    /// The next questions, as a JSON list.
    #[pyo3(signature = (n, n_jobs=None))]
    fn questions(&self, py: Python<'_>, n: usize, n_jobs: Option<isize>) -> PyResult<String> {
        let session = self.session.clone();
        let next = run::cancellable(py, n_jobs, move |observer| session.questions(n, observer))?;
        serde_json::to_string(&next.or_raise()?).map_err(|error| not_understood(&error))
    }

    /// Takes an answer, a JSON object.
    fn answer(&mut self, answered: &str, created_at: String, note: String) -> PyResult<()> {
        let answered: Answered =
            serde_json::from_str(answered).map_err(|error| not_understood(&error))?;
        let mut next = self.session.clone();
        next.push(answered.clone()).or_raise()?;
        let record = AnswerRecord { answered, created_at, note };
        if let Some(file) = &mut self.file {
            file.append(&record, &self.names).or_raise()?;
        }
        self.session = next;
        self.records.push(record);
        Ok(())
    }

    /// Takes the last answer back; false where there is none.
    fn undo(&mut self) -> PyResult<bool> {
        if self.session.undo().is_none() {
            return Ok(false);
        }
        self.records.pop();
        if let Some(file) = &mut self.file {
            file.undo().or_raise()?;
        }
        Ok(true)
    }

    /// Goes on with a file of answers, or begins one; every answer is appended to it. Returns how many it held.
    fn keep_in(&mut self, path: PathBuf) -> PyResult<usize> {
        let kind = self.session.options().kind;
        let opened = AnswerFile::open(&path, kind, &self.names).or_raise()?;
        let mut session = self.session.clone();
        for record in &opened.answers {
            session.push(record.answered.clone()).or_raise()?;
        }
        self.session = session;
        self.file = Some(opened.file);
        self.records.extend(opened.answers);
        Ok(self.records.len())
    }

    /// Writes all answers to a file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let kind = self.session.options().kind;
        ilk_io::write_answers(&path, kind, &self.records, &self.names).or_raise()
    }

    /// Number of answers.
    #[getter]
    fn n_answers(&self) -> usize {
        self.session.state().answered().len()
    }

    /// The clusters that the answers name.
    fn clusters(&self, py: Python<'_>) -> PyResult<Py<PyArray1<i64>>> {
        let labels = py.detach(|| self.session.clusters()).or_raise()?;
        Ok(label_array(py, &labels))
    }

    /// All constraints that the answers make, also those that are kept for judging.
    fn constraints(&self) -> Constraints {
        Constraints::new(self.session.state().all_constraints())
    }

    /// The answers kept for judging with which the clusters agree, how many there are, and the interval.
    fn agreement(&self) -> PyResult<Option<(usize, usize, f64, f64)>> {
        let found = self.session.agreement().or_raise()?;
        Ok(found.map(|found| (found.agreeing, found.total, found.interval.0, found.interval.1)))
    }

    /// The share of points that the next answers are expected to decide, at most.
    #[pyo3(signature = (n, n_jobs=None))]
    fn expected_gain(
        &self,
        py: Python<'_>,
        n: usize,
        n_jobs: Option<isize>,
    ) -> PyResult<Option<f64>> {
        let session = self.session.clone();
        let gain =
            run::cancellable(py, n_jobs, move |observer| session.expected_gain(n, observer))?;
        Ok(gain.or_raise()?.map(|gain| gain.share))
    }

    /// The questions that annotators answered differently, with the answers, as a JSON list.
    fn disagreements(&self) -> PyResult<String> {
        let found = self.session.disagreements().into_iter();
        let found: Vec<_> = found.map(|of| (of.question, of.answers)).collect();
        serde_json::to_string(&found).map_err(|error| not_understood(&error))
    }

    /// Every annotator: name, questions answered again, answered otherwise, and the estimated share of wrong answers.
    fn annotator_errors(&self) -> Vec<(Option<String>, usize, usize, f64)> {
        let errors = self.session.annotator_errors().into_iter();
        errors.map(|of| (of.annotator, of.repeated, of.contradicted, of.error_rate)).collect()
    }
}
