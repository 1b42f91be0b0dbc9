//! How points, bandwidths and weights are laid out for the density.

use crate::numerics::blocks::Blocks;
use crate::similarity::Resolved;

/// What bandwidths and weights come to, slot by slot.
pub(super) struct Widths {
    /// 1/h²; empty where all bandwidths are the same.
    pub(super) inverse_square: Vec<f64>,
    /// h²; empty where all are the same.
    pub(super) reach_sq: Vec<f64>,
    /// m h^-(d+2), relative to the narrowest; empty where all are 1.
    pub(super) mass: Vec<f64>,
    pub(super) widest: f64,
    pub(super) median: f64,
}

impl Widths {
    pub(super) fn new(blocks: &Blocks, weights: Option<&[f64]>, bandwidth: &Resolved) -> Self {
        let each = match bandwidth {
            Resolved::Fixed(h) => {
                // Equal weights cancel in every mean.
                let weights = weights.filter(|weights| weights.iter().any(|w| *w != weights[0]));
                return Self {
                    inverse_square: Vec::new(),
                    reach_sq: Vec::new(),
                    mass: weights.map_or_else(Vec::new, |weights| blocks.arrange(weights, 0.0)),
                    widest: *h,
                    median: *h,
                };
            }
            Resolved::PerPoint(each) => each,
        };
        let mut sorted = each.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let power = -(blocks.dims() as f64 + 2.0);
        let mass = |(i, h): (usize, &f64)| {
            weights.map_or(1.0, |weights| weights[i]) * (power * (h / sorted[0]).ln()).exp()
        };
        let mass: Vec<f64> = each.iter().enumerate().map(mass).collect();
        let square: Vec<f64> = each.iter().map(|h| h * h).collect();
        let inverse: Vec<f64> = square.iter().map(|square| 1.0 / square).collect();
        Self {
            // A lane without a point must stay out of reach, whatever the units.
            inverse_square: blocks.arrange(&inverse, 1.0),
            reach_sq: blocks.arrange(&square, 1.0),
            mass: blocks.arrange(&mass, 0.0),
            widest: sorted[sorted.len() - 1],
            median: sorted[sorted.len() / 2],
        }
    }
}

/// The squared length of half the diagonal of a box around points whose middle is the origin.
pub(super) fn half_diagonal_sq(centered: &[f64], dims: usize) -> f64 {
    let extent = |k: usize| {
        let column = centered.iter().skip(k).step_by(dims);
        column.fold(0.0, |widest: f64, x| widest.max(x.abs()))
    };
    (0..dims).map(|k| extent(k) * extent(k)).sum()
}

/// The bounding box: the lowest and the highest value of every dimension.
pub(super) fn box_of(points: &[f64], dims: usize) -> impl Iterator<Item = (f64, f64)> {
    (0..dims).map(move |k| {
        let column = points.iter().skip(k).step_by(dims);
        column.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| {
            (low.min(x), high.max(x))
        })
    })
}

/// The middle of the bounding box: like any translation-equivariant choice it makes the arithmetic
/// independent of where the data lie.
pub(super) fn center_of_box(points: &[f64], dims: usize) -> Vec<f64> {
    box_of(points, dims)
        .map(|(low, high)| low + (high - low) / 2.0)
        .collect()
}
