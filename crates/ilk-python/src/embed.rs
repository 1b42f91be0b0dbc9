//! Embeddings: coordinates of points, old and new.

use std::sync::Arc;

use ilk::embed::EmbeddingMap;
use ilk::problem::{Input, Points};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::OrRaise;
use crate::{recipe, run};

/// How new points get their coordinates.
#[pyclass(frozen, module = "ilk._core")]
pub(crate) struct FittedEmbedding {
    /// Shared with computations, which may outlive the call that asked for them.
    map: Arc<EmbeddingMap>,
}

/// Points in an embedding, and what is known of its axes.
#[pyclass(frozen, get_all, module = "ilk._core")]
pub(crate) struct EmbedResult {
    /// For new points.
    embedding: Py<FittedEmbedding>,
    /// One row a point.
    coordinates: Py<PyArray2<f64>>,
    /// The eigenvalue of every coordinate.
    eigenvalues: Py<PyArray1<f64>>,
    /// The eigenvectors, in columns.
    eigenvectors: Py<PyArray2<f64>>,
    /// Of a kernel: all eigenvalues that were looked at, their entropies, and the order of choice.
    spectrum: Option<Spectrum>,
    /// Of a kernel: the share of the trace that was decomposed, and whether the choice is certain.
    quality: Option<(f64, bool)>,
    /// The width that was used, if any.
    sigma: Option<f64>,
    /// Of a graph: the parts that no edge joins.
    n_connected_components: Option<usize>,
}

type Spectrum = (Py<PyArray1<f64>>, Py<PyArray1<f64>>, Py<PyArray1<i64>>);

/// Embeds points, or the rows of a matrix where the settings, as JSON, say that they are.
#[pyfunction]
#[pyo3(signature = (settings, x, n_jobs=None))]
pub(crate) fn embed(
    py: Python<'_>,
    settings: &str,
    x: PyReadonlyArray2<'_, f64>,
    n_jobs: Option<isize>,
) -> PyResult<EmbedResult> {
    let points = Points::new(x.as_array().to_owned()).or_raise()?;
    fit(py, settings, points.into(), n_jobs)
}

/// Embeds the nodes of a graph, given by its compressed sparse rows.
#[pyfunction]
#[pyo3(signature = (settings, offsets, neighbors, values, n_jobs=None))]
pub(crate) fn embed_graph(
    py: Python<'_>,
    settings: &str,
    offsets: PyReadonlyArray1<'_, i64>,
    neighbors: PyReadonlyArray1<'_, i64>,
    values: PyReadonlyArray1<'_, f64>,
    n_jobs: Option<isize>,
) -> PyResult<EmbedResult> {
    let graph = crate::fit::graph(&offsets, &neighbors, &values)?;
    fit(py, settings, graph.into(), n_jobs)
}

fn fit(
    py: Python<'_>,
    settings: &str,
    input: Input,
    n_jobs: Option<isize>,
) -> PyResult<EmbedResult> {
    let embedding = recipe::embedding(settings)?;
    let found = run::cancellable(py, n_jobs, move |observer| embedding.fit(&input, observer))?;
    let found = found.or_raise()?;
    let quality = found.kernel.as_ref().map(|k| (k.trace_share, k.is_certain));
    let spectrum = found.kernel.map(|kernel| {
        let order: Vec<i64> = kernel.order.iter().map(|&at| at as i64).collect();
        (
            kernel.eigenvalues.into_pyarray(py).unbind(),
            kernel.entropies.into_pyarray(py).unbind(),
            order.into_pyarray(py).unbind(),
        )
    });
    let map = FittedEmbedding { map: Arc::new(found.map) };
    Ok(EmbedResult {
        embedding: Py::new(py, map)?,
        coordinates: found.coordinates.into_pyarray(py).unbind(),
        eigenvalues: found.eigenvalues.into_pyarray(py).unbind(),
        eigenvectors: found.eigenvectors.into_pyarray(py).unbind(),
        spectrum,
        quality,
        sigma: found.sigma,
        n_connected_components: found.n_connected_components,
    })
}

#[pymethods]
impl FittedEmbedding {
    /// An embedding from the bytes of a pickle.
    #[new]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let map = rmp_serde::from_slice(bytes)
            .map_err(|error| PyValueError::new_err(format!("no embedding: {error}")))?;
        Ok(Self { map: Arc::new(map) })
    }

    /// For pickle: the arguments that make the same embedding again.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        let bytes = rmp_serde::to_vec_named(&*self.map)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok((PyBytes::new(py, &bytes),))
    }

    /// The coordinates of points, a row each.
    #[pyo3(signature = (x, n_jobs=None))]
    fn transform<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'_, f64>,
        n_jobs: Option<isize>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let points = Points::new(x.as_array().to_owned()).or_raise()?;
        let map = Arc::clone(&self.map);
        let found = run::cancellable(py, n_jobs, move |observer| {
            run::in_blocks(&points, "transform", observer, |rows| map.transform(rows))
        })?;
        Ok(found.or_raise()?.into_pyarray(py))
    }
}
