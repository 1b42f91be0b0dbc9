//! Colours and shapes that keep clusters apart, for eyes of every kind.
//!
//! Colour alone runs out after seven or so clusters, so the colours are crossed with shapes: 7 × 7
//! pairs before one repeats. The colours are Okabe and Ito's without yellow and black, which vanish on
//! a light or a dark page, plus a brown; the tests check that every two stay apart under each of the
//! three common kinds of colour blindness.

use plotters::style::RGBColor;

/// The colours, in the order in which they are given out.
pub(crate) const COLORS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xE6, 0x9F, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xCC, 0x79, 0xA7),
    RGBColor(0x56, 0xB4, 0xE9),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x8B, 0x5A, 0x2B),
];

/// The colour of points that belong to no cluster.
pub(crate) const NOISE: RGBColor = RGBColor(0x9A, 0xA0, 0xA6);

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
pub(crate) struct Look {
    pub(crate) color: RGBColor,
    pub(crate) marker: Marker,
}

impl Look {
    /// The look of cluster `cluster`. The pairs of colour and shape repeat after 49 clusters.
    pub(crate) fn of(cluster: Option<usize>) -> Self {
        match cluster {
            Some(cluster) => Self {
                color: COLORS[cluster % COLORS.len()],
                marker: MARKERS[cluster / COLORS.len() % MARKERS.len()],
            },
            None => Self {
                color: NOISE,
                marker: Marker::Circle,
            },
        }
    }
}

/// A colour as CSS writes it.
pub(crate) fn css(color: RGBColor) -> String {
    format!("#{:02X}{:02X}{:02X}", color.0, color.1, color.2)
}
