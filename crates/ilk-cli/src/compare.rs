//! The same run without constraints, for a report to compare with.
//!
//! It comes after everything else was written, so that an end of it loses nothing, and its time is bounded.

use std::time::Instant;

use anyhow::Result;
use ilk::method::{AnyMethod, Method as _};
use ilk::problem::Constraints;
use ilk_io::{ConstraintFiles, Loaded, write_file};

use crate::progress::{Bounded, Guard, Progress, is_cancelled};
use crate::report::{self, Report};
use crate::run::Run;
use crate::terminal::Terminal;
use crate::text::{counted, number};
use crate::{outputs, run_plot};

/// Of the seconds of a run, the share that a comparison takes at most.
const SHARE: f64 = 0.5;

/// The same in seconds: never less, and never more.
const SECONDS: (f64, f64) = (5.0, 30.0);

/// How a comparison ended.
enum Comparison {
    Done(Box<Run>),
    /// Its time was over.
    TooLong,
    /// Ctrl-C.
    Cancelled,
    /// The method needs constraints.
    Impossible,
}

/// Writes the report of a run with constraints again, with the same run without them. The first report is there already
/// and stays where this does not come to an end.
pub(crate) fn add_to_report(run: &Run, terminal: &Terminal) -> Result<()> {
    let Some(path) = &run.recipe.outputs.report else { return Ok(()) };
    if run.constraints().is_empty() {
        return Ok(());
    }
    let limit = (SHARE * run.seconds).clamp(SECONDS.0, SECONDS.1);
    // From here on Ctrl-C asks.
    let progress = Progress::new(terminal);
    terminal.info(format!(
        "comparing    the same without answers, for the report: at most {} s, Ctrl-C leaves it out",
        number(limit)
    ));
    let left_out = match without_constraints(run, limit, progress)? {
        Comparison::Done(before) => {
            let _guard = Guard::new();
            let clusters = counted(before.fit.clustering.n_clusters, "cluster");
            let before_plot = outputs::plot_of(&before, &format!("without answers: {clusters}"))?;
            let plot = outputs::plot_of(run, &run_plot::title(run))?;
            let page = report::html(&Report {
                command: terminal.command_line(),
                run,
                plot: &plot,
                before: Some((&*before, &before_plot)),
            })?;
            write_file(path, |out| out.write_all(page.as_bytes()))?;
            return Ok(());
        }
        Comparison::TooLong => "it took too long",
        Comparison::Cancelled => "cancelled",
        Comparison::Impossible => "the method cannot do without them",
    };
    terminal.info(format!("comparing    {left_out}; {} is complete but for that", path.display()));
    Ok(())
}

fn without_constraints(run: &Run, budget: f64, progress: Progress) -> Result<Comparison> {
    let mut recipe = run.recipe.clone();
    recipe.constraints = ConstraintFiles::default();
    if let AnyMethod::Auto(auto) = &mut recipe.method {
        auto.budget = auto.budget.min(budget);
    }
    let problem = run.loaded.problem.with_constraints(Constraints::with_ids(run.ids())?)?;
    let loaded = Loaded { problem, data: run.loaded.data.clone(), summaries: Vec::new() };
    let start = Instant::now();
    // A method with a budget of its own ends by that, a little later.
    let bounded = Bounded::new(&progress, 1.5 * budget);
    let fit = match recipe.method.fit(&loaded.problem, &bounded) {
        Ok(fit) => fit,
        Err(ilk::Error::Cancelled { .. }) if is_cancelled() => return Ok(Comparison::Cancelled),
        Err(ilk::Error::Cancelled { .. }) => return Ok(Comparison::TooLong),
        Err(_) => return Ok(Comparison::Impossible),
    };
    drop(progress);
    let mut before = Run::of_fit(recipe, loaded, fit, start.elapsed().as_secs_f64())?;
    if let Some(truth) = &run.truth {
        let known = truth.names.len() - 1;
        let name = |&group: &usize| (group < known).then(|| truth.names[group].clone());
        let groups: Vec<Option<String>> = truth.groups.iter().map(name).collect();
        before.score_by(truth.name.clone(), &groups)?;
    }
    Ok(Comparison::Done(Box::new(before)))
}
