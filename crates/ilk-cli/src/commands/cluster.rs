//! `ilk cluster`: find the groups in a table.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use ilk::method::AnyMethod;
use ilk::problem::Constraints;
use ilk_io::{Outputs, Recipe, Scale};

use crate::args::{ConstraintArgs, OutputArgs, TableArgs, named};
use crate::finish::finish;
use crate::run::Run;
use crate::terminal::{self, Terminal};
use crate::truth::TruthSource;
use crate::tuning::TuningArgs;
use crate::{animation, outputs, stability};

#[derive(Debug, Args)]
pub(crate) struct ClusterArgs {
    /// The table: CSV or TSV (also .gz), NPY, NPZ or Parquet
    data: PathBuf,
    #[command(flatten)]
    constraints: ConstraintArgs,
    /// How to cluster; `ilk methods` lists what there is [default: cms where answers say what belongs
    /// apart, else mean-shift]
    #[arg(long, value_name = "NAME", help_heading = "Method")]
    method: Option<String>,
    #[command(flatten)]
    tuning: TuningArgs,
    /// Bring the columns to a common scale: mean 0 and deviation 1, or the range 0 to 1
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

pub(crate) fn run(args: &ClusterArgs, terminal: &Terminal) -> Result<()> {
    let (mut recipe, truth) = recipe(args)?;
    outputs::check_recipe(&recipe, truth.as_ref().and_then(TruthSource::own_file))?;
    let loaded = recipe.load()?;
    let chosen = args
        .method
        .is_none()
        .then(|| choose(loaded.problem.constraints(), args.tuning.clusters.is_some()));
    if let Some((name, _)) = chosen {
        recipe.method = method(args, name)?;
    }
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
    if let Some((name, why)) = chosen {
        terminal.info(format!("method       {name}, since {why}"));
    }
    finish(&Run::new(recipe, loaded, truth, terminal)?, terminal)
}

/// The method for points without cannot-links, where none is named: it finds its
/// bandwidth by itself, or by the must-links.
const FOR_POINTS: &str = "mean-shift";
/// The method for points with cannot-links.
const FOR_POINTS_APART: &str = "cms";

/// The method for comparisons of three points, and, where a number of clusters is asked for, for any
/// answers.
const FOR_COMPARISONS: &str = "skms";
const FOR_COMPARISONS_IN_CLUSTERS: &str = "sklr";
const FOR_PAIRS_IN_CLUSTERS: &str = "skkm";
const FOR_CLUSTERS: &str = "kernel-kmeans";

/// The method that suits the constraints, and why.
fn choose(constraints: &Constraints, has_clusters: bool) -> (&'static str, &'static str) {
    let triplets = [constraints.odd_one_outs(), constraints.about_equals(), constraints.closers()];
    let compares = triplets.iter().any(|list| !list.is_empty());
    if has_clusters {
        return match (compares, constraints.is_empty()) {
            (true, _) => (
                FOR_COMPARISONS_IN_CLUSTERS,
                "points were compared and the number of clusters is given",
            ),
            (_, false) => {
                (FOR_PAIRS_IN_CLUSTERS, "there are answers and the number of clusters is given")
            }
            _ => (FOR_CLUSTERS, "the number of clusters is given"),
        };
    }
    if compares {
        (FOR_COMPARISONS, "points were compared")
    } else if !constraints.cannot_links().is_empty() || constraints.label_names().len() > 1 {
        (FOR_POINTS_APART, "answers say what belongs apart")
    } else if !constraints.must_links().is_empty() || !constraints.labels().is_empty() {
        (FOR_POINTS, "answers say only what belongs together")
    } else {
        (FOR_POINTS, "there are no pairs and no labels")
    }
}

/// The method of this name, set as the arguments say.
fn method(args: &ClusterArgs, name: &str) -> Result<AnyMethod> {
    let method = args.tuning.apply(AnyMethod::named(name)?)?;
    if args.animate.is_some() {
        animation::check(&method, &args.tuning.set)?;
    }
    Ok(method)
}

/// The run that the arguments ask for, and where its truth is. A method that is not named is chosen
/// once the answers have been read.
fn recipe(args: &ClusterArgs) -> Result<(Recipe, Option<TruthSource>)> {
    let method = match &args.method {
        Some(name) => method(args, name)?,
        None => AnyMethod::named(FOR_POINTS)?,
    };
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

/// A column that looks like the answer is more often forgotten than meant.
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
