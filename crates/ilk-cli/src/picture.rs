//! From a run to the plane: which two coordinates the plot shows.

use anyhow::{Result, bail};
use ilk::ndarray::{ArrayView1, ArrayView2};
use ilk::numerics::linalg::principal_axes;
use ilk::problem::Input;

use crate::plot::{Link, Scatter};
use crate::run::Run;
use crate::text::{counted, number};

/// A run, laid out in the plane.
#[derive(Debug)]
pub(crate) struct Picture<'a> {
    run: &'a Run,
    title: String,
    subtitle: String,
    axes: [String; 2],
    points: Vec<[f64; 2]>,
    modes: Vec<[f64; 2]>,
    links: Vec<Link>,
}

/// Lays a run out: two columns as they are, one column against the rows, more by the two directions
/// in which the (scaled) points spread most.
pub(crate) fn of<'a>(run: &'a Run, title: &str) -> Result<Picture<'a>> {
    let table = &run.loaded.table;
    let names = &table.feature_names;
    let modes = run.fit.clustering.modes.as_ref();
    let (axes, points, modes) = match names.as_slice() {
        [name] => {
            let rows = (0..table.points.len()).map(|i| [table.points.row(i)[0], i as f64]);
            ([name.clone(), "row".to_owned()], rows.collect(), Vec::new())
        }
        [x, y] => {
            let modes = match modes {
                Some(modes) => first_two(run.loaded.scaling.undo(modes)?.view()),
                None => Vec::new(),
            };
            (
                [x.clone(), y.clone()],
                first_two(table.points.view()),
                modes,
            )
        }
        _ => spread(run)?,
    };
    Ok(Picture {
        run,
        title: title.to_owned(),
        subtitle: subtitle(run),
        axes,
        points,
        modes,
        links: links(run),
    })
}

/// What the plot of a run is called.
pub(crate) fn title(run: &Run) -> String {
    let file = run
        .recipe
        .data
        .file_name()
        .unwrap_or(run.recipe.data.as_os_str());
    let clusters = counted(run.fit.clustering.n_clusters, "cluster");
    format!("{}: {clusters}", file.to_string_lossy())
}

impl Picture<'_> {
    /// What is drawn.
    pub(crate) fn scatter(&self) -> Scatter<'_> {
        Scatter {
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            axes: self.axes.clone(),
            points: &self.points,
            labels: self.run.labels(),
            modes: &self.modes,
            links: &self.links,
        }
    }
}

fn subtitle(run: &Run) -> String {
    let found = &run.fit.clustering;
    let mut parts = vec![
        run.recipe.method.info().name.to_owned(),
        counted(run.labels().len(), "point"),
    ];
    if let Some(bandwidth) = found.bandwidth {
        parts.push(format!("bandwidth {}", number(bandwidth)));
    }
    let (kept, broken) = (found.report.kept(), found.report.broken());
    if kept + broken > 0 {
        parts.push(format!("{kept} of {} answers kept", kept + broken));
    }
    if let Some(truth) = &run.truth {
        parts.push(format!("ARI {:.3}", truth.scores.adjusted_rand));
    }
    parts.join(" · ")
}

fn first_two(rows: ArrayView2<'_, f64>) -> Vec<[f64; 2]> {
    // A row of one column lies on the axis.
    let second = |row: &ArrayView1<'_, f64>| row.get(1).copied().unwrap_or(0.0);
    rows.rows()
        .into_iter()
        .map(|row| [row[0], second(&row)])
        .collect()
}

/// Names of the axes, points and modes.
type Plane = ([String; 2], Vec<[f64; 2]>, Vec<[f64; 2]>);

/// The plane of the first two principal axes of the scaled points.
fn spread(run: &Run) -> Result<Plane> {
    let Input::Points(points) = run.loaded.problem.input() else {
        bail!("only points can be drawn");
    };
    let principal = principal_axes(points.view(), 2)?;
    let project = |rows: ArrayView2<'_, f64>| first_two(principal.project(rows).view());
    let modes = run.fit.clustering.modes.as_ref();
    let modes = modes.map_or(Vec::new(), |modes| project(modes.view()));
    let axes = ["first principal component", "second principal component"].map(str::to_owned);
    Ok((axes, project(points.view()), modes))
}

fn links(run: &Run) -> Vec<Link> {
    let said = run.constraints();
    let same = |[a, b]: [usize; 2]| run.labels()[a].is_some() && run.labels()[a] == run.labels()[b];
    let link = |ends: [usize; 2], together| Link {
        ends,
        together,
        broken: same(ends) != together,
    };
    let musts = said.must_links().iter().map(|pair| link(pair.points, true));
    let cannots = said
        .cannot_links()
        .iter()
        .map(|pair| link(pair.points, false));
    musts.chain(cannots).collect()
}
