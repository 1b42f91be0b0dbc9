//! The layout of points, bandwidths and weights for the density.

use crate::{numerics::blocks::Blocks, similarity::ResolvedBandwidth};

/// Bandwidths and weights, slot by slot.
pub(super) struct Widths {
    /// 1/h²; empty where all bandwidths are the same.
    pub(super) inverse_bandwidth_sq: Vec<f64>,
    /// h²; empty where all are the same.
    pub(super) radius_sq: Vec<f64>,
    /// m h^-(d+2), relative to the narrowest; empty where all are 1.
    pub(super) mass: Vec<f64>,
    /// The largest bandwidth.
    pub(super) widest: f64,
    /// The bandwidth, or the median where every point has its own.
    pub(super) median: f64,
}

impl Widths {
    pub(super) fn new(
        blocks: &Blocks,
        weights: Option<&[f64]>,
        bandwidth: &ResolvedBandwidth,
    ) -> Self {
        let each = match bandwidth {
            ResolvedBandwidth::Fixed(h) => {
                // Equal weights cancel in every mean.
                let weights = weights.filter(|weights| weights.iter().any(|w| *w != weights[0]));
                return Self {
                    inverse_bandwidth_sq: Vec::new(),
                    radius_sq: Vec::new(),
                    mass: weights.map_or_else(Vec::new, |weights| blocks.arrange(weights, 0.0)),
                    widest: *h,
                    median: *h,
                };
            }
            ResolvedBandwidth::PerPoint(each) => each,
        };
        let narrowest = each.iter().copied().fold(f64::INFINITY, f64::min);
        let widest = each.iter().copied().fold(0.0, f64::max);
        let power = -(blocks.dims() as f64 + 2.0);
        let mass = |(i, h): (usize, &f64)| {
            weights.map_or(1.0, |weights| weights[i]) * (power * (h / narrowest).ln()).exp()
        };
        let mass: Vec<f64> = each.iter().enumerate().map(mass).collect();
        let square: Vec<f64> = each.iter().map(|h| h * h).collect();
        let inverse: Vec<f64> = square.iter().map(|square| 1.0 / square).collect();
        Self {
            // With a bandwidth of 1, a lane without a point is outside every support.
            inverse_bandwidth_sq: blocks.arrange(&inverse, 1.0),
            radius_sq: blocks.arrange(&square, 1.0),
            mass: blocks.arrange(&mass, 0.0),
            widest,
            median: bandwidth.median(),
        }
    }
}

/// The squared length of half the diagonal of a box around points whose bounding box is centered at the origin.
pub(super) fn half_diagonal_sq(centered: &[f64], dims: usize) -> f64 {
    let sides = box_of(centered, dims).map(|(low, high)| low.abs().max(high.abs()));
    sides.map(|half| half * half).sum()
}

/// The bounding box: the lowest and the highest value of every dimension.
pub(super) fn box_of(points: &[f64], dims: usize) -> impl Iterator<Item = (f64, f64)> {
    (0..dims).map(move |k| {
        let column = points.iter().skip(k).step_by(dims);
        column.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)))
    })
}

/// The center of the bounding box. It moves with the data, so arithmetic relative to it does not
/// depend on where the data lie.
pub(super) fn center_of_box(points: &[f64], dims: usize) -> Vec<f64> {
    box_of(points, dims).map(|(low, high)| low + (high - low) / 2.0).collect()
}
