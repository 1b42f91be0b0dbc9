//! Sparse rows, and the axes onto which they are projected.

use std::sync::Arc;

use ilk::embed;
use ilk::problem::SparsePoints;
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::OrRaise;
use crate::run;

/// The axes that keep most of sparse rows.
#[pyclass(frozen, module = "ilk._core")]
pub(crate) struct SparseAxes(Arc<embed::SparseAxes>);

impl From<embed::SparseAxes> for SparseAxes {
    fn from(axes: embed::SparseAxes) -> Self {
        Self(Arc::new(axes))
    }
}

impl SparseAxes {
    pub(crate) fn engine(&self) -> Arc<embed::SparseAxes> {
        Arc::clone(&self.0)
    }
}

#[pymethods]
impl SparseAxes {
    /// At most `n_axes` axes of rows, and the coordinates of these along them. With `cosine` rows count by
    /// their direction alone.
    #[staticmethod]
    #[pyo3(signature = (offsets, columns, values, dims, n_axes, cosine=false, n_jobs=None))]
    #[allow(clippy::too_many_arguments, reason = "sparse rows are three arrays and a width")]
    fn fit<'py>(
        py: Python<'py>,
        offsets: PyReadonlyArray1<'_, i64>,
        columns: PyReadonlyArray1<'_, i64>,
        values: PyReadonlyArray1<'_, f64>,
        dims: usize,
        n_axes: usize,
        cosine: bool,
        n_jobs: Option<isize>,
    ) -> PyResult<(Self, Bound<'py, PyArray2<f64>>)> {
        let mut points = sparse_points(&offsets, &columns, &values, dims)?;
        if cosine {
            points = points.unit_rows();
        }
        let found = run::cancellable(py, n_jobs, move |observer| -> ilk::Result<_> {
            let axes = embed::SparseAxes::fit(&points, n_axes, observer)?;
            let coordinates = axes.project(&points)?;
            Ok((axes, coordinates))
        })?;
        let (axes, coordinates) = found.or_raise()?;
        Ok((axes.into(), coordinates.view().to_owned().into_pyarray(py)))
    }

    /// The coordinates of rows along the axes.
    #[pyo3(signature = (offsets, columns, values, dims, n_jobs=None))]
    fn transform<'py>(
        &self,
        py: Python<'py>,
        offsets: PyReadonlyArray1<'_, i64>,
        columns: PyReadonlyArray1<'_, i64>,
        values: PyReadonlyArray1<'_, f64>,
        dims: usize,
        n_jobs: Option<isize>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let points = sparse_points(&offsets, &columns, &values, dims)?;
        let axes = self.engine();
        let found = run::cancellable(py, n_jobs, move |_| axes.project(&points))?;
        Ok(found.or_raise()?.view().to_owned().into_pyarray(py))
    }

    /// Number of axes.
    #[getter]
    fn n_axes(&self) -> usize {
        self.0.n_axes()
    }
}

fn sparse_points(
    offsets: &PyReadonlyArray1<'_, i64>,
    columns: &PyReadonlyArray1<'_, i64>,
    values: &PyReadonlyArray1<'_, f64>,
    dims: usize,
) -> PyResult<SparsePoints> {
    let values = values.as_array().to_vec();
    SparsePoints::from_parts(dims, &places(offsets)?, &places(columns)?, &values).or_raise()
}

/// Indices of a sparse matrix as the engine takes them.
pub(crate) fn places(array: &PyReadonlyArray1<'_, i64>) -> PyResult<Vec<usize>> {
    let each = array.as_array();
    let each = each.iter().map(|&i| usize::try_from(i));
    each.collect::<Result<Vec<usize>, _>>()
        .map_err(|_| PyValueError::new_err("a sparse matrix with an index below 0"))
}
