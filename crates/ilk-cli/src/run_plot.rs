//! A run as a plot: what is drawn of it.

use anyhow::Result;
use ilk::method::Method as _;
use ilk::ndarray::Array2;
use ilk::outcome::AnyModel;
use ilk::problem::Graph;

use crate::graph_summary;
use crate::plane::Plane;
use crate::plot::{Link, MAX_EDGES, Names, Scatter};
use crate::run::Run;
use crate::text::counted;
use crate::tuning::has_parameter;

/// A run, laid out in the plane.
#[derive(Debug)]
pub(crate) struct RunPlot<'a> {
    run: &'a Run,
    title: String,
    subtitle: String,
    axes: Option<[String; 2]>,
    points: Vec<[f64; 2]>,
    modes: Vec<[f64; 2]>,
    links: Vec<Link>,
    edges: Vec<[usize; 2]>,
    n_edges: usize,
}

/// Lays a run out.
pub(crate) fn of<'a>(run: &'a Run, title: &str) -> Result<RunPlot<'a>> {
    let plane = Plane::of(&run.loaded, run.labels())?;
    let modes = match modes(run) {
        Some(modes) if plane.has_room_for_modes() => plane.rows(modes.view())?,
        _ => Vec::new(),
    };
    Ok(RunPlot {
        run,
        title: title.to_owned(),
        subtitle: subtitle(run),
        points: plane.points()?,
        axes: plane.axes,
        modes,
        links: links(run),
        edges: graph_summary::graph(run.loaded.problem.input()).map_or(Vec::new(), heaviest_edges),
        n_edges: run.graph_summary.as_ref().map_or(0, |graph_summary| graph_summary.n_edges),
    })
}

/// The mode of every cluster. Where a method moves a centre for every point and names no modes, it is
/// the place at which most of the cluster's centres ended. Modes in the space of a learned kernel have
/// no place among the points.
fn modes(run: &Run) -> Option<Array2<f64>> {
    if matches!(run.fit.model, AnyModel::LearnedKernel(_)) {
        return None;
    }
    run.fit.clustering.modes.clone()
}

/// What the plot of a run is called.
pub(crate) fn title(run: &Run) -> String {
    let file = run.recipe.data.file_name().unwrap_or(run.recipe.data.as_os_str());
    let clusters = counted(run.fit.clustering.n_clusters, "cluster");
    format!("{}: {clusters}", file.to_string_lossy())
}

impl RunPlot<'_> {
    /// What is drawn.
    pub(crate) fn scatter(&self) -> Scatter<'_> {
        let found = &self.run.fit.clustering;
        Scatter {
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            axes: self.axes.clone(),
            points: &self.points,
            labels: self.run.labels(),
            names: Some(Names {
                ids: self.run.ids(),
                features: self
                    .run
                    .loaded
                    .data
                    .table()
                    .map(|table| (table.feature_names.as_slice(), &table.points)),
            }),
            confidence: found.confidence.as_ref().map(|known| known.confidence.as_slice()),
            modes: &self.modes,
            mode_noun: mode_noun(self.run),
            links: &self.links,
            edges: &self.edges,
            n_edges: self.n_edges,
        }
    }
}

/// What the modes of a method are called.
pub(crate) fn mode_noun(run: &Run) -> &'static str {
    let info = run.recipe.method.info();
    let is_by_means = info.takes_clusters || has_parameter(info, "n_components");
    if is_by_means { "mean" } else { "mode" }
}

fn subtitle(run: &Run) -> String {
    let report = &run.fit.clustering.report;
    let mut parts =
        vec![run.recipe.method.info().name.to_owned(), counted(run.labels().len(), run.noun())];
    if let Some(bandwidth) = run.bandwidth() {
        parts.push(format!("bandwidth {bandwidth}"));
    }
    let (kept, broken) = (report.kept(), report.broken());
    if kept + broken > 0 {
        parts.push(format!("{kept} of {} answers kept", kept + broken));
    }
    if let Some(truth) = &run.truth {
        parts.push(format!("ARI {:.3}", truth.scores.adjusted_rand));
    }
    parts.join(" · ")
}

/// The edges that are drawn: all, or the heaviest where there are too many.
fn heaviest_edges(graph: &Graph) -> Vec<[usize; 2]> {
    let mut edges: Vec<(f64, [usize; 2])> = (0..graph.len())
        .flat_map(|u| {
            let later = move |&(v, _): &(usize, f64)| u < v;
            let edges = graph.matrix().entries(u).filter(later);
            edges.map(move |(v, weight)| (weight, [u, v]))
        })
        .collect();
    if edges.len() > MAX_EDGES {
        edges.sort_by(|a, b| b.0.total_cmp(&a.0));
        edges.truncate(MAX_EDGES);
    }
    edges.into_iter().map(|(_, ends)| ends).collect()
}

fn links(run: &Run) -> Vec<Link> {
    let constraints = run.constraints();
    let same = |[a, b]: [usize; 2]| run.labels()[a].is_some() && run.labels()[a] == run.labels()[b];
    let link = |ends: [usize; 2], together| Link { ends, together, broken: same(ends) != together };
    let musts = constraints.must_links().iter().map(|pair| link(pair.points, true));
    let cannots = constraints.cannot_links().iter().map(|pair| link(pair.points, false));
    musts.chain(cannots).collect()
}
