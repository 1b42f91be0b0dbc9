//! `ilk cluster`: find the groups in a table.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use ilk::method::AnyMethod;
use ilk_io::{Outputs, Recipe, Scale};

use crate::args::{ConstraintArgs, OutputArgs, TableArgs, named};
use crate::finish::finish;
use crate::run::Run;
use crate::terminal::{self, Terminal};
use crate::truth::TruthSource;
use crate::tuning::TuningArgs;
use crate::{animation, estimate, outputs, stability};

#[derive(Debug, Args)]
pub(crate) struct ClusterArgs {
    /// The table: CSV or TSV (also .gz), NPY, NPZ or Parquet
    data: PathBuf,
    #[command(flatten)]
    constraints: ConstraintArgs,
    /// How to cluster; `ilk methods` lists what there is. auto is a consensus of many fits
    #[arg(long, value_name = "NAME", default_value = FOR_POINTS, help_heading = "Method")]
    method: String,
    #[command(flatten)]
    tuning: TuningArgs,
    /// Bring the columns to a common scale: mean 0 and deviation 1, or the range 0 to 1; unit: bring every
    /// row to length 1, so that distances are those of the cosine (embeddings of text)
    #[arg(long, default_value = "none", help_heading = "Method", value_parser = named::<Scale>(Scale::NAMES))]
    scale: Scale,
    #[command(flatten)]
    table: TableArgs,
    /// The right answer to score by: a column of the table (or an array of the archive), or a file
    /// with `id,label`
    #[arg(long, value_name = "COLUMN|FILE", help_heading = "Columns")]
    truth: Option<String>,
    #[command(flatten)]
    outputs: OutputArgs,
    /// Repeat the table's own columns beside the clusters
    #[arg(long, help_heading = "Output")]
    keep: bool,
    /// Where to write a page in which the centres move, for methods that move one for every row
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    animate: Option<PathBuf>,
    /// Where to draw how many clusters skms finds for numbers of neighbours around the one it chose, or how
    /// many partitions mssc finds for bandwidths; mean shift runs once for each of them
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    stability: Option<PathBuf>,
}

/// The method for points, where none is named.
const FOR_POINTS: &str = "auto";

pub(crate) fn run(args: &ClusterArgs, terminal: &Terminal) -> Result<()> {
    let (mut recipe, truth) = recipe(args)?;
    outputs::check_recipe(&recipe, truth.as_ref().and_then(TruthSource::own_file))?;
    let loaded = recipe.load()?;
    if args.animate.is_some()
        && !args.tuning.sets(animation::HISTORY)
        && let Some(table) = loaded.data.table()
    {
        let points = &table.points;
        animation::ask_for_history(&mut recipe.method, points.len(), points.dims())?;
    }
    args.tuning.check_clusters(&recipe.method, loaded.problem.len(), "--pairs")?;
    if args.stability.is_some() {
        stability::check(&recipe.method)?;
    }
    if let Some(table) = loaded.data.table() {
        terminal::table_notes(table, terminal);
        warn_of_label_columns(&table.feature_names);
    }
    let truth = match truth {
        Some(truth) => {
            let id_column = loaded.data.table().and_then(|table| table.id_column.as_ref());
            Some(truth.read(&recipe.table, id_column, loaded.data.ids())?)
        }
        None => None,
    };
    estimate::warn(&recipe, &loaded, terminal)?;
    finish(&Run::new(recipe, loaded, truth, terminal)?, terminal)
}

/// The run that the arguments ask for, and where its truth is.
fn recipe(args: &ClusterArgs) -> Result<(Recipe, Option<TruthSource>)> {
    let method = args.tuning.apply(AnyMethod::named(&args.method)?)?;
    if args.animate.is_some() {
        animation::check(&method, &args.tuning.set)?;
    }
    let mut recipe = Recipe::new(&args.data, method);
    recipe.table = args.table.options(args.keep);
    recipe.scale = args.scale;
    recipe.constraints = args.constraints.files();
    recipe.outputs = Outputs {
        animation: args.animate.clone(),
        stability: args.stability.clone(),
        ..args.outputs.files()
    };
    let truth = args.truth.as_deref().map(|name| TruthSource::new(name, &args.data));
    if let Some(truth) = &truth {
        truth.exclude_from(&mut recipe.table, &args.data);
    }
    Ok((recipe, truth))
}

/// A column that looks like the ground truth is more often forgotten than meant.
pub(crate) fn warn_of_label_columns(features: &[String]) {
    for name in features {
        if ["label", "class", "target", "cluster", "y_true"].contains(&name.to_lowercase().as_str())
        {
            terminal::warn(format!(
                "column {name:?} is used as a feature; if it holds the right answer, add --truth {name} \
                 (or --exclude {name})"
            ));
        }
    }
}
