//! Checks of rows and weights before an algorithm runs.

use ndarray::ArrayView2;

use crate::{Error, Result, error::check_length};

/// Refuses empty rows, and weights that do not fit them: a weight is 0 or more, and one is above 0.
pub(super) fn check_rows_and_weights(
    rows: ArrayView2<'_, f64>,
    weights: Option<&[f64]>,
) -> Result<()> {
    let (n, columns) = rows.dim();
    if n == 0 || columns == 0 {
        return Err(Error::Empty { rows: n, columns });
    }
    let Some(weights) = weights else {
        return Ok(());
    };
    check_length(WEIGHTS, weights.len(), n)?;
    let bad = |value: String, expected: String| Error::bad_parameter("weights", value, expected);
    let is_bad = |weight: &f64| !(weight.is_finite() && *weight >= 0.0);
    match weights.iter().position(is_bad) {
        Some(i) => {
            let expected = format!("the weight of point {i} must be finite and not negative");
            Err(bad(weights[i].to_string(), expected))
        }
        None if weights.iter().all(|&weight| weight == 0.0) => {
            Err(bad("all 0".into(), "give a point a weight above 0".into()))
        }
        None => Ok(()),
    }
}

/// Refuses weights that are not one positive number for each of `n` points.
pub(super) fn check_positive_weights(weights: Option<&[f64]>, n: usize) -> Result<()> {
    let Some(weights) = weights else {
        return Ok(());
    };
    check_length(WEIGHTS, weights.len(), n)?;
    check_positive(weights)
}

/// Refuses a weight that is not a positive number.
pub(super) fn check_positive(weights: &[f64]) -> Result<()> {
    let is_bad = |weight: &f64| !(weight.is_finite() && *weight > 0.0);
    match weights.iter().position(is_bad) {
        Some(point) => {
            Err(Error::BadPointWeight { point: point.to_string(), weight: weights[point] })
        }
        None => Ok(()),
    }
}

const WEIGHTS: &str = "the list of point weights";
