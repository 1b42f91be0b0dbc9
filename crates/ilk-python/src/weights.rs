//! Weights as scikit-learn means them: a point of weight 0 might as well not be there.
//!
//! The engine wants positive weights. Points of weight 0 are left out of the fit, with all that was
//! said of them, and placed afterwards as new points would be; the report then judges all labels by
//! all that was said.

use ilk::group::mean_shift::MeanShift;
use ilk::method::Method;
use ilk::ndarray::Axis;
use ilk::observe::Observer;
use ilk::outcome::{ConstraintReport, Fit};
use ilk::problem::{ConstraintKind, Constraints, Points, Problem};
use ilk::similarity::Bandwidth;
use ilk::{Error, Result};

use crate::constraints::told;

/// Fits a method to points, each of which counts as many points as its weight says.
pub(crate) fn fit(
    method: &Method,
    points: &Points,
    weights: &[f64],
    said: &Constraints,
    observer: &dyn Observer,
) -> Result<Fit> {
    let (counted, rest): (Vec<usize>, Vec<usize>) =
        (0..weights.len()).partition(|&point| weights[point] != 0.0);
    if rest.is_empty() {
        let problem = Problem::new(points.clone(), said.clone())?.with_weights(weights.to_vec())?;
        return method.fit(&problem, observer);
    }
    let rows = |of: &[usize]| Points::new(points.view().select(Axis(0), of));
    let problem = Problem::new(rows(&counted)?, restricted(said, &counted)?)?
        .with_weights(counted.iter().map(|&point| weights[point]).collect())?;
    let mut fit = for_points(method, &counted, weights.len())?.fit(&problem, observer)?;
    let placed = fit.model.predict_watched(&rows(&rest)?, observer)?;
    let mut labels = vec![None; weights.len()];
    let found = counted.iter().zip(&fit.clustering.labels);
    for (&point, &label) in found.chain(rest.iter().zip(&placed)) {
        labels[point] = label;
    }
    fit.clustering.report = ConstraintReport::new(said, &labels);
    fit.clustering.labels = labels;
    Ok(fit)
}

/// The method for these points alone of the `n` for which it was meant: a list of bandwidths loses
/// those of the others.
fn for_points(method: &Method, points: &[usize], n: usize) -> Result<Method> {
    let mut method = method.clone();
    if let Method::MeanShift(MeanShift {
        bandwidth: Bandwidth::PerPoint(each),
        ..
    }) = &mut method
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

/// What was said of these points alone, which are numbered anew.
fn restricted(said: &Constraints, points: &[usize]) -> Result<Constraints> {
    let mut number = vec![None; said.n()];
    for (new, &point) in points.iter().enumerate() {
        number[point] = Some(new);
    }
    let mut part = Constraints::new(points.len());
    for kind in ConstraintKind::ALL {
        for (entry, (weight, source)) in told(said, kind).into_iter().enumerate() {
            let named = said.points_of(kind, entry).unwrap_or_default();
            let named: Option<Vec<usize>> = named.iter().map(|&point| number[point]).collect();
            let Some(named) = named else { continue };
            if kind == ConstraintKind::Label {
                let name = &said.label_names()[said.labels()[entry].label];
                part.add_label(named[0], name, weight, source.as_deref())?;
            } else {
                part.add(kind, &named, weight, source.as_deref())?;
            }
        }
    }
    Ok(part)
}
