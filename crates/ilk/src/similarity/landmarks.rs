//! Training points that new points are compared with.

use ndarray::{Array2, Axis, concatenate};
use serde::{Deserialize, Serialize};

use super::fill_rows::{filled_rows, rows_per_block};
use super::{Bandwidth, Gram, Kernel, gram::check_matrix_size};
use crate::{
    Error, Result, error::check_dims, numerics::cached::Cached, numerics::distances::dot,
    problem::Points,
};

/// Training points with which the kernel values of new points are computed. They can be saved.
///
/// Made from points, they are their coordinates and the kernel with all its numbers. Where a point's
/// bandwidth is its distance to a neighbour ([`Kernel::SelfTuning`]), they hold all training points,
/// because a new point has its neighbours among all of them. Made from a kernel matrix, they are
/// columns of it, and a new point is a row: its kernel values with all n training points.
///
/// [`KernelValues::landmarks`](super::KernelValues::landmarks) makes them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredLandmarks", into = "StoredLandmarks")]
pub struct Landmarks {
    source: LandmarkSource,
    /// The kernel on the landmarks, with its layout and its index of neighbours; built when the first
    /// new points come.
    gram: Cached<Gram>,
}

#[derive(Debug, Clone, PartialEq)]
enum LandmarkSource {
    Points(LandmarkPoints),
    Columns { columns: Vec<usize>, n: usize },
}

#[derive(Debug, Clone, PartialEq)]
struct LandmarkPoints {
    kernel: Kernel,
    points: Points,
    /// All training points, where the kernel looks for neighbours among them and they are not the
    /// landmarks themselves.
    training: Option<Points>,
}

/// How landmarks are written to a file.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Landmarks", rename_all = "snake_case", deny_unknown_fields)]
enum StoredLandmarks {
    Points { kernel: Kernel, dims: usize, coordinates: Vec<f64>, training: Option<Vec<f64>> },
    Columns { columns: Vec<usize>, n: usize },
}

impl From<Landmarks> for StoredLandmarks {
    fn from(landmarks: Landmarks) -> Self {
        match landmarks.source {
            LandmarkSource::Points(of) => Self::Points {
                kernel: of.kernel,
                dims: of.points.dims(),
                coordinates: of.points.as_slice().to_vec(),
                training: of.training.map(|all| all.as_slice().to_vec()),
            },
            LandmarkSource::Columns { columns, n } => Self::Columns { columns, n },
        }
    }
}

impl TryFrom<StoredLandmarks> for Landmarks {
    type Error = Error;

    fn try_from(stored: StoredLandmarks) -> Result<Self> {
        match stored {
            StoredLandmarks::Points { kernel, dims, coordinates, training } => {
                let rows = |coordinates: Vec<f64>| {
                    let rows = coordinates.len() / dims.max(1);
                    Points::from_shape(rows, dims, coordinates)
                };
                let points = rows(coordinates)?;
                let training = training.map(rows).transpose()?;
                Self::checked(kernel, points, training)
            }
            StoredLandmarks::Columns { columns, n } => {
                if columns.is_empty() || n == 0 {
                    return Err(Error::Empty { rows: n, columns: columns.len() });
                }
                if let Some(column) = columns.iter().find(|&&column| column >= n) {
                    let expected = format!("the kernel matrix has {n} columns, counted from 0");
                    return Err(Error::bad_parameter("columns", column, expected));
                }
                Ok(Self::of(LandmarkSource::Columns { columns, n }))
            }
        }
    }
}

impl Landmarks {
    fn of(source: LandmarkSource) -> Self {
        Self { source, gram: Cached::default() }
    }

    /// Landmarks from a file, whose kernel may have any parameters.
    fn checked(mut kernel: Kernel, points: Points, mut training: Option<Points>) -> Result<Self> {
        kernel.check()?;
        if let Kernel::SelfTuning { .. } = kernel {
            kernel = kernel.general();
        }
        if neighbor(&kernel).is_none() {
            training = None;
        }
        if let Kernel::Radial { bandwidth, .. } = &kernel {
            bandwidth.check(training.as_ref().unwrap_or(&points))?;
            if matches!(
                bandwidth,
                Bandwidth::Auto | Bandwidth::Percentile(_) | Bandwidth::Silverman
            ) {
                let expected = "landmarks alone cannot follow this rule; it must be a number";
                return Err(Error::bad_parameter("bandwidth", bandwidth, expected));
            }
        }
        Ok(Self::of_kernel(kernel, points, training))
    }

    pub(super) fn of_points(gram: &Gram, chosen: &[usize]) -> Self {
        let kernel = gram.resolved(chosen);
        let all = gram.points();
        let is_all = chosen.iter().copied().eq(0..all.len());
        let training = (neighbor(&kernel).is_some() && !is_all).then(|| all.clone());
        Self::of_kernel(kernel, all.select(chosen), training)
    }

    fn of_kernel(kernel: Kernel, points: Points, training: Option<Points>) -> Self {
        Self::of(LandmarkSource::Points(LandmarkPoints { kernel, points, training }))
    }

    pub(super) fn of_columns(n: usize, chosen: &[usize]) -> Self {
        assert!(!chosen.is_empty(), "landmarks are never empty");
        assert!(chosen.iter().all(|&i| i < n), "no such column");
        Self::of(LandmarkSource::Columns { columns: chosen.to_vec(), n })
    }

    /// The same kernel with other landmarks, points of the same dimensions; on a kernel matrix, these.
    pub(crate) fn with_landmark_points(&self, points: &Points) -> Self {
        match self.source.clone() {
            LandmarkSource::Points(of) => Self::of_kernel(of.kernel, points.clone(), of.training),
            LandmarkSource::Columns { .. } => self.clone(),
        }
    }

    /// The columns of a kernel matrix that these are.
    pub(crate) fn columns(&self) -> Option<&[usize]> {
        match &self.source {
            LandmarkSource::Points(_) => None,
            LandmarkSource::Columns { columns, .. } => Some(columns),
        }
    }

    /// Number of landmarks.
    pub fn len(&self) -> usize {
        match &self.source {
            LandmarkSource::Points(of) => of.points.len(),
            LandmarkSource::Columns { columns, .. } => columns.len(),
        }
    }

    /// Columns that new points must have: the dimensions, or, on a kernel matrix, the number of
    /// training points.
    pub fn dims(&self) -> usize {
        match &self.source {
            LandmarkSource::Points(of) => of.points.dims(),
            LandmarkSource::Columns { n, .. } => *n,
        }
    }

    /// The values between new points, in rows, and the landmarks, in columns: m x l. For training
    /// points they are those of the kernel matrix.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`]; [`Error::TooLarge`] above [`MAX_BYTES`](super::MAX_BYTES);
    /// [`Error::BadParameter`] where every training point was given a bandwidth, but new points have
    /// none.
    pub fn values(&self, new: &Points) -> Result<Array2<f64>> {
        let l = self.len();
        let rows = self.rows(new)?;
        check_matrix_size(new.len(), l)?;
        let dims = new.dims();
        let step = rows_per_block(l);
        Ok(filled_rows(new.len(), l, step, |_, block, out| {
            rows.fill(&new.as_slice()[block.start * dims..block.end * dims], out);
        }))
    }

    /// Every new point's value with itself, k(x, x).
    ///
    /// # Errors
    /// [`Error::WrongDimensions`]; [`Error::Unsupported`] on a kernel matrix, which does not have it.
    pub fn self_values(&self, new: &Points) -> Result<Vec<f64>> {
        check_dims(new.dims(), self.dims())?;
        match &self.source {
            LandmarkSource::Points(of) => {
                let kernel = of.kernel.general();
                if let Kernel::Radial { .. } = kernel {
                    return Ok(vec![1.0; new.len()]);
                }
                let rows = (0..new.len()).map(|i| new.row(i));
                let mut values: Vec<f64> = rows.map(|row| dot(row, row)).collect();
                kernel.of_dots(&mut values);
                Ok(values)
            }
            LandmarkSource::Columns { .. } => Err(Error::Unsupported {
                method: "a kernel matrix",
                what: "the kernel value of a new point with itself".to_owned(),
                alternatives: "fit on points, or ask for features instead".to_owned(),
            }),
        }
    }

    /// These landmarks, then the other ones.
    pub(crate) fn stacked(&self, other: &Self) -> Self {
        match (&self.source, &other.source) {
            (LandmarkSource::Points(own), LandmarkSource::Points(other)) => {
                // Without a list of their own, landmarks of a neighbour kernel are all points.
                let all = |of: &LandmarkPoints| {
                    neighbor(&own.kernel)
                        .map(|_| of.training.as_ref().unwrap_or(&of.points).clone())
                };
                let training = all(own);
                assert!(training == all(other), "landmarks among different training points");
                let both = concatenate(Axis(0), &[own.points.view(), other.points.view()])
                    .ok()
                    .and_then(|both| Points::new(both).ok());
                let Some(both) = both else { panic!("landmarks with different dimensions") };
                let training = training.filter(|all| *all != both);
                Self::of_kernel(joined(&own.kernel, &other.kernel), both, training)
            }
            (
                LandmarkSource::Columns { columns, n },
                LandmarkSource::Columns { columns: other_columns, n: other_n },
            ) => {
                assert_eq!(n, other_n, "landmarks on different kernel matrices");
                Self::of(LandmarkSource::Columns {
                    columns: [columns.as_slice(), other_columns].concat(),
                    n: *n,
                })
            }
            _ => panic!("landmarks on points and on a kernel matrix"),
        }
    }

    /// What computes rows of values for new points with these dimensions.
    pub(super) fn rows(&self, new: &Points) -> Result<LandmarkRows<'_>> {
        check_dims(new.dims(), self.dims())?;
        match &self.source {
            LandmarkSource::Columns { columns, n } => Ok(LandmarkRows::Columns { columns, n: *n }),
            LandmarkSource::Points(of) => self.gram.try_get(|| of.gram()).map(LandmarkRows::Points),
        }
    }
}

impl LandmarkPoints {
    fn gram(&self) -> Result<Gram> {
        let training = self.training.as_ref().unwrap_or(&self.points);
        let gram = match self.kernel {
            Kernel::Radial { profile, bandwidth: Bandwidth::Neighbor(k), truncation } => {
                Gram::self_tuning(profile, truncation, k, &self.points, training)
            }
            _ => Gram::new(&self.kernel, &self.points, 0)?,
        };
        gram.check_extends()?;
        Ok(gram)
    }
}

/// The k of the neighbour that gives a point its bandwidth. [`Gram::resolved`] writes self-tuning
/// kernels as radial ones.
fn neighbor(kernel: &Kernel) -> Option<usize> {
    match kernel {
        Kernel::Radial { bandwidth, .. } => bandwidth.neighbor(),
        _ => None,
    }
}

/// The kernel of stacked landmarks: the same, but that lists of bandwidths are put together.
fn joined(a: &Kernel, b: &Kernel) -> Kernel {
    let (mut joined, mut other, mut widths) = (a.clone(), b.clone(), Vec::new());
    for kernel in [&mut joined, &mut other] {
        if let Kernel::Radial { bandwidth, .. } = kernel
            && let Bandwidth::PerPoint(list) = bandwidth
        {
            widths.append(list);
        }
    }
    assert_eq!(joined, other, "landmarks of different kernels");
    if let Kernel::Radial { bandwidth, .. } = &mut joined
        && let Bandwidth::PerPoint(list) = bandwidth
    {
        *list = widths;
    }
    joined
}

/// Computes the values of new points with landmarks.
#[derive(Debug)]
pub(super) enum LandmarkRows<'a> {
    Points(&'a Gram),
    Columns { columns: &'a [usize], n: usize },
}

impl LandmarkRows<'_> {
    /// The values of `queries` (rows of coordinates, one after the other) with the landmarks.
    pub(super) fn fill(&self, queries: &[f64], out: &mut [f64]) {
        match self {
            Self::Points(gram) => gram.fill_new(queries, out),
            Self::Columns { columns, n } => {
                for (out, row) in out.chunks_exact_mut(columns.len()).zip(queries.chunks_exact(*n))
                {
                    for (out, &column) in out.iter_mut().zip(*columns) {
                        *out = row[column];
                    }
                }
            }
        }
    }
}
