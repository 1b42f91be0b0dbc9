//! Lines over one axis: how a figure changes with a setting.

use super::SIZE;
use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Font, Place, Stroke};
use super::draw::{FRAME, Frame, GRID, INK, LEGEND, PAPER, QUIET, marker};
use super::palette::{COLORS, Look, Marker};
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

/// The picture as the text of an SVG file.
pub(crate) fn svg_of_lines(lines: &Lines) -> String {
    let mut canvas = Canvas::new(SIZE.0, SIZE.1, PAPER);
    let points = || lines.series.iter().flat_map(|series| &series.points);
    let ends = points().flat_map(|point| {
        let spread = point.spread.unwrap_or(0.0);
        [point.y - spread, point.y + spread]
    });
    let view = View {
        frame: FRAME,
        x: Axis::around(points().map(|point| point.x)),
        y: Axis::around(ends),
    };
    let top = FRAME.top - 44.0;
    headline(
        &mut canvas,
        &lines.title,
        &lines.subtitle,
        (FRAME.left, top),
    );
    axes(&mut canvas, lines, &view);
    for (number, series) in lines.series.iter().enumerate() {
        draw(&mut canvas, series, number, &view);
    }
    legend(&mut canvas, lines);
    canvas.finish()
}

struct View {
    frame: Frame,
    x: Axis,
    y: Axis,
}

impl View {
    fn across(&self, x: f64) -> f64 {
        self.frame.left + (self.frame.right - self.frame.left) * self.x.place(x)
    }

    fn down(&self, y: f64) -> f64 {
        self.frame.bottom - (self.frame.bottom - self.frame.top) * self.y.place(y)
    }
}

/// A title and a line under it.
pub(super) fn headline(canvas: &mut Canvas, title: &str, subtitle: &str, (left, top): Place) {
    let bold = Font {
        is_bold: true,
        ..Font::new(19.0, INK, Anchor::Start)
    };
    canvas.write(&short(title, 80), (left, top), bold);
    let quiet = Font::new(13.0, QUIET, Anchor::Start);
    canvas.write(&short(subtitle, 110), (left, top + 24.0), quiet);
}

/// What the axes of a frame show.
pub(super) fn name_axes(canvas: &mut Canvas, names: &[String; 2], frame: Frame) {
    let name = Font::new(13.0, INK, Anchor::Middle);
    let middle = f64::midpoint(frame.left, frame.right);
    canvas.write(&names[0], (middle, frame.bottom + 36.0), name);
    let upright = Font {
        is_upright: true,
        ..name
    };
    let middle = f64::midpoint(frame.top, frame.bottom);
    canvas.write(&names[1], (24.0, middle), upright);
}

fn axes(canvas: &mut Canvas, lines: &Lines, view: &View) {
    let frame = view.frame;
    let stroke = Stroke::solid(GRID, 1.0);
    for (value, text) in view.x.ticks(8) {
        let x = view.across(value);
        canvas.line((x, frame.top), (x, frame.bottom), stroke);
        let font = Font::new(11.5, QUIET, Anchor::Middle);
        canvas.write(&text, (x, frame.bottom + 14.0), font);
    }
    for (value, text) in view.y.ticks(6) {
        let y = view.down(value);
        canvas.line((frame.left, y), (frame.right, y), stroke);
        let font = Font::new(11.5, QUIET, Anchor::End);
        canvas.write(&text, (frame.left - 8.0, y), font);
    }
    canvas.outline((frame.left, frame.top), (frame.right, frame.bottom), stroke);
    name_axes(canvas, &lines.axes, frame);
}

/// A colour and a shape of its own for every line, so that neither is needed to tell them apart.
fn look(number: usize) -> Look {
    const MARKERS: [Marker; 4] = [
        Marker::Circle,
        Marker::Square,
        Marker::Triangle,
        Marker::Diamond,
    ];
    Look {
        color: COLORS[number % COLORS.len()],
        marker: MARKERS[number % MARKERS.len()],
    }
}

fn stroke(series: &Series, number: usize) -> Stroke {
    Stroke {
        is_dashed: series.is_dashed,
        ..Stroke::solid(look(number).color, 2.0)
    }
}

fn draw(canvas: &mut Canvas, series: &Series, number: usize, view: &View) {
    let look = look(number);
    let place = |point: &LinePoint| -> Place { (view.across(point.x), view.down(point.y)) };
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
