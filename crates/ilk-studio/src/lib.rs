//! The page of ilk: a server for one person on one machine that asks, shows the clusters as they become better with each
//! answer, and never loses an answer.
//!
//! ```text
//! events.jsonl -> Study, a fold of the events -> the next question
//!                                             -> clusters by the answers, after each of them
//!                                             -> a fit of `auto`, when nobody has answered for a moment
//! ```
//!
//! An event is on the disk before it is acknowledged, and the same events give the same state. The session is that of
//! [`ilk::ask`]; what is drawn (reports, the plane of the map) is handed in as [`Drawing`].

mod clusters;
mod entries;
mod export;
mod fits;
mod images;
mod log;
mod map;
mod project;
mod server;
mod studio;
mod study;
mod views;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use ilk::observe::Observer;
use ilk::outcome::Fit;
use ilk_io::{Loaded, Recipe, Scaling, Table};

pub use images::Images;
pub use map::Plane;
pub use project::Settings;
use studio::Studio;

/// What is opened.
#[derive(Debug)]
pub struct Options {
    /// The folder of the project.
    pub project: PathBuf,
    /// What the project is begun with; none to open one that is there.
    pub settings: Option<Settings>,
    /// Images of the rows.
    pub images: Option<Images>,
    /// How things are drawn.
    pub drawing: Drawing,
}

/// What the command line draws for the page.
#[derive(Debug, Clone, Copy)]
pub struct Drawing {
    /// The plane of the map.
    pub plane: fn(&Settings, &Table, &Scaling) -> Result<Plane>,
    /// The report of a fit, a page.
    pub report: fn(FittedRun) -> Result<String>,
}

/// A fit with all that a report tells of it.
#[derive(Debug)]
pub struct FittedRun {
    /// What was run.
    pub recipe: Recipe,
    /// The data and the constraints.
    pub loaded: Loaded,
    /// What was found.
    pub fit: Fit,
    /// How long it took.
    pub seconds: f64,
    /// The command that does the same.
    pub command: String,
}

/// How the page is served.
#[derive(Debug, Clone, Copy)]
pub struct Serving {
    /// The port; 0 for a free one.
    pub port: u16,
    /// How long a client may take to send a request or to read a part of an answer.
    pub patience: Duration,
    /// Called once, when the page can be opened.
    pub listening: fn(&Listening),
    /// Whether it is time to end.
    pub stops: fn() -> bool,
}

/// A server that is ready.
#[derive(Debug)]
pub struct Listening {
    /// The address of the page, with the token.
    pub url: String,
}

/// Opens a project and serves its page until it is time to end.
///
/// # Errors
/// A project or data that cannot be read, and a port that is taken.
pub fn run(options: Options, serving: Serving, observer: &dyn Observer) -> Result<()> {
    let studio = Arc::new(Studio::open(options, observer)?);
    server::serve(studio, serving)
}
