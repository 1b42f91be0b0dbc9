//! Numbers over the iterations, as small line charts side by side.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Font, Stroke};
use super::draw::{GRID, INK, PAPER, QUIET};
use super::palette::COLORS;

/// How a number went from iteration to iteration.
#[derive(Debug, Clone)]
pub(crate) struct Course {
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

/// The charts of all courses, as the text of an SVG file.
pub(crate) fn svg_of_courses(courses: &[Course]) -> String {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, PAPER);
    let width = WIDTH / courses.len().max(1) as f64;
    for (at, course) in courses.iter().enumerate() {
        let left = at as f64 * width + LEFT;
        chart(&mut canvas, course, [left, left + width - LEFT - 24.0]);
    }
    canvas.finish()
}

fn chart(canvas: &mut Canvas, course: &Course, [left, right]: [f64; 2]) {
    let (top, bottom) = (TOP, HEIGHT - BOTTOM);
    let iterations = course.values.len();
    let x = Axis::around([1.0, iterations as f64].into_iter());
    let y = Axis::around(course.values.iter().copied().chain([0.0]));
    let across = |iteration: f64| left + (right - left) * x.place(iteration);
    let down = |value: f64| bottom - (bottom - top) * y.place(value);

    let name = Font::new(13.0, INK, Anchor::Start);
    canvas.write(course.name, (left, top - 18.0), name);
    let grid = Stroke::solid(GRID, 1.0);
    for (value, text) in y.ticks(4) {
        canvas.line((left, down(value)), (right, down(value)), grid);
        let font = Font::new(11.5, QUIET, Anchor::End);
        canvas.write(&text, (left - 8.0, down(value)), font);
    }
    let is_whole = |value: f64| value.fract() == 0.0 && value >= 1.0;
    for (value, text) in x.ticks(6) {
        if is_whole(value) {
            let font = Font::new(11.5, QUIET, Anchor::Middle);
            canvas.write(&text, (across(value), bottom + 14.0), font);
        }
    }
    let middle = f64::midpoint(left, right);
    let font = Font::new(11.5, QUIET, Anchor::Middle);
    canvas.write("iteration", (middle, bottom + 32.0), font);

    let step = iterations.div_ceil(MAX_PLACES).max(1);
    let last = iterations.saturating_sub(1);
    let shown = (0..iterations).filter(|&i| i % step == 0 || i == last);
    let places = shown.map(|i| (across(i as f64 + 1.0), down(course.values[i])));
    canvas.path(places, Stroke::solid(COLORS[0], 2.0));
}
