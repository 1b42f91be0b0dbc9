//! A kernel learned from constraints, for points of the fit and new ones.

use ndarray::{Array1, Array2, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

use crate::error::stored::{ensure, ensure_finite};
use crate::similarity::{FeatureMap, KernelValues, Landmarks, LowRank};
use crate::{Error, Result, numerics::linalg::product, problem::Points};

/// k̂(x, y) = k(x, y) + k(x, P) S k(P, y): a kernel k, learned from constraints on the points P.
///
/// S is computed from the duals of the solver alone (S = -A + A C A, see [`logdet`](super::logdet)), so a
/// value costs as many values of k as there are constrained points, for points of the fit and for new ones.
/// A truncated kernel is k(x, y) = f(x)·f(y) with explicit features f, and the same holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredLearnedKernel")]
pub struct LearnedKernel {
    base: Base,
    /// P, the constrained points.
    constrained: Landmarks,
    /// S.
    correction: Array2<f64>,
}

/// The fields of a [`LearnedKernel`] as a file holds them, not yet checked.
#[derive(Deserialize)]
struct StoredLearnedKernel {
    base: Base,
    constrained: Landmarks,
    correction: Array2<f64>,
}

impl TryFrom<StoredLearnedKernel> for LearnedKernel {
    type Error = Error;

    fn try_from(stored: StoredLearnedKernel) -> Result<Self> {
        let StoredLearnedKernel { base, constrained, correction } = stored;
        let (p, dims) = (constrained.len(), constrained.dims());
        ensure_shape("the correction of its kernel", &correction, [p, p])?;
        match &base {
            Base::Exact => ensure(constrained.columns().is_none(), || {
                "its kernel is a matrix, which it does not hold".to_owned()
            })?,
            Base::Matrix { rows } => {
                ensure(constrained.columns().is_some(), || {
                    "its kernel is both a matrix and a function".to_owned()
                })?;
                ensure_shape("its part of the kernel matrix", rows, [p, dims])?;
            }
            Base::Features { learned, training } => {
                ensure(learned.dims_in() == dims, || {
                    let found = learned.dims_in();
                    format!("its features take {found} columns, but its kernel takes {dims}")
                })?;
                if let Some(training) = training {
                    let shape = [dims, learned.rank()];
                    ensure_shape("the features of the training points", training, shape)?;
                }
            }
        }
        Ok(Self { base, constrained, correction })
    }
}

/// Fails unless a matrix has this shape and finite entries.
fn ensure_shape(what: &str, matrix: &Array2<f64>, expected: [usize; 2]) -> Result<()> {
    ensure(matrix.shape() == expected, || {
        let found = matrix.shape();
        format!("{what} is a matrix of shape {found:?} where {expected:?} is needed")
    })?;
    ensure_finite(what, matrix)
}

/// The kernel before learning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Base {
    /// The exact kernel.
    Exact,
    /// A given matrix; its rows for P, which values with training points need.
    Matrix { rows: Array2<f64> },
    /// A truncated kernel with features f: after learning they are f T with T Tᵀ = I + f(P)ᵀ S f(P).
    Features {
        learned: Box<FeatureMap>,
        /// The learned features of the training points, where these are known by a given matrix
        /// alone.
        training: Option<Array2<f64>>,
    },
}

impl LearnedKernel {
    /// The kernel `values`, corrected by S on the points `constrained`. Of a truncated kernel
    /// `truncated` holds the features and T.
    pub(crate) fn new(
        values: &KernelValues<'_>,
        truncated: Option<(&LowRank, ArrayView2<'_, f64>)>,
        constrained: &[usize],
        correction: Array2<f64>,
    ) -> Result<Self> {
        let is_matrix = matches!(values, KernelValues::Matrix(_));
        let base = match truncated {
            Some((plain, transform)) => Base::Features {
                learned: Box::new(plain.map.then(transform)),
                training: is_matrix.then(|| product(plain.features.view(), transform)),
            },
            None if is_matrix => {
                Base::Matrix { rows: values.columns(constrained)?.reversed_axes() }
            }
            None => Base::Exact,
        };
        Ok(Self { base, constrained: values.landmarks(constrained), correction })
    }

    /// S, one row and column for each constrained point.
    pub fn correction(&self) -> ArrayView2<'_, f64> {
        self.correction.view()
    }

    /// The rank of a truncated kernel; `None` for an exact one.
    pub fn rank(&self) -> Option<usize> {
        self.learned_features().map(FeatureMap::rank)
    }

    /// Number of columns that new points must have; for a kernel that was given as a matrix, new
    /// points are rows of kernel values with the training points.
    pub fn dims(&self) -> usize {
        self.constrained.dims()
    }

    /// The value between two points.
    pub fn value(&self, x: &[f64], y: &[f64]) -> Result<f64> {
        let point = |x: &[f64]| Points::from_shape(1, x.len(), x.to_vec());
        Ok(self.block(&point(x)?, &point(y)?)?[[0, 0]])
    }

    /// The values between the points of `x` (in rows) and those of `y` (in columns).
    ///
    /// # Errors
    /// [`Error::WrongDimensions`]; [`Error::TooLarge`]; [`Error::Unsupported`] where the kernel was
    /// given as a matrix, which has no values between two new points
    /// (see [`with_training`](Self::with_training)).
    pub fn block(&self, x: &Points, y: &Points) -> Result<Array2<f64>> {
        match &self.base {
            Base::Features { learned, .. } => {
                Ok(product(learned.transform(x)?.view(), learned.transform(y)?.t()))
            }
            Base::Matrix { .. } => Err(only_training()),
            Base::Exact => {
                let corrected = self.corrected(x)?.0;
                let added = product(corrected.view(), self.constrained.values(y)?.t());
                Ok(self.constrained.with_landmark_points(y).values(x)? + added)
            }
        }
    }

    /// The values between rows of kernel values and the training points, for a kernel that was given
    /// as a matrix.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`]; [`Error::Unsupported`] for other kernels, which do not hold their
    /// training points.
    pub fn with_training(&self, rows: &Points) -> Result<Array2<f64>> {
        match &self.base {
            Base::Matrix { rows: to_training } => {
                Ok(product(self.corrected(rows)?.0.view(), to_training.view()) + rows.view())
            }
            Base::Features { learned, training: Some(training) } => {
                Ok(product(learned.transform(rows)?.view(), training.t()))
            }
            Base::Exact | Base::Features { .. } => Err(Error::unsupported(
                "the learned kernel",
                "values with training points that are not given",
                "give them: block(x, y)",
            )),
        }
    }

    /// The value of every point with itself.
    pub fn self_values(&self, x: &Points) -> Result<Vec<f64>> {
        match &self.base {
            Base::Features { learned, .. } => {
                let features = learned.transform(x)?;
                let rows = features.rows().into_iter();
                Ok(rows.map(|row| row.dot(&row)).collect())
            }
            Base::Matrix { .. } => Err(only_training()),
            Base::Exact => {
                let (corrected, to_x) = self.corrected(x)?;
                let added = corrected.rows().into_iter().zip(to_x.rows());
                let own = self.constrained.self_values(x)?;
                let own = own.iter().zip(added);
                Ok(own.map(|(k, (b, v))| k + b.dot(&v)).collect())
            }
        }
    }

    /// k(x, P) S, and k(x, P).
    fn corrected(&self, x: &Points) -> Result<(Array2<f64>, Array2<f64>)> {
        let values = self.constrained.values(x)?;
        Ok((product(values.view(), self.correction.view()), values))
    }

    /// The squared distances in the learned space, k̂(x,x) + k̂(y,y) - 2 k̂(x,y), at least 0.
    pub fn dist_sq(&self, x: &Points, y: &Points) -> Result<Array2<f64>> {
        let own_x = Array1::from(self.self_values(x)?).insert_axis(Axis(1));
        let own_y = Array1::from(self.self_values(y)?);
        let between = self.block(x, y)?;
        Ok((own_x + own_y - 2.0 * between).mapv(|dist_sq| dist_sq.max(0.0)))
    }

    /// The points that S is about.
    pub(crate) fn constrained_points(&self) -> &Landmarks {
        &self.constrained
    }

    /// The features of a truncated kernel after learning; none where the kernel is exact.
    pub(crate) fn learned_features(&self) -> Option<&FeatureMap> {
        match &self.base {
            Base::Features { learned, .. } => Some(learned),
            Base::Exact | Base::Matrix { .. } => None,
        }
    }
}

fn only_training() -> Error {
    Error::unsupported(
        "the learned kernel",
        "two new points where the kernel was given as a matrix",
        "values between new points and training points: with_training",
    )
}
