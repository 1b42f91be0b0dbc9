//! Maps side by side: a figure over two settings, dark where it is low and bright where it is high.

use super::canvas::{Anchor, Canvas, Font, Place, Stroke};
use super::frame::{Frame, headline, number_below, number_beside};
use super::palette::{Color, GRID, INK, PAPER, QUIET, ramp};
use crate::text::{number, short};

/// What is drawn.
#[derive(Debug, Clone)]
pub(crate) struct Heatmaps {
    /// The headline.
    pub(crate) title: String,
    /// A line under it.
    pub(crate) subtitle: String,
    /// What the axes show.
    pub(crate) axes: [String; 2],
    /// One beside the other, on one scale of colours.
    pub(crate) panels: Vec<Panel>,
}

/// One map.
#[derive(Debug, Clone)]
pub(crate) struct Panel {
    pub(crate) name: String,
    pub(crate) places: Vec<HeatmapCell>,
}

/// A place of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HeatmapCell {
    /// From left to right, and from bottom to top.
    pub(crate) at: [f64; 2],
    pub(crate) value: f64,
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 520.0;
/// Where all maps are.
const FRAME: Frame = Frame { left: 74.0, top: 96.0, right: 856.0, bottom: 456.0 };
/// Where the scale of colours stands, and how wide it is.
const SCALE: (f64, f64) = (880.0, 18.0);
const BETWEEN: f64 = 34.0;
/// Steps of the scale. Neighbours of the same step are one rectangle, which keeps files small.
const STEPS: usize = 32;
/// Ticks of an axis at most.
const TICKS: usize = 8;

/// From low to high: colours whose brightness rises evenly, which eyes of every kind can order.
const RAMP: [Color; 5] = [
    Color(0x44, 0x01, 0x54),
    Color(0x3B, 0x52, 0x8B),
    Color(0x21, 0x91, 0x8C),
    Color(0x5E, 0xC9, 0x62),
    Color(0xFD, 0xE7, 0x25),
];

/// The plot as the text of an SVG file.
pub(crate) fn svg_of_heatmaps(maps: &Heatmaps) -> String {
    let names: Vec<&str> = maps.panels.iter().map(|panel| panel.name.as_str()).collect();
    let description = format!("Maps of {}. {}", names.join(", "), maps.subtitle);
    let mut canvas = Canvas::new((WIDTH, HEIGHT), PAPER, &maps.title, &description);
    let texts = [maps.title.as_str(), &maps.subtitle];
    headline(&mut canvas, texts, (FRAME.left, 30.0), WIDTH);
    let values = || maps.panels.iter().flat_map(|panel| &panel.places);
    let values = || values().map(|place| place.value);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let scale = Scale { low, high };
    let n = maps.panels.len().max(1) as f64;
    let width = (FRAME.width() - (n - 1.0) * BETWEEN) / n;
    for (number, panel) in maps.panels.iter().enumerate() {
        let left = FRAME.left + number as f64 * (width + BETWEEN);
        panel.draw(&mut canvas, (left, left + width), scale, number == 0);
    }
    FRAME.name_axes(&mut canvas, &maps.axes);
    scale.draw(&mut canvas);
    canvas.finish()
}

#[derive(Debug, Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn step(self, value: f64) -> usize {
        let range = self.high - self.low;
        let share = if range > 0.0 { (value - self.low) / range } else { 1.0 };
        (share.clamp(0.0, 1.0) * (STEPS - 1) as f64).round() as usize
    }

    fn draw(self, canvas: &mut Canvas) {
        let (left, width) = SCALE;
        let at = |step: usize| FRAME.bottom - FRAME.height() * step as f64 / STEPS as f64;
        canvas.crisp(|canvas| {
            for step in 0..STEPS {
                canvas.fill((left, at(step + 1)), (left + width, at(step)), color(step));
            }
        });
        let font = Font::new(11.5, QUIET, Anchor::Start);
        let middle = f64::midpoint(self.low, self.high);
        for (value, y) in [
            (self.low, FRAME.bottom),
            (middle, f64::midpoint(FRAME.top, FRAME.bottom)),
            (self.high, FRAME.top),
        ] {
            canvas.write(&format!("{value:.2}"), (left + width + 6.0, y), font);
        }
    }
}

impl Panel {
    fn draw(&self, canvas: &mut Canvas, (left, right): (f64, f64), scale: Scale, is_first: bool) {
        let name = Font::new(13.0, INK, Anchor::Start);
        canvas.write(&short(&self.name, 50), (left, FRAME.top - 14.0), name);
        let [xs, ys] = [0, 1].map(|axis| self.along(axis));
        let across = |i: usize| left + (right - left) * i as f64 / xs.len().max(1) as f64;
        let down = |j: usize| FRAME.bottom - FRAME.height() * j as f64 / ys.len().max(1) as f64;
        canvas.crisp(|canvas| {
            for (j, &y) in ys.iter().enumerate() {
                let step = |x: f64| {
                    let here = |place: &&HeatmapCell| place.at == [x, y];
                    let place = self.places.iter().find(here);
                    place.map(|place| scale.step(place.value))
                };
                let steps: Vec<Option<usize>> = xs.iter().map(|&x| step(x)).collect();
                let mut i = 0;
                for run in steps.chunk_by(|a, b| a == b) {
                    let from: Place = (across(i), down(j + 1));
                    i += run.len();
                    if let Some(step) = run[0] {
                        canvas.fill(from, (across(i), down(j)), color(step));
                    }
                }
            }
        });
        canvas.outline((left, FRAME.top), (right, FRAME.bottom), Stroke::solid(GRID, 1.0));
        for i in ticks(xs.len()) {
            let x = f64::midpoint(across(i), across(i + 1));
            number_below(canvas, &number(xs[i]), (x, FRAME.bottom));
        }
        for j in ticks(ys.len()).filter(|_| is_first) {
            let y = f64::midpoint(down(j), down(j + 1));
            number_beside(canvas, &number(ys[j]), (left, y));
        }
    }

    /// The places along an axis, rising.
    fn along(&self, axis: usize) -> Vec<f64> {
        let mut along: Vec<f64> = self.places.iter().map(|place| place.at[axis]).collect();
        along.sort_by(f64::total_cmp);
        along.dedup();
        along
    }
}

/// Which of so many places are named.
fn ticks(n: usize) -> impl Iterator<Item = usize> {
    (0..n).step_by(n.div_ceil(TICKS).max(1))
}

fn color(step: usize) -> Color {
    ramp(&RAMP, step as f64 / (STEPS - 1) as f64)
}
