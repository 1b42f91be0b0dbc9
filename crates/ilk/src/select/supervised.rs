//! The course of every method that groups by constraints: open settings are chosen, held-out constraints decide how
//! far the constraints are relied on, the points are grouped, and the labels are refined in the space where that
//! happened.

use super::ConstraintAgreement;
use super::inconsistency::filter_inconsistent;
use super::supervision::{Supervision, select_supervision};
use crate::Result;
use crate::group::{Grouping, Label, StopReason, renumber_by_appearance};
use crate::observe::{Observer, Silent};
use crate::outcome::{AnyModel, Chosen, Clustering, ConstraintReport, Fit};
use crate::problem::{Constraints, Input, Points, Problem};
use crate::refine::{
    KnnClassifier, MustLinkPolicy, RefineOptions, Refinement, RefinementSpace, cluster_means,
};

/// The model of other labels and their number.
pub(crate) type ModelOf<'a> = Box<dyn Fn(&[Label], usize) -> AnyModel + 'a>;

/// A grouping before its labels are refined.
pub(crate) struct Grouped<'a> {
    pub(crate) fit: Fit,
    /// Where the neighbours of points are found.
    pub(crate) space: RefinementSpace,
    /// For methods that assign new points by more than their neighbours in that space.
    pub(crate) model_of: Option<ModelOf<'a>>,
}

impl Grouped<'_> {
    /// A grouping of points, whose neighbours assign new points.
    pub(crate) fn of_points(fit: Fit, points: &Points) -> Self {
        Self { fit, space: RefinementSpace::Points(points.clone()), model_of: None }
    }
}

/// A method that groups by constraints.
pub(crate) trait SupervisedGrouping: Clone + Sync {
    /// How far labels are refined.
    fn refinement(&self) -> Refinement;

    /// What a must-link is worth in the refinement.
    fn must_links(&self) -> MustLinkPolicy {
        MustLinkPolicy::Auto
    }

    /// The number of clusters, where it is given.
    fn n_clusters(&self) -> Option<usize>;

    fn seed(&self) -> u64;

    /// Whether the space in which it groups is one of points.
    fn groups_points(&self, problem: &Problem) -> bool {
        matches!(problem.input(), Input::Points(_))
    }

    /// Whether the labels of all points say all that a fit could: not where it also learns a kernel.
    fn labels_suffice(&self) -> bool {
        true
    }

    /// What is done where there are too few constraints to hold some out.
    fn least_supervision(&self) -> Supervision {
        Supervision::LEAST
    }

    /// Whether pairs that other pairs contradict are left out.
    fn filters_inconsistent(&self) -> bool {
        self.refinement() == Refinement::Auto
    }

    /// The same with the settings that the constraints choose, and what was chosen how.
    fn with_chosen_settings(
        &self,
        _problem: &Problem,
        _observer: &dyn Observer,
    ) -> Result<(Self, Vec<Chosen>)> {
        Ok((self.clone(), Vec::new()))
    }

    /// Groups the points by the constraints of the problem, which may be none.
    fn group_problem<'a>(
        &self,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>>;
}

/// Points of a trial that one cluster needs at least, of the 500 on which settings are tried.
const POINTS_A_CLUSTER: usize = 5;

/// Fits a method to a problem that it supports.
pub(crate) fn fit_supervised<M: SupervisedGrouping>(
    method: &M,
    given: &Problem,
    observer: &dyn Observer,
) -> Result<Fit> {
    if method.refinement() != Refinement::Off
        && method.labels_suffice()
        && let Some(fit) = fully_labelled(given)?
    {
        return Ok(fit);
    }
    let is_open = method.refinement() == Refinement::Auto;
    let (problem, filtered) = filter_inconsistent(given, method.filters_inconsistent())?;
    let (chosen_settings, mut chosen) = method.with_chosen_settings(&problem, observer)?;
    let is_judged = ConstraintAgreement::has_pairs(problem.constraints());
    if !is_judged || method.refinement() == Refinement::Off {
        let mut fit = chosen_settings.group_problem(&problem, observer)?.fit;
        chosen.append(&mut fit.clustering.chosen);
        chosen.extend(filtered);
        fit.clustering.chosen = chosen;
        let labels = &fit.clustering.labels;
        fit.clustering.report = ConstraintReport::new(given.constraints(), labels);
        return Ok(fit);
    }
    let constraints = problem.constraints();
    let contradicted = constraints.closure().contradicted_cannot_links(constraints);
    let options = RefineOptions {
        are_consistent: filtered.is_none() && contradicted.is_empty(),
        must_links: method.must_links(),
        divide: method.n_clusters().is_none(),
        may_merge: method.n_clusters().is_none(),
    };
    let supervision = if is_open {
        let trial = |problem: &Problem| {
            let is_without = problem.constraints().is_empty();
            let method = if is_without { method } else { &chosen_settings };
            let grouped = method.group_problem(problem, &Silent)?;
            Ok((grouped.fit.clustering.labels, grouped.space))
        };
        let fewest = method.n_clusters().map_or(0, |k| POINTS_A_CLUSTER * k);
        // Neighbours in a graph cannot offer a label that no edge leads to.
        let least = if method.groups_points(given) {
            method.least_supervision()
        } else {
            Supervision::GROUPING
        };
        if fewest > given.len().min(500) {
            least
        } else {
            select_supervision(&problem, (least, options), method.seed(), trial, observer)?
        }
    } else {
        Supervision { in_grouping: true, refinement: method.refinement() }
    };
    let without = problem.with_constraints(Constraints::new(problem.len()))?;
    let grouped = if supervision.in_grouping {
        chosen_settings.group_problem(&problem, observer)?
    } else {
        chosen.clear();
        method.group_problem(&without, observer)?
    };
    let refine = supervision.refinement.to_params(options, problem.len());
    let labels = &grouped.fit.clustering.labels;
    let refined = refine.refine(&grouped.space, labels, problem.constraints(), observer)?;
    if is_open {
        let by = if supervision.in_grouping {
            "held-out answers"
        } else {
            "held-out answers, which favour a grouping without the constraints"
        };
        chosen.push(Chosen::new("refine", supervision.refinement, by));
    }
    chosen.extend(filtered);
    relabelled(grouped, refined.labels, given, chosen)
}

/// The fit with other labels, and a model for these.
fn relabelled(
    grouped: Grouped<'_>,
    labels: Vec<Label>,
    problem: &Problem,
    mut chosen: Vec<Chosen>,
) -> Result<Fit> {
    let Grouped { mut fit, space, model_of } = grouped;
    let found = &mut fit.clustering;
    chosen.append(&mut found.chosen);
    found.chosen = chosen;
    if renumber_by_appearance(&found.labels).0 != labels {
        let (labels, n_clusters) = renumber_by_appearance(&labels);
        if let (Some(modes), RefinementSpace::Points(points)) = (&mut found.modes, &space)
            && modes.ncols() == points.dims()
        {
            *modes = cluster_means(points, &labels, n_clusters);
        }
        fit.model = match model_of {
            Some(model_of) => model_of(&labels, n_clusters),
            None => nearest_neighbors_model(fit.model, &space, &labels)?,
        };
        (found.labels, found.n_clusters) = (labels, n_clusters);
    }
    found.report = ConstraintReport::new(problem.constraints(), &found.labels);
    Ok(fit)
}

/// A model that assigns new points by their neighbours in the space of the grouping.
fn nearest_neighbors_model(
    model: AnyModel,
    space: &RefinementSpace,
    labels: &[Label],
) -> Result<AnyModel> {
    let RefinementSpace::Points(points) = space else {
        return Ok(model);
    };
    let classifier = KnnClassifier::with_default_neighbors(points, labels)?;
    Ok(match model {
        AnyModel::LearnedKernel(learned) => {
            let inner = AnyModel::KnnClassifier(classifier.tolerating_rounding());
            AnyModel::LearnedKernel(Box::new(learned.with_inner(inner)))
        }
        _ => AnyModel::KnnClassifier(classifier),
    })
}

/// The labels themselves, where every point has one and no must-link or cannot-link contradicts them.
fn fully_labelled(problem: &Problem) -> Result<Option<Fit>> {
    let constraints = problem.constraints();
    if constraints.labels().len() < problem.len() || problem.weights().is_some() {
        return Ok(None);
    }
    let labels: Vec<Label> = (0..problem.len()).map(|point| constraints.label_of(point)).collect();
    let (labels, n_clusters) = renumber_by_appearance(&labels);
    let Input::Points(points) = problem.input() else {
        return Ok(None);
    };
    let report = ConstraintReport::new(constraints, &labels);
    if report.broken() > 0 || labels.contains(&None) {
        return Ok(None);
    }
    let classifier = KnnClassifier::with_default_neighbors(points, &labels)?;
    let centers = cluster_means(points, &labels, n_clusters);
    let mut grouping = Grouping::new(labels, n_clusters, StopReason::Converged, Vec::new());
    grouping.centers = Some(centers);
    grouping.iterations = 1;
    Ok(Some(Fit {
        clustering: Clustering::new(grouping, constraints),
        model: AnyModel::KnnClassifier(classifier),
    }))
}
