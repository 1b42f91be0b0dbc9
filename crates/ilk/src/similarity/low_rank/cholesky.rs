//! Pivoted Cholesky: low rank from columns alone.

use ndarray::Array2;

use super::pivots::{self, Leading};
use super::{LowRank, Truncation, factor::CholeskyFactor};
use crate::observe::{Event, Observer, report};
use crate::similarity::{FeatureMap, KernelValues};
use crate::{Error, Result, numerics::linalg::inverse_lower, similarity::features::check_features};

/// A residual below this share of the largest diagonal entry is rounding: with a pivot of that size
/// the features of new points would be noise.
const ROUNDING: f64 = 1e-12;

/// Number of pivots that are found before all rows are updated by them at once.
const AHEAD: usize = 64;

/// A lower trapezoidal factor of some columns: K ≈ L Lᵀ, exact on the pivots' rows and columns, with
/// what is left positive semi-definite where K is.
///
/// The next pivot is always the point with the largest residual d_i = k_ii - |l_i|² (the smallest
/// index of equal ones), the point that the features so far describe worst. It ends with the share of
/// the trace asked for, at `max_rank` or at the number of dimensions asked for, or where what is left is
/// rounding. The features are the rows of L; new points get k(x, p) L_pp^-ᵀ.
///
/// It computes n kernel values a pivot, holds n r numbers, and takes O(n r²) time: a million points
/// at ranks in the hundreds. The kernel should be positive semi-definite; of another one,
/// what is left may be large though all residuals are small. A small matrix that is at hand and has to be
/// factored up to rounding is another task, which kernel learning solves with whole columns (`supervise::logdet`).
///
/// ```
/// use ilk::ndarray::Array2;
/// use ilk::observe::Silent;
/// use ilk::problem::Points;
/// use ilk::similarity::{Bandwidth, Gram, Kernel, KernelValues, Truncation, pivoted_cholesky};
///
/// let points = Points::new(Array2::from_shape_fn((500, 1), |(i, _)| i as f64 / 100.0))?;
/// let gram = Gram::new(&Kernel::gaussian(Bandwidth::Fixed(1.0)), &points, 0)?;
/// let low = pivoted_cholesky(&KernelValues::Gram(gram), Truncation::Trace(0.999), 100, &Silent)?;
/// assert!(low.map.rank() < 10);
/// let new = Points::from_rows(&[vec![0.42], vec![1.42]])?;
/// let features = low.map.transform(&new)?;
/// let alike = features.row(0).dot(&features.row(1));
/// assert!((alike - (-0.5f64).exp()).abs() < 0.01);
/// # Ok::<(), ilk::Error>(())
/// ```
///
/// # Errors
/// [`Error::BadParameter`]: the Frobenius norm, for which all of the matrix is needed, is none of the
/// criteria here. [`Error::NotFinite`] where k(x, x) overflows. [`Error::TooLarge`] where the features
/// are. [`Error::Cancelled`].
pub fn pivoted_cholesky(
    values: &KernelValues<'_>,
    by: Truncation,
    max_rank: usize,
    observer: &dyn Observer,
) -> Result<LowRank> {
    let (share, limit) = criteria(by, max_rank)?;
    let n = values.len();
    let limit = limit.min(n);
    let diagonal = values.diagonal();
    if let Some((row, &value)) = diagonal.iter().enumerate().find(|(_, d)| !d.is_finite()) {
        let column = row;
        return Err(Error::NotFinite { row, column, value });
    }
    let floor = ROUNDING * diagonal.iter().copied().fold(0.0, f64::max);
    let trace: f64 = diagonal.iter().sum();
    let allowed = share.map_or(f64::NEG_INFINITY, |share| (1.0 - share) * trace);

    let mut factor = CholeskyFactor::new(diagonal);
    let mut left = trace;
    while factor.rank() < limit {
        let most = AHEAD.min(limit - factor.rank());
        let candidates = pivots::candidates(&factor.residuals);
        let leading = Leading::find(values, &factor, &candidates, floor, most);
        if leading.pivots.is_empty() {
            break;
        }
        check_features(n, factor.rank() + leading.pivots.len())?;
        // Pivots found ahead may be more than the share of the trace needs; columns are nested, so
        // the last ones can be dropped.
        let mut needed = factor.rank();
        for taken in factor.extend(values, &leading) {
            left -= taken;
            needed += 1;
            if left <= allowed {
                break;
            }
        }
        if left <= allowed {
            factor.pivots.truncate(needed);
            break;
        }
        left = factor.residuals.iter().sum();
        let event = Event::new("pivoted Cholesky", factor.rank(), factor.rank(), limit);
        report(observer, &event)?;
    }
    if factor.rank() == 0 {
        return Ok(LowRank {
            features: Array2::zeros((n, 1)),
            map: FeatureMap::new(values.landmarks(&[0]), Array2::zeros((1, 1)))?,
            trace_share: 1.0,
        });
    }
    let weights = inverse_lower(factor.rows(&factor.pivots).view()).reversed_axes();
    let map = FeatureMap::new(values.landmarks(&factor.pivots), weights)?;
    Ok(LowRank {
        features: factor.into_features(),
        map,
        trace_share: (1.0 - left / trace).clamp(0.0, 1.0),
    })
}

/// The share of the trace that is enough, if any, and the largest rank.
fn criteria(by: Truncation, max_rank: usize) -> Result<(Option<f64>, usize)> {
    by.check()?;
    if max_rank == 0 {
        return Err(Error::bad_parameter("max_rank", 0, "it must be at least 1"));
    }
    match by {
        Truncation::Trace(share) => Ok((Some(share), max_rank)),
        Truncation::Dimensions(k) => Ok((None, k.min(max_rank))),
        Truncation::Frobenius(share) => Err(Error::bad_parameter(
            "frobenius",
            share,
            "pivoted Cholesky sees some columns only; give a share of the trace, \
             or use the eigen truncation",
        )),
    }
}
