//! `ilk neighbors`: the graph of rows that are near each other.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Result;
use clap::{Args, ValueEnum};
use ilk::problem::Graph;
use ilk::similarity::graph::{EdgeRule, EdgeWeight, OneSided, neighbor_graph};
use ilk_io::{Scale, read_table, write_edges, write_file};
use serde_json::{Value, json};

use crate::args::{TableArgs, named, unless_stdout};
use crate::graph_summary::GraphSummary;
use crate::outputs;
use crate::terminal::{self, Terminal};

#[derive(Debug, Args)]
pub(crate) struct NeighborsArgs {
    /// The table: CSV or TSV (also .gz), NPY, NPZ or Parquet
    data: PathBuf,
    /// Edges of a row with its nearest others [default: 10]
    #[arg(long, value_name = "K")]
    neighbors: Option<usize>,
    /// Edges with all that are at most this far away instead
    #[arg(long, value_name = "DISTANCE", conflicts_with_all = ["neighbors", "one_sided"],
          allow_negative_numbers = true)]
    radius: Option<f64>,
    /// What becomes of an edge of which only one end is among the nearest of the other: it has half its
    /// weight, all of it, or is left out
    #[arg(long, value_enum, default_value_t)]
    one_sided: OneSidedArg,
    /// How weights fall with the distance d: exp(-d²/(2 sigma²)) for a number; auto: for every row by the
    /// distance to its 7th neighbour; none: all weights are 1
    #[arg(
        long,
        value_name = "NUMBER|auto|none",
        default_value = "auto",
        allow_negative_numbers = true
    )]
    sigma: Sigma,
    /// Bring the columns to a common scale: mean 0 and deviation 1, or the range 0 to 1; unit: bring every
    /// row to length 1, so that distances are those of the cosine (embeddings of text)
    #[arg(long, default_value = "none", value_parser = named::<Scale>(Scale::NAMES))]
    scale: Scale,
    #[command(flatten)]
    table: TableArgs,
    /// Where to write the edges, as CSV with `u,v,weight` [default: stdout]
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
}

/// The nearest others of a row, by default.
const NEIGHBORS: usize = 10;

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum OneSidedArg {
    #[default]
    Halved,
    Kept,
    Dropped,
}

impl From<OneSidedArg> for OneSided {
    fn from(arg: OneSidedArg) -> Self {
        match arg {
            OneSidedArg::Halved => Self::Halved,
            OneSidedArg::Kept => Self::Kept,
            OneSidedArg::Dropped => Self::Dropped,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Sigma(EdgeWeight);

impl FromStr for Sigma {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let weight = match text {
            "auto" => EdgeWeight::SELF_TUNING,
            "none" => EdgeWeight::Unit,
            number => EdgeWeight::Gaussian {
                sigma: number
                    .parse()
                    .map_err(|_| "must be a number above 0, auto, or none".to_owned())?,
            },
        };
        Ok(Self(weight))
    }
}

pub(crate) fn run(args: &NeighborsArgs, terminal: &Terminal) -> Result<()> {
    let out = unless_stdout(args.out.as_ref());
    outputs::check(&[&args.data], &[("--out", &out)])?;
    let table = read_table(&args.data, &args.table.options(false))?;
    terminal::table_notes(&table, terminal);
    let points = args.scale.fit(&table.points).apply(&table.points)?;
    let edges = match args.radius {
        Some(radius) => EdgeRule::Within(radius),
        None => EdgeRule::Nearest {
            neighbors: args.neighbors.unwrap_or(NEIGHBORS),
            one_sided: args.one_sided.into(),
        },
    };
    let graph = neighbor_graph(&points, edges, args.sigma.0)?;
    let graph_summary = GraphSummary::of_graph(&graph);
    if let Some(isolated) = graph_summary.isolated(&table.ids) {
        let nodes = args.data.display();
        let more = match (args.radius, points.len()) {
            (_, 1) => "",
            (Some(_), _) => ", or take a larger --radius",
            (None, _) => ", or ask for more neighbours",
        };
        terminal::warn(format!(
            "{isolated}; edges do not name such nodes, so add --nodes {nodes} to `ilk graph`{more}"
        ));
    }
    terminal.info(format!("graph        {}", graph_summary.describe()));
    if let Some(file) = &out {
        write_file(file, |out| write_edges(&graph, &table.ids, out))?;
    }
    if terminal.json() {
        let edges = out.is_none().then(|| listed(&graph, &table.ids));
        return terminal::result_json(&json!({ "graph": graph_summary, "edges": edges }));
    }
    match out {
        Some(_) => Ok(()),
        None => terminal::result(|out| write_edges(&graph, &table.ids, out)),
    }
}

fn listed(graph: &Graph, ids: &[String]) -> Vec<Value> {
    let each = graph.each_edge();
    each.map(|(u, v, weight)| json!({"u": ids[u], "v": ids[v], "weight": weight})).collect()
}
