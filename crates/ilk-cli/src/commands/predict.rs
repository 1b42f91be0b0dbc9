//! `ilk predict`: place new rows in the groups of a saved model.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use ilk_io::{Clusters, load_model, write_clusters, write_file};
use serde_json::json;

use crate::args::{TableArgs, unless_stdout};
use crate::finish::labels_json;
use crate::outputs;
use crate::progress::{Guard, Progress};
use crate::terminal::{self, Terminal};
use crate::text::counted;

#[derive(Debug, Args)]
pub(crate) struct PredictArgs {
    /// A model that `ilk cluster --model` saved
    model: PathBuf,
    /// The new rows, with the columns that the model was fitted on
    data: PathBuf,
    #[command(flatten)]
    table: TableArgs,
    /// Where to write the cluster of every row, as CSV [default: stdout]
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Repeat the table's own columns beside the clusters
    #[arg(long, help_heading = "Output")]
    keep: bool,
}

pub(crate) fn run(args: &PredictArgs, terminal: &Terminal) -> Result<()> {
    let out = unless_stdout(args.out.as_ref());
    outputs::check(&[&args.model, &args.data], &[("--out", &out)])?;
    let model = load_model(&args.model)?;
    let table = model.read_table(&args.data, &args.table.options(args.keep))?;
    terminal::table_notes(&table, terminal);
    let labels = model.predict_observed(&table.points, &Progress::new(terminal))?;
    let clusters = Clusters {
        ids: &table.ids,
        labels: &labels,
        confidence: None,
        constraints: None,
        keep: table.columns.as_ref().map(|columns| (columns, table.id_column.as_deref())),
    };
    terminal.info(format!(
        "{} placed in the {} of {}",
        counted(labels.len(), "point"),
        counted(model.model.n_clusters(), "cluster"),
        args.model.display()
    ));
    if let Some(path) = &out {
        let _guard = Guard::new();
        write_file(path, |out| write_clusters(out, &clusters))?;
        terminal.info(format!("wrote {}", path.display()));
    }
    match (&out, terminal.json()) {
        (Some(_), false) => Ok(()),
        (None, false) => terminal::result(|out| write_clusters(out, &clusters)),
        (out, true) => {
            let mut value = json!({
                "n_points": labels.len(),
                "n_clusters": model.model.n_clusters(),
            });
            if out.is_none() {
                value["clusters"] = labels_json(&table.ids, &labels);
            }
            terminal::result_json(&value)
        }
    }
}
