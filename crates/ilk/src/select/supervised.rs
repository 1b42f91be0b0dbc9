//! The course of every method that groups by constraints: open settings are chosen, held-out constraints decide how
//! far the constraints are relied on, the points are grouped, and the labels are refined in the space where that
//! happened.

use super::ConstraintAgreement;
use super::grouped::Grouped;
use super::inconsistency::filter_inconsistent;
use super::labelled::{fit_of_labels, labels_of_all_points};
use super::learned_space::{LearnedSpace, select_learning};
use super::supervision::{GroupingBy, SelectedSupervision, Supervision, select_supervision};
use crate::Result;
use crate::observe::{Observer, Unreported};
use crate::outcome::{Chosen, Fit};
use crate::problem::{Constraints, Input, Problem};
use crate::refine::{MustLinkPolicy, RefineOptions, Refinement};
use crate::supervise::kernel_learning::KernelLearning;

/// A grouping by constraints, which is run on a problem, and on samples of it with some of its constraints or none.
pub(crate) trait SupervisedGrouping: Clone + Sync {
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

/// A grouping with what a method says about it.
pub(crate) struct SupervisedFit<G> {
    pub(crate) grouping: G,
    /// The grouping as it runs in a space that was learned from the constraints; none where it has lengths that are
    /// given for the space of the points, or learns a space itself.
    pub(crate) in_learned_space: Option<G>,
    /// Whether it uses the constraints in that space; otherwise the space alone brings them in.
    pub(crate) uses_constraints_in_learned_space: bool,
    /// Whether it learns a kernel from the constraints: then it groups points, whatever the input, and the labels of
    /// all points do not say all that a fit could.
    pub(crate) learns_kernel: bool,
    /// The number of clusters, where it is given.
    pub(crate) n_clusters: Option<usize>,
    /// How far labels are refined.
    pub(crate) refinement: Refinement,
    /// What a must-link is worth in the refinement.
    pub(crate) must_links: MustLinkPolicy,
    /// Whether pairs that other pairs contradict are left out.
    pub(crate) filters_inconsistent: bool,
    /// How far constraints are relied on where there are too few to hold some out; none: as little as the input allows.
    pub(crate) without_trials: Option<Supervision>,
    pub(crate) seed: u64,
}

impl<G> SupervisedFit<G> {
    /// A grouping into so many clusters, if their number is given, of which everything else is as usual.
    pub(crate) fn new(
        grouping: G,
        n_clusters: Option<usize>,
        refinement: Refinement,
        seed: u64,
    ) -> Self {
        Self {
            grouping,
            in_learned_space: None,
            uses_constraints_in_learned_space: true,
            learns_kernel: false,
            n_clusters,
            refinement,
            must_links: MustLinkPolicy::Auto,
            filters_inconsistent: refinement == Refinement::Auto,
            without_trials: None,
            seed,
        }
    }

    /// Whether the space in which it groups is one of points.
    fn groups_points(&self, problem: &Problem) -> bool {
        self.learns_kernel || matches!(problem.input(), Input::Points(_))
    }
}

/// Points of a trial that one cluster needs at least, of the 500 on which settings are tried.
const POINTS_A_CLUSTER: usize = 5;

impl<G: SupervisedGrouping> SupervisedFit<G> {
    /// Fits a problem that the method supports.
    pub(crate) fn fit(&self, given: &Problem, observer: &dyn Observer) -> Result<Fit> {
        if self.refinement != Refinement::Off
            && let Some((points, labels)) = labels_of_all_points(given)
        {
            return if self.learns_kernel {
                let mut grouped = self.grouping.group_problem(given, observer)?;
                let chosen = std::mem::take(&mut grouped.chosen);
                grouped.into_fit(Some(&labels), given, chosen)
            } else {
                fit_of_labels(given, points, labels)
            };
        }
        let is_open = self.refinement == Refinement::Auto;
        let (problem, filtered) = filter_inconsistent(given, self.filters_inconsistent)?;
        let (chosen_settings, mut chosen) =
            self.grouping.with_chosen_settings(&problem, observer)?;
        let is_judged = ConstraintAgreement::has_pairs(problem.constraints());
        if !is_judged || self.refinement == Refinement::Off {
            let mut grouped = chosen_settings.group_problem(&problem, observer)?;
            chosen.append(&mut grouped.chosen);
            chosen.extend(filtered);
            return grouped.into_fit(None, given, chosen);
        }
        let constraints = problem.constraints();
        let contradicted = constraints.closure().contradicted_cannot_links(constraints);
        let options = RefineOptions {
            are_consistent: filtered.is_none() && contradicted.is_empty(),
            must_links: self.must_links,
            divide: self.n_clusters.is_none(),
            may_merge: self.n_clusters.is_none(),
        };
        let mut course = Course { declared: self, chosen_settings, learned: None };
        let SelectedSupervision { mut supervision, mut by, agreement_without } = if is_open {
            course.select(&problem, given, options, observer)?
        } else {
            let given = Supervision::new(GroupingBy::Constraints, self.refinement);
            SelectedSupervision::untried(given, "the user")
        };
        let without = problem.with_constraints(Constraints::new(problem.len()))?;
        let mut grouped = match supervision.grouping {
            GroupingBy::Data => course.group(&without, GroupingBy::Data, observer)?,
            by => course.group(&problem, by, observer)?,
        };
        let agreement = ConstraintAgreement::of(&grouped.grouping.labels, constraints).score();
        if self.groups_points(given) && agreement_without.is_some_and(|least| agreement < least) {
            supervision = Supervision::LEAST;
            by = "the answers, with which a grouping without them agrees better";
            grouped = course.group(&without, GroupingBy::Data, observer)?;
        }
        if supervision.grouping == GroupingBy::Data {
            chosen.clear();
        }
        let (space, labels) = (&grouped.space, &grouped.grouping.labels);
        let Supervision { refinement, .. } = supervision;
        let refined = refinement.refined_labels(options, space, labels, constraints, observer)?;
        if is_open {
            chosen.extend(supervision.as_chosen(by));
        }
        chosen.extend(filtered);
        chosen.append(&mut grouped.chosen);
        grouped.into_fit(Some(&refined), given, chosen)
    }
}

/// A grouping, and what was chosen for it.
struct Course<'m, G> {
    declared: &'m SupervisedFit<G>,
    /// The grouping with the settings that the constraints choose.
    chosen_settings: G,
    /// The grouping in a learned space, and how that space is learned.
    learned: Option<(&'m G, KernelLearning)>,
}

impl<G: SupervisedGrouping> Course<'_, G> {
    /// Selects how far the grouping relies on the constraints of `problem`, which are the `given` ones without those
    /// that others contradict.
    fn select(
        &mut self,
        problem: &Problem,
        given: &Problem,
        options: RefineOptions,
        observer: &dyn Observer,
    ) -> Result<SelectedSupervision> {
        let declared = self.declared;
        // Neighbours in a graph cannot offer a label that no edge leads to.
        let least =
            if declared.groups_points(given) { Supervision::LEAST } else { Supervision::GROUPING };
        let untried = declared.without_trials.unwrap_or(least);
        let fewest = declared.n_clusters.map_or(0, |k| POINTS_A_CLUSTER * k);
        if fewest > given.len().min(500) {
            let why = "default, since there are too few points a cluster to try more";
            return Ok(SelectedSupervision::untried(untried, why));
        }
        if let Some(in_learned_space) = &declared.in_learned_space {
            let learning = select_learning(problem, declared.seed, observer)?;
            self.learned = learning.map(|learning| (in_learned_space, learning));
        }
        let trial = |problem: &Problem, by: GroupingBy| {
            let grouped = self.group(problem, by, &Unreported(observer))?;
            Ok((grouped.grouping.labels, grouped.space))
        };
        let has_learned_space = self.learned.is_some();
        let selected = (least, untried, options);
        select_supervision(problem, selected, has_learned_space, declared.seed, trial, observer)
    }

    fn group<'a>(
        &self,
        problem: &'a Problem,
        by: GroupingBy,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        match (by, &self.learned) {
            (GroupingBy::Data, _) => self.declared.grouping.group_problem(problem, observer),
            (GroupingBy::LearnedSpace, Some((grouping, learning))) => {
                let mut space = LearnedSpace::new(learning, problem, observer)?;
                if !self.declared.uses_constraints_in_learned_space {
                    let none = Constraints::new(problem.len());
                    space.problem = space.problem.with_constraints(none)?;
                }
                let grouped = grouping.group_problem(&space.problem, observer)?;
                Ok(grouped.in_learned_space(space.features, problem))
            }
            _ => self.chosen_settings.group_problem(problem, observer),
        }
    }
}
