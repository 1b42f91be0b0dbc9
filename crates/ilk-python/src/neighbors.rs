//! The graph of points that are near each other.

use ilk::problem::Points;
use ilk::similarity::graph::{EdgeRule, EdgeWeight, OneSided, neighbor_graph_observed};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::error::{OrRaise, not_understood};
use crate::run;

/// Offsets, columns and values of compressed sparse rows.
type Rows<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

/// The graph of points with their nearest others, or, if a radius is given, with all within it. `weight`
/// is `unit`, `self_tuning` or `gaussian`, which alone has a `sigma`.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "each is one of Python's")]
pub(crate) fn neighbors_graph<'py>(
    py: Python<'py>,
    x: PyReadonlyArray2<'_, f64>,
    n_neighbors: usize,
    radius: Option<f64>,
    one_sided: &str,
    weight: &str,
    sigma: f64,
    n_jobs: Option<isize>,
) -> PyResult<Rows<'py>> {
    let points = Points::new(x.as_array().to_owned()).or_raise()?;
    let one_sided: OneSided =
        serde_json::from_value(one_sided.into()).map_err(|error| not_understood(&error))?;
    let edges = match radius {
        Some(radius) => EdgeRule::Within(radius),
        None => EdgeRule::Nearest { neighbors: n_neighbors, one_sided },
    };
    let weight = match weight {
        "unit" => EdgeWeight::Unit,
        "self_tuning" => EdgeWeight::SELF_TUNING,
        _ => EdgeWeight::Gaussian { sigma },
    };
    let graph = run::cancellable(py, n_jobs, move |observer| {
        neighbor_graph_observed(&points, edges, weight, observer)
    })?;
    let graph = graph.or_raise()?;
    let mut offsets = vec![0];
    let mut columns = Vec::new();
    for node in 0..graph.len() {
        columns.extend(graph.edges(node).0.iter().map(|&column| i64::from(column)));
        offsets.push(columns.len() as i64);
    }
    let values = graph.matrix().values().to_vec();
    Ok((offsets.into_pyarray(py), columns.into_pyarray(py), values.into_pyarray(py)))
}
