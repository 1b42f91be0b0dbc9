//! A clustering as a picture: an SVG scatter plot that any browser opens, with no font to install.
//!
//! Coordinates in the backend are whole numbers, so everything is drawn [`SCALE`] times as large as
//! it is shown and the `viewBox` shrinks it again.

mod axis;
mod draw;
mod palette;
mod sample;

use anyhow::{Result, anyhow};
use ilk::group::Label;
use plotters::backend::SVGBackend;
use plotters::drawing::IntoDrawingArea;

pub(crate) use palette::{Look, css};

/// At most this many points are drawn; more make the file large and the picture no clearer.
pub(crate) const MAX_POINTS: usize = 5_000;
/// At most this many links of a kind are drawn.
pub(crate) const MAX_LINKS: usize = 400;

/// Width of the picture in pixels.
const WIDTH: i32 = 960;
/// Height of the picture in pixels.
const HEIGHT: i32 = 640;
/// Units of the drawing in a pixel.
const SCALE: i32 = 8;

/// The colours that a page with a dark theme replaces.
#[cfg(test)]
pub(crate) const THEMED: [plotters::style::RGBColor; 5] = [
    draw::PAPER,
    draw::INK,
    draw::QUIET,
    draw::GRID,
    draw::BROKEN,
];

/// What is drawn.
#[derive(Debug, Clone)]
pub(crate) struct Scatter<'a> {
    /// The headline.
    pub(crate) title: String,
    /// A line under it.
    pub(crate) subtitle: String,
    /// What the axes show.
    pub(crate) axes: [String; 2],
    /// Where the points lie.
    pub(crate) points: &'a [[f64; 2]],
    /// Their clusters.
    pub(crate) labels: &'a [Label],
    /// The mode of every cluster, or nothing.
    pub(crate) modes: &'a [[f64; 2]],
    /// What was said about pairs.
    pub(crate) links: &'a [Link],
}

/// A pair about which something was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    /// The two points.
    pub(crate) ends: [usize; 2],
    /// Whether they belong together.
    pub(crate) together: bool,
    /// Whether the clusters say otherwise.
    pub(crate) broken: bool,
}

/// The picture as the text of an SVG file.
pub(crate) fn svg(scatter: &Scatter<'_>) -> Result<String> {
    let mut text = String::new();
    let size = ((WIDTH * SCALE) as u32, (HEIGHT * SCALE) as u32);
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw::scatter(&area, scatter)
            .and_then(|()| area.present())
            .map_err(|error| anyhow!("the plot could not be drawn: {error}"))?;
    }
    let drawn = format!(r#"<svg width="{}" height="{}""#, size.0, size.1);
    let shown = format!(r#"<svg width="{WIDTH}" height="{HEIGHT}""#);
    Ok(text.replacen(&drawn, &shown, 1))
}

#[cfg(test)]
mod tests;
