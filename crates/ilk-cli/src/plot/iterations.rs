//! Numbers over the iterations, as small line charts side by side.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Font, Stroke};
use super::frame::{Frame, View, number_below};
use super::palette::{COLORS, INK, PAPER, QUIET};
use crate::text::number;

/// How a number went from iteration to iteration.
#[derive(Debug, Clone)]
pub(crate) struct IterationSeries {
    /// What is counted or measured.
    pub(crate) name: &'static str,
    /// Its value in every iteration.
    pub(crate) values: Vec<f64>,
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 250.0;
/// Room for the numbers along the axes, and for the name above.
const LEFT: f64 = 64.0;
const TOP: f64 = 38.0;
const BOTTOM: f64 = 44.0;
/// More places than a chart has pixels draw nothing new.
const MAX_PLACES: usize = 1_000;

/// The charts of all series, as the text of an SVG file.
pub(crate) fn svg_of_iterations(all: &[IterationSeries]) -> String {
    let mut canvas = Canvas::new((WIDTH, HEIGHT), PAPER, "How the run went", &description(all));
    let width = WIDTH / all.len().max(1) as f64;
    for (at, series) in all.iter().enumerate() {
        let left = at as f64 * width + LEFT;
        chart(&mut canvas, series, [left, left + width - LEFT - 24.0]);
    }
    canvas.finish()
}

/// `bandwidth from 0.5 to 2; centres from 150 to 3`.
fn description(all: &[IterationSeries]) -> String {
    let ends = all.iter().filter_map(|series| {
        let (first, last) = (series.values.first()?, series.values.last()?);
        Some(format!("{} from {} to {}", series.name, number(*first), number(*last)))
    });
    ends.collect::<Vec<_>>().join("; ")
}

fn chart(canvas: &mut Canvas, series: &IterationSeries, [left, right]: [f64; 2]) {
    let frame = Frame { left, top: TOP, right, bottom: HEIGHT - BOTTOM };
    let iterations = series.values.len();
    let view = View {
        frame,
        x: Axis::around([1.0, iterations as f64].into_iter()),
        y: Axis::around(series.values.iter().copied().chain([0.0])),
    };
    let name = Font::new(13.0, INK, Anchor::Start);
    canvas.write(series.name, (left, frame.top - 18.0), name);
    for (value, text) in view.y.ticks(4) {
        view.line_across(canvas, value, Some(&text));
    }
    let is_whole = |value: f64| value.fract() == 0.0 && value >= 1.0;
    for (value, text) in view.x.ticks(6) {
        if is_whole(value) {
            number_below(canvas, &text, (view.across(value), frame.bottom));
        }
    }
    let middle = f64::midpoint(left, right);
    let font = Font::new(11.5, QUIET, Anchor::Middle);
    canvas.write("iteration", (middle, frame.bottom + 32.0), font);

    let step = iterations.div_ceil(MAX_PLACES).max(1);
    let last = iterations.saturating_sub(1);
    let shown = (0..iterations).filter(|&i| i % step == 0 || i == last);
    let places = shown.map(|i| view.place([i as f64 + 1.0, series.values[i]]));
    canvas.path(places, Stroke::solid(COLORS[0], 2.0));
}
