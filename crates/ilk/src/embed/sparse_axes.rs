//! Coordinates of sparse points.

use ndarray::{Array1, Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use crate::error::{check_dims, check_memory, matrix_bytes};
use crate::numerics::linalg::{leading_subspace, product};
use crate::observe::{Event, Observer, report};
use crate::problem::{Points, SparsePoints};
use crate::{Error, Result};

/// The axes onto which sparse points are projected, through the origin: nearly those that keep most of the sum of
/// their squared lengths (the right singular vectors of the rows, as in latent semantic analysis).
///
/// With X ≈ U Σ Vᵀ points have the coordinates X V, and new points x V. The origin stays where it is, so that lengths,
/// angles and dot products are those of the points as far as the axes keep them. Points of no more columns than axes
/// asked for keep their columns.
///
/// ```
/// use ilk::embed::SparseAxes;
/// use ilk::observe::Silent;
/// use ilk::problem::SparsePoints;
///
/// // Two documents about one thing and one about another, in seven words.
/// let words = SparsePoints::from_parts(7, &[0, 2, 4, 5], &[0, 3, 0, 3, 6], &[1.0, 1.0, 2.0, 2.0, 1.0])?;
/// let axes = SparseAxes::fit(&words, 2, &Silent)?;
/// let points = axes.project(&words)?;
/// assert_eq!((points.len(), points.dims()), (3, 2));
/// assert!((axes.share() - 1.0).abs() < 1e-12);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredAxes", into = "StoredAxes")]
pub struct SparseAxes {
    /// In columns, orthonormal.
    axes: Array2<f64>,
    share: f64,
}

/// As a file holds them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredAxes {
    dims: usize,
    axes: Vec<f64>,
    share: f64,
}

impl From<SparseAxes> for StoredAxes {
    fn from(axes: SparseAxes) -> Self {
        let share = axes.share;
        Self { dims: axes.dims(), axes: axes.axes.iter().copied().collect(), share }
    }
}

impl TryFrom<StoredAxes> for SparseAxes {
    type Error = Error;

    fn try_from(stored: StoredAxes) -> Result<Self> {
        let invalid = |reason: &str| Error::InvalidModel { reason: reason.to_owned() };
        let count = stored.axes.len().checked_div(stored.dims).unwrap_or(0);
        if count == 0 || !stored.axes.iter().chain([&stored.share]).all(|x| x.is_finite()) {
            return Err(invalid("the axes of sparse points are not numbers"));
        }
        let axes = Array2::from_shape_vec((stored.dims, count), stored.axes)
            .map_err(|_| invalid("the axes of sparse points have different lengths"))?;
        Ok(Self { axes, share: stored.share })
    }
}

impl SparseAxes {
    /// At most `k` axes of points. O(k m) a step for m values, and there are nine.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for no axis, [`Error::TooLarge`], [`Error::Cancelled`], and [`Error::NotFinite`] where
    /// products overflow.
    pub fn fit(points: &SparsePoints, k: usize, observer: &dyn Observer) -> Result<Self> {
        if k == 0 {
            return Err(Error::bad_parameter("the number of axes", 0, "at least one is needed"));
        }
        let (n, dims) = (points.len(), points.dims());
        if dims <= k {
            return Ok(Self { axes: Array2::eye(dims), share: 1.0 });
        }
        let instead = "leave out columns that few rows have";
        check_memory("the axes of sparse points", 4 * matrix_bytes(dims + n, k), instead)?;
        let turned = points.transposed();
        let step = std::sync::atomic::AtomicUsize::new(0);
        let told = || {
            let iteration = step.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            report(observer, &Event::new("axes", iteration, 0, n))
        };
        // The products go through the smaller side.
        let (first, second) = if dims <= n { (points, &turned) } else { (&turned, points) };
        let apply = |x: ArrayView2<'_, f64>| {
            told()?;
            Ok(second.times(first.times(x).view()))
        };
        let found = leading_subspace(dims.min(n), k, apply)?;
        let axes = if dims <= n {
            found.vectors
        } else {
            turned.times(found.vectors.view()) / &found.values.mapv(f64::sqrt)
        };
        if axes.is_empty() {
            // All points are at the origin; so are they along any axis.
            return Ok(Self { axes: unit_axis(dims), share: 1.0 });
        }
        let total: f64 = points.entries().map(|(_, _, value)| value * value).sum();
        let kept: f64 = points.times(axes.view()).iter().map(|x| x * x).sum();
        Ok(Self { axes, share: (kept / total).min(1.0) })
    }

    /// The coordinates of points, those that were fitted or new ones.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`]; [`Error::NotFinite`] where products overflow.
    pub fn project(&self, points: &SparsePoints) -> Result<Points> {
        check_dims(points.dims(), self.dims())?;
        Points::new(points.times(self.axes.view()))
    }

    /// As [`project`](Self::project), of points that are not sparse.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`]; [`Error::NotFinite`] where products overflow.
    pub fn project_dense(&self, points: &Points) -> Result<Points> {
        check_dims(points.dims(), self.dims())?;
        Points::new(product(points.view(), self.axes.view()))
    }

    /// The points of the space that lie along the axes and have these coordinates.
    ///
    /// # Panics
    /// Where there are more or fewer coordinates than axes.
    pub fn restore(&self, coordinates: ArrayView2<'_, f64>) -> Array2<f64> {
        product(coordinates, self.axes.t())
    }

    /// Number of columns of the points.
    pub fn dims(&self) -> usize {
        self.axes.nrows()
    }

    /// Number of axes.
    pub fn n_axes(&self) -> usize {
        self.axes.ncols()
    }

    /// The share of the sum of squared lengths that the axes keep.
    pub fn share(&self) -> f64 {
        self.share
    }
}

/// The first axis of the space.
fn unit_axis(dims: usize) -> Array2<f64> {
    let mut axis = Array1::zeros(dims);
    axis[0] = 1.0;
    axis.insert_axis(ndarray::Axis(1))
}
