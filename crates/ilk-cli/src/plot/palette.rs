//! Colours and shapes that keep clusters apart, for eyes of every kind.
//!
//! There are twenty colours (segments of images have the same), more than an eye with colour blindness can tell
//! apart. So shapes change after every seven clusters, and within seven the colours differ under each of the
//! three common kinds of colour blindness. The tests check that.

use std::fmt;

/// Red, green and blue, as CSS writes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Color(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

impl Color {
    /// The colour at `share` of the way from this one to another.
    fn mixed(self, other: Self, share: f64) -> Self {
        let mix = |from: u8, to: u8| {
            (f64::from(from) + share * (f64::from(to) - f64::from(from))).round() as u8
        };
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

/// The colour at `share`, from 0 to 1, of a ramp of evenly spaced colours.
pub(super) fn ramp(colors: &[Color], share: f64) -> Color {
    let place = share * (colors.len() - 1) as f64;
    let at = (place as usize).min(colors.len() - 2);
    colors[at].mixed(colors[at + 1], place - at as f64)
}

pub(super) const PAPER: Color = Color(0xFF, 0xFF, 0xFF);
pub(super) const INK: Color = Color(0x1F, 0x24, 0x2B);
/// Text and lines of less weight.
pub(super) const QUIET: Color = Color(0x5B, 0x65, 0x70);
pub(super) const GRID: Color = Color(0xE3, 0xE7, 0xEB);
/// Constraints that the clusters break.
pub(super) const BROKEN: Color = Color(0xC1, 0x12, 0x1F);

/// The colours of clusters, in the order in which they are given out.
pub(crate) const COLORS: [Color; 20] = {
    let mut colors = [NOISE; 20];
    let mut i = 0;
    while i < colors.len() {
        let [r, g, b] = ilk::image::palette::COLORS[i];
        colors[i] = Color(r, g, b);
        i += 1;
    }
    colors
};

/// The colour of points that belong to no cluster.
pub(crate) const NOISE: Color = Color(0x9A, 0xA0, 0xA6);

/// The shape of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
    Circle,
    Triangle,
    Square,
    Diamond,
    TriangleDown,
    Cross,
    Plus,
}

const MARKERS: [Marker; 7] = [
    Marker::Circle,
    Marker::Triangle,
    Marker::Square,
    Marker::Diamond,
    Marker::TriangleDown,
    Marker::Cross,
    Marker::Plus,
];

/// How the points of a cluster are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MarkerStyle {
    pub(crate) color: Color,
    pub(crate) marker: Marker,
}

impl MarkerStyle {
    /// The look of cluster `cluster`. The pairs of colour and shape differ for 100 clusters.
    pub(crate) fn of(cluster: Option<usize>) -> Self {
        match cluster {
            Some(cluster) => Self {
                color: COLORS[cluster % COLORS.len()],
                marker: MARKERS[cluster / MARKERS.len() % MARKERS.len()],
            },
            None => Self { color: NOISE, marker: Marker::Circle },
        }
    }
}
