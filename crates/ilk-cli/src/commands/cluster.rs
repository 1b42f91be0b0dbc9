//! `ilk cluster`: find the groups in a table.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use ilk::method::Method;
use ilk::parameter::ParameterInfo;
use ilk::problem::Constraints;
use ilk_io::{Outputs, Recipe, is_array, set_parameter, write_clusters};
use serde_json::{Value, json};

use crate::args::{ConstraintArgs, ScaleArg, Setting, TableArgs};
use crate::failure::Usage;
use crate::run::Run;
use crate::terminal::{self, Terminal};
use crate::truth::TruthSource;
use crate::{animation, hints, outputs, stability, summary};

#[derive(Debug, Args)]
pub(crate) struct ClusterArgs {
    /// The table: CSV or TSV (also .gz), NPY, NPZ or Parquet
    data: PathBuf,
    #[command(flatten)]
    said: ConstraintArgs,
    /// How to cluster; `ilk methods` lists what there is [default: cms where answers say what belongs
    /// apart, else mean-shift]
    #[arg(long, value_name = "NAME", help_heading = "Method")]
    method: Option<String>,
    /// Number of clusters, for methods that do not find it themselves
    #[arg(long, value_name = "K", help_heading = "Method")]
    clusters: Option<usize>,
    /// A parameter of the method; may be repeated
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Method")]
    set: Vec<Setting>,
    /// Seed of everything random
    #[arg(long, value_name = "N", help_heading = "Method")]
    seed: Option<u64>,
    /// Bring the columns to a common scale: mean 0 and deviation 1, or the range 0 to 1
    #[arg(long, value_enum, default_value_t, help_heading = "Method")]
    scale: ScaleArg,
    #[command(flatten)]
    table: TableArgs,
    /// The right answer to score by: a column of the table (or an array of the archive), or a file
    /// with `id,label`
    #[arg(long, value_name = "COLUMN|FILE", help_heading = "Columns")]
    truth: Option<String>,
    /// Where to write the cluster of every row, as CSV [default: stdout]
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Repeat the table's own columns beside the clusters
    #[arg(long, help_heading = "Output")]
    keep: bool,
    /// Where to save the model, for `ilk predict`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    model: Option<PathBuf>,
    /// Where to draw the clusters
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    plot: Option<PathBuf>,
    /// Where to write a report that any browser opens
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    report: Option<PathBuf>,
    /// Where to write a page in which the centres move, for methods that move one for every row
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    animate: Option<PathBuf>,
    /// Where to draw how many clusters skms finds for numbers of neighbours around the one it chose; it
    /// climbs once for each of them
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    stability: Option<PathBuf>,
}

pub(crate) fn run(args: &ClusterArgs, terminal: &Terminal) -> Result<()> {
    let (mut recipe, truth) = recipe(args)?;
    outputs::check_recipe(&recipe)?;
    let loaded = recipe.load()?;
    let chosen = args
        .method
        .is_none()
        .then(|| choose(loaded.problem.constraints(), args.clusters.is_some()));
    if let Some((name, _)) = chosen {
        recipe.method = method(args, name)?;
    }
    if args.animate.is_some() && !args.set.iter().any(|set| set.key == animation::HISTORY) {
        let points = &loaded.table.points;
        animation::ask_for_history(&mut recipe.method, points.len(), points.dims())?;
    }
    check_clusters(args.clusters, &recipe.method, loaded.problem.len())?;
    if args.stability.is_some() {
        stability::check(&recipe.method)?;
    }
    warn_of_label_columns(&loaded.table.feature_names);
    let truth = match truth {
        Some(truth) => Some(truth.read(args.table.id.as_ref(), &loaded.table.ids)?),
        None => None,
    };
    if let Some((name, why)) = chosen {
        terminal.say(format!("method       {name}, since {why}"));
    }
    let run = Run::new(recipe, loaded, truth, terminal)?;
    summary::warn_of_contradictions(&run);
    outputs::write(&run, &command_line(), terminal)?;
    summary::tell(&run, terminal);
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
        terminal.say(format!("wrote        {}", path.display()));
    }
    for hint in hints::of(&run) {
        terminal.say(format!("hint         {hint}"));
    }
    print(&run, terminal)
}

/// The method for points of which nothing is said to be apart, where none is named: it finds its
/// reach by itself, or by what is said to be together.
const FOR_POINTS: &str = "mean-shift";
/// The method for points of which some are said to be apart.
const FOR_POINTS_APART: &str = "cms";

/// The method for comparisons of three points, and, where a number of clusters is asked for, for any
/// answers.
const FOR_COMPARISONS: &str = "skms";
const FOR_COMPARISONS_IN_CLUSTERS: &str = "sklr";
const FOR_PAIRS_IN_CLUSTERS: &str = "skkm";
const FOR_CLUSTERS: &str = "kernel-kmeans";

/// The method that suits what was said, and why.
fn choose(said: &Constraints, has_clusters: bool) -> (&'static str, &'static str) {
    let triplets = [said.odd_one_outs(), said.about_equals(), said.closers()];
    let compares = triplets.iter().any(|list| !list.is_empty());
    if has_clusters {
        return match (compares, said.is_empty()) {
            (true, _) => (
                FOR_COMPARISONS_IN_CLUSTERS,
                "points were compared and the number of clusters is given",
            ),
            (_, false) => (
                FOR_PAIRS_IN_CLUSTERS,
                "there are answers and the number of clusters is given",
            ),
            _ => (FOR_CLUSTERS, "the number of clusters is given"),
        };
    }
    if compares {
        (FOR_COMPARISONS, "points were compared")
    } else if !said.cannot_links().is_empty() || said.label_names().len() > 1 {
        (FOR_POINTS_APART, "answers say what belongs apart")
    } else if !said.must_links().is_empty() || !said.labels().is_empty() {
        (FOR_POINTS, "answers say only what belongs together")
    } else {
        (FOR_POINTS, "nothing was said about pairs or labels")
    }
}

/// The method of this name, set as the arguments say.
fn method(args: &ClusterArgs, name: &str) -> Result<Method> {
    let mut method = Method::named(name)?;
    for setting in &args.set {
        set_parameter(&mut method, &setting.key, &setting.value)?;
    }
    // Where nothing is random there is nothing to seed.
    let is_seeded = |parameter: &ParameterInfo| parameter.name == "seed";
    if let Some(seed) = args.seed
        && method.info().parameters.iter().any(is_seeded)
    {
        set_parameter(&mut method, "seed", &seed.to_string())?;
    }
    if method.info().needs_clusters {
        set_clusters(args, &mut method)?;
    }
    if args.animate.is_some() {
        animation::check(&method, &args.set)?;
    }
    Ok(method)
}

/// The parameter in which methods that do not find the number of clusters take it.
const CLUSTERS: &str = "n_clusters";

/// Hands on the number of clusters, which has to be given in one way or the other.
fn set_clusters(args: &ClusterArgs, method: &mut Method) -> Result<()> {
    if let Some(k) = args.clusters {
        set_parameter(method, CLUSTERS, &k.to_string())?;
    } else if !args.set.iter().any(|set| set.key == CLUSTERS) {
        let name = method.info().name;
        let message = format!("{name} needs the number of clusters; add --clusters K");
        return Err(Usage(message).into());
    }
    Ok(())
}

/// The run that the arguments ask for, and where its truth is. A method that is not named is chosen
/// once the answers have been read.
fn recipe(args: &ClusterArgs) -> Result<(Recipe, Option<TruthSource>)> {
    let method = match &args.method {
        Some(name) => method(args, name)?,
        None => Method::named(FOR_POINTS)?,
    };
    let mut recipe = Recipe::new(&args.data, method);
    recipe.table = args.table.options(args.keep);
    recipe.scale = args.scale.into();
    recipe.constraints = args.said.files();
    recipe.outputs = Outputs {
        clusters: args.out.clone(),
        model: args.model.clone(),
        plot: args.plot.clone(),
        report: args.report.clone(),
        animation: args.animate.clone(),
        stability: args.stability.clone(),
    };
    let truth = args
        .truth
        .as_deref()
        .map(|name| TruthSource::new(name, &args.data));
    if let Some(TruthSource {
        column: Some(column),
        ..
    }) = &truth
    {
        // The answer must not be among the questions. An array beside the data is not.
        let is_apart = recipe.table.features.is_some() || is_array(&args.data);
        if !is_apart && !recipe.table.exclude.contains(column) {
            recipe.table.exclude.push(column.clone());
        }
    }
    Ok((recipe, truth))
}

fn check_clusters(clusters: Option<usize>, method: &Method, n: usize) -> Result<()> {
    let Some(k) = clusters else {
        return Ok(());
    };
    if k > n {
        return Err(ilk::Error::TooManyClusters { k, n }.into());
    }
    let info = method.info();
    if info.needs_clusters {
        return Ok(());
    }
    let able = Method::ALL.iter().filter(|info| info.needs_clusters);
    let able: Vec<&str> = able.map(|info| info.name).collect();
    let reach = hints::reach_parameter(info);
    Err(Usage(format!(
        "{} finds the number of clusters itself, so --clusters {k} cannot be used; steer it by its \
         reach, --set {reach}=NUMBER (smaller gives more clusters), or by --pairs, or use a --method that \
         takes a number: {}",
        info.name,
        able.join(", ")
    ))
    .into())
}

/// A column that looks like the answer is more often forgotten than meant.
fn warn_of_label_columns(features: &[String]) {
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

/// The result on stdout: the clusters, unless they went to a file.
fn print(run: &Run, terminal: &Terminal) -> Result<()> {
    let to_stdout = run.recipe.outputs.clusters.is_none();
    if terminal.json() {
        let mut value = summary::as_json(run);
        if to_stdout {
            value["clusters"] = labels_json(&run.loaded.table.ids, run.labels());
        }
        return terminal::result_json(&value);
    }
    if to_stdout {
        terminal::result(|out| write_clusters(out, &outputs::clusters(run)))?;
    }
    Ok(())
}

/// The cluster of every id; `null` for none.
pub(crate) fn labels_json(ids: &[String], labels: &[ilk::group::Label]) -> Value {
    ids.iter()
        .zip(labels)
        .map(|(id, label)| json!({ "id": id, "cluster": label }))
        .collect()
}

/// The command as it could be typed again.
fn command_line() -> String {
    let mut words = vec!["ilk".to_owned()];
    words.extend(
        std::env::args_os()
            .skip(1)
            .map(|word| quoted(&word.to_string_lossy())),
    );
    words.join(" ")
}

/// A word as a shell would read it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
