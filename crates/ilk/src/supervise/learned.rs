//! A kernel bent to what was said, for points old and new.

use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};
use serde::{Deserialize, Serialize};

use crate::numerics::linalg::{EXACT, product, top_eigen};
use crate::observe::Silent;
use crate::problem::{KernelMatrix, Points};
use crate::similarity::{
    FeatureMap, KernelValues, Landmarks, LowRank, Truncation, pivoted_cholesky,
};
use crate::{Error, Result};

/// k̂(x, y) = k(x, y) + k(x, P) S k(P, y): a kernel k, bent to what was said of the points P.
///
/// S comes from the duals of the learning alone (S = -A + A C A, see
/// [`logdet`](super::logdet)), so a value costs as many values of k as points were named in
/// constraints, whether x and y were there or not. Where k was cut to its largest part it is
/// f(x)·f(y) with explicit features f, and the same holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LearnedKernel {
    base: Base,
    /// P, the points of which something was said.
    constrained: Landmarks,
    /// S.
    correction: Array2<f64>,
}

/// The kernel before it was bent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Base {
    /// All of it.
    Exact,
    /// A given matrix; its rows of P, which values with training points need.
    Matrix { rows: Array2<f64> },
    /// Its largest part, features f: those that were learned, f T with T T' = I + f(P)' S f(P).
    Features {
        learned: Box<FeatureMap>,
        /// The learned features of the training points, where these are known by a given matrix
        /// alone.
        training: Option<Array2<f64>>,
    },
}

/// Explicit features of a learned kernel: k̂(x, y) ≈ f(x)·f(y).
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    /// One row a training point.
    pub features: Array2<f64>,
    /// The same for new points.
    pub map: FeatureMap,
}

/// Training points up to which all of them carry the features of an exact kernel; of more, this
/// many do (Nyström's method).
const LANDMARKS: usize = 3000;

/// Eigenvalues below this share of the largest carry nothing but rounding.
const NOISE: f64 = 1e-12;

impl LearnedKernel {
    /// The exact kernel `values`, corrected by S on the points `constrained`.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where the rows of a given matrix do not fit.
    pub(crate) fn exact(
        values: &KernelValues<'_>,
        constrained: &[usize],
        correction: Array2<f64>,
    ) -> Result<Self> {
        let base = match values {
            KernelValues::Gram(_) => Base::Exact,
            KernelValues::Matrix(_) => Base::Matrix {
                rows: values.columns(constrained)?.reversed_axes(),
            },
        };
        Ok(Self {
            base,
            constrained: values.landmarks(constrained),
            correction,
        })
    }

    /// The features of `plain`, corrected by S on the points `constrained`; `transform` is T.
    pub(crate) fn low_rank(
        values: &KernelValues<'_>,
        plain: &LowRank,
        transform: ArrayView2<'_, f64>,
        constrained: &[usize],
        correction: Array2<f64>,
    ) -> Self {
        let training = match values {
            KernelValues::Gram(_) => None,
            KernelValues::Matrix(_) => Some(product(plain.features.view(), transform)),
        };
        Self {
            base: Base::Features {
                learned: Box::new(plain.map.then(transform)),
                training,
            },
            constrained: values.landmarks(constrained),
            correction,
        }
    }

    /// S, one row and column for each point of which something was said.
    pub fn correction(&self) -> ArrayView2<'_, f64> {
        self.correction.view()
    }

    /// How many dimensions the kernel was cut to before it was bent; `None` where it was not cut.
    pub fn rank(&self) -> Option<usize> {
        match &self.base {
            Base::Features { learned, .. } => Some(learned.rank()),
            Base::Exact | Base::Matrix { .. } => None,
        }
    }

    /// Number of columns that new points must have; for a kernel that was given as a matrix, new
    /// points are rows of kernel values with the training points.
    pub fn dims(&self) -> usize {
        self.constrained.dims()
    }

    /// The value between two points.
    ///
    /// # Errors
    /// As [`block`](Self::block).
    pub fn value(&self, x: &[f64], y: &[f64]) -> Result<f64> {
        let point =
            |coordinates: &[f64]| Points::from_shape(1, coordinates.len(), coordinates.to_vec());
        Ok(self.block(&point(x)?, &point(y)?)?[[0, 0]])
    }

    /// The values between the points of `x` (in rows) and those of `y` (in columns).
    ///
    /// # Errors
    /// [`Error::WrongDimensions`]; [`Error::TooLarge`]; [`Error::Unsupported`] where the kernel was
    /// given as a matrix, which says nothing about two new points
    /// ([`with_training`](Self::with_training) does that).
    pub fn block(&self, x: &Points, y: &Points) -> Result<Array2<f64>> {
        match &self.base {
            Base::Features { learned, .. } => Ok(product(
                learned.transform(x)?.view(),
                learned.transform(y)?.t(),
            )),
            Base::Matrix { .. } => Err(only_training()),
            Base::Exact => {
                let to_x = self.constrained.values(x)?;
                let to_y = self.constrained.values(y)?;
                let bent = product(
                    product(to_x.view(), self.correction.view()).view(),
                    to_y.t(),
                );
                Ok(self.constrained.moved_to(y).values(x)? + bent)
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
                let to_constrained = self.constrained.values(rows)?;
                let bent = product(to_constrained.view(), self.correction.view());
                Ok(product(bent.view(), to_training.view()) + rows.view())
            }
            Base::Features {
                learned,
                training: Some(training),
                ..
            } => Ok(product(learned.transform(rows)?.view(), training.t())),
            Base::Exact | Base::Features { .. } => Err(Error::Unsupported {
                method: "the learned kernel",
                what: "values with training points that are not given".to_owned(),
                alternatives: "give them: block(x, y)".to_owned(),
            }),
        }
    }

    /// The value of every point with itself.
    ///
    /// # Errors
    /// As [`block`](Self::block).
    pub fn self_values(&self, x: &Points) -> Result<Vec<f64>> {
        match &self.base {
            Base::Features { learned, .. } => {
                let features = learned.transform(x)?;
                Ok(features
                    .rows()
                    .into_iter()
                    .map(|row| row.dot(&row))
                    .collect())
            }
            Base::Matrix { .. } => Err(only_training()),
            Base::Exact => {
                let to_x = self.constrained.values(x)?;
                let bent = product(to_x.view(), self.correction.view());
                let added = bent.rows().into_iter().zip(to_x.rows());
                let own = self.constrained.self_values(x)?;
                Ok(own
                    .iter()
                    .zip(added)
                    .map(|(k, (b, v))| k + b.dot(&v))
                    .collect())
            }
        }
    }

    /// The squared distances in the learned space, k̂(x,x) + k̂(y,y) - 2 k̂(x,y), at least 0.
    ///
    /// # Errors
    /// As [`block`](Self::block).
    pub fn dist_sq(&self, x: &Points, y: &Points) -> Result<Array2<f64>> {
        let own_x = Array1::from(self.self_values(x)?).insert_axis(Axis(1));
        let own_y = Array1::from(self.self_values(y)?);
        let between = self.block(x, y)?;
        Ok((own_x + own_y - 2.0 * between).mapv(|dist_sq| dist_sq.max(0.0)))
    }

    /// Explicit features of the training points, of which `values` are the plain kernel's and
    /// `constrained` those that S is about: the `dims` directions of most weight, or, without a
    /// number, as many as there are.
    ///
    /// An exact kernel of more than 3,000 points is approximated on that many of them, those that
    /// were named first and then evenly spread ones.
    ///
    /// # Errors
    /// Those of the eigensolver, which finite values do not run into.
    pub(super) fn embed(
        &self,
        values: &KernelValues<'_>,
        constrained: &[usize],
        dims: Option<usize>,
    ) -> Result<Embedding> {
        let (map, features) = self.exact_map(values, constrained, dims)?;
        let features = match features {
            Some(features) => features,
            None => map.transform(&*values.as_points()?)?,
        };
        Ok(Embedding { features, map })
    }

    /// The map of [`embed`](Self::embed) without a number of dimensions, for which the features of
    /// all training points need not fit into memory.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(super) fn map(
        &self,
        values: &KernelValues<'_>,
        constrained: &[usize],
    ) -> Result<FeatureMap> {
        match &self.base {
            Base::Features { learned, .. } => Ok((**learned).clone()),
            Base::Exact | Base::Matrix { .. } => Ok(self.exact_map(values, constrained, None)?.0),
        }
    }

    /// The map of a kernel that was not cut, and the features of the training points where making it
    /// makes them too.
    fn exact_map(
        &self,
        values: &KernelValues<'_>,
        constrained: &[usize],
        dims: Option<usize>,
    ) -> Result<(FeatureMap, Option<Array2<f64>>)> {
        let rows = landmark_rows(values.len(), constrained);
        let mut among = values.among(&rows);
        let to_constrained = values.columns(constrained)?.select(Axis(0), &rows);
        let bent = product(to_constrained.view(), self.correction.view());
        among += &product(bent.view(), to_constrained.t());
        let (weights, features) = if let Some(dims) = dims {
            (leading(&among, dims)?, None)
        } else {
            let (weights, features) = all(among)?;
            (weights, (rows.len() == values.len()).then_some(features))
        };
        let landmarks = values.landmarks(&rows).stacked(&self.constrained);
        let through = product(bent.t(), weights.view());
        let map = FeatureMap::new(landmarks, concatenate![Axis(0), weights, through])?;
        Ok((map, features))
    }

    /// As [`embed`](Self::embed) for a kernel that was cut: `features` are the learned ones of the training points.
    pub(super) fn embed_features(
        &self,
        features: Array2<f64>,
        dims: Option<usize>,
    ) -> Result<Embedding> {
        let Base::Features { learned, .. } = &self.base else {
            return Err(Error::NoConvergence);
        };
        let Some(dims) = dims.filter(|&dims| dims < learned.rank()) else {
            let map = (**learned).clone();
            return Ok(Embedding { features, map });
        };
        let eigen = top_eigen(product(features.t(), features.view()).view(), dims, EXACT)?;
        Ok(Embedding {
            features: product(features.view(), eigen.vectors.view()),
            map: learned.then(eigen.vectors.view()),
        })
    }
}

/// The weights W of the `dims` leading eigenvectors: K W = V Λ^1/2.
fn leading(matrix: &Array2<f64>, dims: usize) -> Result<Array2<f64>> {
    let eigen = top_eigen(matrix.view(), dims, EXACT)?;
    let floor = NOISE * eigen.values.first().copied().unwrap_or(0.0);
    let above = eigen.values.iter().take_while(|&&value| value > floor);
    let kept = above.count().max(1);
    let values = eigen.values.slice(s![..kept]);
    let scale = values.mapv(|value| 1.0 / value.max(f64::MIN_POSITIVE).sqrt());
    Ok(&eigen.vectors.slice(s![.., ..kept]) * &scale)
}

/// Weights W and features K W of all dimensions: a Cholesky factor, rounding left out.
fn all(matrix: Array2<f64>) -> Result<(Array2<f64>, Array2<f64>)> {
    let n = matrix.nrows();
    // Where contradictions blew the kernel up, the halves differ by more than a given matrix may.
    let matrix = KernelMatrix::new((&matrix + &matrix.t()) / 2.0)?;
    let whole = Truncation::Trace(1.0);
    let low_rank = pivoted_cholesky(&KernelValues::Matrix(&matrix), whole, n, &Silent)?;
    let map = low_rank.map;
    let mut weights = Array2::zeros((n, map.rank()));
    for (at, &column) in map.landmarks().columns().unwrap_or(&[]).iter().enumerate() {
        weights.row_mut(column).assign(&map.weights().row(at));
    }
    Ok((weights, low_rank.features))
}

fn only_training() -> Error {
    Error::Unsupported {
        method: "the learned kernel",
        what: "two new points where the kernel was given as a matrix".to_owned(),
        alternatives: "values between new points and training points: with_training".to_owned(),
    }
}

/// All points, or the constrained ones and others evenly spread, sorted.
fn landmark_rows(n: usize, constrained: &[usize]) -> Vec<usize> {
    if n <= LANDMARKS {
        return (0..n).collect();
    }
    let spread = LANDMARKS
        .saturating_sub(constrained.len())
        .max(LANDMARKS / 2);
    let mut rows: Vec<usize> = (0..spread).map(|i| i * n / spread).collect();
    rows.extend(constrained);
    rows.sort_unstable();
    rows.dedup();
    rows
}
