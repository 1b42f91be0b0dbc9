//! Explicit features.

use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::values::rows_a_block;
use super::{Landmarks, MAX_BYTES};
use crate::numerics::linalg::{product, product_into};
use crate::problem::Points;
use crate::{Error, Result};

/// Explicit features of points, old and new: f(x) = k(x, landmarks) W, with l landmarks and an
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
#[serde(try_from = "Stored", into = "Stored")]
pub struct FeatureMap {
    landmarks: Landmarks,
    weights: Array2<f64>,
}

/// How a feature map is written to a file.
#[derive(Serialize, Deserialize)]
#[serde(rename = "FeatureMap", deny_unknown_fields)]
struct Stored {
    landmarks: Landmarks,
    weights: Array2<f64>,
}

impl From<FeatureMap> for Stored {
    fn from(map: FeatureMap) -> Self {
        Self {
            landmarks: map.landmarks,
            weights: map.weights,
        }
    }
}

impl TryFrom<Stored> for FeatureMap {
    type Error = Error;

    fn try_from(stored: Stored) -> Result<Self> {
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
        if rows != landmarks.len() {
            return Err(Error::WrongLength {
                what: "the matrix of weights",
                found: rows,
                expected: landmarks.len(),
            });
        }
        if columns == 0 {
            return Err(Error::Empty { rows, columns });
        }
        if let Some(((row, column), &value)) =
            weights.indexed_iter().find(|(_, value)| !value.is_finite())
        {
            return Err(Error::NotFinite { row, column, value });
        }
        Ok(Self {
            landmarks,
            weights: weights.as_standard_layout().into_owned(),
        })
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
    ///
    /// # Errors
    /// Those of [`Landmarks::values`].
    pub fn transform(&self, new: &Points) -> Result<Array2<f64>> {
        let (l, rank) = self.weights.dim();
        let rows = self.landmarks.rows(new)?;
        check_features(new.len(), rank)?;
        let mut features = Array2::zeros((new.len(), rank));
        let step = rows_a_block(l);
        if let Some(all) = features.as_slice_mut() {
            all.par_chunks_mut(step * rank)
                .zip(new.as_slice().par_chunks(step * new.dims()))
                .for_each_init(Vec::new, |values, (out, queries)| {
                    values.resize(out.len() / rank * l, 0.0);
                    rows.fill(queries, values);
                    product_into(values, self.weights.view(), out);
                });
        }
        Ok(features)
    }

    /// These features times the r x q matrix `next`, as one map.
    ///
    /// # Panics
    /// Where `next` has not a row a feature.
    #[must_use]
    pub fn then(&self, next: ArrayView2<'_, f64>) -> Self {
        Self {
            landmarks: self.landmarks.clone(),
            weights: product(self.weights.view(), next),
        }
    }
}

pub(super) fn check_features(rows: usize, columns: usize) -> Result<()> {
    let bytes = 8 * rows as u128 * columns as u128;
    if bytes > MAX_BYTES {
        return Err(Error::TooLarge {
            what: "the matrix of features",
            bytes,
            instead: "ask for fewer features, or transform the points in parts",
        });
    }
    Ok(())
}
