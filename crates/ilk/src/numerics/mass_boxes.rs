//! Bounding boxes of runs of points with masses, in single precision, and what the points in them
//! can add to a Gaussian sum elsewhere.

use super::exp::exp_in_place_f32;
use super::simd::{Available, Simd, simd_dispatch};

/// Boxes of a run that [`MassBoxes::weigh`] handles without a loop of variable length.
pub(crate) const RUN: usize = 8;

/// Dimensions of [`BoxSides`].
pub(crate) const MAX_DIMS: usize = super::gaussian_sums::MAX_DIMS;

/// The lowest and the highest coordinate of a box in every dimension.
pub(crate) type BoxSides = [(f32, f32); MAX_DIMS];

/// Bounding boxes of sets of points, with the mass of each set. One row a dimension, so that a loop
/// over the boxes vectorises.
pub(crate) struct MassBoxes {
    low: Vec<Vec<f32>>,
    high: Vec<Vec<f32>>,
    mass: Vec<f32>,
}

/// What boxes of sources contribute to Gaussian sums at the points of another box.
#[derive(Default)]
pub(crate) struct BoxWeights {
    /// An upper bound of each box's sum of weights, times its mean distance.
    pub(crate) upper: Vec<f32>,
    /// An estimate of each box's sum of weights.
    pub(crate) estimate: Vec<f32>,
    distances: Vec<f32>,
}

impl BoxWeights {
    /// An estimate of the sum of all weights.
    pub(crate) fn total(&self) -> f64 {
        self.estimate.iter().map(|&each| f64::from(each)).sum()
    }
}

impl MassBoxes {
    pub(crate) fn new(dims: usize, count: usize) -> Self {
        Self {
            low: vec![vec![f32::INFINITY; count]; dims],
            high: vec![vec![f32::NEG_INFINITY; count]; dims],
            mass: vec![0.0; count],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.mass.len()
    }

    /// Extends a box by a point.
    pub(crate) fn include(&mut self, at: usize, point: &[f32], mass: f32) {
        for (k, &u) in point.iter().enumerate() {
            self.low[k][at] = self.low[k][at].min(u);
            self.high[k][at] = self.high[k][at].max(u);
        }
        self.mass[at] += mass;
    }

    /// The sides of a box; (0, 0) in dimensions that there are not.
    pub(crate) fn sides(&self, at: usize) -> BoxSides {
        let mut sides = [(0.0, 0.0); MAX_DIMS];
        for (side, (low, high)) in sides.iter_mut().zip(self.low.iter().zip(&self.high)) {
            *side = (low[at], high[at]);
        }
        sides
    }

    /// What boxes contribute at the points within `sides`, where a source of mass m at distance d
    /// has the weight m 2^(-d²/2): for every run of `runs`, the boxes from `run * width` to
    /// `run * width + width - 1`.
    pub(crate) fn weigh(
        &self,
        sides: &BoxSides,
        runs: &[u32],
        width: usize,
        weights: &mut BoxWeights,
    ) {
        let BoxWeights { upper, estimate, distances } = weights;
        for each in [&mut *upper, &mut *estimate, &mut *distances] {
            each.clear();
            each.resize(runs.len() * width, 0.0);
        }
        for ((low, high), &side) in self.low.iter().zip(&self.high).zip(sides) {
            simd_dispatch!(f32x16, add_distances(low, high, side, runs, width, upper, estimate));
        }
        for (distance, mean_sq) in distances.iter_mut().zip(&*estimate) {
            *distance = mean_sq.sqrt();
        }
        for dist_sq in upper.iter_mut().chain(estimate.iter_mut()) {
            *dist_sq *= -std::f32::consts::LN_2 / 2.0;
        }
        exp_in_place_f32(upper);
        exp_in_place_f32(estimate);
        let masses = runs.iter().flat_map(|&run| &self.mass[run as usize * width..][..width]);
        let each_box = upper.iter_mut().zip(estimate.iter_mut()).zip(distances);
        for (((upper, estimate), distance), mass) in each_box.zip(masses) {
            *upper *= mass * *distance;
            *estimate *= mass;
        }
    }
}

/// Adds, for one dimension, the squared gap between each box and a box with this side to `gap_sq`,
/// and the mean squared distance of points in them to `mean_sq`. A plain loop: the compiler
/// vectorises it with the instructions that `V` stands for.
#[allow(clippy::too_many_arguments, reason = "the arguments of an inner loop")]
#[inline(always)]
fn add_distances<V: Simd<Scalar = f32>>(
    _: Available<V>,
    low: &[f32],
    high: &[f32],
    side: (f32, f32),
    runs: &[u32],
    width: usize,
    gap_sq: &mut [f32],
    mean_sq: &mut [f32],
) {
    if width == RUN {
        let sums = gap_sq.as_chunks_mut::<RUN>().0.iter_mut();
        let sums = sums.zip(mean_sq.as_chunks_mut::<RUN>().0);
        let (low, high) = (low.as_chunks::<RUN>().0, high.as_chunks::<RUN>().0);
        for ((gap_sq, mean_sq), &run) in sums.zip(runs) {
            let (low, high) = (&low[run as usize], &high[run as usize]);
            add_run(low, high, side, gap_sq, mean_sq);
        }
    } else {
        let sums = gap_sq.chunks_exact_mut(width);
        let sums = sums.zip(mean_sq.chunks_exact_mut(width));
        for ((gap_sq, mean_sq), &run) in sums.zip(runs) {
            let boxes = run as usize * width..(run as usize + 1) * width;
            add_run(&low[boxes.clone()], &high[boxes], side, gap_sq, mean_sq);
        }
    }
}

#[inline(always)]
fn add_run(
    low: &[f32],
    high: &[f32],
    (from, to): (f32, f32),
    gap_sq: &mut [f32],
    mean_sq: &mut [f32],
) {
    let sums = gap_sq.iter_mut().zip(mean_sq);
    for ((gap_sq, mean_sq), (&low, &high)) in sums.zip(low.iter().zip(high)) {
        let gap = (low - to).max(from - high).max(0.0);
        *gap_sq += gap * gap;
        // The mean squared difference of two uniform distributions.
        let between = low + high - from - to;
        let (width, other) = (high - low, to - from);
        *mean_sq += between * between / 4.0 + (width * width + other * other) / 12.0;
    }
}

#[cfg(test)]
mod tests;
