//! The work that goes on beside the questions, each on a thread of its own: the clusters that the answers name, within a moment of
//! each answer, and the fit of `auto`, which is what is exported. A newer answer cancels a fit; what was found before stays,
//! marked as old by its revision.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use ilk::ask::{Agreement, ExpectedGain};
use ilk::method::{AnyMethod, Auto, Method as _};
use ilk::observe::{Event, Observer, Silent};
use ilk::outcome::Fit;
use ilk::parameter::AutoOr;
use ilk::problem::Problem;
use serde::Serialize;
use tokio::sync::broadcast;

use crate::clusters::{Clusters, Colours};
use crate::study::Study;

/// How long no answer must have come before a fit begins.
const QUIET: Duration = Duration::from_millis(1500);

/// Recipes that a fit tries: a number, not a time, so that results repeat.
pub(crate) const RECIPES: usize = 12;

/// Questions that are looked ahead.
pub(crate) const AHEAD: usize = 10;

/// Time between two reports on one fit.
const BETWEEN_REPORTS: Duration = Duration::from_millis(200);

/// What is told to all pages.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Notice {
    /// What people said has changed.
    Changed { revision: usize },
    /// There are new clusters by the answers.
    Clusters { revision: usize },
    /// They are judged.
    Judged { revision: usize },
    /// A fit goes on.
    Progress { revision: usize, stage: String, finished: usize, total: usize },
    /// A fit was cancelled by a newer answer.
    Cancelled { revision: usize },
    /// A fit is done.
    Fitted { revision: usize, seconds: f64 },
    /// It failed.
    Failed { revision: usize, reason: String },
}

/// How good the clusters by the answers are.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) revision: usize,
    pub(crate) agreement: Option<Agreement>,
    pub(crate) gain: Option<ExpectedGain>,
}

/// A finished fit.
#[derive(Debug)]
pub(crate) struct Fitted {
    pub(crate) study: Study,
    pub(crate) fit: Fit,
    pub(crate) seconds: f64,
    pub(crate) clusters: Clusters,
}

/// What there is to do, and what was done.
#[derive(Default)]
struct Board {
    wanted: Option<Study>,
    wanted_since: Option<Instant>,
    /// A fit is wanted now, without waiting for quiet.
    hurry: bool,
    stopped: bool,
    placed: Option<Arc<Clusters>>,
    judged: Option<Arc<Judged>>,
    fitted: Option<Arc<Fitted>>,
    /// The revision that could not be fitted, and why.
    failed: Option<(usize, String)>,
}

/// The threads and their board.
pub(crate) struct Fits {
    board: Mutex<Board>,
    changed: Condvar,
    colours: Mutex<Colours>,
    /// The newest revision, by which a fit knows that it is old.
    newest: AtomicUsize,
    notices: broadcast::Sender<Notice>,
}

/// What a panic left is a whole value.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The method of a project.
pub(crate) fn method(seed: u64) -> AnyMethod {
    AnyMethod::Auto(Auto { n_fits: AutoOr::Fixed(RECIPES), seed, ..Auto::default() })
}

impl Fits {
    /// Starts the threads.
    pub(crate) fn start() -> Result<Arc<Self>> {
        let fits = Arc::new(Self {
            board: Mutex::default(),
            changed: Condvar::new(),
            colours: Mutex::default(),
            newest: AtomicUsize::new(0),
            notices: broadcast::Sender::new(256),
        });
        // Questions and clusters are not to wait for the fit: it leaves them a core where there are two.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = rayon::current_num_threads().min(cores).saturating_sub(1).max(1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let of_placing = Arc::clone(&fits);
        std::thread::Builder::new()
            .name("clusters".to_owned())
            .spawn(move || of_placing.place())?;
        let of_fitting = Arc::clone(&fits);
        std::thread::Builder::new()
            .name("fit".to_owned())
            .spawn(move || of_fitting.fit_all(&pool))?;
        Ok(fits)
    }

    /// Ends the threads, soon.
    pub(crate) fn stop(&self) {
        lock(&self.board).stopped = true;
        self.newest.fetch_add(1, Ordering::SeqCst);
        self.changed.notify_all();
    }

    /// Whoever wants to hear what goes on.
    pub(crate) fn listen(&self) -> broadcast::Receiver<Notice> {
        self.notices.subscribe()
    }

    /// The study has changed: a fit that goes on is of an old one.
    pub(crate) fn want(&self, study: &Study) {
        self.newest.store(study.revision, Ordering::SeqCst);
        let mut board = lock(&self.board);
        board.wanted = Some(study.clone());
        board.wanted_since = Some(Instant::now());
        board.hurry = false;
        drop(board);
        self.changed.notify_all();
        self.tell(Notice::Changed { revision: study.revision });
    }

    /// A fit that goes on is about to be old.
    pub(crate) fn cancel(&self) {
        self.newest.store(usize::MAX, Ordering::SeqCst);
    }

    /// What was to come did not: the fit of this revision goes on, or begins again.
    pub(crate) fn resume(&self, revision: usize) {
        self.newest.store(revision, Ordering::SeqCst);
        self.changed.notify_all();
    }

    /// A fit is wanted without waiting.
    pub(crate) fn hurry(&self) {
        lock(&self.board).hurry = true;
        self.changed.notify_all();
    }

    /// The clusters that the answers name.
    pub(crate) fn placed(&self) -> Option<Arc<Clusters>> {
        lock(&self.board).placed.clone()
    }

    /// How good they are; it comes after them.
    pub(crate) fn judged(&self) -> Option<Arc<Judged>> {
        lock(&self.board).judged.clone()
    }

    pub(crate) fn fitted(&self) -> Option<Arc<Fitted>> {
        lock(&self.board).fitted.clone()
    }

    /// The fit of this revision, waited for.
    pub(crate) fn fit_of(&self, revision: usize) -> Result<Arc<Fitted>> {
        self.hurry();
        let mut board = lock(&self.board);
        loop {
            if let Some(fitted) = board.fitted.clone().filter(|it| it.clusters.revision == revision)
            {
                return Ok(fitted);
            }
            if let Some((_, reason)) = board.failed.as_ref().filter(|(of, _)| *of == revision) {
                bail!("the clusters could not be fitted: {reason}");
            }
            let wanted = board.wanted.as_ref().map(|study| study.revision);
            if board.stopped || wanted != Some(revision) {
                bail!("another answer came while this was waited for; export again");
            }
            board = self.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn tell(&self, notice: Notice) {
        // Nobody may be listening.
        let _ = self.notices.send(notice);
    }

    /// Names clusters by the answers, again and again.
    fn place(&self) {
        let mut done = None;
        loop {
            let mut board = lock(&self.board);
            let study = loop {
                if board.stopped {
                    return;
                }
                match &board.wanted {
                    Some(study) if done != Some(study.revision) => break study.clone(),
                    _ => {}
                }
                board = self.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
            };
            drop(board);
            let revision = study.revision;
            done = Some(revision);
            if let Err(error) = self.place_and_judge(&study) {
                self.tell(Notice::Failed { revision, reason: format!("{error:#}") });
            }
        }
    }

    /// The clusters first, since they are waited for.
    fn place_and_judge(&self, study: &Study) -> Result<()> {
        let revision = study.revision;
        let (labels, confidence) = study.session.state().clusters_with_confidence()?;
        let mut colours = lock(&self.colours);
        let clusters =
            Clusters::new(&study.data, revision, labels, confidence, None, &mut colours)?;
        drop(colours);
        lock(&self.board).placed = Some(Arc::new(clusters));
        self.tell(Notice::Clusters { revision });
        let agreement = study.session.agreement()?;
        let gain = study.session.expected_gain(AHEAD, &Silent)?;
        lock(&self.board).judged = Some(Arc::new(Judged { revision, agreement, gain }));
        self.tell(Notice::Judged { revision });
        Ok(())
    }

    /// Fits what is wanted, when nobody has answered for a while.
    fn fit_all(&self, pool: &rayon::ThreadPool) {
        while let Some(study) = self.next_to_fit() {
            let revision = study.revision;
            let observer = Watching { fits: self, revision, last: Mutex::new(Instant::now()) };
            let start = Instant::now();
            let found = pool.install(|| self.fit_one(study, start, &observer));
            let mut board = lock(&self.board);
            let notice = match found {
                Ok(fitted) => {
                    let seconds = fitted.seconds;
                    board.fitted = Some(Arc::new(fitted));
                    Notice::Fitted { revision, seconds }
                }
                Err(_) if observer.is_cancelled() => Notice::Cancelled { revision },
                Err(error) => {
                    let reason = format!("{error:#}");
                    board.failed = Some((revision, reason.clone()));
                    Notice::Failed { revision, reason }
                }
            };
            drop(board);
            self.changed.notify_all();
            self.tell(notice);
        }
    }

    /// What is to be fitted next; none at the end.
    fn next_to_fit(&self) -> Option<Study> {
        let mut board = lock(&self.board);
        loop {
            if board.stopped {
                return None;
            }
            let is_done = |revision: usize| {
                board.fitted.as_ref().is_some_and(|it| it.clusters.revision == revision)
                    || board.failed.as_ref().is_some_and(|(of, _)| *of == revision)
            };
            let newest = self.newest.load(Ordering::SeqCst);
            let is_open = |study: &&Study| study.revision == newest && !is_done(study.revision);
            let study = board.wanted.as_ref().filter(is_open).cloned();
            let waited = board.wanted_since.map_or(Duration::ZERO, |since| since.elapsed());
            board = match study {
                Some(study) if board.hurry || waited >= QUIET => return Some(study),
                Some(_) => {
                    let left = QUIET.saturating_sub(waited);
                    let woken = self.changed.wait_timeout(board, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(board).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn fit_one(&self, study: Study, start: Instant, observer: &dyn Observer) -> Result<Fitted> {
        let problem = Problem::new(study.data.scaled()?.clone(), study.constraints(false))?;
        let fit = method(study.session.options().seed).fit(&problem, observer)?;
        let votes = fit.clustering.confidence.clone().context("auto tells how sure it is")?;
        let mut colours = lock(&self.colours);
        let clusters = Clusters::new(
            &study.data,
            study.revision,
            fit.clustering.labels.clone(),
            votes.confidence,
            Some(votes.runner_up),
            &mut colours,
        )?;
        drop(colours);
        Ok(Fitted { study, fit, seconds: start.elapsed().as_secs_f64(), clusters })
    }
}

/// Watches a fit: it ends when there is a newer answer.
struct Watching<'a> {
    fits: &'a Fits,
    revision: usize,
    last: Mutex<Instant>,
}

impl Observer for Watching<'_> {
    fn event(&self, event: &Event) -> ControlFlow<()> {
        if self.is_cancelled() {
            return ControlFlow::Break(());
        }
        let mut last = lock(&self.last);
        if last.elapsed() >= BETWEEN_REPORTS {
            *last = Instant::now();
            self.fits.tell(Notice::Progress {
                revision: self.revision,
                stage: event.stage.to_owned(),
                finished: event.finished,
                total: event.total,
            });
        }
        ControlFlow::Continue(())
    }

    fn is_cancelled(&self) -> bool {
        self.fits.newest.load(Ordering::SeqCst) != self.revision
    }
}
