//! Scores of a labelling against the truth.

use ilk::evaluate::{Average, Contingency};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::OrRaise;

/// The score of this name; `average` and `beta` matter to those that have them.
#[pyfunction]
#[pyo3(signature = (metric, truth, predicted, average="arithmetic", beta=1.0))]
pub(crate) fn score(
    py: Python<'_>,
    metric: &str,
    truth: PyReadonlyArray1<'_, i64>,
    predicted: PyReadonlyArray1<'_, i64>,
    average: &str,
    beta: f64,
) -> PyResult<f64> {
    let (truth, predicted) = (truth.as_array().to_vec(), predicted.as_array().to_vec());
    let average = parse_average(average)?;
    let value: ilk::Result<Option<f64>> = py.detach(|| {
        let table = Contingency::new(&truth, &predicted)?;
        Ok(Some(match metric {
            "adjusted_rand" => table.pair_confusion().adjusted_rand(),
            "rand" => table.pair_confusion().rand_index(),
            "mutual_info" => table.mutual_info(),
            "normalized_mutual_info" => table.normalized_mutual_info(average),
            "adjusted_mutual_info" => table.adjusted_mutual_info(average),
            "homogeneity" => table.homogeneity(),
            "completeness" => table.completeness(),
            "v_measure" => table.v_measure(beta),
            "pair_precision" => table.pair_confusion().scores().precision,
            "pair_recall" => table.pair_confusion().scores().recall,
            "pair_f" => table.pair_confusion().scores().f,
            "accuracy" => table.accuracy(),
            _ => return Ok(None),
        }))
    });
    value.or_raise()?.ok_or_else(|| PyValueError::new_err(format!("there is no metric {metric:?}")))
}

fn parse_average(name: &str) -> PyResult<Average> {
    let known = Average::ALL.into_iter().find(|average| average.name() == name);
    known.ok_or_else(|| {
        let names = Average::ALL.map(Average::name).join(", ");
        PyValueError::new_err(format!("average = {name:?} is out of range: one of {names}"))
    })
}
