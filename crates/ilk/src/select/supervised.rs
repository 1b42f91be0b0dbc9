//! The course of every method that groups by constraints: open settings are chosen, held-out constraints decide how
//! far the constraints are relied on, the points are grouped, and the labels are refined in the space where that
//! happened.

use super::ConstraintAgreement;
use super::inconsistency::filter_inconsistent;
use super::learned_space::{LearnedSpace, select_learning};
use super::supervision::{GroupingBy, SelectedSupervision, Supervision, select_supervision};
use crate::Result;
use crate::group::{Grouping, Label, StopReason, renumber_by_appearance};
use crate::observe::{Observer, Unreported};
use crate::outcome::{AnyModel, Chosen, Clustering, ConstraintReport, Fit};
use crate::problem::{Constraints, Input, Points, Problem};
use crate::refine::{
    KnnClassifier, MustLinkPolicy, RefineOptions, Refinement, RefinementSpace, cluster_means,
};
use crate::supervise::kernel_learning::KernelLearning;

/// The model of other labels and their number.
pub(crate) type ModelOf<'a> = Box<dyn Fn(&[Label], usize) -> AnyModel + 'a>;

/// A grouping before its labels are refined.
pub(crate) struct Grouped<'a> {
    pub(crate) fit: Fit,
    /// Where the neighbours of points are found.
    pub(crate) space: RefinementSpace,
    /// The points of whose clusters the modes are, where they are not those of `space`.
    pub(crate) modes_among: Option<Points>,
    /// For methods that assign new points by more than their neighbours in that space.
    pub(crate) model_of: Option<ModelOf<'a>>,
}

impl Grouped<'_> {
    /// A grouping of points, whose neighbours assign new points.
    pub(crate) fn of_points(fit: Fit, points: &Points) -> Self {
        let space = RefinementSpace::Points(points.clone());
        Self { fit, space, modes_among: None, model_of: None }
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

    /// The method as it groups in a space that was learned from the constraints; none where it has lengths that are
    /// given for the space of the points, or learns a space itself.
    fn in_learned_space(&self) -> Option<Self> {
        None
    }

    /// Whether it groups by the constraints in a space that was learned from them; otherwise the space alone brings
    /// them in.
    fn uses_constraints_in_learned_space(&self) -> bool {
        true
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
        && let Some((points, labels)) = labels_of_all_points(given)
    {
        return if method.labels_suffice() {
            fit_of_labels(given, points, labels)
        } else {
            relabelled(method.group_problem(given, observer)?, labels, given, Vec::new())
        };
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
    let mut course = Course { method, chosen_settings, learned: None };
    let SelectedSupervision { mut supervision, mut by, agreement_without } = if is_open {
        course.select(&problem, given, options, observer)?
    } else {
        let given = Supervision::new(GroupingBy::Constraints, method.refinement());
        SelectedSupervision::untried(given, "the user")
    };
    let without = problem.with_constraints(Constraints::new(problem.len()))?;
    let mut grouped = match supervision.grouping {
        GroupingBy::Data => course.group(&without, GroupingBy::Data, observer)?,
        by => course.group(&problem, by, observer)?,
    };
    let agreement =
        ConstraintAgreement::of(&grouped.fit.clustering.labels, problem.constraints()).score();
    if method.groups_points(given) && agreement_without.is_some_and(|least| agreement < least) {
        supervision = Supervision::LEAST;
        by = "the answers, with which a grouping without them agrees better";
        grouped = course.group(&without, GroupingBy::Data, observer)?;
    }
    if supervision.grouping == GroupingBy::Data {
        chosen.clear();
    }
    let (space, labels) = (&grouped.space, &grouped.fit.clustering.labels);
    let Supervision { refinement, .. } = supervision;
    let refined = refinement.refined_labels(options, space, labels, constraints, observer)?;
    if is_open {
        chosen.extend(supervision.as_chosen(by));
    }
    chosen.extend(filtered);
    relabelled(grouped, refined, given, chosen)
}

/// A method, and what was chosen for it.
struct Course<'m, M> {
    method: &'m M,
    /// The method with the settings that the constraints choose.
    chosen_settings: M,
    /// The method in a learned space, and how that space is learned.
    learned: Option<(M, KernelLearning)>,
}

impl<M: SupervisedGrouping> Course<'_, M> {
    /// Selects how far the method relies on the constraints of `problem`, which are the `given` ones without those
    /// that others contradict.
    fn select(
        &mut self,
        problem: &Problem,
        given: &Problem,
        options: RefineOptions,
        observer: &dyn Observer,
    ) -> Result<SelectedSupervision> {
        let method = self.method;
        // Neighbours in a graph cannot offer a label that no edge leads to.
        let least = if method.groups_points(given) {
            Supervision::LEAST
        } else {
            Supervision::GROUPING
        };
        let fewest = method.n_clusters().map_or(0, |k| POINTS_A_CLUSTER * k);
        if fewest > given.len().min(500) {
            let why = "default, since there are too few points a cluster to try more";
            return Ok(SelectedSupervision::untried(least, why));
        }
        if let Some(in_learned_space) = method.in_learned_space() {
            let learning = select_learning(problem, method.seed(), observer)?;
            self.learned = learning.map(|learning| (in_learned_space, learning));
        }
        let trial = |problem: &Problem, by: GroupingBy| {
            let grouped = self.group(problem, by, &Unreported(observer))?;
            Ok((grouped.fit.clustering.labels, grouped.space))
        };
        let has_learned_space = self.learned.is_some();
        let selected = (least, options);
        select_supervision(problem, selected, has_learned_space, method.seed(), trial, observer)
    }

    fn group<'a>(
        &self,
        problem: &'a Problem,
        by: GroupingBy,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        match (by, &self.learned) {
            (GroupingBy::Data, _) => self.method.group_problem(problem, observer),
            (GroupingBy::LearnedSpace, Some((method, learning))) => {
                let space = LearnedSpace::new(learning, problem, observer)?;
                let none;
                let features = if method.uses_constraints_in_learned_space() {
                    &space.problem
                } else {
                    none = space.problem.with_constraints(Constraints::new(problem.len()))?;
                    &none
                };
                let Grouped { fit, space: neighbors, .. } =
                    method.group_problem(features, observer)?;
                let mut clustering = fit.clustering;
                // Modes and positions were found in the learned space, which is not the user's.
                let modes_among = match problem.input() {
                    Input::Points(points) => Some(points.clone()),
                    _ => None,
                };
                if let Some(points) = &modes_among {
                    place_at_means(&mut clustering, points, problem.weights());
                }
                let model = space.model(fit.model);
                let fit = Fit { clustering, model };
                Ok(Grouped { fit, space: neighbors, modes_among, model_of: None })
            }
            _ => self.chosen_settings.group_problem(problem, observer),
        }
    }
}

/// Gives modes and final positions, where there are any, the places of the means of the clusters among `points`.
fn place_at_means(clustering: &mut Clustering, points: &Points, weights: Option<&[f64]>) {
    let means = cluster_means(points, weights, &clustering.labels, clustering.n_clusters);
    if let Some(positions) = &mut clustering.final_positions {
        let mut at_means = points.view().to_owned();
        for (mut position, label) in at_means.rows_mut().into_iter().zip(&clustering.labels) {
            if let Some(cluster) = *label {
                position.assign(&means.row(cluster));
            }
        }
        *positions = at_means;
    }
    clustering.modes = clustering.modes.is_some().then_some(means);
}

/// The fit with other labels, and a model for these.
fn relabelled(
    grouped: Grouped<'_>,
    labels: Vec<Label>,
    problem: &Problem,
    mut chosen: Vec<Chosen>,
) -> Result<Fit> {
    let Grouped { mut fit, space, modes_among, model_of } = grouped;
    let found = &mut fit.clustering;
    chosen.append(&mut found.chosen);
    found.chosen = chosen;
    if renumber_by_appearance(&found.labels).0 != labels {
        let (labels, n_clusters) = renumber_by_appearance(&labels);
        let among = match (&modes_among, &space) {
            (Some(points), _) | (None, RefinementSpace::Points(points)) => Some(points),
            (None, RefinementSpace::Graph(_)) => None,
        };
        if let (Some(modes), Some(points)) = (&mut found.modes, among)
            && modes.ncols() == points.dims()
        {
            *modes = cluster_means(points, problem.weights(), &labels, n_clusters);
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
    Ok(Fit {
        clustering: Clustering::new(grouping, problem.constraints()),
        model: AnyModel::KnnClassifier(classifier),
    })
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
