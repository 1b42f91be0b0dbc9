//! Generated data, and answers drawn from a truth.

use ilk::datasets::{ConstraintSampler, Data};
use ilk::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::constraints::Constraints;
use crate::error::{OrRaise, not_understood};
use crate::recipe;

/// Points or edges, the true groups, and the groups of groups where there are two levels.
type Generated<'py> =
    (Bound<'py, PyAny>, Bound<'py, PyArray1<i64>>, Option<Bound<'py, PyArray1<i64>>>);

/// Generates a set, given as JSON with its parameters.
#[pyfunction]
pub(crate) fn generate<'py>(py: Python<'py>, dataset: &str, seed: u64) -> PyResult<Generated<'py>> {
    let generator = recipe::dataset(dataset)?;
    let set = py.detach(|| generator.generate(seed)).or_raise()?;
    let data = match set.data {
        Data::Points(points) => points.into_pyarray(py).into_any(),
        Data::Edges(edges) => {
            let ends = |(row, column): (usize, usize)| edges[row][column] as i64;
            let edges = Array2::from_shape_fn((edges.len(), 2), ends);
            edges.into_pyarray(py).into_any()
        }
    };
    let groups = |labels: Vec<usize>| {
        let labels: Vec<i64> = labels.into_iter().map(|label| label as i64).collect();
        labels.into_pyarray(py)
    };
    Ok((data, groups(set.labels), set.coarse.map(groups)))
}

/// Draws what a person who knows the truth might say; -1 is unknown. How many answers of each kind
/// comes as JSON.
#[pyfunction]
pub(crate) fn draw(
    py: Python<'_>,
    answers: &str,
    truth: PyReadonlyArray1<'_, i64>,
    seed: u64,
) -> PyResult<Constraints> {
    let answers: ConstraintSampler =
        serde_json::from_str(answers).map_err(|error| not_understood(&error))?;
    let classes = truth.as_array().iter().map(|&c| usize::try_from(c).ok()).collect::<Vec<_>>();
    let drawn = py.detach(|| answers.draw(&classes, seed)).or_raise()?;
    Ok(Constraints::new(drawn.constraints))
}
