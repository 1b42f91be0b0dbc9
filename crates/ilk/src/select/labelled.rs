//! Problems of which the labels say all.

use crate::Result;
use crate::group::{Grouping, Label, StopReason, renumber_by_appearance};
use crate::outcome::{ConstraintReport, Fit, KnnClassifier};
use crate::problem::{Input, Points, Problem};
use crate::refine::cluster_means;

/// The labels themselves, where every point of a table has one and no must-link or cannot-link contradicts them.
pub(crate) fn labels_of_all_points(problem: &Problem) -> Option<(&Points, Vec<Label>)> {
    let constraints = problem.constraints();
    let Input::Points(points) = problem.input() else { return None };
    if constraints.labels().len() < problem.len() {
        return None;
    }
    let labels: Vec<Label> = (0..problem.len()).map(|point| constraints.label_of(point)).collect();
    let is_broken = ConstraintReport::new(constraints, &labels).broken() > 0;
    let is_complete = !is_broken && !labels.contains(&None);
    is_complete.then(|| (points, renumber_by_appearance(&labels).0))
}

/// The fit whose clusters are the labels.
pub(crate) fn fit_of_labels(problem: &Problem, points: &Points, labels: Vec<Label>) -> Result<Fit> {
    let n_clusters = labels.iter().flatten().max().map_or(0, |last| last + 1);
    let classifier = classifier_of_labelled(points, problem.weights(), &labels)?;
    let centers = cluster_means(points, problem.weights(), &labels, n_clusters);
    let mut grouping = Grouping::new(labels, n_clusters, StopReason::Converged, Vec::new());
    grouping.centers = Some(centers);
    grouping.iterations = 1;
    Ok(Fit::new(grouping, classifier, problem.constraints()))
}

/// A classifier by the distinct points that weigh anything, so that a point of weight 2 and two copies of it classify
/// alike. Where copies have different labels all of them count.
fn classifier_of_labelled(
    points: &Points,
    weights: Option<&[f64]>,
    labels: &[Label],
) -> Result<KnnClassifier> {
    let distinct = points.distinct_rows();
    let first_of = |point: usize| distinct.first[distinct.distinct_row_of[point]];
    let mut rows: Vec<usize> = (0..points.len()).collect();
    if rows.iter().all(|&point| labels[point] == labels[first_of(point)]) {
        let row_weights = distinct.weights(weights);
        let heavy = distinct.first.iter().zip(&row_weights).filter(|(_, weight)| **weight > 0.0);
        rows = heavy.map(|(&first, _)| first).collect();
    }
    let of_rows: Vec<Label> = rows.iter().map(|&point| labels[point]).collect();
    KnnClassifier::with_default_neighbors(&points.select(&rows), &of_rows)
}
