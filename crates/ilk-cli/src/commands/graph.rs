//! `ilk graph`: find the groups in a graph.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use ilk::method::{AnyMethod, Method};
use ilk_io::{GraphOptions, Recipe, set_parameter};

use crate::args::{ConstraintArgs, OutputArgs};
use crate::finish::finish;
use crate::run::Run;
use crate::terminal::{self, Terminal};
use crate::truth::TruthSource;
use crate::tuning::{TuningArgs, has_parameter};
use crate::{graph_summary, layout, outputs};

#[derive(Debug, Args)]
#[command(
    after_help = "Where a method can place new nodes, `ilk predict` takes them as a table: a row for each, a column for \
                  every node of the graph, and the weights of the edges between them (0 for none)."
)]
pub(crate) struct GraphArgs {
    /// The edges: CSV or TSV with columns `u`, `v` and perhaps `weight`, or a text file with two ids and
    /// perhaps a weight a line (any of them also .gz)
    edges: PathBuf,
    /// The nodes, a table with their `id`, for nodes without edges [default: those that edges name]
    #[arg(long, value_name = "FILE")]
    nodes: Option<PathBuf>,
    #[command(flatten)]
    constraints: ConstraintArgs,
    /// How to cluster; `ilk methods` tells which methods take a graph. Where a method has an
    /// objective, it is likelihood unless --set objective=NAME names another
    #[arg(
        long,
        value_name = "NAME",
        default_value = FOR_GRAPHS,
        help_heading = "Method"
    )]
    method: String,
    #[command(flatten)]
    tuning: TuningArgs,
    /// The right answer to score by: a file with `id,label`
    #[arg(long, value_name = "FILE", help_heading = "Method")]
    truth: Option<PathBuf>,
    #[command(flatten)]
    outputs: OutputArgs,
}

/// The method for graphs, where none is named.
const FOR_GRAPHS: &str = "ss-kernel-kmeans";

/// What clusters of a graph should be like, by default: the most likely planted groups.
const OBJECTIVE: (&str, &str) = ("objective", "likelihood");

pub(crate) fn run(args: &GraphArgs, terminal: &Terminal) -> Result<()> {
    let mut recipe = recipe(args)?;
    outputs::check_recipe(&recipe, args.truth.as_deref())?;
    let loaded = recipe.load()?;
    args.tuning.check_clusters(&recipe.method, loaded.problem.len(), "--pairs")?;
    let truth = match &args.truth {
        Some(file) => {
            Some(TruthSource::of_file(file).read(&recipe.table, None, loaded.data.ids())?)
        }
        None => None,
    };
    let graph = graph_summary::graph(loaded.problem.input());
    if let Some(reason) = graph.and_then(layout::refuses)
        && (recipe.outputs.plot.take().is_some() || recipe.outputs.report.is_some())
    {
        terminal::warn(format!("no plot is drawn: {reason}"));
    }
    finish(&Run::new(recipe, loaded, truth, terminal)?, terminal)
}

/// The run that the arguments ask for.
fn recipe(args: &GraphArgs) -> Result<Recipe> {
    let mut method = AnyMethod::named(&args.method)?;
    let (objective, for_graphs) = OBJECTIVE;
    if has_parameter(method.info(), objective) {
        set_parameter(&mut method, objective, for_graphs)?;
    }
    let mut recipe = Recipe::new(&args.edges, args.tuning.apply(method)?);
    recipe.graph = Some(GraphOptions { nodes: args.nodes.clone() });
    recipe.constraints = args.constraints.files();
    recipe.outputs = args.outputs.files();
    Ok(recipe)
}
