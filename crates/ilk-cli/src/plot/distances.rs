//! Distances of all pairs as a plot: one row and one column a point, dark where two are near.

use super::canvas::{Anchor, Canvas, Font, Stroke};
use super::palette::{Color, INK, PAPER, QUIET, ramp};
use crate::text::short;

/// What is drawn.
#[derive(Debug, Clone)]
pub(crate) struct Distances {
    /// What the plot shows.
    pub(crate) title: String,
    /// The distances, row after row, one row for every point; as many columns.
    pub(crate) values: Vec<Vec<f64>>,
    /// The groups that the points are ordered by: their names, and at which point each begins.
    pub(crate) groups: Vec<(String, usize)>,
}

const SIZE: f64 = 640.0;
const LEFT: f64 = 120.0;
const TOP: f64 = 50.0;
/// Steps from near to far. Neighbours of the same step are one rectangle, which keeps files small.
const STEPS: f64 = 24.0;
/// Groups up to which each is named.
const NAMED: usize = 20;

/// From near to far.
const RAMP: [Color; 2] = [Color(0x08, 0x30, 0x6B), Color(0xEE, 0xF3, 0xFA)];

/// The plot as the text of an SVG file.
pub(crate) fn svg_of_distances(distances: &Distances) -> String {
    let side = SIZE - LEFT - 16.0;
    let mut canvas = Canvas::new(
        (SIZE, TOP + side + 16.0),
        PAPER,
        &distances.title,
        "A square of distances, a row and a column for each point; dark where two points are near.",
    );
    let name = Font::new(14.0, INK, Anchor::Start);
    canvas.write(&short(&distances.title, 70), (LEFT, TOP - 22.0), name);
    let values = || distances.values.iter().flatten().copied();
    let farthest = values().filter(|value| value.is_finite()).fold(0.0, f64::max);
    let step = |value: f64| {
        let share = if farthest > 0.0 { value / farthest } else { 0.0 };
        (share.clamp(0.0, 1.0) * STEPS).round() as usize
    };
    let n = distances.values.len().max(1);
    let at = |point: usize| side * point as f64 / n as f64;
    canvas.crisp(|canvas| {
        for (row, values) in distances.values.iter().enumerate() {
            let mut column = 0;
            for run in values.chunk_by(|&a, &b| step(a) == step(b)) {
                let from = (LEFT + at(column), TOP + at(row));
                column += run.len();
                let to = (LEFT + at(column), TOP + at(row + 1));
                canvas.fill(from, to, ramp(&RAMP, step(run[0]) as f64 / STEPS));
            }
        }
    });
    for (number, (name, start)) in distances.groups.iter().enumerate() {
        let end = distances.groups.get(number + 1).map_or(n, |(_, start)| *start);
        if *start > 0 {
            let (x, y) = (LEFT + at(*start), TOP + at(*start));
            let line = Stroke::solid(QUIET, 0.5);
            canvas.line((LEFT, y), (LEFT + side, y), line);
            canvas.line((x, TOP), (x, TOP + side), line);
        }
        if distances.groups.len() <= NAMED {
            let font = Font::new(11.5, QUIET, Anchor::End);
            let middle = f64::midpoint(at(*start), at(end));
            canvas.write(&short(name, 16), (LEFT - 8.0, TOP + middle), font);
        }
    }
    canvas.finish()
}
