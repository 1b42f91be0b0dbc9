//! Scribbles as labels of points.

use super::LabelMap;
use crate::{Result, problem::Constraints};

/// Labels of `n` points: a point has the label of the scribble that covers most of its pixels (the first of
/// several). Of a scribble with more than `max_labels` points, that many are labelled, evenly spread over
/// the scribble: the cost of a method grows with the labels, the gain hardly does.
///
/// `superpixel_of` gives the point of every pixel; where it is `None`, pixels are points.
pub(super) fn label_constraints(
    scribbles: &LabelMap,
    superpixel_of: Option<&[u32]>,
    n: usize,
    max_labels: usize,
) -> Result<Constraints> {
    // (point, scribble) of every pixel of a scribble; sorted, those of a point are adjacent.
    let mut covered: Vec<(u32, u32)> = scribbles
        .values()
        .iter()
        .enumerate()
        .filter(|(_, scribble)| **scribble > 0)
        .map(|(pixel, &scribble)| {
            let point = superpixel_of.map_or(pixel as u32, |of| of[pixel]);
            (point, scribble)
        })
        .collect();
    covered.sort_unstable();
    let mut points = vec![Vec::new(); scribbles.largest() as usize];
    for of_point in covered.chunk_by(|a, b| a.0 == b.0) {
        let mut best = (0, 0);
        for of_scribble in of_point.chunk_by(|a, b| a.1 == b.1) {
            if of_scribble.len() > best.0 {
                best = (of_scribble.len(), of_scribble[0].1);
            }
        }
        points[best.1 as usize - 1].push(of_point[0].0 as usize);
    }
    let mut constraints = Constraints::new(n);
    for (scribble, points) in points.iter().enumerate() {
        let name = (scribble + 1).to_string();
        let labelled = points.len().min(max_labels);
        for i in 0..labelled {
            constraints.label(points[i * points.len() / labelled], &name)?;
        }
    }
    Ok(constraints)
}
