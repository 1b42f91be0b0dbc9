//! The result of a segmentation.

use super::LabelMap;
use crate::outcome::Clustering;

/// The segments of an image.
#[derive(Debug, Clone)]
pub struct Segmentation {
    /// The segment of every pixel, from 1; 0 where it has none.
    pub labels: LabelMap,
    /// Number of segments. A segment may have several connected regions, where their colours are similar.
    pub n_segments: usize,
    /// How pixels were pooled, where they were.
    pub pooled: Option<SuperpixelReport>,
    /// The segments of the strokes, where there are any.
    pub scribbles: Option<ScribbleReport>,
    /// The clustering of the points: superpixels, or pixels.
    pub clustering: Clustering,
}

/// How pixels were pooled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuperpixelReport {
    /// Superpixels with pixels: the points that the method was given.
    pub pools: usize,
    /// The side of the initial blocks, in pixels.
    pub side: usize,
    /// Whether superpixels were weighted by their pixels.
    pub is_weighted: bool,
}

/// The segments of the strokes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScribbleReport {
    /// Pixels of every stroke.
    pub pixels: Vec<usize>,
    /// The segment with most pixels of every stroke, from 1; 0 where most have none.
    pub segments: Vec<u32>,
    /// How many of the stroke's pixels are in that segment.
    pub held: Vec<usize>,
    /// Points that were labelled for the method.
    pub labelled: usize,
}

impl ScribbleReport {
    /// Counts the pixels of strokes in segments.
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
        Self { pixels, segments, held, labelled }
    }

    /// Pairs of strokes, counted from 1, most of whose pixels are in the same segment.
    pub fn not_separated(&self) -> Vec<(usize, usize)> {
        let n = self.segments.len();
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        pairs
            .filter(|&(a, b)| self.pixels[a].min(self.pixels[b]) > 0)
            .filter(|&(a, b)| self.segments[a] == self.segments[b])
            .map(|(a, b)| (a + 1, b + 1))
            .collect()
    }
}
