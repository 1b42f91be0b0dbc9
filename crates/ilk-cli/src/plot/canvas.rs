//! The few pieces of SVG that a plot is made of. Places and lengths are in pixels, written to a tenth.

use std::fmt::Write;

use super::palette::{Color, PAPER};
use crate::text::escape;

/// A place in the plot: to the right, and down.
pub(super) type Place = (f64, f64);

/// How a line is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stroke {
    pub(super) color: Color,
    pub(super) width: f64,
    pub(super) opacity: f64,
    pub(super) is_dashed: bool,
}

impl Stroke {
    pub(super) const fn solid(color: Color, width: f64) -> Self {
        Self { color, width, opacity: 1.0, is_dashed: false }
    }

    fn attributes(self) -> String {
        let mut text = format!(r#"stroke="{}" stroke-width="{}""#, self.color, self.width);
        if self.opacity < 1.0 {
            let _ = write!(text, r#" stroke-opacity="{}""#, self.opacity);
        }
        if self.is_dashed {
            text.push_str(r#" stroke-dasharray="5 4""#);
        }
        text
    }
}

/// Which part of a text stands at its place, from left to right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) color: Color,
    pub(super) anchor: Anchor,
    /// Whether it is the headline.
    pub(super) is_bold: bool,
    /// Whether it runs upwards, as the name of a vertical axis does.
    pub(super) is_upright: bool,
    /// Whether it keeps what is under it away.
    pub(super) has_halo: bool,
}

impl Font {
    pub(super) fn new(size: f64, color: Color, anchor: Anchor) -> Self {
        Self { size, color, anchor, is_bold: false, is_upright: false, has_halo: false }
    }
}

/// A plot in the making.
#[derive(Debug)]
pub(super) struct Canvas {
    text: String,
}

impl Canvas {
    /// A sheet of paper, and what is to be on it in words, for those who do not see it.
    pub(super) fn new(
        (width, height): (f64, f64),
        paper: Color,
        title: &str,
        description: &str,
    ) -> Self {
        let size = format!(r#"width="{width}" height="{height}""#);
        let view = format!(r#"viewBox="0 0 {width} {height}""#);
        let mut text = format!(r#"<svg {size} {view} xmlns="http://www.w3.org/2000/svg""#);
        text.push_str(" font-family=\"sans-serif\">\n");
        let (title, description) = (escape(title), escape(description));
        let _ = writeln!(text, "<title>{title}</title>\n<desc>{description}</desc>");
        let _ = writeln!(text, r#"<rect {size} fill="{paper}"/>"#);
        Self { text }
    }

    /// Draws what `draw` draws as one thing that belongs to a cluster, which pages can dim, with a text that shows
    /// where a pointer rests on it.
    pub(super) fn of_cluster(
        &mut self,
        cluster: Option<usize>,
        hover: &str,
        opacity: f64,
        draw: impl FnOnce(&mut Self),
    ) {
        let cluster = cluster.map_or("none".to_owned(), |cluster| cluster.to_string());
        let _ = write!(self.text, r#"<g data-c="{cluster}""#);
        if opacity < 1.0 {
            let _ = write!(self.text, r#" opacity="{opacity:.2}""#);
        }
        self.text.push('>');
        if !hover.is_empty() {
            let _ = write!(self.text, "<title>{}</title>", escape_lines(hover));
        }
        draw(self);
        self.text.push_str("</g>\n");
    }

    /// Draws what `draw` draws, see-through to a degree.
    pub(super) fn faded(&mut self, opacity: f64, draw: impl FnOnce(&mut Self)) {
        let _ = writeln!(self.text, r#"<g fill-opacity="{opacity}">"#);
        draw(self);
        self.text.push_str("</g>\n");
    }

    pub(super) fn line(&mut self, (x1, y1): Place, (x2, y2): Place, stroke: Stroke) {
        let (x1, y1, x2, y2) = (tenth(x1), tenth(y1), tenth(x2), tenth(y2));
        let stroke = stroke.attributes();
        let _ = writeln!(self.text, r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {stroke}/>"#);
    }

    /// A line through several places.
    pub(super) fn path(&mut self, places: impl Iterator<Item = Place>, stroke: Stroke) {
        let places: Vec<String> =
            places.map(|(x, y)| format!("{},{}", tenth(x), tenth(y))).collect();
        let (places, stroke) = (places.join(" "), stroke.attributes());
        let _ = writeln!(self.text, r#"<polyline points="{places}" fill="none" {stroke}/>"#);
    }

    /// Many lines that look alike, as one element.
    pub(super) fn segments(&mut self, lines: impl Iterator<Item = [Place; 2]>, stroke: Stroke) {
        self.text.push_str("<path d=\"");
        for [(x1, y1), (x2, y2)] in lines {
            let (x1, y1, x2, y2) = (tenth(x1), tenth(y1), tenth(x2), tenth(y2));
            let _ = write!(self.text, "M{x1} {y1}L{x2} {y2}");
        }
        let _ = writeln!(self.text, r#"" fill="none" {}/>"#, stroke.attributes());
    }

    /// A rectangle without a filling, between two corners.
    pub(super) fn outline(&mut self, (left, top): Place, (right, bottom): Place, stroke: Stroke) {
        let (x, y) = (tenth(left), tenth(top));
        let (width, height) = (tenth(right - left), tenth(bottom - top));
        let stroke = stroke.attributes();
        let _ = writeln!(
            self.text,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="none" {stroke}/>"#
        );
    }

    /// Draws what `draw` draws without softened edges, so that rectangles side by side leave no seam.
    pub(super) fn crisp(&mut self, draw: impl FnOnce(&mut Self)) {
        self.text.push_str("<g shape-rendering=\"crispEdges\">\n");
        draw(self);
        self.text.push_str("</g>\n");
    }

    /// A filled rectangle without an edge, between two corners.
    pub(super) fn fill(&mut self, (left, top): Place, (right, bottom): Place, color: Color) {
        let (x, y) = (tenth(left), tenth(top));
        let (width, height) = (tenth(tenth(right) - x), tenth(tenth(bottom) - y));
        let _ = writeln!(
            self.text,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{color}"/>"#
        );
    }

    pub(super) fn disc(&mut self, (x, y): Place, radius: f64, color: Color) {
        let (x, y, r) = (tenth(x), tenth(y), tenth(radius));
        let _ = writeln!(self.text, r#"<circle cx="{x}" cy="{y}" r="{r}" fill="{color}"/>"#);
    }

    /// A disc with an edge.
    pub(super) fn badge(&mut self, (x, y): Place, radius: f64, color: Color, edge: Stroke) {
        let (x, y, r) = (tenth(x), tenth(y), tenth(radius));
        let edge = edge.attributes();
        let _ = writeln!(self.text, r#"<circle cx="{x}" cy="{y}" r="{r}" fill="{color}" {edge}/>"#);
    }

    pub(super) fn polygon(&mut self, corners: impl Iterator<Item = Place>, color: Color) {
        let corners: Vec<String> =
            corners.map(|(x, y)| format!("{},{}", tenth(x), tenth(y))).collect();
        let corners = corners.join(" ");
        let _ = writeln!(self.text, r#"<polygon points="{corners}" fill="{color}"/>"#);
    }

    /// Writes `text` with the middle of its letters at the height of `at`.
    pub(super) fn write(&mut self, text: &str, (x, y): Place, font: Font) {
        if text.is_empty() {
            return;
        }
        let (x, y) = (tenth(x), tenth(y));
        let (size, color) = (font.size, font.color);
        let _ = write!(
            self.text,
            r#"<text x="{x}" y="{y}" dy=".35em" font-size="{size}" fill="{color}""#
        );
        self.text.push_str(match font.anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        });
        if font.is_bold {
            self.text.push_str(r#" font-weight="bold""#);
        }
        if font.has_halo {
            let _ = write!(
                self.text,
                r#" stroke="{PAPER}" stroke-width="4" stroke-linejoin="round" paint-order="stroke""#
            );
        }
        if font.is_upright {
            let _ = write!(self.text, r#" transform="rotate(270 {x} {y})""#);
        }
        let _ = writeln!(self.text, ">{}</text>", escape(text));
    }

    /// The text of the file.
    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

/// Text of several lines, which stay lines.
fn escape_lines(text: &str) -> String {
    text.lines().map(escape).collect::<Vec<_>>().join("\n")
}

/// A length rounded to a tenth, a difference that cannot be seen; it keeps files small.
fn tenth(x: f64) -> f64 {
    // The sum turns a negative zero into a zero.
    (x * 10.0).round() / 10.0 + 0.0
}
