//! Colours and shapes that keep clusters apart, for eyes of every kind.
//!
//! Colour alone runs out after seven or so clusters, so the colours are crossed with shapes: 7 × 7
//! pairs before one repeats. The colours are Okabe and Ito's without yellow and black, which vanish on
//! a light or a dark page, plus a brown (those of segments of pictures too); the tests check that every two stay apart under each of the
//! three common kinds of colour blindness.

use std::fmt;

/// Red, green and blue, as CSS writes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Color(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

/// The colours, in the order in which they are given out.
pub(crate) const COLORS: [Color; 7] = {
    let mut colors = [NOISE; 7];
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
pub(crate) struct Look {
    pub(crate) color: Color,
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
