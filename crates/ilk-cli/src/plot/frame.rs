//! The rectangle that holds the data of a plot, with its grid, its axes and the text around it.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Font, Place, Stroke};
use super::palette::{GRID, INK, QUIET};
use crate::text::short;

/// The part of a plot that holds the data, in pixels from its upper left corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// The frame of a plot by itself, with room for a headline above and a legend on the right.
pub(super) const FRAME: Frame = Frame { left: 74.0, top: 74.0, right: 748.0, bottom: 578.0 };
/// Where the legend starts.
pub(super) const LEGEND: Place = (772.0, 92.0);

/// The lines of the grid.
const LINE: Stroke = Stroke::solid(GRID, 1.0);

impl Frame {
    pub(super) fn width(self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(self) -> f64 {
        self.bottom - self.top
    }

    pub(super) fn outline(self, canvas: &mut Canvas) {
        canvas.outline((self.left, self.top), (self.right, self.bottom), LINE);
    }

    /// What the two axes show.
    pub(super) fn name_axes(self, canvas: &mut Canvas, names: &[String; 2]) {
        let name = Font::new(13.0, INK, Anchor::Middle);
        let middle = f64::midpoint(self.left, self.right);
        canvas.write(&short(&names[0], 60), (middle, self.bottom + 36.0), name);
        let upright = Font { is_upright: true, ..name };
        let middle = f64::midpoint(self.top, self.bottom);
        canvas.write(&short(&names[1], 50), (24.0, middle), upright);
    }
}

/// A title and a line under it, both cut off before `right`.
pub(super) fn headline(
    canvas: &mut Canvas,
    [title, subtitle]: [&str; 2],
    (left, top): Place,
    right: f64,
) {
    // Letters are a little wider than half their height.
    let fits = |size: f64| ((right - left) / (0.54 * size)) as usize;
    let bold = Font { is_bold: true, ..Font::new(19.0, INK, Anchor::Start) };
    canvas.write(&short(title, fits(bold.size)), (left, top), bold);
    let quiet = Font::new(13.0, QUIET, Anchor::Start);
    let subtitle = short(subtitle, fits(quiet.size));
    canvas.write(&subtitle, (left, top + 24.0), quiet);
}

/// A frame and its two axes: from values to pixels.
pub(super) struct View {
    pub(super) frame: Frame,
    pub(super) x: Axis,
    pub(super) y: Axis,
}

impl View {
    pub(super) fn place(&self, [x, y]: [f64; 2]) -> Place {
        (self.across(x), self.down(y))
    }

    pub(super) fn across(&self, x: f64) -> f64 {
        self.frame.left + self.frame.width() * self.x.place(x)
    }

    pub(super) fn down(&self, y: f64) -> f64 {
        self.frame.bottom - self.frame.height() * self.y.place(y)
    }

    /// The lines of the grid, with or without their numbers along the axes.
    pub(super) fn grid(&self, canvas: &mut Canvas, has_numbers: bool) {
        let frame = self.frame;
        for (value, text) in self.x.ticks(8) {
            let x = self.across(value);
            canvas.line((x, frame.top), (x, frame.bottom), LINE);
            if has_numbers {
                number_below(canvas, &text, (x, frame.bottom));
            }
        }
        for (value, text) in self.y.ticks(6) {
            self.line_across(canvas, value, has_numbers.then_some(&text));
        }
        frame.outline(canvas);
    }

    /// A horizontal line of the grid, and its number where there is one.
    pub(super) fn line_across(&self, canvas: &mut Canvas, value: f64, number: Option<&String>) {
        let Frame { left, right, .. } = self.frame;
        let y = self.down(value);
        canvas.line((left, y), (right, y), LINE);
        if let Some(number) = number {
            number_beside(canvas, number, (left, y));
        }
    }
}

/// A number below a place on the horizontal axis.
pub(super) fn number_below(canvas: &mut Canvas, number: &str, (x, y): Place) {
    let font = Font::new(11.5, QUIET, Anchor::Middle);
    canvas.write(number, (x, y + 14.0), font);
}

/// A number to the left of a place on the vertical axis.
pub(super) fn number_beside(canvas: &mut Canvas, number: &str, (x, y): Place) {
    let font = Font::new(11.5, QUIET, Anchor::End);
    canvas.write(number, (x - 8.0, y), font);
}
