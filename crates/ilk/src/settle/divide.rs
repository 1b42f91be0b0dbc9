//! Clusters that hold what was said to be apart.

use std::collections::BTreeMap;

use super::start::most_common;
use crate::group::Label;
use crate::numerics::distances::dist_sq;
use crate::problem::{Constraints, Points};

/// Divides every cluster that holds several of the components that all must be apart
/// ([`separated_points`](crate::problem::Closure::separated_points)): each of its points goes to the nearest
/// point of one of them. A component is held by the cluster of most of its points. The number of labels
/// afterwards.
///
/// There are at least as many groups as such components, and where a grouping found fewer of them, no
/// label is left that a component could move to. Components in which answers contradict each other do not
/// count.
pub(super) fn divide(
    space: &Points,
    labels: &mut [Label],
    n_labels: usize,
    said: &Constraints,
) -> usize {
    let closure = said.closure();
    let is_contradicted = closure.contradicted(said);
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
    let mut next = n_labels;
    let given = labels.to_vec();
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
        let of_part = |part: usize| if part == 0 { cluster } else { next + part - 1 };
        for (point, label) in labels.iter_mut().enumerate() {
            if given[point] != Some(cluster) {
                continue;
            }
            let far = |&(seed, _): &(usize, usize)| dist_sq(space.row(point), space.row(seed));
            let nearest = seeds.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
            *label = nearest.map(|&(_, part)| of_part(part));
        }
        next += components.len() - 1;
    }
    next
}
