//! Clusters that hold separated components are divided among them.

use std::collections::BTreeMap;

use super::initial_labels::most_common;
use crate::group::Label;
use crate::numerics::neighbors::Neighbors;
use crate::problem::{Constraints, Points};

/// Divides every cluster that holds several of the components any two of which are separated
/// ([`separated_points`](crate::problem::Closure::separated_points)): each of its points goes with
/// the nearest point of one of them. A component is held by the cluster that most of its points
/// have; contradicted components do not count. Returns the number of labels afterwards.
///
/// At least as many clusters as such components are needed. Where a grouping found fewer, no label
/// is left that a component could move to.
pub(super) fn divide(
    space: &Points,
    labels: &mut [Label],
    n_labels: usize,
    constraints: &Constraints,
) -> usize {
    let closure = constraints.closure();
    let is_contradicted = closure.contradicted(constraints);
    let mut held: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for point in closure.separated_points() {
        let component = closure.component_of(point);
        let members = closure.members(component);
        if let Some(&cluster) = most_common(members, labels).first()
            && !is_contradicted[component]
        {
            held.entry(cluster).or_default().push(component);
        }
    }
    let mut n_labels = n_labels;
    for (cluster, components) in held {
        if components.len() < 2 {
            continue;
        }
        let seeds: Vec<(usize, usize)> = components
            .iter()
            .enumerate()
            .flat_map(|(part, &component)| {
                closure.members(component).iter().map(move |&p| (p, part))
            })
            .collect();
        let members: Vec<usize> =
            (0..labels.len()).filter(|&point| labels[point] == Some(cluster)).collect();
        let parts = parts_by_nearest_seed(space, &members, &seeds);
        for (&point, part) in members.iter().zip(parts) {
            labels[point] = Some(label_of_part(cluster, n_labels, part));
        }
        n_labels += components.len() - 1;
    }
    n_labels
}

/// The label of a part of a divided cluster: the first part keeps the cluster's, the others follow
/// the `n_labels` in use.
pub(crate) fn label_of_part(cluster: usize, n_labels: usize, part: usize) -> usize {
    if part == 0 { cluster } else { n_labels + part - 1 }
}

/// For each of `members`, the part of the nearest of the `seeds`, which are points and their parts;
/// of equally near ones the first. There is at least one seed.
pub(crate) fn parts_by_nearest_seed(
    space: &Points,
    members: &[usize],
    seeds: &[(usize, usize)],
) -> Vec<usize> {
    let seed_points: Vec<usize> = seeds.iter().map(|&(point, _)| point).collect();
    let index = Neighbors::new(space.select(&seed_points).view());
    let nearest = index.nearest_each(space.select(members).view(), 1);
    (0..members.len()).map(|at| seeds[nearest.row(at)[0].index].1).collect()
}
