//! Explicit features.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::Landmarks;
use super::fill_rows::{filled_rows, rows_per_block};
use crate::error::{check_length, check_memory, matrix_bytes};
use crate::numerics::linalg::{product, product_into};
use crate::{Error, Result, problem::Points};

/// Explicit features of training and new points: f(x) = k(x, landmarks) W, with l landmarks and an
/// l x r matrix of weights W. Dot products of features stand for the kernel.
///
/// Every map of points into a kernel's space has this form: a pivoted Cholesky factor
/// (W = L_pp^-T), an eigen truncation (W = V Λ^-1/2), a rotation of either, a learned kernel on top.
///
/// ```
/// use ilk::problem::Points;
/// use ilk::similarity::{FeatureMap, Gram, Kernel, KernelValues};
///
/// let points = Points::from_rows(&[vec![3.0], vec![2.0]])?;
/// let values = KernelValues::Gram(Gram::new(&Kernel::Linear, &points, 0)?);
/// let map = FeatureMap::new(values.landmarks(&[0]), ilk::ndarray::array![[1.0 / 3.0]])?;
/// assert_eq!(map.transform(&points)?, ilk::ndarray::array![[3.0], [2.0]]);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "FeatureMapFile")]
pub struct FeatureMap {
    landmarks: Landmarks,
    weights: Array2<f64>,
}

/// A feature map as it stands in a file.
#[derive(Deserialize)]
#[serde(rename = "FeatureMap", deny_unknown_fields)]
struct FeatureMapFile {
    landmarks: Landmarks,
    weights: Array2<f64>,
}

impl TryFrom<FeatureMapFile> for FeatureMap {
    type Error = Error;

    fn try_from(stored: FeatureMapFile) -> Result<Self> {
        Self::new(stored.landmarks, stored.weights)
    }
}

impl FeatureMap {
    /// A map from kernel values with `landmarks` to features, by the weights W.
    ///
    /// # Errors
    /// [`Error::WrongLength`] where W has not a row a landmark, [`Error::Empty`] where it has no
    /// columns, [`Error::NotFinite`].
    pub fn new(landmarks: Landmarks, weights: Array2<f64>) -> Result<Self> {
        let (rows, columns) = weights.dim();
        check_length("the matrix of weights", rows, landmarks.len())?;
        if columns == 0 {
            return Err(Error::Empty { rows, columns });
        }
        if let Some(((row, column), &value)) =
            weights.indexed_iter().find(|(_, value)| !value.is_finite())
        {
            return Err(Error::NotFinite { row, column, value });
        }
        Ok(Self { landmarks, weights: weights.as_standard_layout().into_owned() })
    }

    /// Columns that new points must have.
    pub fn dims_in(&self) -> usize {
        self.landmarks.dims()
    }

    /// Number of features.
    pub fn rank(&self) -> usize {
        self.weights.ncols()
    }

    /// The points whose kernel values the features are made of.
    pub fn landmarks(&self) -> &Landmarks {
        &self.landmarks
    }

    /// The weights W, a row a landmark.
    pub fn weights(&self) -> ArrayView2<'_, f64> {
        self.weights.view()
    }

    /// The features of new points: m x r. Kernel values are made for some rows at a time and
    /// forgotten.
    pub fn transform(&self, new: &Points) -> Result<Array2<f64>> {
        let (l, rank) = self.weights.dim();
        let rows = self.landmarks.rows(new)?;
        check_features(new.len(), rank)?;
        let dims = new.dims();
        let step = rows_per_block(l);
        Ok(filled_rows(new.len(), rank, step, |values, block, out| {
            values.resize(block.len() * l, 0.0);
            let queries = &new.as_slice()[block.start * dims..block.end * dims];
            rows.fill(queries, values);
            product_into(values, self.weights.view(), out);
        }))
    }

    /// These features times the r x q matrix `next`, as one map.
    ///
    /// # Panics
    /// Where `next` has not a row a feature.
    #[must_use]
    pub fn then(&self, next: ArrayView2<'_, f64>) -> Self {
        Self { landmarks: self.landmarks.clone(), weights: product(self.weights.view(), next) }
    }
}

pub(super) fn check_features(rows: usize, columns: usize) -> Result<()> {
    check_memory(
        "the matrix of features",
        matrix_bytes(rows, columns),
        "ask for fewer features, or transform the points in parts",
    )
}
