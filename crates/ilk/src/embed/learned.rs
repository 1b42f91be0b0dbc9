//! Explicit features of a learned kernel.

use ndarray::{Array2, ArrayView2, Axis, concatenate, s};

use crate::Result;
use crate::numerics::linalg::{EXACT_TOLERANCE, product, top_eigen_asking};
use crate::observe::{Observer, ask};
use crate::problem::{KernelMatrix, Points};
use crate::similarity::{FeatureMap, KernelValues, Truncation, pivoted_cholesky};
use crate::supervise::kernel_learning::{BaseKernel, LearnedKernelFit};

/// Explicit features of a learned kernel: k̂(x, y) ≈ f(x)·f(y).
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedFeatures {
    /// One row a training point.
    pub features: Array2<f64>,
    /// The same features for new points.
    pub map: FeatureMap,
}

/// Directions of a learned kernel in which distances are compared, those of the largest eigenvalues: as many as in the
/// paper of SKMS.
pub(crate) const LEADING_DIMS: usize = 25;

/// Up to this many training points all are landmarks of the features of an exact kernel; of more, this many
/// (Nyström's method).
const MAX_LANDMARKS: usize = 3000;

/// Eigenvalues below this share of the largest are rounding.
const ROUNDING: f64 = 1e-12;

impl BaseKernel<'_> {
    /// Explicit features of the training points: the `dims` directions of the largest eigenvalues, or,
    /// without a number, all.
    ///
    /// An exact kernel of more than 3,000 points is approximated on that many of them, the constrained ones
    /// and others evenly spread.
    pub fn embed(
        &self,
        learned: &LearnedKernelFit,
        dims: Option<usize>,
        observer: &dyn Observer,
    ) -> Result<LearnedFeatures> {
        let truncated = (self.low_rank.as_ref())
            .zip(learned.transform.as_ref())
            .zip(learned.kernel.learned_features());
        let mut found = if let Some(((plain, transform), map)) = truncated {
            let features = product(plain.features.view(), transform.view());
            leading_features(features, map, dims, observer)?
        } else {
            let (map, features) = self.exact_map(learned, dims, observer)?;
            let features = match features {
                Some(features) => features,
                None => map.transform(&self.values.training_inputs())?,
            };
            LearnedFeatures { features, map }
        };
        give_copies_equal_rows(&self.values.training_inputs(), &mut found.features);
        Ok(found)
    }

    /// The map of [`embed`](Self::embed) with all directions, for which the features of all points need
    /// not fit into memory.
    pub fn feature_map(
        &self,
        learned: &LearnedKernelFit,
        observer: &dyn Observer,
    ) -> Result<FeatureMap> {
        match learned.kernel.learned_features() {
            Some(map) => Ok(map.clone()),
            None => Ok(self.exact_map(learned, None, observer)?.0),
        }
    }

    /// The map of an exact kernel, and the features of the training points where they follow from it.
    ///
    /// With R the landmarks and P the constrained points, the learned kernel among landmarks is
    /// K_RR + K_RP S K_PR = F Fᵀ. A new point has the features (k(x, R) + k(x, P) S K_PR) W, where W is such that
    /// F = (K_RR + K_RP S K_PR) W.
    fn exact_map(
        &self,
        learned: &LearnedKernelFit,
        dims: Option<usize>,
        observer: &dyn Observer,
    ) -> Result<(FeatureMap, Option<Array2<f64>>)> {
        let (values, constrained) = (&self.values, learned.constrained.as_slice());
        let rows = landmark_rows(values.len(), constrained);
        let mut among = values.among(&rows);
        let to_constrained = values.columns(constrained)?.select(Axis(0), &rows);
        let corrected = product(to_constrained.view(), learned.kernel.correction());
        among += &product(corrected.view(), to_constrained.t());
        let (weights, features) = if let Some(dims) = dims {
            (leading_weights(among.view(), dims, observer)?, None)
        } else {
            let (weights, features) = all_weights(&among, observer)?;
            (weights, (rows.len() == values.len()).then_some(features))
        };
        let landmarks = values.landmarks(&rows).stacked(learned.kernel.constrained_points());
        let through = product(corrected.t(), weights.view());
        let map = FeatureMap::new(landmarks, concatenate![Axis(0), weights, through])?;
        Ok((map, features))
    }
}

/// The `dims` directions of largest eigenvalues of the features of a truncated kernel.
fn leading_features(
    features: Array2<f64>,
    map: &FeatureMap,
    dims: Option<usize>,
    observer: &dyn Observer,
) -> Result<LearnedFeatures> {
    let Some(dims) = dims.filter(|&dims| dims < map.rank()) else {
        let map = map.clone();
        return Ok(LearnedFeatures { features, map });
    };
    let moments = product(features.t(), features.view());
    let eigen = top_eigen_asking(moments.view(), dims, EXACT_TOLERANCE, &|| ask(observer))?;
    Ok(LearnedFeatures {
        features: product(features.view(), eigen.vectors.view()),
        map: map.then(eigen.vectors.view()),
    })
}

/// The weights W of the `dims` leading eigenvectors: K W = V Λ^½.
fn leading_weights(
    matrix: ArrayView2<'_, f64>,
    dims: usize,
    observer: &dyn Observer,
) -> Result<Array2<f64>> {
    let eigen = top_eigen_asking(matrix, dims, EXACT_TOLERANCE, &|| ask(observer))?;
    let kept = eigen.n_above(ROUNDING).max(1);
    let values = eigen.values.slice(s![..kept]);
    let scale = values.mapv(|value| 1.0 / value.max(f64::MIN_POSITIVE).sqrt());
    Ok(&eigen.vectors.slice(s![.., ..kept]) * &scale)
}

/// Weights W and features K W of all directions: a Cholesky factor without rounding.
fn all_weights(
    matrix: &Array2<f64>,
    observer: &dyn Observer,
) -> Result<(Array2<f64>, Array2<f64>)> {
    let n = matrix.nrows();
    // Contradicting constraints may make the kernel so large that its halves differ by more than a given
    // matrix may.
    let matrix = KernelMatrix::new((matrix + &matrix.t()) / 2.0)?;
    let values = KernelValues::Matrix(&matrix);
    let low_rank = pivoted_cholesky(&values, Truncation::Trace(1.0), n, observer)?;
    let map = low_rank.map;
    let mut weights = Array2::zeros((n, map.rank()));
    let columns = map.landmarks().columns();
    assert!(columns.is_some(), "landmarks of a kernel matrix are columns");
    for (at, &column) in columns.unwrap_or_default().iter().enumerate() {
        weights.row_mut(column).assign(&map.weights().row(at));
    }
    Ok((weights, low_rank.features))
}

/// All points, or the constrained ones and others evenly spread, sorted.
fn landmark_rows(n: usize, constrained: &[usize]) -> Vec<usize> {
    if n <= MAX_LANDMARKS {
        return (0..n).collect();
    }
    let spread = MAX_LANDMARKS.saturating_sub(constrained.len()).max(MAX_LANDMARKS / 2);
    let mut rows: Vec<usize> = (0..spread).map(|i| i * n / spread).collect();
    rows.extend(constrained);
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// Gives equal points equal features, which otherwise differ by rounding.
fn give_copies_equal_rows(points: &Points, features: &mut Array2<f64>) {
    let distinct = points.distinct_rows();
    for (i, &row) in distinct.distinct_row_of.iter().enumerate() {
        let first = distinct.first[row];
        if first != i {
            let (source, mut copy) = features.multi_slice_mut((s![first, ..], s![i, ..]));
            copy.assign(&source);
        }
    }
}
