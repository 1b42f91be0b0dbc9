//! What is done with a finished run, whichever command it came from.

use anyhow::Result;
use ilk::group::Label;
use ilk_io::write_clusters;
use serde_json::{Value, json};

use crate::run::Run;
use crate::terminal::{self, Terminal};
use crate::{compare, graph_summary, hints, outputs, summary};

/// Warns, writes the files, reports what came out and prints the result. What takes another fit comes last.
pub(crate) fn finish(run: &Run, terminal: &Terminal) -> Result<()> {
    graph_summary::warn(run);
    summary::warn_of_contradictions(run);
    summary::warn_of_fit(run);
    outputs::write(run, terminal.command_line(), terminal)?;
    summary::print(run, terminal);
    let outputs = &run.recipe.outputs;
    let files = [
        &outputs.clusters,
        &outputs.model,
        &outputs.plot,
        &outputs.report,
        &outputs.animation,
        &outputs.stability,
    ];
    for path in files.into_iter().flatten() {
        terminal.info(format!("wrote        {}", path.display()));
    }
    for hint in hints::of(run) {
        terminal.info(format!("hint         {hint}"));
    }
    print(run, terminal)?;
    compare::add_to_report(run, terminal)
}

/// The result on stdout: the clusters, unless they went to a file.
fn print(run: &Run, terminal: &Terminal) -> Result<()> {
    let to_stdout = run.recipe.outputs.clusters.is_none();
    if terminal.json() {
        let mut value = summary::as_json(run);
        if to_stdout {
            value["clusters"] = labels_json(run.ids(), run.labels());
        }
        return terminal::result_json(&value);
    }
    if to_stdout {
        terminal::result(|out| write_clusters(out, &outputs::clusters(run)))?;
    }
    Ok(())
}

/// The cluster of every id; `null` for none.
pub(crate) fn labels_json(ids: &[String], labels: &[Label]) -> Value {
    ids.iter().zip(labels).map(|(id, label)| json!({ "id": id, "cluster": label })).collect()
}
