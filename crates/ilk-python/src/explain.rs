//! What clusters are, and which rows are worth a look.

use ilk::explain::{ClusterDescription, Explanation, UnusualRows};
use ilk::group::Label;
use ilk::problem::Points;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::OrRaise;

/// The sample of many rows is always the same.
const SEED: u64 = 0;

/// Clusters: size, typical rows, silhouette, mean distance, nearest cluster and its mean distance, and for every feature
/// its number, the difference, the mean and the mean elsewhere. Beside them the overall silhouette, the number of rows that
/// were compared, rows between clusters with share and other cluster, and rows far from all others with their ratio.
#[pyfunction]
pub(crate) fn explain<'py>(
    py: Python<'py>,
    x: PyReadonlyArray2<'_, f64>,
    labels: PyReadonlyArray1<'_, i64>,
) -> PyResult<Bound<'py, PyDict>> {
    let points = Points::new(x.as_array().to_owned()).or_raise()?;
    let labels: Vec<Label> =
        labels.as_array().iter().map(|&label| usize::try_from(label).ok()).collect();
    let found = py.detach(|| -> ilk::Result<_> {
        let explanation = Explanation::new(&points, &labels, SEED)?;
        Ok((explanation, UnusualRows::new(&points, &labels, SEED)?))
    });
    let (explanation, unusual) = found.or_raise()?;
    let dict = PyDict::new(py);
    let clusters: PyResult<Vec<_>> =
        explanation.clusters.iter().map(|cluster| describe(py, cluster)).collect();
    dict.set_item("clusters", clusters?)?;
    dict.set_item("silhouette", explanation.silhouette)?;
    dict.set_item("n_compared", explanation.n_compared)?;
    let boundary = unusual.boundary.iter().map(|it| (it.row, it.share, it.other));
    dict.set_item("boundary", boundary.collect::<Vec<_>>())?;
    let outliers = unusual.outliers.iter().map(|it| (it.row, it.ratio));
    dict.set_item("outliers", outliers.collect::<Vec<_>>())?;
    Ok(dict)
}

fn describe<'py>(py: Python<'py>, cluster: &ClusterDescription) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("cluster", cluster.cluster)?;
    dict.set_item("size", cluster.size)?;
    dict.set_item("silhouette", cluster.silhouette)?;
    dict.set_item("mean_distance", cluster.mean_distance)?;
    dict.set_item("nearest", cluster.nearest.map(|nearest| nearest.cluster))?;
    dict.set_item("nearest_distance", cluster.nearest.map(|nearest| nearest.mean_distance))?;
    dict.set_item("typical", &cluster.typical)?;
    let features = cluster.features.iter();
    let features = features.map(|it| (it.feature, it.difference, it.mean, it.mean_of_rest));
    dict.set_item("features", features.collect::<Vec<_>>())?;
    Ok(dict)
}
