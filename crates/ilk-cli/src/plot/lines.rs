//! Lines over one axis: how a figure changes with a setting.

use super::SIZE;
use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Font, Stroke};
use super::draw::marker;
use super::frame::{FRAME, LEGEND, View, headline};
use super::palette::{COLORS, INK, Marker, MarkerStyle, PAPER, QUIET};
use crate::text::short;

/// What is drawn.
#[derive(Debug, Clone)]
pub(crate) struct Lines {
    /// The headline.
    pub(crate) title: String,
    /// A line under it.
    pub(crate) subtitle: String,
    /// What the axes show.
    pub(crate) axes: [String; 2],
    pub(crate) series: Vec<Series>,
    /// The value on the horizontal axis that is in use, and what to call it.
    pub(crate) in_use: Option<(f64, String)>,
}

/// One line.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    pub(crate) name: String,
    /// From left to right.
    pub(crate) points: Vec<LinePoint>,
    /// Whether it stands beside the others to compare with.
    pub(crate) is_dashed: bool,
}

/// A place of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LinePoint {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// How far the values spread to either side of y.
    pub(crate) spread: Option<f64>,
}

/// The plot as the text of an SVG file.
pub(crate) fn svg_of_lines(lines: &Lines) -> String {
    let names: Vec<&str> = lines.series.iter().map(|series| series.name.as_str()).collect();
    let [x, y] = &lines.axes;
    let description = format!("{y} over {x}: {}. {}", names.join(", "), lines.subtitle);
    let mut canvas = Canvas::new(SIZE, PAPER, &lines.title, &description);
    let points = || lines.series.iter().flat_map(|series| &series.points);
    let ends = points().flat_map(|point| {
        let spread = point.spread.unwrap_or(0.0);
        [point.y - spread, point.y + spread]
    });
    let used = lines.in_use.as_ref().map(|(x, _)| *x);
    let view = View {
        frame: FRAME,
        x: Axis::around(points().map(|point| point.x).chain(used)),
        y: Axis::around(ends),
    };
    let texts = [lines.title.as_str(), &lines.subtitle];
    headline(&mut canvas, texts, (FRAME.left, FRAME.top - 44.0), SIZE.0);
    view.grid(&mut canvas, true);
    FRAME.name_axes(&mut canvas, &lines.axes);
    if let Some((x, name)) = &lines.in_use {
        mark(&mut canvas, view.across(*x), name);
    }
    for (number, series) in lines.series.iter().enumerate() {
        draw(&mut canvas, series, number, &view);
    }
    legend(&mut canvas, lines);
    canvas.finish()
}

/// A line across the plot at the value in use.
fn mark(canvas: &mut Canvas, x: f64, name: &str) {
    canvas.line((x, FRAME.top), (x, FRAME.bottom), Stroke::solid(QUIET, 1.5));
    let is_left = x < f64::midpoint(FRAME.left, FRAME.right);
    let (anchor, shift) = if is_left { (Anchor::Start, 6.0) } else { (Anchor::End, -6.0) };
    let font = Font { has_halo: true, ..Font::new(12.0, INK, anchor) };
    canvas.write(name, (x + shift, FRAME.top + 12.0), font);
}

/// A colour and a shape of its own for every line, so that neither is needed to tell them apart.
fn look(number: usize) -> MarkerStyle {
    const MARKERS: [Marker; 4] =
        [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond];
    MarkerStyle { color: COLORS[number % COLORS.len()], marker: MARKERS[number % MARKERS.len()] }
}

fn stroke(series: &Series, number: usize) -> Stroke {
    Stroke { is_dashed: series.is_dashed, ..Stroke::solid(look(number).color, 2.0) }
}

fn draw(canvas: &mut Canvas, series: &Series, number: usize, view: &View) {
    let look = look(number);
    let place = |point: &LinePoint| view.place([point.x, point.y]);
    for pair in series.points.windows(2) {
        canvas.line(place(&pair[0]), place(&pair[1]), stroke(series, number));
    }
    for point in &series.points {
        if let Some(spread) = point.spread {
            let x = view.across(point.x);
            let ends = [point.y - spread, point.y + spread].map(|y| (x, view.down(y)));
            canvas.line(ends[0], ends[1], Stroke::solid(look.color, 1.0));
        }
        marker(canvas, place(point), 4.5, look);
    }
}

fn legend(canvas: &mut Canvas, lines: &Lines) {
    let (x, mut y) = LEGEND;
    for (number, series) in lines.series.iter().enumerate() {
        canvas.line((x, y), (x + 22.0, y), stroke(series, number));
        marker(canvas, (x + 11.0, y), 4.5, look(number));
        let font = Font::new(12.0, INK, Anchor::Start);
        canvas.write(&short(&series.name, 24), (x + 30.0, y), font);
        y += 22.0;
    }
}
