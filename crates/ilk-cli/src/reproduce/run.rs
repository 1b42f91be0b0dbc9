//! Runs the cells that are not finished yet.
//!
//! Cells are independent, so every thread takes one at a time and runs it alone: that wastes nothing at
//! the ends of parallel loops and holds only as many problems in memory as there are threads. Threads
//! that would have no cell help the others.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Result, anyhow};
use ilk::evaluate::{Average, accuracy, adjusted_rand, masked, normalized_mutual_info};
use ilk::group::Label;
use ilk::method::{AnyMethod, Auto, Method as _};
use ilk::observe::{Event, Observer};
use ilk::outcome::ConstraintReport;
use ilk::problem::{ConstraintKind, Constraints, Problem};

use super::ask::Questions;
use super::cells::{Cell, Ledger, VERSION};
use super::folder::Folder;
use super::task::{ConstraintProtocol, Drawn, Task};
use super::{Block, Candidate, Exhibit, Paper, Row, Run, Trial};
use crate::failure::Interrupted;
use crate::progress::{Progress, is_cancelled};
use crate::terminal::Terminal;
use crate::text::counted;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order<'a> {
    pub(crate) paper: &'a Paper,
    /// The exhibits to run; all where there are none.
    pub(crate) only: &'a [String],
    /// The methods to run, as the tables call them; all where there are none.
    pub(crate) methods: &'a [String],
    /// The data to run on, as the tables call them; all where there are none.
    pub(crate) sets: &'a [String],
    /// Seeds 0, 1, ... below this.
    pub(crate) seeds: u64,
}

impl Order<'_> {
    fn wants(&self, exhibit: &Exhibit) -> bool {
        is_among(self.only, exhibit.name)
    }

    fn wants_row(&self, row: &Row) -> bool {
        is_among(self.methods, &row.method) && is_among(self.sets, &row.data)
    }
}

/// Whether a name is asked for: all are where none is named.
fn is_among(names: &[String], name: &str) -> bool {
    names.is_empty() || names.iter().any(|asked| asked == name)
}

/// Works out what belongs to the exhibits that are asked for and is no score; adds what failed.
pub(crate) fn asides(
    order: Order<'_>,
    folder: &Folder,
    failures: &mut Vec<Failure>,
    terminal: &Terminal,
) -> Vec<(&'static str, Vec<Block>)> {
    let mut asides = Vec::new();
    for exhibit in order.paper.exhibits.iter().filter(|it| order.wants(it)) {
        let Some(aside) = exhibit.aside else { continue };
        terminal.info(format!("working out: {}", exhibit.title));
        match aside(folder) {
            Ok(blocks) => asides.push((exhibit.name, blocks)),
            Err(error) => {
                let cell = exhibit.title.to_owned();
                failures.push(Failure { cell, why: format!("{error:#}") });
            }
        }
    }
    asides
}

/// A cell that could not be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// Which one.
    pub(crate) cell: String,
    pub(crate) why: String,
}

/// A cell to be run, or the cells of a course of questions or of the trials of a consensus.
#[derive(Debug, Clone)]
struct Job<'a> {
    paper: &'a Paper,
    exhibit: &'a Exhibit,
    row: &'a Row,
    trial: &'a Trial,
    candidate: &'a Candidate,
    /// Every cell; of a fit one, of a course those after its numbers of answers, ascending, of the trials of a consensus
    /// one for each ingredient that is left out.
    places: Vec<Place<'a>>,
    seed: u64,
}

/// A row whose cell is to be run, and the digest of its settings.
#[derive(Debug, Clone)]
struct Place<'a> {
    row: &'a Row,
    settings: String,
}

/// Runs what is asked for and not finished yet; returns the cells that failed.
pub(crate) fn finish(
    order: Order<'_>,
    folder: &Folder,
    ledger: &mut Ledger,
    terminal: &Terminal,
) -> Result<Vec<Failure>> {
    let (jobs, finished) = jobs(order, folder, ledger);
    let open: usize = jobs.iter().map(|job| job.places.len()).sum();
    terminal.info(match finished {
        0 => format!("{} to run", counted(open, "cell")),
        done => {
            format!("{} to run, {} finished before", counted(open, "cell"), counted(done, "cell"))
        }
    });
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    let path = ledger.path().to_owned();
    let ledger = Mutex::new(ledger);
    let failures = Mutex::new(Vec::new());
    let unsupervised = Unsupervised::default();
    let progress = Progress::new(terminal);
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let threads = rayon::current_num_threads();
    let workers = threads.min(jobs.len());
    let work = || -> Result<()> {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads((threads / workers).max(1)).build()?;
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            match pool.install(|| job.run(folder, &unsupervised)) {
                _ if is_cancelled() => break,
                Ok(cells) => {
                    let mut ledger = locked(&ledger)?;
                    cells.into_iter().try_for_each(|cell| ledger.add(cell))?;
                }
                Err(error) => locked(&failures)?
                    .push(Failure { cell: job.to_string(), why: format!("{error:#}") }),
            }
            let n = job.places.len();
            let done = done.fetch_add(n, Ordering::Relaxed) + n;
            // It returns the same as `is_cancelled`, which the loop calls.
            let _ = progress.event(&Event::new("cells", done, done, open));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        // All are waited for before the first error is returned.
        let ended: Vec<Result<()>> = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|_| Err(crashed())))
            .collect();
        ended.into_iter().collect::<Result<()>>()
    })?;
    if is_cancelled() {
        let (done, all) = (done.into_inner(), counted(open, "cell"));
        let path = path.display();
        return Err(Interrupted(format!(
            "cancelled; {done} of {all} are in {path}; the same command goes on from there"
        ))
        .into());
    }
    let mut failures = failures.into_inner().map_err(|_| crashed())?;
    failures.sort_by(|a, b| a.cell.cmp(&b.cell));
    Ok(failures)
}

fn locked<T>(mutex: &Mutex<T>) -> Result<std::sync::MutexGuard<'_, T>> {
    mutex.lock().map_err(|_| crashed())
}

fn crashed() -> anyhow::Error {
    anyhow!("a thread that ran a cell has crashed")
}

/// The cells that are asked for, possible and not finished, one seed after the other so that a run that
/// is cut off has something of everything; and how many are finished. All cells of a course are one job, and so are all
/// of one run of the trials of a consensus.
fn jobs<'a>(order: Order<'a>, folder: &Folder, ledger: &Ledger) -> (Vec<Job<'a>>, usize) {
    let mut each = Vec::new();
    for exhibit in &order.paper.exhibits {
        if !order.wants(exhibit) {
            continue;
        }
        for row in exhibit.rows.iter().filter(|row| order.wants_row(row)) {
            let Some(trial) = &row.trial else { continue };
            for candidate in &trial.candidates {
                let Some(settings) = trial.settings(candidate, folder) else {
                    continue;
                };
                each.push(Job {
                    paper: order.paper,
                    exhibit,
                    row,
                    trial,
                    candidate,
                    places: vec![Place { row, settings }],
                    seed: 0,
                });
            }
        }
    }
    // Two exhibits may show the same cell, with different numbers of seeds.
    let all = (0..order.seeds).flat_map(|seed| each.iter().map(move |job| (job, seed)));
    let mut seen = BTreeSet::new();
    let all = all.filter(|(job, seed)| {
        let settings = &job.places[0].settings;
        *seed < job.exhibit.seeds(order.seeds) && seen.insert((settings.clone(), *seed))
    });
    let (finished, open): (Vec<_>, Vec<_>) =
        all.partition(|(job, seed)| ledger.cell(&job.places[0].settings, *seed).is_some());
    let mut jobs: Vec<Job<'a>> = Vec::new();
    let mut courses: BTreeMap<(String, u64), usize> = BTreeMap::new();
    for (job, seed) in open {
        let shared = match &job.candidate.run {
            Run::Fit(_) => None,
            Run::Ask(questions) => Some(format!("{:?}", Questions { answers: 0, ..*questions })),
            Run::Ablate(_) => Some("ablation".to_owned()),
        };
        if let Some(shared) = shared {
            let key = (format!("{:?}{shared}", job.trial.task), seed);
            if let Some(&known) = courses.get(&key) {
                jobs[known].places.extend(job.places.iter().cloned());
                continue;
            }
            courses.insert(key, jobs.len());
        }
        jobs.push(Job { seed, ..job.clone() });
    }
    for job in &mut jobs {
        job.places.sort_by_key(Place::answers);
    }
    (jobs, finished.len())
}

impl Place<'_> {
    fn run(&self) -> Option<&Run> {
        let mut candidates = self.row.trial.iter().flat_map(|trial| &trial.candidates);
        candidates.next().map(|candidate| &candidate.run)
    }

    /// The answers of a course after which it is; 0 of all else.
    fn answers(&self) -> usize {
        match self.run() {
            Some(Run::Ask(questions)) => questions.answers,
            _ => 0,
        }
    }
}

impl std::fmt::Display for Job<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (exhibit, data) = (self.exhibit.name, &self.row.data);
        write!(f, "{exhibit}, {data}, {}, seed {}", self.method(), self.seed)
    }
}

impl Job<'_> {
    fn method(&self) -> String {
        match self.candidate.name.as_str() {
            "" => self.row.method.clone(),
            name => format!("{} ({name})", self.row.method),
        }
    }

    fn run(&self, folder: &Folder, unsupervised: &Unsupervised) -> Result<Vec<Cell>> {
        let drawn = self.trial.task.draw(folder, self.seed)?;
        match &self.candidate.run {
            Run::Fit(method) => Ok(vec![self.fit(method, &drawn, folder, unsupervised)?]),
            Run::Ask(questions) => self.ask(questions, &drawn),
            Run::Ablate(_) => self.ablate(&drawn),
        }
    }

    /// The cells of the trials of a consensus.
    fn ablate(&self, drawn: &Drawn) -> Result<Vec<Cell>> {
        let start = Instant::now();
        let trials = Auto::default().trials(&drawn.problem, &stop_if_asked)?;
        let seconds = start.elapsed().as_secs_f64();
        let cells = self.places.iter().map(|place| {
            let without = match place.run() {
                Some(Run::Ablate(without)) => *without,
                _ => None,
            };
            let labels = trials.clusters(without)?;
            let constraints = drawn.problem.constraints();
            let found = Found {
                labels: &labels,
                constraints,
                report: &ConstraintReport::new(constraints, &labels),
                free: &drawn.free,
                seconds,
            };
            Ok(Cell { method: place.row.method.clone(), ..self.cell(place, drawn, &found)? })
        });
        cells.collect()
    }

    /// The cells of a course of questions.
    fn ask(&self, questions: &Questions, drawn: &Drawn) -> Result<Vec<Cell>> {
        let at: Vec<usize> = self.places.iter().map(Place::answers).collect();
        let stops =
            questions.stops(&drawn.problem, &drawn.truth, &at, self.seed, &stop_if_asked)?;
        let cells = self.places.iter().zip(stops).map(|(place, stop)| {
            let found = Found {
                labels: &stop.labels,
                constraints: &stop.constraints,
                report: &ConstraintReport::new(&stop.constraints, &stop.labels),
                free: &stop.free,
                seconds: stop.seconds,
            };
            self.cell(place, drawn, &found)
        });
        cells.collect()
    }

    fn fit(
        &self,
        method: &AnyMethod,
        drawn: &Drawn,
        folder: &Folder,
        unsupervised: &Unsupervised,
    ) -> Result<Cell> {
        let problem = if self.exhibit.is_league {
            &taken_by(method, &drawn.problem)?
        } else {
            &drawn.problem
        };
        let start = Instant::now();
        let fit = method.fit(problem, &stop_if_asked)?;
        let seconds = start.elapsed().as_secs_f64();
        let labels: &[Label] = &fit.clustering.labels;
        let ari_whole = match &drawn.whole {
            None => None,
            Some(whole) => {
                let placed = fit.model.predict_observed(&whole.points, &stop_if_asked)?;
                Some(adjusted_rand(&whole.truth, &placed)?)
            }
        };
        let constraints = problem.constraints();
        let ari_without = if !self.exhibit.is_league {
            None
        } else if constraints.is_empty() {
            ari_free(drawn, &drawn.free, labels)?
        } else {
            let key = (self.unsupervised_settings(method, folder)?, self.seed);
            let without = unsupervised.labels(key, || {
                let problem = drawn.problem.with_constraints(Constraints::new(labels.len()))?;
                Ok(method.fit(&problem, &stop_if_asked)?.clustering.labels)
            })?;
            ari_free(drawn, &drawn.free, &without)?
        };
        let found = Found {
            labels,
            constraints,
            report: &fit.clustering.report,
            free: &drawn.free,
            seconds,
        };
        let clusters = fit.clustering.n_clusters;
        let cell = self.cell(&self.places[0], drawn, &found)?;
        Ok(Cell { clusters, ari_whole, ari_without, ..cell })
    }

    /// The scores of what was found.
    fn cell(&self, place: &Place<'_>, drawn: &Drawn, found: &Found<'_>) -> Result<Cell> {
        let &Found { labels, constraints, report, free, seconds } = found;
        let broken = |kind| report.kind(kind).map_or(0, |kind| kind.broken.len());
        let all = |of: &dyn Fn(ConstraintKind) -> usize| COMPARISONS.into_iter().map(of).sum();
        Ok(Cell {
            paper: self.paper.name.to_owned(),
            experiment: self.exhibit.name.to_owned(),
            data: place.row.data.clone(),
            method: self.method(),
            seed: self.seed,
            settings: place.settings.clone(),
            n: drawn.truth.len(),
            ari: adjusted_rand(&drawn.truth, labels)?,
            nmi: normalized_mutual_info(&drawn.truth, labels, Average::Arithmetic)?,
            clusters: labels.iter().flatten().max().map_or(0, |last| last + 1),
            must_links: constraints.must_links().len(),
            must_broken: broken(ConstraintKind::MustLink),
            cannot_links: constraints.cannot_links().len(),
            cannot_broken: broken(ConstraintKind::CannotLink),
            seconds,
            version: VERSION.to_owned(),
            ari_free: ari_free(drawn, free, labels)?,
            ari_whole: None,
            comparisons: all(&|kind| constraints.count(kind)),
            comparisons_broken: all(&broken),
            nmi_test: nmi_test(drawn, labels)?,
            accuracy: Some(accuracy(&drawn.truth, labels)?),
            labels: constraints.count(ConstraintKind::Label),
            labels_broken: broken(ConstraintKind::Label),
            free: free.iter().filter(|&&free| free).count(),
            classes: drawn.truth.iter().collect::<BTreeSet<_>>().len(),
            ari_without: None,
        })
    }

    /// The settings of the same method on the same rows without constraints.
    fn unsupervised_settings(&self, method: &AnyMethod, folder: &Folder) -> Result<String> {
        let task = Task { constraints: ConstraintProtocol::Nothing, ..self.trial.task.clone() };
        let trial = Trial::of(task, method.clone());
        let settings = trial.settings(self.candidate, folder);
        settings.ok_or_else(|| anyhow!("the data of {self} were not read"))
    }
}

/// What was found on a draw, to be scored.
struct Found<'a> {
    labels: &'a [Label],
    constraints: &'a Constraints,
    report: &'a ConstraintReport,
    /// For every row, whether nothing that was given names it.
    free: &'a [bool],
    seconds: f64,
}

fn stop_if_asked(_: &Event) -> ControlFlow<()> {
    if is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// The labels of fits without constraints, by settings and seed: every budget of constraints is compared with
/// the same fit.
#[derive(Debug, Default)]
struct Unsupervised(Mutex<BTreeMap<(String, u64), Vec<Label>>>);

impl Unsupervised {
    fn labels(
        &self,
        key: (String, u64),
        fit: impl FnOnce() -> Result<Vec<Label>>,
    ) -> Result<Vec<Label>> {
        if let Some(labels) = locked(&self.0)?.get(&key) {
            return Ok(labels.clone());
        }
        let labels = fit()?;
        locked(&self.0)?.insert(key, labels.clone());
        Ok(labels)
    }
}

/// The problem with the constraints if the method takes all their kinds, and without any otherwise.
fn taken_by(method: &AnyMethod, problem: &Problem) -> Result<Problem> {
    let constraints = problem.constraints();
    let takes = |kind: ConstraintKind| {
        constraints.count(kind) == 0 || method.info().supervision.contains(&kind)
    };
    if ConstraintKind::ALL.into_iter().all(takes) {
        return Ok(problem.clone());
    }
    Ok(problem.with_constraints(Constraints::new(problem.len()))?)
}

const COMPARISONS: [ConstraintKind; 3] =
    [ConstraintKind::OddOneOut, ConstraintKind::AboutEqual, ConstraintKind::Closer];

/// ARI on the rows that nothing given names; none where fewer than two are left.
fn ari_free(drawn: &Drawn, free: &[bool], labels: &[Label]) -> Result<Option<f64>> {
    let truth = masked(&drawn.truth, free)?;
    if truth.len() < 2 {
        return Ok(None);
    }
    let found = masked(labels, free)?;
    Ok(Some(adjusted_rand(&truth, &found)?))
}

/// NMI on the half of the rows that no constraint may name.
fn nmi_test(drawn: &Drawn, labels: &[Label]) -> Result<Option<f64>> {
    let Some(test) = &drawn.test else {
        return Ok(None);
    };
    let (truth, found) = (masked(&drawn.truth, test)?, masked(labels, test)?);
    let nmi = normalized_mutual_info(&truth, &found, Average::Arithmetic)?;
    Ok(Some(nmi))
}
