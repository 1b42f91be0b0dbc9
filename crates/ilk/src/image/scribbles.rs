//! Strokes as labels of points.

use super::LabelMap;
use crate::Result;
use crate::problem::Constraints;

/// What the strokes say about `n` points: a point is labelled by the stroke that most of its pixels are
/// of (the first of several). Of a stroke with more than `most` points, that many are labelled, evenly
/// spread over the stroke: what methods make of labels grows with their number, what they learn hardly
/// does.
///
/// `taken` tells for every pixel which point it is part of; where it is `None`, pixels are points.
pub(super) fn said(
    strokes: &LabelMap,
    taken: Option<&[u32]>,
    n: usize,
    most: usize,
) -> Result<Constraints> {
    // (point, stroke) of every pixel of a stroke, so that those of a point stand together.
    let mut votes: Vec<(u32, u32)> = strokes
        .values()
        .iter()
        .enumerate()
        .filter(|(_, stroke)| **stroke > 0)
        .map(|(pixel, &stroke)| (taken.map_or(pixel as u32, |taken| taken[pixel]), stroke))
        .collect();
    votes.sort_unstable();
    let mut points = vec![Vec::new(); strokes.largest() as usize];
    for of_point in votes.chunk_by(|a, b| a.0 == b.0) {
        let mut best = (0, 0);
        for of_stroke in of_point.chunk_by(|a, b| a.1 == b.1) {
            if of_stroke.len() > best.0 {
                best = (of_stroke.len(), of_stroke[0].1);
            }
        }
        points[best.1 as usize - 1].push(of_point[0].0 as usize);
    }
    let mut said = Constraints::new(n);
    for (stroke, points) in points.iter().enumerate() {
        let name = (stroke + 1).to_string();
        let told = points.len().min(most);
        for i in 0..told {
            said.label(points[i * points.len() / told], &name)?;
        }
    }
    Ok(said)
}
