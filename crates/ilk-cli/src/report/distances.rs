//! How far apart the modes are, for mean shift in the space of a learned kernel.

use std::cmp::Ordering;

use ilk::outcome::AnyModel;

use super::Report;
use super::html::{inline, note, section};
use crate::plot::{Distances, svg_of_distances};
use crate::run::Run;
use crate::text::{counted, escape};

/// Points above which no plot is drawn: it would show a few of very many.
const MOST_POINTS: usize = 5_000;
/// Points that are drawn, evenly from all in their order.
const DRAWN: usize = 160;

/// The distances between the modes of all points, which lie in a space that has no plot of its own;
/// nothing for other methods.
pub(super) fn section_of(report: &Report<'_>) -> String {
    let Some(after) = plot(report.run, "Distances between the modes of points") else {
        return String::new();
    };
    let order = match report.run.truth {
        Some(_) => "their true groups",
        None => "their clusters",
    };
    let text = format!(
        "Mean shift ran in the space of the learned kernel, which has more dimensions than a plot. Here \
         is one row and one column for each of {}, ordered by {order}; dark where the modes of two are near \
         each other. Dark squares along the diagonal are groups that hold together, dark ones elsewhere \
         are groups that share a mode.",
        counted(report.run.labels().len().min(DRAWN), "point"),
    );
    let before = report.before.and_then(|(run, _)| plot(run, "The same without constraints"));
    let figure = |svg: &String| format!("<figure>\n{}</figure>\n", inline(svg));
    let figures: Vec<String> = before.iter().chain([&after]).map(figure).collect();
    let figures = figures.concat();
    let body = format!(
        "<p>{}</p>\n{figures}{}",
        escape(&text),
        note("Modes are those of mean shift, before labels were refined."),
    );
    section("How far apart the modes are", &body)
}

fn plot(run: &Run, title: &str) -> Option<String> {
    let found = &run.fit.clustering;
    let places = found.final_positions.as_ref()?;
    let n = run.labels().len();
    // Methods that may group in a learned space or not give places among the points.
    let is_among_points = found.chosen.iter().any(|chosen| chosen.parameter == "space");
    if is_among_points
        || !matches!(run.fit.model, AnyModel::LearnedKernel(_))
        || n > MOST_POINTS
        || places.nrows() != n
    {
        return None;
    }
    let (of_point, names) = groups(run);
    let mut order: Vec<usize> = (0..n).collect();
    // Within a group by the modes, so that those who share one stand together.
    order.sort_by(|&a, &b| {
        let places = places.row(a).into_iter().zip(places.row(b));
        let by_place = places.map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
        let by_group = of_point[a].cmp(&of_point[b]);
        by_group.then(by_place.unwrap_or(Ordering::Equal)).then(a.cmp(&b))
    });
    let drawn = n.min(DRAWN);
    let drawn: Vec<usize> = (0..drawn).map(|at| order[at * n / drawn]).collect();
    let values = drawn.iter().map(|&a| {
        let from = |&b: &usize| {
            let difference = &places.row(a) - &places.row(b);
            difference.dot(&difference).sqrt()
        };
        drawn.iter().map(from).collect()
    });
    let mut starts: Vec<(String, usize)> = Vec::new();
    for (at, &point) in drawn.iter().enumerate() {
        let name = &names[of_point[point]];
        if starts.last().is_none_or(|(last, _)| last != name) {
            starts.push((name.clone(), at));
        }
    }
    Some(svg_of_distances(&Distances {
        title: title.to_owned(),
        values: values.collect(),
        groups: starts,
    }))
}

/// The group of every point and the names of all: the true ones where they are known.
fn groups(run: &Run) -> (Vec<usize>, Vec<String>) {
    if let Some(truth) = &run.truth {
        return (truth.groups.clone(), truth.names.clone());
    }
    let n_clusters = run.fit.clustering.n_clusters;
    let labels = run.labels().iter().map(|label| label.unwrap_or(n_clusters));
    let names = (0..n_clusters).map(|cluster| format!("cluster {cluster}"));
    (labels.collect(), names.chain(["no cluster".to_owned()]).collect())
}
