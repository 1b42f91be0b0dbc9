//! Running the engine: without the interpreter lock, on a given number of threads, and so that
//! Ctrl-C stops it.
//!
//! Python runs signal handlers on its main thread only, and only while that thread holds the lock,
//! so the engine must not occupy it: the work goes to a thread pool, and the calling thread waits,
//! waking up every [`POLL`] to let Python look at its signals. If a handler raises, the next event
//! of the run is answered with `Break`, and the handler's own exception is what the caller sees.
//!
//! Every run has a pool of its own. That costs some tens of microseconds a thread and makes a
//! forked process (`multiprocessing`) safe: threads do not survive a fork, so a pool kept from
//! before it would hang for ever.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use ilk::observe::{Event, Observer};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::{PyErr, PyResult, Python};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::OrRaise;

/// How long a Ctrl-C waits at most to be noticed.
const POLL: Duration = Duration::from_millis(50);

/// Runs `work` on `n_jobs` threads with the lock released.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    n_jobs: Option<isize>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let pool = pool(n_jobs)?;
    Ok(py.detach(|| pool.install(work)))
}

/// Runs `work` on `n_jobs` threads with the lock released; a signal handler that raises, such as
/// Ctrl-C's, cancels it through the observer.
pub(crate) fn cancellable<T: Send>(
    py: Python<'_>,
    n_jobs: Option<isize>,
    work: impl FnOnce(&dyn Observer) -> ilk::Result<T> + Send,
) -> PyResult<T> {
    let pool = pool(n_jobs)?;
    let flag = Flag::default();
    let (outcome, raised) = py.detach(|| {
        pool.in_place_scope(|scope| {
            let (sender, receiver) = sync_channel(1);
            let flag = &flag;
            scope.spawn(move |_| {
                // The receiver outlives this task: the loop below ends only with its answer.
                let _ = sender.send(work(flag));
            });
            let mut raised: Option<PyErr> = None;
            let outcome = loop {
                match receiver.recv_timeout(POLL) {
                    Ok(outcome) => break Some(outcome),
                    // The task panicked; the scope passes the panic on.
                    Err(RecvTimeoutError::Disconnected) => break None,
                    Err(RecvTimeoutError::Timeout) if raised.is_some() => {}
                    Err(RecvTimeoutError::Timeout) => {
                        raised = Python::attach(|py| py.check_signals().err());
                        if raised.is_some() {
                            flag.0.store(true, Ordering::Relaxed);
                        }
                    }
                }
            };
            (outcome, raised)
        })
    });
    match (raised, outcome) {
        (Some(error), _) => Err(error),
        (None, Some(outcome)) => outcome.or_raise(),
        (None, None) => Err(PyRuntimeError::new_err("the engine gave no answer")),
    }
}

/// Set once when the run must stop; the observer of every cancellable run.
#[derive(Default)]
struct Flag(AtomicBool);

impl Observer for Flag {
    fn event(&self, _: &Event) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// A pool of `n_jobs` threads, counted as joblib counts them: -1 is all cores, -2 all but one.
/// `None` leaves the number to `RAYON_NUM_THREADS`, or to the machine.
fn pool(n_jobs: Option<isize>) -> PyResult<ThreadPool> {
    let threads = match n_jobs {
        None => 0,
        Some(0) => {
            return Err(PyValueError::new_err(
                "n_jobs = 0 has no meaning: give a positive number of threads, -1 for all cores, \
                 or None",
            ));
        }
        Some(n) if n > 0 => n.unsigned_abs(),
        Some(n) => {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            (cores + 1).saturating_sub(n.unsigned_abs()).max(1)
        }
    };
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("ilk-{i}"))
        .build()
        .map_err(|error| {
            PyRuntimeError::new_err(format!("cannot start {threads} threads: {error}"))
        })
}
