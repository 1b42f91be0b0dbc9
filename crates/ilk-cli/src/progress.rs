//! A bar with the time left, and Ctrl-C.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

use anyhow::Result;
use ilk::observe::{Event, Observer};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::failure::CANCELLED;
use crate::terminal::Terminal;
use crate::text::{count, counted, number};

/// What Ctrl-C does now.
static INTERRUPT: AtomicU8 = AtomicU8::new(QUIT);

/// There is nothing to save: it ends the process.
const QUIT: u8 = 0;
/// A fit is watching or files are being written: it asks them to stop.
const ASK: u8 = 1;
/// It has asked; once more ends the process.
const ASKED: u8 = 2;
/// The fit ends with the best that it has; once more ends the process.
const GRANTED: u8 = 3;

/// Installs the handler of Ctrl-C.
pub(crate) fn install_interrupt_handler() -> Result<()> {
    let set = ctrlc::set_handler(|| {
        let asked = INTERRUPT.compare_exchange(ASK, ASKED, Ordering::SeqCst, Ordering::SeqCst);
        if asked.is_err() {
            use std::io::Write;
            ilk_io::remove_temporaries();
            let _ = writeln!(std::io::stderr(), "cancelled; {}", written());
            std::process::exit(i32::from(CANCELLED));
        }
    });
    match set {
        // The command may run several times in one process, as from Python.
        Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        set => Ok(set?),
    }
}

/// How much of its results a process has written, for one that ends before its time.
pub(crate) fn written() -> String {
    match ilk_io::files_written() {
        0 => "no results were written".to_owned(),
        n => format!("{} written, whole; the others were not", counted_were(n)),
    }
}

fn counted_were(n: usize) -> String {
    format!("{} {}", counted(n, "file"), if n == 1 { "was" } else { "were" })
}

/// While it lives, Ctrl-C asks instead of ending the process.
pub(crate) struct Guard(());

impl Guard {
    pub(crate) fn new() -> Self {
        INTERRUPT.store(ASK, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        INTERRUPT.store(QUIT, Ordering::SeqCst);
    }
}

/// Takes the end that Ctrl-C has asked for as granted; once more still ends the process.
fn grant_end() {
    INTERRUPT.store(GRANTED, Ordering::SeqCst);
}

/// Whether Ctrl-C has asked for an end.
pub(crate) fn is_cancelled() -> bool {
    INTERRUPT.load(Ordering::SeqCst) == ASKED
}

/// Observes a fit: draws the bar, and cancels when Ctrl-C asks.
pub(crate) struct Progress {
    keeps_best: bool,
    bar: ProgressBar,
    stage: Mutex<&'static str>,
    start: Instant,
    _guard: Guard,
}

impl Progress {
    /// A bar on a terminal, and none elsewhere.
    pub(crate) fn new(terminal: &Terminal) -> Self {
        let bar = if terminal.shows_progress() {
            ProgressBar::new(1).with_style(style())
        } else {
            ProgressBar::hidden()
        };
        let (stage, start) = (Mutex::new(""), Instant::now());
        Self { keeps_best: false, bar, stage, start, _guard: Guard::new() }
    }

    /// Of a run whose results are worth having even where Ctrl-C ended it early.
    pub(crate) fn keeping_best(mut self) -> Self {
        self.keeps_best = true;
        self
    }

    /// The words beside the bar. There is no guess at the time left before anything is finished.
    fn message(&self, event: &Event) -> String {
        let mut parts = vec![if event.finished == 0 {
            format!("iteration {}", count(event.iteration))
        } else {
            format!("{} of {} done", count(event.finished), count(event.total))
        }];
        if let Some(bandwidth) = event.bandwidth {
            parts.push(format!("bandwidth {}", number(bandwidth)));
        }
        if let Some(centers) = event.centers {
            parts.push(format!("{} centres", count(centers)));
        }
        if event.finished > 0 && event.finished < event.total {
            parts.push(format!("about {} left", HumanDuration(self.bar.eta())));
        }
        parts.join(", ")
    }
}

/// The template is fixed; should it ever be wrong, the plain bar serves.
fn style() -> ProgressStyle {
    let template = "{prefix} {bar:28} {percent:>3}%  {msg}";
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸─")
}

impl Observer for Progress {
    fn event(&self, event: &Event) -> ControlFlow<()> {
        if !self.bar.is_hidden() {
            // The estimate of the time left belongs to one stage.
            if let Ok(mut stage) = self.stage.lock()
                && *stage != event.stage
            {
                *stage = event.stage;
                self.bar.set_prefix(event.stage);
                self.bar.reset();
            }
            self.bar.set_length(event.total as u64);
            self.bar.set_position(event.finished as u64);
            self.bar.set_message(self.message(event));
        }
        if is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_cancelled(&self) -> bool {
        is_cancelled()
    }

    fn keeps_best(&self) -> bool {
        if self.keeps_best {
            grant_end();
        }
        self.keeps_best
    }

    fn seconds(&self) -> Option<f64> {
        Some(self.start.elapsed().as_secs_f64())
    }
}

/// An observer that ends a fit after a number of seconds, if another one does not before.
pub(crate) struct Bounded<'a> {
    observer: &'a dyn Observer,
    start: Instant,
    limit: f64,
}

impl<'a> Bounded<'a> {
    pub(crate) fn new(observer: &'a dyn Observer, limit: f64) -> Self {
        Self { observer, start: Instant::now(), limit }
    }

    fn is_over(&self) -> bool {
        self.start.elapsed().as_secs_f64() > self.limit
    }
}

impl Observer for Bounded<'_> {
    fn event(&self, event: &Event) -> ControlFlow<()> {
        let asked = self.observer.event(event);
        if self.is_over() { ControlFlow::Break(()) } else { asked }
    }

    fn is_cancelled(&self) -> bool {
        self.observer.is_cancelled() || self.is_over()
    }

    fn seconds(&self) -> Option<f64> {
        Some(self.start.elapsed().as_secs_f64())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctrl_c_breaks_a_watched_fit_and_only_that() {
        let terminal = Terminal::new(false, true, &[]);
        let event = Event::new("mean shift", 1, 0, 10);
        {
            let progress = Progress::new(&terminal);
            assert_eq!(progress.event(&event), ControlFlow::Continue(()));
            INTERRUPT.store(ASKED, Ordering::SeqCst);
            assert_eq!(progress.event(&event), ControlFlow::Break(()));
        }
        assert_eq!(INTERRUPT.load(Ordering::SeqCst), QUIT);
        let progress = Progress::new(&terminal).keeping_best();
        INTERRUPT.store(ASKED, Ordering::SeqCst);
        assert!(progress.is_cancelled() && progress.keeps_best());
        // Now it may end, and Ctrl-C no longer asks.
        assert_eq!(progress.event(&event), ControlFlow::Continue(()));
        assert_eq!(INTERRUPT.load(Ordering::SeqCst), GRANTED);
    }

    #[test]
    fn the_words_beside_the_bar_tell_bandwidth_and_centres_where_they_are_known() {
        let progress = Progress::new(&Terminal::new(false, true, &[]));
        let mut event = Event::new("constrained mean shift", 80, 80, 80);
        assert_eq!(progress.message(&event), "80 of 80 done");
        event.bandwidth = Some(0.25);
        event.centers = Some(1234);
        assert_eq!(progress.message(&event), "80 of 80 done, bandwidth 0.25, 1,234 centres");
    }
}
