//! The labels that the sets of a refinement start with.

use std::collections::BTreeMap;

use super::energy::EQUAL;
use super::neighbor_graph::NeighborGraph;
use crate::group::Label;
use crate::problem::aggregate::AggregatedConstraints;

/// The label that each set starts with, and how many labels there may be.
///
/// It is the most common label of the set's points; of several, the one that weighs most among its
/// neighbours and the points whose neighbour it is, then the one of the larger cluster. A set of
/// several points without any label starts as a new cluster, since must-links join its points.
pub(super) fn initial_labels(
    labels: &[Label],
    n_labels: usize,
    sets: &AggregatedConstraints,
    graph: &NeighborGraph,
) -> (Vec<Label>, usize) {
    let mut size = vec![0; n_labels];
    for &cluster in labels.iter().flatten() {
        size[cluster] += 1;
    }
    let mut n_labels = n_labels;
    let mut label_of_set = |set: usize| {
        let members = sets.members(set);
        if let &[only] = members {
            return labels[only];
        }
        let mut best: Option<(f64, usize)> = None;
        for cluster in most_common(members, labels) {
            let weight = weight_around(set, cluster, labels, sets, graph);
            let is_better = best.is_none_or(|(most, first)| {
                weight > most + EQUAL || (weight > most - EQUAL && size[cluster] > size[first])
            });
            if is_better {
                best = Some((weight, cluster));
            }
        }
        let cluster = best.map(|(_, cluster)| cluster);
        Some(cluster.unwrap_or_else(|| {
            n_labels += 1;
            n_labels - 1
        }))
    };
    let initial = (0..sets.len()).map(&mut label_of_set).collect();
    (initial, n_labels)
}

/// The most common labels of some points, ascending: several where they are equally common.
pub(super) fn most_common(members: &[usize], labels: &[Label]) -> Vec<usize> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for cluster in members.iter().filter_map(|&point| labels[point]) {
        *counts.entry(cluster).or_default() += 1;
    }
    let most = counts.values().copied().max();
    counts.retain(|_, count| Some(*count) == most);
    counts.into_keys().collect()
}

/// The weight of the points with label `cluster` among a set's neighbours and the points whose
/// neighbour it is.
fn weight_around(
    set: usize,
    cluster: usize,
    labels: &[Label],
    sets: &AggregatedConstraints,
    graph: &NeighborGraph,
) -> f64 {
    let members = sets.members(set).iter();
    let neighbors = members.flat_map(|&point| graph.of(point));
    neighbors
        .chain(graph.incoming(set))
        .filter(|&&(point, _)| labels[point] == Some(cluster))
        .map(|&(_, weight)| weight)
        .sum()
}
