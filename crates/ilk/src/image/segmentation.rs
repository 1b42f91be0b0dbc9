//! What became of a picture.

use super::LabelMap;
use crate::outcome::Clustering;

/// The segments of a picture.
#[derive(Debug, Clone)]
pub struct Segmentation {
    /// The segment of every pixel, from 1; 0 where it has none.
    pub labels: LabelMap,
    /// Number of segments. One may lie in several places, where their colours are alike enough for the
    /// method.
    pub n_segments: usize,
    /// How pixels were pooled, where they were.
    pub pooled: Option<Pooled>,
    /// What became of the strokes, where there were any.
    pub strokes: Option<Strokes>,
    /// What the method found for the points: pools, or pixels.
    pub clustering: Clustering,
}

/// How pixels were pooled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pooled {
    /// Pools with pixels: the points that the method was given.
    pub pools: usize,
    /// The side of the blocks from which they started, in pixels.
    pub side: usize,
    /// Whether the method counted every pool as its pixels.
    pub is_weighted: bool,
}

/// What became of the strokes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strokes {
    /// Pixels of every stroke.
    pub pixels: Vec<usize>,
    /// The segment that holds most of every stroke, from 1; 0 where that is none.
    pub segments: Vec<u32>,
    /// How many of the stroke's pixels that segment holds.
    pub held: Vec<usize>,
    /// Points that were labelled for the method.
    pub labelled: usize,
}

impl Strokes {
    /// Looks up where the strokes went.
    pub(super) fn new(strokes: &LabelMap, labels: &LabelMap, labelled: usize) -> Self {
        let pixels = strokes.sizes();
        let mut both: Vec<(u32, u32)> = strokes
            .values()
            .iter()
            .zip(labels.values())
            .filter(|(stroke, _)| **stroke > 0)
            .map(|(&stroke, &segment)| (stroke, segment))
            .collect();
        both.sort_unstable();
        let (mut segments, mut held) = (vec![0; pixels.len()], vec![0; pixels.len()]);
        for same in both.chunk_by(|a, b| a == b) {
            let stroke = same[0].0 as usize - 1;
            if same.len() > held[stroke] {
                (segments[stroke], held[stroke]) = (same[0].1, same.len());
            }
        }
        Self {
            pixels,
            segments,
            held,
            labelled,
        }
    }

    /// Pairs of strokes, counted from 1, of which most is in the same segment.
    pub fn not_told_apart(&self) -> Vec<(usize, usize)> {
        let n = self.segments.len();
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        pairs
            .filter(|&(a, b)| self.pixels[a].min(self.pixels[b]) > 0)
            .filter(|&(a, b)| self.segments[a] == self.segments[b])
            .map(|(a, b)| (a + 1, b + 1))
            .collect()
    }
}
