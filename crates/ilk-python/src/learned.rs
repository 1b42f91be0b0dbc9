//! Learned kernels: values, distances and features of points, old and new.

use std::sync::Arc;

use ilk::ndarray::Array2;
use ilk::outcome::LearnedKernelModel;
use ilk::problem::Points;
use ilk::similarity::FeatureMap;
use ilk_io::Scaling;
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray2, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};

use crate::error::OrRaise;
use crate::run;

/// A learned kernel, and the map into a space in which its values are dot products.
#[pyclass(frozen, module = "ilk._core")]
pub(crate) struct LearnedKernel {
    /// Shared with computations, which may outlive the call that asked for them.
    parts: Arc<Parts>,
}

/// A learned kernel, its features and the scaling of its input, as a pickle holds them.
#[derive(Serialize, Deserialize)]
#[serde(try_from = "StoredParts")]
struct Parts {
    kernel: ilk::supervise::LearnedKernel,
    map: FeatureMap,
    /// From the units of the data to those in which the kernel was learned.
    scaling: Scaling,
}

/// The fields of [`Parts`] as a pickle holds them, not yet checked.
#[derive(Deserialize)]
struct StoredParts {
    kernel: ilk::supervise::LearnedKernel,
    map: FeatureMap,
    scaling: Scaling,
}

impl TryFrom<StoredParts> for Parts {
    type Error = String;

    fn try_from(stored: StoredParts) -> Result<Self, String> {
        let StoredParts { kernel, map, scaling } = stored;
        let columns = [kernel.dims(), map.dims_in(), scaling.dims()];
        if columns.iter().any(|&other| other != columns[0]) {
            return Err(format!("kernel, features and scaling take {columns:?} columns"));
        }
        Ok(Self { kernel, map, scaling })
    }
}

impl LearnedKernel {
    /// A kernel that was learned from points as they are.
    pub(crate) fn new(kernel: ilk::supervise::LearnedKernel, map: FeatureMap) -> Self {
        let scaling = Scaling::identity(map.dims_in());
        Self::from_parts(kernel, map, scaling)
    }

    /// The kernel of a model whose columns were scaled.
    pub(crate) fn of(model: &LearnedKernelModel, scaling: &Scaling) -> Self {
        Self::from_parts(model.kernel().clone(), model.map().clone(), scaling.clone())
    }

    fn from_parts(
        kernel: ilk::supervise::LearnedKernel,
        map: FeatureMap,
        scaling: Scaling,
    ) -> Self {
        Self { parts: Arc::new(Parts { kernel, map, scaling }) }
    }

    /// A matrix with a row for each of the first points, in the units of the kernel. The others are its columns.
    fn compute<'py>(
        &self,
        py: Python<'py>,
        n_jobs: Option<isize>,
        points: Vec<PyReadonlyArray2<'_, f64>>,
        what: impl Fn(&Parts, &Points, &[Points]) -> ilk::Result<Array2<f64>> + Send + 'static,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let given = points
            .iter()
            .map(|x| Points::new(x.as_array().to_owned()).or_raise())
            .collect::<PyResult<Vec<Points>>>()?;
        let parts = Arc::clone(&self.parts);
        let matrix = run::cancellable(py, n_jobs, move |observer| -> ilk_io::Result<_> {
            let scaled = given
                .iter()
                .map(|points| parts.scaling.apply(points))
                .collect::<ilk_io::Result<Vec<Points>>>()?;
            let rows = |rows: &Points| what(&parts, rows, &scaled[1..]);
            Ok(run::in_blocks(&scaled[0], "kernel", observer, rows)?)
        })?;
        Ok(matrix.or_raise()?.into_pyarray(py))
    }
}

#[pymethods]
impl LearnedKernel {
    /// A kernel from the bytes of a pickle.
    #[new]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let parts = rmp_serde::from_slice(bytes)
            .map_err(|error| PyValueError::new_err(format!("no learned kernel: {error}")))?;
        Ok(Self { parts: Arc::new(parts) })
    }

    /// For pickle: the arguments that make the same kernel again.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        let bytes = rmp_serde::to_vec_named(&*self.parts)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok((PyBytes::new(py, &bytes),))
    }

    /// Number of columns that new points must have.
    #[getter]
    fn n_features(&self) -> usize {
        self.parts.map.dims_in()
    }

    /// Number of columns of the features.
    #[getter]
    fn n_components(&self) -> usize {
        self.parts.map.rank()
    }

    /// The rank to which the kernel was truncated before it was learned; `None` where it was not.
    #[getter]
    fn rank(&self) -> Option<usize> {
        self.parts.kernel.rank()
    }

    /// S, one row and column a constrained point.
    #[getter]
    fn correction<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        self.parts.kernel.correction().to_pyarray(py)
    }

    /// Features whose dot products are the kernel's values, a row a point.
    #[pyo3(signature = (x, n_jobs=None))]
    fn transform<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'_, f64>,
        n_jobs: Option<isize>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.compute(py, n_jobs, vec![x], |parts, rows, _| parts.map.transform(rows))
    }

    /// The values between the points of `x`, in rows, and those of `y`, in columns.
    #[pyo3(signature = (x, y, n_jobs=None))]
    fn block<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'_, f64>,
        y: PyReadonlyArray2<'_, f64>,
        n_jobs: Option<isize>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.compute(py, n_jobs, vec![x, y], |parts, rows, columns| {
            parts.kernel.block(rows, &columns[0])
        })
    }

    /// The values between rows of a given kernel and its training points.
    #[pyo3(signature = (rows, n_jobs=None))]
    fn with_training<'py>(
        &self,
        py: Python<'py>,
        rows: PyReadonlyArray2<'_, f64>,
        n_jobs: Option<isize>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.compute(py, n_jobs, vec![rows], |parts, rows, _| parts.kernel.with_training(rows))
    }

    /// The squared distances between the points of `x`, in rows, and those of `y`, in columns.
    #[pyo3(signature = (x, y, n_jobs=None))]
    fn dist_sq<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'_, f64>,
        y: PyReadonlyArray2<'_, f64>,
        n_jobs: Option<isize>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.compute(py, n_jobs, vec![x, y], |parts, rows, columns| {
            parts.kernel.dist_sq(rows, &columns[0])
        })
    }
}
