//! Weights as scikit-learn means them: a point of weight 0 has no influence at all.
//!
//! The engine wants positive weights. Points of weight 0 are left out of the fit, with all constraints
//! that name them, and get the labels that the model predicts for them. The report covers all labels and
//! all constraints.

use ilk::group::mean_shift::MeanShift;
use ilk::method::{AnyMethod, Method};
use ilk::ndarray::Axis;
use ilk::observe::Observer;
use ilk::outcome::{ConstraintReport, Fit};
use ilk::problem::{Constraints, Points, Problem};
use ilk::similarity::Bandwidth;
use ilk::{Error, Result};

/// Fits a method to points, each of which counts as many points as its weight says.
pub(crate) fn fit(
    method: &AnyMethod,
    points: &Points,
    weights: &[f64],
    constraints: &Constraints,
    observer: &dyn Observer,
) -> Result<Fit> {
    let (counted, others): (Vec<usize>, Vec<usize>) =
        (0..weights.len()).partition(|&point| weights[point] != 0.0);
    if others.is_empty() {
        let problem =
            Problem::new(points.clone(), constraints.clone())?.with_weights(weights.to_vec())?;
        return method.fit(&problem, observer);
    }
    let rows = |of: &[usize]| Points::new(points.view().select(Axis(0), of));
    let problem = Problem::new(rows(&counted)?, constraints.among(&counted)?)?
        .with_weights(counted.iter().map(|&point| weights[point]).collect())?;
    let mut fit = for_points(method, &counted, weights.len())?.fit(&problem, observer)?;
    let predicted = fit.model.predict_observed(&rows(&others)?, observer)?;
    let mut labels = vec![None; weights.len()];
    let found = counted.iter().zip(&fit.clustering.labels);
    for (&point, &label) in found.chain(others.iter().zip(&predicted)) {
        labels[point] = label;
    }
    fit.clustering.report = ConstraintReport::new(constraints, &labels);
    fit.clustering.labels = labels;
    Ok(fit)
}

/// The method for these points alone of the `n` for which it was meant: a list of bandwidths loses
/// those of the others.
fn for_points(method: &AnyMethod, points: &[usize], n: usize) -> Result<AnyMethod> {
    let mut method = method.clone();
    if let AnyMethod::MeanShift(MeanShift { bandwidth: Bandwidth::PerPoint(each), .. }) =
        &mut method
    {
        if each.len() != n {
            return Err(Error::WrongLength {
                what: "the list of bandwidths",
                found: each.len(),
                expected: n,
            });
        }
        *each = points.iter().map(|&point| each[point]).collect();
    }
    Ok(method)
}
