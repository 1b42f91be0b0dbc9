//! Lanczos on a polynomial of the operator, for eigenvalues that lie close together at the top of the spectrum.
//!
//! A restarted basis tells two eigenvalues apart by their distance as a share of the spectrum, which is tiny where a
//! graph is nearly disconnected. A Chebyshev polynomial keeps all of the spectrum below a bound within -1 and 1 and grows
//! steeply above it, so that the largest eigenvalues of the polynomial are far apart; its eigenvectors are the operator's.

use ndarray::{Array2, ArrayView2, Zip};

use super::eigen::Eigen;
use super::lanczos::{Outcome, Sizes, Spectrum, lanczos, rayleigh_ritz};
use crate::Result;

/// The polynomial at the largest eigenvalue. Were it larger, rounding would hide the smaller ones.
const HEIGHT: f64 = 1e3;

/// The highest degree.
const MAX_DEGREE: f64 = 4_001.0;

/// Attempts, each with another bound or tolerance.
const ATTEMPTS: usize = 5;

/// Products with the polynomial in an attempt.
const BUDGET: usize = 600;

/// Room below the spectrum, since its lower end is known but roughly.
const ROOM: f64 = 1.05;

/// The Chebyshev polynomial of odd `degree` on an interval.
struct Filter {
    middle: f64,
    half: f64,
    degree: usize,
}

impl Filter {
    /// The polynomial that is small up to the Ritz value below those wanted.
    fn new(spectrum: Spectrum) -> Self {
        let (low, high) = (-ROOM * spectrum.scale, spectrum.below_wanted);
        let half = ((high - low) / 2.0).max(f64::MIN_POSITIVE);
        // T_m(x) = cosh(m arcosh x) above 1.
        let beyond = ((spectrum.highest - high) / half).max(1e-14);
        let degree = (HEIGHT.acosh() / (1.0 + beyond).acosh()).clamp(1.0, MAX_DEGREE) as usize | 1;
        Self { middle: f64::midpoint(low, high), half, degree }
    }

    /// T_m(A) X by the recurrence T_{m+1}(x) = 2 x T_m(x) - T_{m-1}(x).
    fn apply(
        &self,
        x: ArrayView2<'_, f64>,
        apply: &impl Fn(ArrayView2<'_, f64>) -> Result<Array2<f64>>,
    ) -> Result<Array2<f64>> {
        let mapped = |x: ArrayView2<'_, f64>| -> Result<Array2<f64>> {
            let mut image = apply(x)?;
            Zip::from(&mut image)
                .and(&x)
                .for_each(|image, x| *image = (*image - self.middle * x) / self.half);
            Ok(image)
        };
        let mut before = x.to_owned();
        let mut last = mapped(x)?;
        for _ in 1..self.degree {
            let mut next = mapped(last.view())?;
            Zip::from(&mut next).and(&before).for_each(|next, before| *next = 2.0 * *next - before);
            before = std::mem::replace(&mut last, next);
        }
        Ok(last)
    }
}

/// The largest eigenvalues of the operator, by filters that follow from what is known of its spectrum; none where these do
/// not separate them.
pub(super) fn filtered(
    n: usize,
    sizes: Sizes,
    tolerance: f64,
    mut spectrum: Spectrum,
    apply: &impl Fn(ArrayView2<'_, f64>) -> Result<Array2<f64>>,
) -> Result<Option<Eigen>> {
    let mut of_filter = tolerance;
    for _ in 0..ATTEMPTS {
        let filter = Filter::new(spectrum);
        let value_of = |mapped: f64| {
            // The eigenvalue at which the polynomial has this value; the bound, where it is small.
            let x = (mapped.max(1.0).acosh() / filter.degree as f64).cosh();
            filter.middle + filter.half * x
        };
        match lanczos(n, sizes, of_filter, BUDGET, |x| filter.apply(x, apply))? {
            Outcome::Found(eigen) => {
                let (eigen, residual) = rayleigh_ritz(eigen.vectors, apply)?;
                if residual <= tolerance * spectrum.scale {
                    return Ok(Some(eigen));
                }
                of_filter *= (0.1 * tolerance * spectrum.scale / residual).max(1e-3);
            }
            Outcome::Slow(seen) => {
                spectrum.highest = value_of(seen.highest).max(spectrum.highest);
                spectrum.below_wanted = value_of(seen.below_wanted).max(spectrum.below_wanted);
            }
        }
    }
    Ok(None)
}
