//! `ilk demo`: the main job on generated data.
//!
//! The data are groups within groups, and both levels are a right answer. Mean shift alone finds
//! for the small groups; a few dozen answers about pairs say that the large ones are meant.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use ilk::datasets::{ConstraintSampler, NestedBlobs};
use ilk::method::AnyMethod;
use ilk_io::{
    Clusters, PartitionOptions, Recipe, read_partition, set_parameter, write_clusters, write_file,
};
use serde_json::json;

use crate::plot::Scatter;
use crate::progress::Guard;
use crate::report::{self, Report};
use crate::run::Run;
use crate::sets::{write_data, write_pairs};
use crate::terminal::{self, Terminal};
use crate::text::{count, counted, quoted, table};
use crate::{plot, run_plot, summary};

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Folder for the files of the demo; made if it does not exist
    #[arg(long, short, value_name = "FOLDER", default_value = "ilk-demo")]
    out: PathBuf,
    /// Seed of the data and the answers
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// The method of both runs: alone it finds the small groups, which is the point of the demo.
const METHOD: &str = "mean-shift";

/// The distance of neighbouring small groups, in spreads: far enough that the small groups are the more stable ones.
const SEPARATION: f64 = 10.0;

/// Points of each large group that constraints are about: 30 must-links, and as many cannot-links.
const PER_CLASS: usize = 5;

pub(crate) fn run(args: &DemoArgs, terminal: &Terminal) -> Result<()> {
    let files = Files::new(&args.out)?;
    make_data(args, &files)?;
    let before = fit(&files, None, args.seed, terminal)?;
    let after = fit(&files, Some(&files.pairs), args.seed, terminal)?;
    let command = command(&files, args.seed);
    write(&files, &before, &after, &command)?;
    if terminal.json() {
        return terminal::result_json(&json!({
            "before": summary::as_json(&before),
            "after": summary::as_json(&after),
            "report": files.report,
            "plot": files.plot,
            "command": command,
        }));
    }
    let report = &after.fit.clustering.report;
    terminal.info(format!(
        "{} in small groups that form large ones: both are a right answer.\n{} about pairs, such as \
         \"these two belong together\", say that the large groups are meant.\n",
        counted(after.labels().len(), "point"),
        counted(report.kept() + report.broken(), "answer"),
    ));
    terminal::result(|out| {
        out.write_all(
            table(&[head(), row("without answers", &before), row("with answers", &after)])
                .as_bytes(),
        )?;
        writeln!(out, "\nreport:  {}", files.report.display())?;
        writeln!(out, "plot:    {}", files.plot.display())
    })?;
    terminal.info(format!("\nTo repeat the second run:\n  {command}"));
    Ok(())
}

struct Files {
    data: PathBuf,
    pairs: PathBuf,
    clusters: PathBuf,
    plot: PathBuf,
    report: PathBuf,
}

impl Files {
    fn new(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)
            .map_err(|source| ilk_io::Error::CannotWrite { path: folder.to_owned(), source })?;
        Ok(Self {
            data: folder.join("data.csv"),
            pairs: folder.join("pairs.csv"),
            clusters: folder.join("clusters.csv"),
            plot: folder.join("demo.svg"),
            report: folder.join("report.html"),
        })
    }
}

fn make_data(args: &DemoArgs, files: &Files) -> Result<()> {
    let blobs = NestedBlobs { separation: SEPARATION, ..NestedBlobs::default() };
    let mut set = blobs.generate(args.seed)?;
    if let Some(coarse) = set.coarse.take() {
        set.labels = coarse;
    }
    let truth: Vec<Option<usize>> = set.labels.iter().copied().map(Some).collect();
    let sampler = ConstraintSampler { per_class: PER_CLASS, ..ConstraintSampler::default() };
    let drawn = sampler.draw(&truth, args.seed)?;
    let _guard = Guard::new();
    write_file(&files.data, |out| write_data(&set, out))?;
    write_file(&files.pairs, |out| write_pairs(&drawn.constraints, out))?;
    Ok(())
}

fn fit(files: &Files, pairs: Option<&Path>, seed: u64, terminal: &Terminal) -> Result<Run> {
    let mut method = AnyMethod::named(METHOD)?;
    set_parameter(&mut method, "seed", &seed.to_string())?;
    let mut recipe = Recipe::new(&files.data, method);
    recipe.table.exclude.push("label".to_owned());
    recipe.constraints.pairs = pairs.map(Path::to_owned);
    let loaded = recipe.load()?;
    let truth = read_partition(&files.data, &PartitionOptions::default())?;
    Run::new(recipe, loaded, Some(("the large groups".to_owned(), truth.labels)), terminal)
}

fn write(files: &Files, before: &Run, after: &Run, command: &str) -> Result<()> {
    let n_answers = after.fit.clustering.report.kept() + after.fit.clustering.report.broken();
    let scene_before = run_plot::of(before, &title("Without answers", before))?;
    let scene_after = run_plot::of(after, &title(&format!("With {n_answers} answers"), after))?;
    let (scatter_before, scatter_after) = (scene_before.scatter(), scene_after.scatter());
    let plot_before = plot::svg(&scatter_before);
    let plot_after = plot::svg(&scatter_after);
    let plot = plot::svg_of_two(
        &Scatter { subtitle: subtitle(before), ..scatter_before },
        &Scatter { subtitle: subtitle(after), ..scatter_after },
    );
    let report = report::html(&Report {
        command,
        run: after,
        plot: &plot_after,
        before: Some((before, &plot_before)),
    })?;
    let clusters = Clusters {
        ids: after.ids(),
        labels: after.labels(),
        confidence: after.fit.clustering.confidence.as_ref(),
        constraints: Some((after.constraints(), &after.fit.clustering.report)),
        keep: None,
    };
    let _guard = Guard::new();
    write_file(&files.clusters, |out| write_clusters(out, &clusters))?;
    write_file(&files.plot, |out| out.write_all(plot.as_bytes()))?;
    write_file(&files.report, |out| out.write_all(report.as_bytes()))?;
    Ok(())
}

fn title(what: &str, run: &Run) -> String {
    let clusters = counted(run.fit.clustering.n_clusters, "cluster");
    format!("{what}: {clusters}")
}

/// What fits over half a plot.
fn subtitle(run: &Run) -> String {
    let bandwidth = run.bandwidth();
    let bandwidth = bandwidth.map(|bandwidth| format!("bandwidth {bandwidth}"));
    let truth = run.truth.as_ref();
    let ari = truth.map(|t| format!("ARI {:.3} against {}", t.scores.adjusted_rand, t.name));
    let parts: Vec<String> = bandwidth.into_iter().chain(ari).collect();
    parts.join(" · ")
}

fn command(files: &Files, seed: u64) -> String {
    let path = |path: &Path| quoted(&path.to_string_lossy());
    let (data, pairs) = (path(&files.data), path(&files.pairs));
    format!("ilk cluster {data} --pairs {pairs} --method {METHOD} --truth label --seed {seed}")
}

fn head() -> Vec<String> {
    ["", "clusters", "ARI", "NMI", "answers kept"].map(str::to_owned).to_vec()
}

fn row(name: &str, run: &Run) -> Vec<String> {
    let report = &run.fit.clustering.report;
    let (kept, broken) = (report.kept(), report.broken());
    let score = |of: fn(&ilk::evaluate::Scores) -> f64| {
        run.truth.as_ref().map_or(String::new(), |truth| format!("{:.3}", of(&truth.scores)))
    };
    vec![
        name.to_owned(),
        count(run.fit.clustering.n_clusters),
        score(|scores| scores.adjusted_rand),
        score(|scores| scores.normalized_mutual_info),
        if kept + broken == 0 { "-".to_owned() } else { format!("{kept} of {}", kept + broken) },
    ]
}
