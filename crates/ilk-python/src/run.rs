//! Running the engine: without the interpreter lock, on a given number of threads, and so that
//! Ctrl-C stops it.
//!
//! Python runs signal handlers on its main thread only, and only while that thread holds the lock,
//! so the engine must not occupy it: the work goes to a thread pool, and the calling thread waits,
//! waking up every [`POLL`] to let Python look at its signals. If a handler raises, the next event
//! of the run is answered with `Break`, and the handler's own exception is what the caller sees. A
//! run owns all that it works on, so one whose next event is far off can be left behind: it stops
//! there and frees its memory, while the caller has moved on.
//!
//! At the same times a Python callback is called with how far the run is. What it raises stops the run as well.
//!
//! Every run has a pool of its own. That costs some tens of microseconds a thread and makes a
//! forked process (`multiprocessing`) safe: threads do not survive a fork, so a pool kept from
//! before it would hang for ever.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ilk::ndarray::{Array2, Axis, concatenate};
use ilk::observe::{Event, Observer, report};
use ilk::problem::Points;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::{Py, PyAny, PyResult, Python};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How long a Ctrl-C waits at most to be noticed.
const POLL: Duration = Duration::from_millis(50);

/// How long a run that was cancelled is waited for.
const GRACE: Duration = Duration::from_millis(300);

/// The most threads for each core. More never help, and a mistyped number must not start a million.
const MAX_THREADS_A_CORE: usize = 4;

/// The most threads on a machine of few cores.
const MAX_THREADS: usize = 64;

/// The variable from which rayon reads the number of threads.
const THREADS_VARIABLE: &str = "RAYON_NUM_THREADS";

/// What a callback is given: stage, iteration, parts finished, parts in all, seconds since the start.
type CallbackArguments = (&'static str, usize, usize, usize, f64);

/// Runs `work` on `n_jobs` threads with the lock released; a signal handler that raises, such as
/// Ctrl-C's, cancels it through the observer.
pub(crate) fn cancellable<T: Send + 'static>(
    py: Python<'_>,
    n_jobs: Option<isize>,
    work: impl FnOnce(&dyn Observer) -> T + Send + 'static,
) -> PyResult<T> {
    watched(py, Watch { n_jobs, ..Watch::default() }, work)
}

/// How a run is watched.
#[derive(Default)]
pub(crate) struct Watch {
    pub(crate) n_jobs: Option<isize>,
    pub(crate) callback: Option<Py<PyAny>>,
    /// Whether the first Ctrl-C asks for the best that there is, instead of ending the run.
    pub(crate) keeps_best: bool,
}

/// As [`cancellable`]; a callback receives the progress of the run, and cancels it by raising.
pub(crate) fn watched<T: Send + 'static>(
    py: Python<'_>,
    watch: Watch,
    work: impl FnOnce(&dyn Observer) -> T + Send + 'static,
) -> PyResult<T> {
    let Watch { n_jobs, callback, keeps_best } = watch;
    let pool = pool(n_jobs)?;
    let flag = Arc::new(Flag::new(keeps_best));
    let (sender, receiver) = sync_channel(1);
    let observer = Arc::clone(&flag);
    pool.spawn(move || {
        // A panic belongs to the caller, who turns it into an exception.
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&*observer)));
        // The receiver may be gone.
        let _ = sender.send(outcome);
    });
    match py.detach(move || wait(receiver, &flag, callback.as_ref()))? {
        Ok(outcome) => Ok(outcome),
        Err(panic) => resume_unwind(panic),
    }
}

/// A matrix with a row for every point, computed block by block, so that it can be cancelled between them.
pub(crate) fn in_blocks(
    points: &Points,
    stage: &'static str,
    observer: &dyn Observer,
    rows: impl Fn(&Points) -> ilk::Result<Array2<f64>>,
) -> ilk::Result<Array2<f64>> {
    let mut blocks = Vec::new();
    let mut finished = 0;
    for block in points.blocks() {
        blocks.push(rows(&block)?);
        finished += block.len();
        report(observer, &Event::new(stage, blocks.len(), finished, points.len()))?;
    }
    if blocks.len() == 1 {
        return Ok(blocks.swap_remove(0));
    }
    let views: Vec<_> = blocks.iter().map(|block| block.view()).collect();
    let joined = concatenate(Axis(0), &views);
    // Every block has as many columns as the first.
    joined.map_err(|_| ilk::Error::InvalidModel { reason: "blocks differ in columns".to_owned() })
}

/// Waits for the outcome of a run while Python looks at its signals and the callback is called. If one of them
/// raises, the flag is set, and its exception is returned when the run has stopped or [`GRACE`] is over. The first
/// Ctrl-C of a run that keeps its best waits for that instead.
fn wait<T>(receiver: Receiver<T>, flag: &Flag, callback: Option<&Py<PyAny>>) -> PyResult<T> {
    let mut may_ask_for_best = flag.keeps_best.load(Ordering::Relaxed);
    let raised = loop {
        match receiver.recv_timeout(POLL) {
            Ok(outcome) => {
                Python::attach(|py| flag.call_back(py, callback))?;
                return Ok(outcome);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the engine gave no answer"));
            }
        }
        let raised = Python::attach(|py| {
            let error = py.check_signals().and_then(|()| flag.call_back(py, callback)).err()?;
            Some((error.is_instance_of::<PyKeyboardInterrupt>(py), error))
        });
        match raised {
            None => {}
            Some((true, _)) if may_ask_for_best => {
                may_ask_for_best = false;
                flag.is_set.store(true, Ordering::Relaxed);
            }
            Some((_, error)) => break error,
        }
    };
    flag.keeps_best.store(false, Ordering::Relaxed);
    flag.is_set.store(true, Ordering::Relaxed);
    // Whatever comes back now, the handler's exception is what the caller must see.
    let _ = receiver.recv_timeout(GRACE);
    Err(raised)
}

/// The observer of every cancellable run: when it began, whether it must stop, and its last event.
struct Flag {
    is_set: AtomicBool,
    /// Whether a run that must stop is to end with the best that it has.
    keeps_best: AtomicBool,
    start: Instant,
    last: Mutex<Option<Event>>,
}

impl Flag {
    fn new(keeps_best: bool) -> Self {
        Self {
            is_set: AtomicBool::new(false),
            keeps_best: AtomicBool::new(keeps_best),
            start: Instant::now(),
            last: Mutex::new(None),
        }
    }

    /// Calls the callback with the last event, if there was one since the last call.
    fn call_back(&self, py: Python<'_>, callback: Option<&Py<PyAny>>) -> PyResult<()> {
        let Some(callback) = callback else {
            return Ok(());
        };
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(event) = last {
            let seconds = self.start.elapsed().as_secs_f64();
            let arguments: CallbackArguments =
                (event.stage, event.iteration, event.finished, event.total, seconds);
            callback.call1(py, arguments)?;
        }
        Ok(())
    }
}

impl Observer for Flag {
    fn event(&self, event: &Event) -> ControlFlow<()> {
        // Whoever finds it taken leaves its event to the next one.
        if let Ok(mut last) = self.last.try_lock() {
            *last = Some(*event);
        }
        if self.is_set.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn is_cancelled(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    fn keeps_best(&self) -> bool {
        let keeps = self.keeps_best.load(Ordering::Relaxed);
        if keeps {
            self.is_set.store(false, Ordering::Relaxed);
        }
        keeps
    }

    fn seconds(&self) -> Option<f64> {
        Some(self.start.elapsed().as_secs_f64())
    }
}

/// A pool of `n_jobs` threads, counted as joblib counts them: -1 is all cores, -2 all but one.
/// `None` leaves the number to `RAYON_NUM_THREADS`, or to the machine. However many are asked for, no more are
/// started than a machine can use.
fn pool(n_jobs: Option<isize>) -> PyResult<ThreadPool> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = match n_jobs {
        None => {
            let asked = std::env::var(THREADS_VARIABLE).ok().and_then(|text| text.parse().ok());
            asked.filter(|&threads| threads > 0).unwrap_or(cores)
        }
        Some(0) => {
            return Err(PyValueError::new_err(
                "n_jobs = 0 has no meaning: give a positive number of threads, -1 for all cores, \
                 or None",
            ));
        }
        Some(n) if n > 0 => n.unsigned_abs(),
        Some(n) => (cores + 1).saturating_sub(n.unsigned_abs()).max(1),
    };
    let threads = threads.min(MAX_THREADS.max(cores.saturating_mul(MAX_THREADS_A_CORE)));
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("ilk-{i}"))
        .build()
        .map_err(|error| {
            PyRuntimeError::new_err(format!("cannot start {threads} threads: {error}"))
        })
}
