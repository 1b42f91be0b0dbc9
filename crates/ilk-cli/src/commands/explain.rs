//! `ilk explain`: what the clusters are, or why a row is in its cluster.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use ilk::explain::{Explanation, PointExplanation, UnusualRows};
use ilk::group::Label;
use ilk::problem::{Constraints, Points};
use ilk_io::{
    Context, ModelProblem, PartitionOptions, Scale, Scaling, Table, load_model, read_partition,
    read_table,
};

use crate::args::{ConstraintArgs, TableArgs, named};
use crate::commands::cluster::warn_of_label_columns;
use crate::explained::{self, Explained, TruthGroups, Words};
use crate::failure::Usage;
use crate::progress::Progress;
use crate::run::numbered;
use crate::terminal::{self, Terminal};
use crate::truth::TruthSource;

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The clusters: a file with `id,cluster`, as `ilk cluster --out` writes it, or a model
    #[arg(value_name = "CLUSTERS|MODEL")]
    clusters: PathBuf,
    /// The rows that were clustered: CSV or TSV (also .gz), NPY, NPZ or Parquet
    data: PathBuf,
    /// Explain why the row with this id is in its cluster
    #[arg(long, value_name = "ID")]
    point: Option<String>,
    /// The scale at which the rows were clustered; a model knows its own
    #[arg(long, value_parser = named::<Scale>(Scale::NAMES))]
    scale: Option<Scale>,
    #[command(flatten)]
    constraints: ConstraintArgs,
    #[command(flatten)]
    table: TableArgs,
    /// Column of the file with the clusters [default: `cluster`, `label` or `class`]
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    column: Option<String>,
    /// The right answer, counted for every cluster: a column of the table (or an array of the archive), or a
    /// file with `id,label`
    #[arg(long, value_name = "COLUMN|FILE", help_heading = "Columns")]
    truth: Option<String>,
}

/// The sample of many rows is always the same.
const SEED: u64 = 0;

pub(crate) fn run(args: &ExplainArgs, terminal: &Terminal) -> Result<()> {
    let source = args.truth.as_deref().map(|name| TruthSource::new(name, &args.data));
    let grouped = Grouped::read(args, source.as_ref(), terminal)?;
    let words = Words {
        ids: &grouped.table.ids,
        features: &grouped.table.feature_names,
        clusters: &grouped.names,
        scaling: &grouped.scaling,
    };
    let mut constraints = Constraints::with_ids(&grouped.table.ids)?;
    args.constraints.files().read(&mut constraints, &Context { data: Some(&args.data) })?;
    if let Some(id) = &args.point {
        let data = args.data.display();
        let unknown = || Usage(format!("--point {id:?} is not an id of {data}"));
        let point = constraints.index_of(id).ok_or_else(unknown)?;
        let runner_up = grouped.runner_up(args, point);
        let found = PointExplanation::new(
            &grouped.points,
            &grouped.labels,
            &constraints,
            point,
            runner_up,
        )?;
        if terminal.json() {
            return terminal::result_json(&explained::point_json(&words, &constraints, &found));
        }
        let text = explained::point_text(&words, &constraints, &found);
        return terminal::result(|out| out.write_all(text.as_bytes()));
    }
    let truth = match &source {
        Some(source) => {
            let id_column = grouped.table.id_column.as_ref();
            Some(numbered(&source.read(&args.table.options(false), id_column, words.ids)?.1))
        }
        None => None,
    };
    let explanation = Explanation::new(&grouped.points, &grouped.labels, SEED)?;
    let unusual = UnusualRows::new(&grouped.points, &grouped.labels, SEED)?;
    let explained = Explained {
        explanation: &explanation,
        unusual: &unusual,
        labels: &grouped.labels,
        words,
        truth: truth.as_ref().map(|(groups, names)| TruthGroups { groups, names }),
    };
    if terminal.json() {
        return terminal::result_json(&explained::as_json(&explained));
    }
    terminal::result(|out| out.write_all(explained::text(&explained).as_bytes()))
}

/// A table and the cluster of every row.
struct Grouped {
    table: Table,
    /// How the rows were scaled.
    scaling: Scaling,
    /// The scaled rows.
    points: Points,
    labels: Vec<Label>,
    /// The names of the clusters.
    names: Vec<String>,
}

impl Grouped {
    fn read(args: &ExplainArgs, truth: Option<&TruthSource>, terminal: &Terminal) -> Result<Self> {
        match load_model(&args.clusters) {
            Ok(model) => {
                if args.scale.is_some() {
                    let advice =
                        "a model scales rows as those that it was fitted on; leave out --scale";
                    return Err(Usage(advice.to_owned()).into());
                }
                let table = model.read_table(&args.data, &args.table.options(false))?;
                let labels = model.predict_observed(&table.points, &Progress::new(terminal))?;
                let names = (0..model.model.n_clusters()).map(|cluster| cluster.to_string());
                // Rows that were projected have their own columns again, of which there are words.
                let scaling = match model.axes {
                    Some(_) => Scaling {
                        unit_rows: model.scaling.unit_rows,
                        ..Scaling::identity(table.points.dims())
                    },
                    None => model.scaling,
                };
                Ok(Self {
                    points: scaling.apply(&table.points)?,
                    table,
                    scaling,
                    labels,
                    names: names.collect(),
                })
            }
            Err(ilk_io::Error::Model { problem: ModelProblem::NotAModel, .. }) => {
                Self::of_file(args, truth)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The clusters that a file lists.
    fn of_file(args: &ExplainArgs, truth: Option<&TruthSource>) -> Result<Self> {
        let mut options = args.table.options(false);
        if let Some(truth) = truth {
            truth.exclude_from(&mut options, &args.data);
        }
        let table = read_table(&args.data, &options)?;
        warn_of_label_columns(&table.feature_names);
        let clusters = PartitionOptions { column: args.column.clone(), ..Default::default() };
        let clusters = read_partition(&args.clusters, &clusters)?;
        let listed: HashSet<&String> = clusters.ids.iter().collect();
        if let Some(id) = table.ids.iter().find(|id| !listed.contains(id)) {
            let (file, data) = (args.clusters.display(), args.data.display());
            let advice = "give the file that `ilk cluster --out` wrote for these rows";
            let message = format!("{file}: id {id:?} of {data} has no row; {advice}");
            return Err(Usage(message).into());
        }
        let labels = clusters.labels_of(&table.ids);
        let names = sorted_names(&labels);
        let numbers: HashMap<&str, usize> =
            names.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect();
        let number = |label: &Option<String>| label.as_deref().map(|label| numbers[label]);
        let scaling = args.scale.unwrap_or_default().fit(&table.points);
        Ok(Self {
            labels: labels.iter().map(number).collect(),
            points: scaling.apply(&table.points)?,
            table,
            scaling,
            names,
        })
    }

    /// The runner-up of a row that the file of clusters names, where it names any.
    fn runner_up(&self, args: &ExplainArgs, point: usize) -> Label {
        let options =
            PartitionOptions { column: Some("runner_up".to_owned()), ..Default::default() };
        let runner_up = read_partition(&args.clusters, &options).ok()?;
        let runner_up = runner_up.labels_of(&self.table.ids[point..=point]).pop()??;
        self.names.iter().position(|name| *name == runner_up)
    }
}

/// The names of the clusters: numbers in their order, before other names in that of the alphabet.
fn sorted_names(labels: &[Option<String>]) -> Vec<String> {
    let mut names: Vec<&String> = labels.iter().flatten().collect();
    names.sort_unstable();
    names.dedup();
    let number = |name: &&String| name.parse::<u64>().unwrap_or(u64::MAX);
    names.sort_by_key(number);
    names.into_iter().cloned().collect()
}
