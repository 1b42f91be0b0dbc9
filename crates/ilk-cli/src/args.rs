//! The command line, as types.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use ilk_io::{ConstraintFiles, Missing, Outputs, TableOptions};
use serde::de::DeserializeOwned;
use serde_json::Value;

#[cfg(feature = "studio")]
use crate::commands::studio::StudioArgs;
use crate::commands::{
    ask::AskArgs,
    check::CheckArgs,
    cluster::ClusterArgs,
    completions::{CompletionsArgs, ManArgs},
    demo::DemoArgs,
    evaluate::EvaluateArgs,
    explain::ExplainArgs,
    formats::FormatsArgs,
    generate::GenerateArgs,
    graph::GraphArgs,
    methods::MethodsArgs,
    neighbors::NeighborsArgs,
    predict::PredictArgs,
    reproduce::ReproduceArgs,
    segment::SegmentArgs,
};

/// Clustering that listens to people: pairs, comparisons and a few labels guide the groups.
#[derive(Debug, Parser)]
#[command(name = "ilk", version, propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Start with `ilk demo`: it needs no files. `ilk help formats` shows an example of every file.\n\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 `ilk check` found contradictions, 130 cancelled."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Write results to stdout as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Say nothing on stderr but warnings and errors
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Use this many threads; the result does not depend on it [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
    /// Bytes that a packed file (gzip, NPZ, a model) may unpack to; K, M and G multiply by 1024 [default: 2G]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub(crate) max_unpacked: Option<u64>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what it does on generated data: no files needed
    Demo(DemoArgs),
    /// Find the groups in a table, guided by constraints on its rows
    Cluster(Box<ClusterArgs>),
    /// Find the groups in a graph, guided by constraints on its nodes
    Graph(Box<GraphArgs>),
    /// Find the segments of an image, guided by scribbles drawn on it
    Segment(Box<SegmentArgs>),
    /// Make the graph of rows that are near each other, for `ilk graph`
    Neighbors(NeighborsArgs),
    /// Place new rows in the groups of a saved model
    Predict(PredictArgs),
    /// Score a clustering against the truth
    Evaluate(EvaluateArgs),
    /// Say what the clusters are, or why a row is in its cluster
    Explain(ExplainArgs),
    /// Ask the next best questions, of a person, a program or the truth
    Ask(Box<AskArgs>),
    /// Open a page that asks, shows the clusters and keeps every answer
    #[cfg(feature = "studio")]
    Studio(Box<StudioArgs>),
    /// Look for contradictions between constraints, before any run
    Check(CheckArgs),
    /// Make data whose truth is known, and answers about it
    Generate(GenerateArgs),
    /// List the methods, what they take and their parameters
    Methods(MethodsArgs),
    /// Run a paper's experiments again, its figures beside ours
    Reproduce(ReproduceArgs),
    /// Show what the files look like, with an example of each
    Formats(FormatsArgs),
    /// Write what a shell needs to complete the command
    Completions(CompletionsArgs),
    /// Write the pages of the manual
    Man(ManArgs),
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if (1..=1024).contains(&n) => Ok(n),
        _ => Err("must be a whole number from 1 to 1024".to_owned()),
    }
}

fn size(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.trim_end_matches(['K', 'M', 'G', 'k', 'm', 'g']) {
        digits if digits.len() == text.len() => (digits, 0),
        digits => match text[digits.len()..].to_ascii_uppercase().as_str() {
            "K" => (digits, 10),
            "M" => (digits, 20),
            "G" => (digits, 30),
            _ => ("", 0),
        },
    };
    let bytes = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(1 << shift));
    bytes.ok_or_else(|| "must be a whole number, with K, M or G after it or not".to_owned())
}

/// Which columns of a table are what.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Columns")]
pub(crate) struct TableArgs {
    /// Column with the ids [default: `id`, or else the rows are numbered from 0]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id: Option<String>,
    /// Columns to use, separated by commas [default: all but the ids]; `color=red` is 1 where the column
    /// `color` is `red` and 0 elsewhere
    #[arg(long, value_name = "A,B,C")]
    pub(crate) features: Option<Vec<String>>,
    /// Columns to leave out, separated by commas
    #[arg(long, value_name = "A,B,C")]
    pub(crate) exclude: Vec<String>,
    /// Leave out columns that hold text
    #[arg(long)]
    pub(crate) numeric_only: bool,
    /// Columns of categories, separated by commas: each becomes a feature for every value, 1 or 0
    #[arg(long, value_name = "A,B,C")]
    pub(crate) one_hot: Vec<String>,
    /// What to do where a number is missing: refuse, leave out the row, or take the mean or the median of
    /// the column
    #[arg(long, default_value = "error", value_parser = named::<Missing>(Missing::NAMES))]
    pub(crate) missing: Missing,
    /// The first line is a row: the columns are called x0, x1, ...
    #[arg(long)]
    pub(crate) no_header: bool,
    /// Array of an NPZ archive to take [default: `X`, or the only one]
    #[arg(long, value_name = "NAME")]
    pub(crate) array: Option<String>,
}

impl TableArgs {
    pub(crate) fn options(&self, keep: bool) -> TableOptions {
        TableOptions {
            id: self.id.clone(),
            features: self.features.clone(),
            exclude: self.exclude.clone(),
            array: self.array.clone(),
            keep,
            no_header: self.no_header,
            numeric_only: self.numeric_only,
            one_hot: self.one_hot.clone(),
            missing: self.missing,
        }
    }
}

/// Files of constraints.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Constraints")]
pub(crate) struct ConstraintArgs {
    /// Must-links and cannot-links: `id_a,id_b,relation`
    #[arg(long, value_name = "FILE")]
    pub(crate) pairs: Option<PathBuf>,
    /// Comparisons: `id_a,id_b,id_c,answer` with the odd one out, or `equal`
    #[arg(long, value_name = "FILE")]
    pub(crate) triplets: Option<PathBuf>,
    /// Labels of some rows: `id,label`
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
}

impl ConstraintArgs {
    pub(crate) fn files(&self) -> ConstraintFiles {
        ConstraintFiles {
            pairs: self.pairs.clone(),
            triplets: self.triplets.clone(),
            labels: self.labels.clone(),
        }
    }
}

/// The files that every run can write.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Where to write the clusters, as CSV [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Where to save the model, for `ilk predict`
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Where to draw the clusters
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
    /// Where to write a report that any browser opens
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
}

impl OutputArgs {
    pub(crate) fn files(&self) -> Outputs {
        Outputs {
            clusters: unless_stdout(self.out.as_ref()),
            model: self.model.clone(),
            plot: self.plot.clone(),
            report: self.report.clone(),
            ..Outputs::default()
        }
    }
}

/// A file to write results to; none for `-`, which stands for stdout, where they go anyway.
pub(crate) fn unless_stdout(out: Option<&PathBuf>) -> Option<PathBuf> {
    out.filter(|path| path.as_os_str() != "-").cloned()
}

/// Reads one of the names that serde gives to the values of `T`.
pub(crate) fn named<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    names: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).try_map(|name| serde_json::from_value(Value::String(name)))
}

/// A parameter and its value, as `--set` takes them.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) key: String,
    pub(crate) value: String,
}

impl std::str::FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() => {
                Ok(Self { key: key.trim().to_owned(), value: value.trim().to_owned() })
            }
            _ => Err("write it as name=value, such as bandwidth=0.5".to_owned()),
        }
    }
}
