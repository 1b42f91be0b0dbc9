//! What the methods that cluster by affinities share: from any input to a graph, and from its clusters
//! back to labels of the input.

use std::collections::{BTreeMap, BTreeSet};

use crate::Result;
use crate::embed::Laplacian;
use crate::group::spectral::Spectral;
use crate::group::{Grouping, GroupingAlgorithm, Label, renumber_by_appearance};
use crate::observe::{Event, Observer, report};
use crate::outcome::{Fit, KnnClassifier, TransductiveModel, assign_unlabelled};
use crate::parameter::AutoOr;
use crate::problem::distinct::constraints_over_rows;
use crate::problem::{Constraints, Graph, Input, Points, Problem, with_labels_as_pairs};
use crate::refine::{Refinement, RefinementSpace};
use crate::select::grouped::{GroupModel, Grouped};
use crate::select::n_clusters::ClusterCount;
use crate::select::supervised::{SupervisedFit, SupervisedGrouping};
use crate::similarity::AffinityName;
use crate::similarity::graph::{
    EdgeRule, EdgeWeight, OneSided, neighbor_graph_observed, neighbor_graph_of_affinities,
};
use crate::supervise::edit_affinity::edited;
use crate::supervise::propagate::{Propagated, propagated};

/// Declares a method that clusters by adapted affinities: its own parameters, and those that both have.
macro_rules! affinity_params {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($own:tt)*
        }
    ) => {
        $crate::parameters! {
            $(#[$about])*
            pub struct $name {
                /// Number of clusters. auto: chosen from the constraints and the data.
                pub n_clusters: $crate::AutoOr<usize> =
                    $crate::AutoOr::Auto, in $crate::parameter::Range::COUNT;
                /// How alike two points are. precomputed: the rows given are those of a matrix of affinities.
                pub affinity: $crate::similarity::AffinityName =
                    $crate::similarity::AffinityName::Gaussian;
                /// Width of the Gaussian. auto: each point's own, the distance to its 7th neighbour.
                pub sigma: $crate::AutoOr<f64> =
                    $crate::AutoOr::Auto, in $crate::parameter::Range::POSITIVE;
                /// Neighbours with which a point has affinity; those of a graph are taken as they are.
                pub n_neighbors: usize = 10, in $crate::parameter::Range::COUNT;
                $($own)*
                /// How far labels are refined by the neighbours and the constraints: not at all, or up to this step. auto: held-out
                /// constraints decide, also whether affinities are adapted to the constraints.
                pub refine: $crate::refine::Refinement = $crate::refine::Refinement::Auto;
                /// Descents of k-means from different starts, of which the best is kept.
                pub n_init: usize = 10, in $crate::parameter::Range::RUNS;
                /// Seed of everything random.
                pub seed: u64 = 0;
            }
        }

        impl $name {
            /// The course of this method, with what is its own.
            fn pipeline(
                &self,
                adaptation: $crate::method::propagation::pipeline::AffinityAdaptation,
                laplacian: $crate::embed::Laplacian,
            ) -> $crate::method::propagation::pipeline::AffinityPipeline {
                $crate::method::propagation::pipeline::AffinityPipeline {
                    adaptation,
                    refine: self.refine,
                    n_clusters: self.n_clusters,
                    affinity: self.affinity,
                    sigma: self.sigma,
                    n_neighbors: self.n_neighbors,
                    laplacian,
                    n_init: self.n_init,
                    seed: self.seed,
                }
            }
        }
    };
}
pub(super) use affinity_params;

/// How the graph is adapted to pairs.
#[derive(Debug, Clone, Copy)]
pub(super) enum AffinityAdaptation {
    /// Pairs are propagated; values above the threshold become edges.
    Propagated { alpha: f64, threshold: f64 },
    /// The affinities of the pairs alone are edited.
    Edited,
}

impl AffinityAdaptation {
    fn adapt(self, graph: &Graph, pairs: &Constraints, observer: &dyn Observer) -> Result<Graph> {
        match self {
            Self::Propagated { alpha, threshold } => {
                Propagated::new(graph, pairs, alpha, observer)?.graph(threshold)
            }
            Self::Edited => edited(graph, pairs),
        }
    }
}

/// What is to be done.
#[derive(Debug, Clone, Copy)]
pub(super) struct AffinityPipeline {
    pub(super) adaptation: AffinityAdaptation,
    pub(super) refine: Refinement,
    pub(super) n_clusters: AutoOr<usize>,
    pub(super) affinity: AffinityName,
    pub(super) sigma: AutoOr<f64>,
    pub(super) n_neighbors: usize,
    pub(super) laplacian: Laplacian,
    pub(super) n_init: usize,
    pub(super) seed: u64,
}

impl AffinityPipeline {
    /// Finds the groups of a problem.
    pub(super) fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        let count = ClusterCount {
            given: self.n_clusters,
            is_precomputed: self.affinity == AffinityName::Precomputed,
            seed: self.seed,
        };
        count.fit(problem, observer, |n_clusters| {
            let pipeline = Self { n_clusters, ..*self };
            let is_open = self.affinity == AffinityName::Gaussian && self.sigma == AutoOr::Auto;
            let declared = SupervisedFit {
                in_learned_space: is_open.then_some(pipeline),
                ..SupervisedFit::new(pipeline, n_clusters.fixed(), self.refine, self.seed)
            };
            declared.fit(problem, observer)
        })
    }
}

impl SupervisedGrouping for AffinityPipeline {
    fn group_problem<'a>(
        &self,
        problem: &'a Problem,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let constraints = with_labels_as_pairs(problem.constraints(), self.seed)?;
        let is_precomputed = self.affinity == AffinityName::Precomputed;
        match &*problem.input().with_rows_as_kernel(is_precomputed)? {
            Input::Points(points) => self.fit_points(points, problem, &constraints, observer),
            Input::Kernel(matrix) => {
                let graph =
                    neighbor_graph_of_affinities(matrix, self.n_neighbors, OneSided::Halved)?;
                self.fit_graph(&graph, problem, &constraints, observer)
            }
            Input::Graph(graph) => self.fit_graph(graph, problem, &constraints, observer),
        }
    }
}

impl AffinityPipeline {
    /// Points in one place are one node.
    fn fit_points<'a>(
        &self,
        points: &Points,
        problem: &Problem,
        constraints: &Constraints,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let distinct = points.distinct_rows();
        let nodes = points.select(&distinct.first);
        let labels = constraints_over_rows(problem.constraints(), &distinct)?;
        let constraints = constraints_over_rows(constraints, &distinct)?;
        let edges = EdgeRule::Nearest { neighbors: self.n_neighbors, one_sided: OneSided::Halved };
        let weight = match self.sigma {
            AutoOr::Fixed(sigma) => EdgeWeight::Gaussian { sigma },
            AutoOr::Auto => EdgeWeight::SELF_TUNING,
        };
        let graph = neighbor_graph_observed(&nodes, edges, weight, observer)?;
        let mut grouping = self.cluster(
            &self.adaptation.adapt(&graph, &constraints, observer)?,
            &labels,
            observer,
        )?;
        assign_unlabelled(&nodes, &mut grouping)?;
        let classifier = KnnClassifier::with_default_neighbors(&nodes, &grouping.labels)?;
        grouping.labels = distinct.spread(&grouping.labels);
        Ok(Grouped::of_points(grouping, classifier, points))
    }

    /// Affinities are brought to at most 1, which is what a must-link can raise them to.
    fn fit_graph<'a>(
        &self,
        graph: &Graph,
        problem: &Problem,
        constraints: &Constraints,
        observer: &dyn Observer,
    ) -> Result<Grouped<'a>> {
        let values = graph.matrix().values();
        let largest = values.iter().fold(0.0, |most: f64, w| most.max(*w));
        let edges = graph.each_edge().filter(|(i, j, _)| i != j);
        let edges = edges.map(|(i, j, weight)| (i, j, weight / largest));
        let graph = Graph::from_edges(graph.len(), edges)?;
        let grouping = self.cluster(
            &self.adaptation.adapt(&graph, constraints, observer)?,
            problem.constraints(),
            observer,
        )?;
        let n = graph.len();
        let model_of = move |_: &[Label], n_clusters| TransductiveModel::new(n_clusters, n).into();
        let model = model_of(&[], grouping.n_clusters);
        let model = GroupModel::OfLabels(model, Box::new(model_of));
        Ok(Grouped::new(grouping, RefinementSpace::Graph(graph), model))
    }

    /// The best descent, one that starts from the labels and, where these name all clusters, the labels
    /// propagated over the graph: of these the one whose clusters separate most labels, the first of equal ones.
    fn cluster(
        &self,
        graph: &Graph,
        constraints: &Constraints,
        observer: &dyn Observer,
    ) -> Result<Grouping> {
        let event = Event::new("spectral clustering", 1, 0, 1);
        report(observer, &event)?;
        let spectral = Spectral {
            n_clusters: self.n_clusters.at_most(graph.len()),
            laplacian: self.laplacian,
            n_init: self.n_init,
            seed: self.seed,
            ..Spectral::default()
        };
        let labels = constraints.label_names().len();
        if labels > spectral.n_clusters {
            return Ok(spectral.group(graph, observer)?.0);
        }
        let given: Vec<Label> = (0..graph.len()).map(|node| constraints.label_of(node)).collect();
        let (mut best, from_labels) = spectral.fit_with_init_labels(graph, &given, observer)?;
        let propagated = (labels == spectral.n_clusters).then(|| {
            let (labels, n_clusters) = renumber_by_appearance(&propagated(graph, &given));
            Grouping { labels, n_clusters, ..best.clone() }
        });
        for other in [from_labels, propagated].into_iter().flatten() {
            if n_separated(&given, &other.labels) > n_separated(&given, &best.labels) {
                best = other;
            }
        }
        Ok(best)
    }
}

/// How many clusters hold the largest part of a label.
fn n_separated(given: &[Label], labels: &[Label]) -> usize {
    let mut parts: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
    for (given, label) in given.iter().zip(labels) {
        if let (Some(given), Some(label)) = (*given, *label) {
            *parts.entry(given).or_default().entry(label).or_default() += 1;
        }
    }
    let largest = parts.values().filter_map(|of| of.iter().max_by_key(|(_, count)| **count));
    largest.map(|(cluster, _)| cluster).collect::<BTreeSet<_>>().len()
}
