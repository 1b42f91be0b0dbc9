//! A clustering as a plot: an SVG scatter plot that any browser opens, with no font to install.

mod axis;
mod canvas;
mod distances;
mod draw;
mod frame;
mod heatmaps;
mod hover;
mod iterations;
mod lines;
mod palette;
mod sample;

use ilk::group::Label;

use crate::text::counted;

pub(crate) use axis::{Axis, same_scale};
use canvas::Canvas;
pub(crate) use distances::{Distances, svg_of_distances};
pub(crate) use heatmaps::{HeatmapCell, Heatmaps, Panel, svg_of_heatmaps};
pub(crate) use hover::Names;
pub(crate) use iterations::{IterationSeries, svg_of_iterations};
pub(crate) use lines::{LinePoint, Lines, Series, svg_of_lines};
pub(crate) use palette::MarkerStyle;
pub(crate) use sample::sample;

/// At most this many points are drawn; more make the file large and the plot no clearer.
pub(crate) const MAX_POINTS: usize = 5_000;
/// At most this many links of a kind are drawn, all that the clusters break before any that they keep.
pub(crate) const MAX_LINKS: usize = 250;

/// At most this many edges of a graph are drawn.
pub(crate) const MAX_EDGES: usize = 20_000;

/// The colours that a page with a dark theme replaces.
#[cfg(test)]
pub(crate) const THEMED: [palette::Color; 5] =
    [palette::PAPER, palette::INK, palette::QUIET, palette::GRID, palette::BROKEN];

/// What is drawn.
#[derive(Debug, Clone)]
pub(crate) struct Scatter<'a> {
    /// The headline.
    pub(crate) title: String,
    /// A line under it.
    pub(crate) subtitle: String,
    /// What the axes show; nothing where only distances between points have a meaning.
    pub(crate) axes: Option<[String; 2]>,
    /// Where the points lie.
    pub(crate) points: &'a [[f64; 2]],
    /// Their clusters.
    pub(crate) labels: &'a [Label],
    /// What the points are called.
    pub(crate) names: Option<Names<'a>>,
    /// How sure the cluster of each point is, where that is known.
    pub(crate) confidence: Option<&'a [f64]>,
    /// The mode of every cluster, or nothing.
    pub(crate) modes: &'a [[f64; 2]],
    /// What the modes are.
    pub(crate) mode_noun: &'static str,
    /// The pairwise constraints.
    pub(crate) links: &'a [Link],
    /// The edges to draw between the points, if they are the nodes of a graph.
    pub(crate) edges: &'a [[usize; 2]],
    /// How many edges there are.
    pub(crate) n_edges: usize,
}

/// A pair with a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    /// The two points.
    pub(crate) ends: [usize; 2],
    /// Whether they belong together.
    pub(crate) together: bool,
    /// Whether the clusters violate it.
    pub(crate) broken: bool,
}

/// Width and height of a plot in pixels.
const SIZE: (f64, f64) = (960.0, 640.0);

/// The plot as the text of an SVG file.
pub(crate) fn svg(scatter: &Scatter<'_>) -> String {
    let mut canvas = Canvas::new(SIZE, palette::PAPER, &scatter.title, &describe(scatter));
    draw::scatter(&mut canvas, scatter);
    canvas.finish()
}

/// The plot in words.
fn describe(scatter: &Scatter<'_>) -> String {
    let axes = match &scatter.axes {
        Some([x, y]) => format!("{y} over {x}"),
        None => "the nodes of a graph".to_owned(),
    };
    let clusters = scatter.labels.iter().flatten().max().map_or(0, |last| last + 1);
    let points = counted(scatter.points.len(), "point");
    format!("{points} in {}, {axes}. {}", counted(clusters, "cluster"), scatter.subtitle)
}

/// Two plots side by side, for a page that shows one image. They have no room for a legend; a line
/// below says what the marks are.
pub(crate) fn svg_of_two(left: &Scatter<'_>, right: &Scatter<'_>) -> String {
    let title = format!("{}; {}", left.title, right.title);
    let description = format!("On the left: {} On the right: {}", describe(left), describe(right));
    let mut canvas = Canvas::new((960.0, 500.0), palette::PAPER, &title, &description);
    draw::pair(&mut canvas, [left, right]);
    canvas.finish()
}

#[cfg(test)]
mod tests;
