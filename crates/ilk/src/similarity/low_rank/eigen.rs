//! The largest eigenvalues of a kernel matrix.

use ndarray::{Array2, ArrayView1, s};

use super::{LowRank, Truncation};
use crate::Result;
use crate::numerics::linalg::{EXACT_TOLERANCE, symmetric_eigen_asking, top_eigen_asking};
use crate::observe::{Observer, ask};
use crate::similarity::{FeatureMap, KernelValues};

/// The best approximation of a rank: K_r = V_r Λ_r V_rᵀ from the largest eigenvalues, with features
/// V_r Λ_r^½, and V_r Λ_r^-½ as the weights of new points.
///
/// Negative eigenvalues, which a self-tuning kernel has, and positive ones that are rounding alone,
/// are left out; shares are of what remains. It takes the n x n matrix and, but for a number of
/// dimensions, O(n³) time.
///
/// # Errors
/// [`Error::BadParameter`](crate::Error::BadParameter);
/// [`Error::TooLarge`](crate::Error::TooLarge) where the matrix is;
/// [`Error::NoConvergence`](crate::Error::NoConvergence) where kernel values overflow;
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub fn eigen_truncation(
    values: &KernelValues<'_>,
    by: Truncation,
    observer: &dyn Observer,
) -> Result<LowRank> {
    by.check()?;
    let n = values.len();
    let matrix = values.dense()?;
    let eigen = match by {
        Truncation::Dimensions(k) => {
            top_eigen_asking(matrix.view(), k, EXACT_TOLERANCE, &|| ask(observer))?
        }
        Truncation::Trace(_) | Truncation::Frobenius(_) => {
            symmetric_eigen_asking(matrix.view(), &|| ask(observer))?
        }
    };
    let positive = eigen.values.slice(s![..eigen.n_positive()]);
    let kept = match by {
        Truncation::Dimensions(_) => positive.len(),
        Truncation::Trace(share) => fewest(positive, share, |value| value),
        Truncation::Frobenius(share) => fewest(positive, share * share, |value| value * value),
    };
    // All points are the landmarks, so that every eigenvector can be extended.
    let landmarks = values.landmarks(&(0..n).collect::<Vec<_>>());
    if kept == 0 {
        return Ok(LowRank {
            features: Array2::zeros((n, 1)),
            map: FeatureMap::new(landmarks, Array2::zeros((n, 1)))?,
            trace_share: 1.0,
        });
    }
    let vectors = eigen.vectors.slice(s![.., ..kept]);
    let roots = positive.slice(s![..kept]).mapv(f64::sqrt);
    // Without all eigenvalues the trace is their sum; it is smaller than that of the positive ones
    // where some are negative.
    let total = matrix.diag().sum().max(positive.sum());
    Ok(LowRank {
        features: &vectors * &roots,
        map: FeatureMap::new(landmarks, &vectors / &roots)?,
        trace_share: positive.slice(s![..kept]).sum() / total,
    })
}

/// How many of the first values hold the share of the sum of all.
fn fewest(values: ArrayView1<'_, f64>, share: f64, size: impl Fn(f64) -> f64) -> usize {
    let wanted = share * values.iter().map(|&v| size(v)).sum::<f64>();
    let mut held = 0.0;
    let short = values.iter().take_while(|&&v| {
        held += size(v);
        held < wanted
    });
    (short.count() + 1).min(values.len())
}
