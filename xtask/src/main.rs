//! The tasks of the workspace: `cargo xtask test | ci | bench | fuzz | wheel | docs | screenshots | studio-page |
//! terminal`.
//!
//! Each task is one file. They call `cargo`, Python and, for the page of `ilk studio` and screenshots, npm and a browser, and use the standard library
//! alone, so that the first `cargo xtask` on a fresh machine is quick to build.

mod args;
mod bench;
mod ci;
mod docs;
mod fuzz;
mod package;
mod parts;
mod readme;
mod screenshots;
mod shell;
mod studio;
mod terminal;
mod test;
mod venv;
mod wheel;

use std::process::ExitCode;

use args::{Task, USAGE};

fn main() -> ExitCode {
    let task = match args::parse(std::env::args().skip(1)) {
        Ok(task) => task,
        Err(message) => {
            eprintln!("error: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let result = match task {
        Task::Test => test::run(),
        Task::Ci => ci::run(),
        Task::Bench { quick, names } => bench::run(quick, &names),
        Task::Fuzz { target, seed } => fuzz::run(target, seed),
        Task::Wheel => wheel::run(),
        Task::Docs => docs::run(),
        Task::Screenshots => screenshots::run(),
        Task::StudioPage => studio::build(),
        Task::Terminal => terminal::run(),
        Task::Help => {
            println!("{USAGE}");
            Ok(())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
