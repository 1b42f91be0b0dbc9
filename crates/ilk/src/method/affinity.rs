//! What the methods that cluster by affinities share: from any input to a graph, and from its clusters
//! back to labels of the input.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::distinct::{over_places, places};
use super::kernel_kmeans::KernelWidth;
use super::learned_groups::{N_CLUSTERS, N_INIT};
use super::settling::Settling;
use crate::group::spectral::{Normalisation, Spectral};
use crate::group::{Grouping, Label};
use crate::observe::{Event, Observer};
use crate::outcome::{Clustering, Fit, Model};
use crate::parameter::{ParameterInfo, Range, check_numbers};
use crate::problem::{Constraints, Graph, Input, KernelMatrix, Points, Problem};
use crate::settle::{Vote, by_appearance};
use crate::similarity::graph::{EdgeWeight, Edges, OneSided, of_affinities, of_points};
use crate::supervise::labels::with_labels_as_pairs;
use crate::supervise::propagate::carried;
use crate::{Error, Result};

/// Where affinities come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum AffinityName {
    /// They fall with the distance as a Gaussian does.
    #[default]
    Gaussian,
    /// What is given as points are the rows of a matrix of affinities.
    Precomputed,
}

impl AffinityName {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["gaussian", "precomputed"];
}

/// The parameters that these methods share, as data.
pub(super) const PARAMETERS: [ParameterInfo; 6] = [
    N_CLUSTERS,
    ParameterInfo {
        name: "affinity",
        doc: "How alike two points are. precomputed: the rows given are those of a matrix of affinities.",
        range: Range::Choice(AffinityName::NAMES),
        default: "gaussian",
    },
    ParameterInfo {
        name: "sigma",
        doc: "Width of the Gaussian. auto: each point's own, the distance to its 7th neighbour.",
        range: Range::Text("a number above 0, or auto"),
        default: "auto",
    },
    ParameterInfo {
        name: "n_neighbors",
        doc: "Neighbours with which a point has affinity; those of a graph are taken as they are.",
        range: Range::Integer {
            min: 1,
            max: u64::MAX,
        },
        default: "10",
    },
    N_INIT,
    super::SEED,
];

/// What is to be done, without the step in which the methods differ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) n_clusters: usize,
    pub(super) affinity: AffinityName,
    pub(super) sigma: KernelWidth,
    pub(super) n_neighbors: usize,
    pub(super) normalisation: Normalisation,
    pub(super) n_init: usize,
    pub(super) seed: u64,
}

impl Plan {
    /// Finds the groups of a problem; `supervise` bends the graph to pairs.
    pub(super) fn fit(
        &self,
        problem: &Problem,
        supervise: impl FnOnce(&Graph, &Constraints) -> Result<Graph>,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        self.check(problem.len())?;
        let said = with_labels_as_pairs(problem.constraints(), self.seed)?;
        match (self.affinity, problem.input()) {
            (AffinityName::Gaussian, Input::Points(points)) => {
                self.fit_points(points, problem, &said, supervise, observer)
            }
            (AffinityName::Precomputed, Input::Points(rows)) => {
                let matrix = KernelMatrix::new(rows.view().to_owned())?;
                let graph = of_affinities(&matrix, self.n_neighbors, OneSided::Halved)?;
                self.fit_graph(&graph, problem, &said, supervise, observer)
            }
            (_, Input::Kernel(matrix)) => {
                let graph = of_affinities(matrix, self.n_neighbors, OneSided::Halved)?;
                self.fit_graph(&graph, problem, &said, supervise, observer)
            }
            (_, Input::Graph(graph)) => self.fit_graph(graph, problem, &said, supervise, observer),
        }
    }

    fn check(&self, n: usize) -> Result<()> {
        check_numbers(
            &PARAMETERS,
            &[
                ("n_clusters", self.n_clusters as f64),
                ("n_neighbors", self.n_neighbors as f64),
                ("n_init", self.n_init as f64),
            ],
        )?;
        self.sigma.check()?;
        if self.n_clusters > n {
            let k = self.n_clusters;
            return Err(Error::TooManyClusters { k, n });
        }
        Ok(())
    }

    /// Points in one place are one node.
    fn fit_points(
        &self,
        points: &Points,
        problem: &Problem,
        said: &Constraints,
        supervise: impl FnOnce(&Graph, &Constraints) -> Result<Graph>,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        let (place_of, first) = places(points);
        let nodes = points.select(&first);
        let labels = over_places(problem.constraints(), &place_of, first.len())?;
        let said = over_places(said, &place_of, first.len())?;
        let edges = Edges::Nearest {
            neighbors: self.n_neighbors,
            one_sided: OneSided::Halved,
        };
        let weight = match self.sigma {
            KernelWidth::Fixed(sigma) => EdgeWeight::Gaussian { sigma },
            KernelWidth::Auto => EdgeWeight::SELF_TUNING,
        };
        let graph = of_points(&nodes, edges, weight)?;
        let mut grouping = self.group(&supervise(&graph, &said)?, &labels, observer)?;
        if nodes.len() == 1 {
            // A node without edges has no part in the graph, but a point alone is a group.
            (grouping.labels, grouping.n_clusters) = (vec![Some(0)], 1);
        }
        let voters = Settling::voters(nodes.len());
        place_the_rest(&nodes, &mut grouping.labels, voters)?;
        let model = Model::Vote(Vote::new(&nodes, &grouping.labels, voters)?);
        grouping.labels = place_of.iter().map(|&at| grouping.labels[at]).collect();
        let clustering = Clustering::new(grouping, problem.constraints());
        Ok(Fit { clustering, model })
    }

    /// Affinities are brought to at most 1, which is what a must-link can raise them to.
    fn fit_graph(
        &self,
        graph: &Graph,
        problem: &Problem,
        said: &Constraints,
        supervise: impl FnOnce(&Graph, &Constraints) -> Result<Graph>,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        let values = graph.matrix().values();
        let largest = values.iter().fold(0.0, |most: f64, w| most.max(*w));
        let edges = graph.each_edge().filter(|(i, j, _)| i != j);
        let edges = edges.map(|(i, j, weight)| (i, j, weight / largest));
        let graph = Graph::from_edges(graph.len(), edges)?;
        let grouping = self.group(&supervise(&graph, said)?, problem.constraints(), observer)?;
        let model = Model::Unplaced {
            n_clusters: grouping.n_clusters,
            n: graph.len(),
        };
        let clustering = Clustering::new(grouping, problem.constraints());
        Ok(Fit { clustering, model })
    }

    /// Of the best descent, one that starts from the labels and, where these name all clusters, the labels
    /// carried over the graph: what tells most labels apart, the first of several.
    fn group(
        &self,
        graph: &Graph,
        said: &Constraints,
        observer: &dyn Observer,
    ) -> Result<Grouping> {
        let event = Event::new("spectral clustering", 1, 0, 1);
        if observer.event(&event).is_break() {
            return Err(Error::Cancelled { iterations: 1 });
        }
        let spectral = Spectral {
            n_clusters: self.n_clusters.min(graph.len()),
            normalisation: self.normalisation,
            n_init: self.n_init,
            seed: self.seed,
            ..Spectral::default()
        };
        let labels = said.label_names().len();
        if labels > spectral.n_clusters {
            return spectral.fit(graph, observer);
        }
        let told: Vec<Label> = (0..graph.len()).map(|node| said.label_of(node)).collect();
        let (mut best, from_labels) = spectral.fit_and_from(graph, &told, observer)?;
        let carried = (labels == spectral.n_clusters).then(|| {
            let (labels, n_clusters) = by_appearance(&carried(graph, &told));
            Grouping {
                labels,
                n_clusters,
                ..best.clone()
            }
        });
        for other in [from_labels, carried].into_iter().flatten() {
            if told_apart(&told, &other.labels) > told_apart(&told, &best.labels) {
                best = other;
            }
        }
        Ok(best)
    }
}

/// How many clusters hold the largest part of a label.
fn told_apart(told: &[Label], labels: &[Label]) -> usize {
    let mut parts: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
    for (told, label) in told.iter().zip(labels) {
        if let (Some(told), Some(label)) = (*told, *label) {
            *parts.entry(told).or_default().entry(label).or_default() += 1;
        }
    }
    let largest = parts
        .values()
        .filter_map(|of| of.iter().max_by_key(|(_, count)| **count));
    largest
        .map(|(cluster, _)| cluster)
        .collect::<BTreeSet<_>>()
        .len()
}

/// Points in a part of the graph that no eigenvector reaches go with the nearest that have a cluster.
pub(super) fn place_the_rest(nodes: &Points, labels: &mut [Label], voters: usize) -> Result<()> {
    let (placed, rest): (Vec<usize>, Vec<usize>) =
        (0..nodes.len()).partition(|&node| labels[node].is_some());
    if placed.is_empty() || rest.is_empty() {
        return Ok(());
    }
    let known: Vec<Label> = placed.iter().map(|&node| labels[node]).collect();
    let vote = Vote::new(&nodes.select(&placed), &known, voters)?;
    for (&node, label) in rest.iter().zip(vote.predict(&nodes.select(&rest))?) {
        labels[node] = label;
    }
    Ok(())
}
