//! The files that a run writes.

use std::path::{Path, PathBuf};

use anyhow::Result;
use ilk_io::{
    Clusters, LoadedData, Recipe, SavedModel, Scaling, folder_of, resolve, save_model,
    write_clusters, write_file,
};

use crate::failure::Usage;
use crate::progress::Guard;
use crate::report::{self, Report};
use crate::run::Run;
use crate::terminal::Terminal;
use crate::{animation, graph_summary, layout, plot, run_plot, stability};

/// A file that is to be written, and the option that named it.
pub(crate) type Output<'a> = (&'static str, &'a Option<PathBuf>);

/// Refuses, before the work, outputs that would destroy an input or each other, and folders that do
/// not exist.
pub(crate) fn check(inputs: &[&Path], outputs: &[Output<'_>]) -> Result<()> {
    let is_stream = |path: &Path| path.as_os_str() == "-";
    if inputs.iter().filter(|path| is_stream(path)).count() > 1 {
        let message = "`-` reads stdin, which can be one input only; give files for the others";
        return Err(Usage(message.to_owned()).into());
    }
    let inputs: Vec<PathBuf> = inputs.iter().map(|path| resolve(path)).collect();
    let mut taken: Vec<(&str, PathBuf)> = Vec::new();
    for (option, path) in outputs {
        let Some(path) = path else { continue };
        if is_stream(path) {
            let message = format!("{option} - cannot be written to stdout; name a file");
            return Err(Usage(message).into());
        }
        refuse_other_kind(option, path)?;
        let folder = folder_of(path);
        if !folder.exists() {
            return Err(ilk_io::Error::MissingFolder {
                path: path.clone(),
                folder: folder.to_owned(),
            }
            .into());
        }
        let (target, path) = (resolve(path), path.display());
        if inputs.contains(&target) {
            let message = format!("{option} {path} would overwrite an input; choose another name");
            return Err(Usage(message).into());
        }
        if let Some((other, _)) = taken.iter().find(|(_, taken)| *taken == target) {
            let message =
                format!("{other} and {option} both write {path}; choose another name for one");
            return Err(Usage(message).into());
        }
        taken.push((option, target));
    }
    Ok(())
}

/// Refuses a name that promises another kind of file than is written.
fn refuse_other_kind(option: &str, path: &Path) -> Result<()> {
    const OTHERS: [&str; 8] = ["png", "jpg", "jpeg", "gif", "pdf", "eps", "svg", "html"];
    let (kind, ending) = match option {
        "--plot" | "--stability" => ("SVG", "svg"),
        "--report" | "--animate" => ("HTML", "html"),
        _ => return Ok(()),
    };
    let named = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match named {
        Some(named) if named != ending && OTHERS.contains(&named.as_str()) => {
            let better = path.with_extension(ending);
            let (path, better) = (path.display(), better.display());
            let message = format!("{option} {path} would be {kind}; name it {better}");
            Err(Usage(message).into())
        }
        _ => Ok(()),
    }
}

/// [`check`] for a whole run, which may read a file with the truth beside what its recipe names.
pub(crate) fn check_recipe(recipe: &Recipe, truth: Option<&Path>) -> Result<()> {
    let constraints = &recipe.constraints;
    let constraints = [&constraints.pairs, &constraints.triplets, &constraints.labels];
    let nodes = recipe.graph.iter().filter_map(|graph| graph.nodes.as_ref());
    let constraints = constraints.into_iter().flatten().chain(nodes).map(PathBuf::as_path);
    let inputs: Vec<&Path> = constraints.chain([recipe.data.as_path()]).chain(truth).collect();
    let outputs = &recipe.outputs;
    check(
        &inputs,
        &[
            ("--out", &outputs.clusters),
            ("--model", &outputs.model),
            ("--plot", &outputs.plot),
            ("--report", &outputs.report),
            ("--animate", &outputs.animation),
            ("--stability", &outputs.stability),
        ],
    )
}

/// Writes the files that were asked for. All of them are made before the first is written.
pub(crate) fn write(run: &Run, command: &str, terminal: &Terminal) -> Result<()> {
    let outputs = &run.recipe.outputs;
    let is_drawn = outputs.plot.is_some() || outputs.report.is_some();
    let plot = if is_drawn { plot_of(run, &run_plot::title(run))? } else { String::new() };
    let report = match &outputs.report {
        Some(_) => Some(report::html(&Report { command, run, plot: &plot, before: None })?),
        None => None,
    };
    let animation = match &outputs.animation {
        Some(_) => Some(animation::html(run)?),
        None => None,
    };
    let stability = match &outputs.stability {
        Some(_) => Some(stability::svg(run, &stability::of(run, terminal)?)),
        None => None,
    };
    let _guard = Guard::new();
    if let Some(path) = &outputs.clusters {
        write_file(path, |out| write_clusters(out, &clusters(run)))?;
    }
    if let Some(path) = &outputs.model {
        let (names, scaling) = match &run.loaded.data {
            LoadedData::Table { table, scaling } => {
                (table.is_named.then(|| table.feature_names.clone()), scaling.clone())
            }
            // A new node is a row of links with all nodes, a column each.
            LoadedData::Graph { ids } => (Some(ids.clone()), Scaling::identity(ids.len())),
        };
        let mut model = SavedModel::new(&run.recipe.method, &run.fit, names, scaling);
        if let Some(table) = run.loaded.data.table() {
            model.fill.clone_from(&table.fill);
            model.axes.clone_from(&table.axes);
        }
        save_model(path, &model)?;
    }
    if let Some(path) = &outputs.plot {
        write_file(path, |out| out.write_all(plot.as_bytes()))?;
    }
    let pages = [
        (&outputs.report, report),
        (&outputs.animation, animation),
        (&outputs.stability, stability),
    ];
    for (path, page) in pages {
        if let (Some(path), Some(page)) = (path, page) {
            write_file(path, |out| out.write_all(page.as_bytes()))?;
        }
    }
    Ok(())
}

/// The plot of a run; empty where a graph has too many nodes for one.
pub(crate) fn plot_of(run: &Run, title: &str) -> Result<String> {
    let graph = graph_summary::graph(run.loaded.problem.input());
    if graph.and_then(layout::refuses).is_some() {
        return Ok(String::new());
    }
    Ok(plot::svg(&run_plot::of(run, title)?.scatter()))
}

/// What `clusters.csv` holds.
pub(crate) fn clusters(run: &Run) -> Clusters<'_> {
    let keep = run.loaded.data.table().and_then(|table| {
        let columns = table.columns.as_ref()?;
        Some((columns, table.id_column.as_deref()))
    });
    Clusters {
        ids: run.ids(),
        labels: run.labels(),
        confidence: run.fit.clustering.confidence.as_ref(),
        constraints: Some((run.constraints(), &run.fit.clustering.report)),
        keep,
    }
}
