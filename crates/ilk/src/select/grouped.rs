//! What a grouping hands over to the end of a fit, and the fit that it becomes.

use super::learned_space::LearnedFeatures;
use crate::Result;
use crate::group::{Grouping, Label, renumber_by_appearance};
use crate::outcome::{
    AnyModel, Chosen, Clustering, Fit, KnnClassifier, PartitionReport, TransductiveModel,
};
use crate::problem::{Input, Points, Problem};
use crate::refine::{RefinementSpace, cluster_means};

/// Makes the model of labels and their number.
pub(crate) type ModelOfLabels<'a> = Box<dyn Fn(&[Label], usize) -> AnyModel + 'a>;

/// The model that a grouping has by itself.
pub(crate) enum GroupModel<'a> {
    /// None: new points get the labels of their neighbours.
    Neighbors,
    /// A model of its own labels; of refined ones neighbours are the model.
    OfGrouping(AnyModel),
    /// A model of its own labels, and how that of other labels and their number is made.
    OfLabels(AnyModel, ModelOfLabels<'a>),
}

/// A grouping before its labels are refined.
pub(crate) struct Grouped<'a> {
    pub(crate) grouping: Grouping,
    /// Where the neighbours of points are found.
    pub(crate) space: RefinementSpace,
    pub(crate) model: GroupModel<'a>,
    /// How new points get into the space, where it was learned.
    pub(crate) learned: Option<LearnedFeatures>,
    /// The points of whose clusters the modes are, where they are not those of `space`.
    pub(crate) modes_among: Option<Points>,
    /// The settings that the grouping chose.
    pub(crate) chosen: Vec<Chosen>,
    /// The partitions that its clusters are unions of, if they are.
    pub(crate) partitions: Option<PartitionReport>,
}

impl<'a> Grouped<'a> {
    pub(crate) fn new(grouping: Grouping, space: RefinementSpace, model: GroupModel<'a>) -> Self {
        Self {
            grouping,
            space,
            model,
            learned: None,
            modes_among: None,
            chosen: Vec::new(),
            partitions: None,
        }
    }

    /// A grouping of points that has a model.
    pub(crate) fn of_points(
        grouping: Grouping,
        model: impl Into<AnyModel>,
        points: &Points,
    ) -> Self {
        let space = RefinementSpace::Points(points.clone());
        Self::new(grouping, space, GroupModel::OfGrouping(model.into()))
    }

    /// The grouping of a problem, of which it found the groups in a learned space.
    ///
    /// Modes and final positions, where there are any, become the means of the clusters: the places that were found
    /// are not in the space of the problem.
    pub(super) fn in_learned_space(
        self,
        learned: LearnedFeatures,
        problem: &Problem,
    ) -> Grouped<'_> {
        let mut grouping = self.grouping;
        let modes_among = match problem.input() {
            Input::Points(points) => Some(points.clone()),
            _ => None,
        };
        if let Some(points) = &modes_among {
            place_at_means(&mut grouping, points, problem.weights());
        }
        let model = match self.model {
            GroupModel::Neighbors => GroupModel::Neighbors,
            GroupModel::OfGrouping(model) | GroupModel::OfLabels(model, _) => {
                GroupModel::OfGrouping(model)
            }
        };
        Grouped {
            modes_among,
            learned: Some(learned),
            chosen: self.chosen,
            partitions: self.partitions,
            ..Grouped::new(grouping, self.space, model)
        }
    }

    /// The fit of a problem with the labels of the grouping, or with `refined` ones.
    pub(super) fn into_fit(
        mut self,
        refined: Option<&[Label]>,
        problem: &Problem,
        chosen: Vec<Chosen>,
    ) -> Result<Fit> {
        let of_grouping = renumber_by_appearance(&self.grouping.labels).0;
        let refined = refined.filter(|labels| of_grouping != *labels);
        if let Some(labels) = refined {
            self.relabel(labels, problem.weights());
        }
        let Grouping { labels, n_clusters, .. } = &self.grouping;
        let model = match (self.model, &self.space) {
            (GroupModel::OfLabels(_, of), _) if refined.is_some() => of(labels, *n_clusters),
            (GroupModel::OfLabels(model, _), _) => model,
            (GroupModel::OfGrouping(model), _) if refined.is_none() => model,
            (_, RefinementSpace::Points(points)) => {
                let classifier = KnnClassifier::with_default_neighbors(points, labels)?;
                let is_computed = refined.is_some() && self.learned.is_some();
                if is_computed { classifier.tolerating_rounding() } else { classifier }.into()
            }
            (GroupModel::OfGrouping(model), RefinementSpace::Graph(_)) => model,
            (GroupModel::Neighbors, RefinementSpace::Graph(graph)) => {
                TransductiveModel::new(*n_clusters, graph.len()).into()
            }
        };
        let model = match self.learned {
            Some(learned) => learned.model(model),
            None => model,
        };
        let mut clustering = Clustering::new(self.grouping, problem.constraints());
        clustering.chosen = chosen;
        clustering.partitions = self.partitions;
        Ok(Fit { clustering, model })
    }

    /// Replaces the labels, and the modes by the means of their clusters.
    fn relabel(&mut self, labels: &[Label], weights: Option<&[f64]>) {
        let (labels, n_clusters) = renumber_by_appearance(labels);
        let among = match (&self.modes_among, &self.space) {
            (Some(points), _) | (None, RefinementSpace::Points(points)) => Some(points),
            (None, RefinementSpace::Graph(_)) => None,
        };
        if let (Some(modes), Some(points)) = (&mut self.grouping.centers, among)
            && modes.ncols() == points.dims()
        {
            *modes = cluster_means(points, weights, &labels, n_clusters);
        }
        (self.grouping.labels, self.grouping.n_clusters) = (labels, n_clusters);
    }
}

/// Gives centres and final positions, where there are any, the places of the means of the clusters among `points`.
fn place_at_means(grouping: &mut Grouping, points: &Points, weights: Option<&[f64]>) {
    let means = cluster_means(points, weights, &grouping.labels, grouping.n_clusters);
    if let Some(positions) = &mut grouping.final_positions {
        let mut at_means = points.view().to_owned();
        for (mut position, label) in at_means.rows_mut().into_iter().zip(&grouping.labels) {
            if let Some(cluster) = *label {
                position.assign(&means.row(cluster));
            }
        }
        *positions = at_means;
    }
    grouping.centers = grouping.centers.is_some().then_some(means);
}
