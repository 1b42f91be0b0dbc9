//! The command `ilk`: clustering that listens to people, from the shell.
//!
//! Results go to stdout, diagnostics to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 `ilk check` found
//! contradictions, 130 cancelled.
//!
//! Here it is a library, for the binary of the same name and for the Python package, which contains the command.

mod animation;
mod args;
mod asking;
mod commands;
mod compare;
mod estimate;
mod explained;
mod failure;
mod finish;
mod fitted;
mod graph_clusters;
mod graph_summary;
mod hints;
mod layout;
mod outputs;
mod plane;
mod plot;
mod progress;
mod report;
mod reproduce;
mod run;
mod run_plot;
mod segments;
mod sets;
mod stability;
mod summary;
mod terminal;
mod text;
mod truth;
mod tuning;
mod utility;

use std::ffi::OsString;

use clap::Parser;

use args::{Cli, Command};
pub use estimate::{LONG_FIT_ROWS, LongFit, long_fit};
pub use fitted::{FittedPoints, report};
use terminal::Terminal;

/// Runs the command with its arguments, the first of which is its own name, and returns the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(help) => {
            // Where the streams are closed nothing more can be reported.
            let _ = help.print();
            return u8::try_from(help.exit_code()).unwrap_or(2);
        }
    };
    let terminal = Terminal::new(cli.json, cli.quiet, &arguments);
    match dispatch(cli, &terminal) {
        Ok(()) => 0,
        Err(error) => failure::report(&error),
    }
}

fn dispatch(cli: Cli, terminal: &Terminal) -> anyhow::Result<()> {
    if let Some(threads) = cli.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    }
    if let Some(bytes) = cli.max_unpacked {
        ilk_io::set_max_unpacked(bytes);
    }
    progress::install_interrupt_handler()?;
    match cli.command {
        Command::Demo(args) => commands::demo::run(&args, terminal),
        Command::Cluster(args) => commands::cluster::run(&args, terminal),
        Command::Graph(args) => commands::graph::run(&args, terminal),
        Command::Segment(args) => commands::segment::run(&args, terminal),
        Command::Neighbors(args) => commands::neighbors::run(&args, terminal),
        Command::Predict(args) => commands::predict::run(&args, terminal),
        Command::Evaluate(args) => commands::evaluate::run(&args, terminal),
        Command::Explain(args) => commands::explain::run(&args, terminal),
        Command::Ask(args) => commands::ask::run(&args, terminal),
        #[cfg(feature = "studio")]
        Command::Studio(args) => commands::studio::run(&args, terminal),
        Command::Check(args) => commands::check::run(&args, terminal),
        Command::Generate(args) => commands::generate::run(&args, terminal),
        Command::Methods(args) => commands::methods::run(&args, terminal),
        Command::Reproduce(args) => commands::reproduce::run(&args, terminal),
        Command::Formats(args) => commands::formats::run(&args, terminal),
        Command::Completions(args) => commands::completions::completions(&args),
        Command::Man(args) => commands::completions::man(&args, terminal),
    }
}
