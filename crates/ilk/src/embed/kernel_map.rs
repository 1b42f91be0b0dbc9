//! Coordinates of points along the axes of a kernel's space, and a map for new points.

use ndarray::{Array1, Array2, Axis};
use serde::{Deserialize, Serialize};

use super::kernel_axes::{AxisChoice, KernelAxes};
use crate::numerics::linalg::{EXACT_TOLERANCE, product};
use crate::observe::{Event, Observer, report};
use crate::similarity::{FeatureMap, KernelValues, Truncation, pivoted_cholesky};
use crate::{Error, Result, error::check_length, problem::Points};

/// Kernel PCA and kernel entropy component analysis of points, with a map for new ones.
///
/// A new point x has the coordinates k(x, X) E Λ^-½, with the kernel centred as that of the points
/// was.
///
/// Up to `max_exact` points, and for a kernel matrix that was given, the axes are those of the kernel
/// matrix. For more points it is replaced by a pivoted Cholesky factor K ≈ F Fᵀ of at most `max_rank`
/// columns, in O(n r²) time and n r numbers. The error is given by the share of the trace that the factor
/// leaves out: where [`trace_share`](KernelEmbedded::trace_share) is low, take more columns or a wider
/// kernel. Of axes with nearly the same entropy another one may be kept.
///
/// ```
/// use ilk::embed::{AxisChoice, KernelEmbedding};
/// use ilk::observe::Silent;
/// use ilk::problem::Points;
/// use ilk::similarity::{Bandwidth, Gram, Kernel, KernelValues};
///
/// let points = Points::from_rows(&[[0.0], [0.2], [5.0], [5.1]].map(Vec::from))?;
/// let gram = Gram::new(&Kernel::gaussian(Bandwidth::Fixed(1.0)), &points, 0)?;
/// let params = KernelEmbedding { choice: AxisChoice::Entropy, n_components: 2, ..KernelEmbedding::default() };
/// let embedded = params.fit(&KernelValues::Gram(gram), &Silent)?;
/// // Far apart in the data is at a right angle here.
/// assert!(embedded.coordinates.row(0).dot(&embedded.coordinates.row(2)).abs() < 1e-4);
/// let again = embedded.map.transform(&points)?;
/// assert!((&again - &embedded.coordinates).iter().all(|off| off.abs() < 1e-12));
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KernelEmbedding {
    /// Which axes are kept.
    pub choice: AxisChoice,
    /// Number of axes.
    pub n_components: usize,
    /// Up to this many points the whole kernel matrix is decomposed.
    pub max_exact: usize,
    /// Columns of the pivoted Cholesky factor for more points, at most.
    pub max_rank: usize,
    /// To what residual eigenvectors are found; see [`top_eigen`](crate::numerics::linalg::top_eigen).
    pub tolerance: f64,
}

impl Default for KernelEmbedding {
    fn default() -> Self {
        Self {
            choice: AxisChoice::Variance { center: true },
            n_components: 2,
            max_exact: 6000,
            max_rank: 500,
            tolerance: EXACT_TOLERANCE,
        }
    }
}

/// Points along the axes of a kernel's space.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelEmbedded {
    /// One row a point.
    pub coordinates: Array2<f64>,
    /// The axes.
    pub axes: KernelAxes,
    /// From new points to coordinates.
    pub map: KernelMap,
    /// The share of the kernel's trace that was decomposed; 1 where all of it was.
    pub trace_share: f64,
}

/// The share of the trace at which a low-rank factor is exact enough.
const TRACE_SHARE: f64 = 0.999_99;

impl KernelEmbedding {
    /// Finds the axes of the points' kernel.
    ///
    /// # Errors
    /// Those of [`KernelAxes::new`] and of [`pivoted_cholesky`].
    pub fn fit(
        &self,
        values: &KernelValues<'_>,
        observer: &dyn Observer,
    ) -> Result<KernelEmbedded> {
        let event = Event::new("axes of the kernel", 1, 0, 1);
        report(observer, &event)?;
        match values {
            KernelValues::Gram(gram) if gram.len() > self.max_exact => {
                self.fit_low_rank(values, observer)
            }
            _ => self.fit_whole(values, observer),
        }
    }

    fn fit_whole(
        &self,
        values: &KernelValues<'_>,
        observer: &dyn Observer,
    ) -> Result<KernelEmbedded> {
        let kernel = values.dense()?;
        let (choice, count) = (self.choice, self.n_components);
        let axes =
            KernelAxes::observed(kernel.view(), None, choice, count, self.tolerance, observer)?;
        let (weights, offset) = axes.projection();
        let landmarks = values.landmarks(&(0..values.len()).collect::<Vec<_>>());
        Ok(KernelEmbedded {
            coordinates: axes.coordinates(),
            map: KernelMap::new(FeatureMap::new(landmarks, weights)?, offset)?,
            trace_share: 1.0,
            axes,
        })
    }

    fn fit_low_rank(
        &self,
        values: &KernelValues<'_>,
        observer: &dyn Observer,
    ) -> Result<KernelEmbedded> {
        let rank = self.max_rank.max(self.n_components);
        let low = pivoted_cholesky(values, Truncation::Trace(TRACE_SHARE), rank, observer)?;
        let mut features = low.features;
        let mut mean = Array1::zeros(features.ncols());
        if self.choice.is_centered() {
            mean = features.sum_axis(Axis(0)) / features.nrows() as f64;
            features -= &mean;
        }
        let (axes, rotation) =
            KernelAxes::of_features(features.view(), self.choice, self.n_components)?;
        let offset = mean.dot(&rotation);
        Ok(KernelEmbedded {
            coordinates: product(features.view(), rotation.view()),
            map: KernelMap::new(low.map.then(rotation.view()), offset)?,
            trace_share: low.trace_share,
            axes,
        })
    }
}

/// From points to coordinates along the axes of a kernel's space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "KernelMapFile")]
pub struct KernelMap {
    features: FeatureMap,
    /// The features of the mean of all points.
    #[serde(serialize_with = "super::as_list")]
    offset: Array1<f64>,
}

/// The form of [`KernelMap`] in a file.
#[derive(Deserialize)]
#[serde(rename = "KernelMap", deny_unknown_fields)]
struct KernelMapFile {
    features: FeatureMap,
    offset: Vec<f64>,
}

impl TryFrom<KernelMapFile> for KernelMap {
    type Error = Error;

    fn try_from(stored: KernelMapFile) -> Result<Self> {
        Self::new(stored.features, stored.offset.into())
    }
}

impl KernelMap {
    fn new(features: FeatureMap, offset: Array1<f64>) -> Result<Self> {
        check_length("the mean of the features", offset.len(), features.rank())?;
        if let Some((column, &value)) = offset.iter().enumerate().find(|(_, x)| !x.is_finite()) {
            return Err(Error::NotFinite { row: 0, column, value });
        }
        Ok(Self { features, offset })
    }

    /// The coordinates of points, new or old, one row each. Where the kernel was given as a matrix, new
    /// points are rows of kernel values with all points of the fit.
    pub fn transform(&self, points: &Points) -> Result<Array2<f64>> {
        Ok(self.features.transform(points)? - &self.offset)
    }

    /// Number of coordinates.
    pub fn n_components(&self) -> usize {
        self.offset.len()
    }

    /// Number of columns that points must have.
    pub fn dims(&self) -> usize {
        self.features.dims_in()
    }
}
