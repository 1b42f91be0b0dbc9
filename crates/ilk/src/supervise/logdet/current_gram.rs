//! The kernel on the constrained points during learning, in the cheaper of two representations.

use ndarray::Array2;

use super::factor::{GramAtDuals, GramFactor};
use super::rows::{Certificate, Distances, DualRows};
use super::sweep::{SkipTolerance, SweepResult, sweep};
use super::{low_rank_gram::LowRankGram, packed_gram::PackedGram};

/// Points per dimension from which on the low-rank form is cheaper: every distance then takes r²
/// multiplications, which a stored one does not.
const POINTS_A_DIMENSION: usize = 8;

/// C, which changes by updates of rank one and two: [`PackedGram`] or [`LowRankGram`].
pub(super) trait CurrentGram: Distances {
    /// The number of points.
    fn len(&self) -> usize;

    /// The multiplications of reading a distance, and of an update.
    fn work(&self) -> [f64; 2];

    /// Resets to a kernel that was computed from duals.
    fn reset_to(&mut self, learned: &GramAtDuals);

    /// All values.
    fn current(&mut self) -> Array2<f64>;

    /// One value.
    fn value(&self, i: usize, j: usize) -> f64;

    /// The growth of the largest value since the last reset.
    fn growth(&self) -> f64;

    /// The largest diagonal entry at the last reset.
    fn scale(&self) -> f64;

    /// C += β (Cz)(Cz)' with z = e_a - e_b.
    fn update_pair(&mut self, a: usize, b: usize, factor: f64);

    /// C += W Q W' with W = [Cu Cv], u = e_i - e_j, v = e_i - e_k and Q symmetric, given as
    /// (q11, q12, q22).
    fn update_comparison(&mut self, points: [usize; 3], q: (f64, f64, f64));

    /// The approximate rounding error of a distance.
    fn rounding(&self) -> f64 {
        4.0 * f64::EPSILON * self.scale()
    }

    /// [`sweep`], compiled for each representation.
    fn sweep(
        &mut self,
        rows: &DualRows,
        duals: &mut [f64],
        tolerance: SkipTolerance,
    ) -> SweepResult {
        sweep(rows, self, duals, tolerance)
    }

    /// [`DualRows::certify`], compiled for each representation.
    fn certify(&self, rows: &DualRows, duals: &[f64], log_det: f64) -> Certificate {
        rows.certify(duals, self, log_det)
    }
}

/// The representation at the start: C0 and its factor.
pub(super) fn initial(factor: &GramFactor, start: &Array2<f64>) -> Box<dyn CurrentGram> {
    match factor.features() {
        Some(features) if POINTS_A_DIMENSION * features.ncols() <= features.nrows() => {
            Box::new(LowRankGram::new(features.to_owned()))
        }
        _ => Box::new(PackedGram::new(start.view())),
    }
}
