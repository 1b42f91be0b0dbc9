//! The result of a segmentation.

use super::LabelMap;
use crate::outcome::{AnyModel, Clustering};

/// The segments of an image.
#[derive(Debug, Clone)]
pub struct Segmentation {
    /// The segment of every pixel, from 1; 0 where it has none.
    pub labels: LabelMap,
    /// Number of segments. A segment may have several connected regions, where their colours are similar.
    pub n_segments: usize,
    /// How pixels were pooled, where they were.
    pub pooled: Option<SuperpixelReport>,
    /// The segments of the scribbles, where there are any.
    pub scribbles: Option<ScribbleReport>,
    /// The clustering of the points: superpixels, or pixels.
    pub clustering: Clustering,
    /// What places the pixels of another image: see [`Segment::predict`](super::Segment::predict).
    pub model: AnyModel,
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

/// The segments of the scribbles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScribbleReport {
    /// Pixels of every scribble.
    pub pixels: Vec<usize>,
    /// The segment with most pixels of every scribble, from 1; 0 where most have none.
    pub segments: Vec<u32>,
    /// How many of the scribble's pixels are in that segment.
    pub held: Vec<usize>,
    /// Points that were labelled for the method.
    pub labelled: usize,
}

impl ScribbleReport {
    /// Counts the pixels of scribbles in segments.
    pub(super) fn new(scribbles: &LabelMap, labels: &LabelMap, labelled: usize) -> Self {
        let pixels = scribbles.sizes();
        let mut both: Vec<(u32, u32)> = scribbles
            .values()
            .iter()
            .zip(labels.values())
            .filter(|(scribble, _)| **scribble > 0)
            .map(|(&scribble, &segment)| (scribble, segment))
            .collect();
        both.sort_unstable();
        let (mut segments, mut held) = (vec![0; pixels.len()], vec![0; pixels.len()]);
        for same in both.chunk_by(|a, b| a == b) {
            let scribble = same[0].0 as usize - 1;
            if same.len() > held[scribble] {
                (segments[scribble], held[scribble]) = (same[0].1, same.len());
            }
        }
        Self { pixels, segments, held, labelled }
    }

    /// Pairs of scribbles, counted from 1, most of whose pixels are in the same segment.
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
