//! The labels to begin with.

use std::collections::BTreeMap;

use super::links::Links;
use super::state::EQUAL;
use super::units::Units;
use crate::group::{Label, in_order_of_appearance, numbers_in};

/// The same labels, numbered by first appearance, and how many there are.
pub(crate) fn by_appearance(labels: &[Label]) -> (Vec<Label>, usize) {
    let order = in_order_of_appearance(labels.iter().copied().flatten());
    let number = numbers_in(&order);
    let labels = labels.iter().map(|label| label.map(|c| number[&c]));
    (labels.collect(), order.len())
}

/// The label that each unit starts with, and how many there may be: the one that most of its points
/// have; of several, the one that is more common around them, then the one of more points. A unit
/// of several points none of which has a label starts as a new cluster, since it was said to belong
/// together.
pub(super) fn start(
    labels: &[Label],
    n_labels: usize,
    units: &Units,
    links: &Links,
) -> (Vec<Label>, usize) {
    let mut size = vec![0; n_labels];
    for &cluster in labels.iter().flatten() {
        size[cluster] += 1;
    }
    let mut next = n_labels;
    let mut of_unit = |unit: usize| {
        let members = units.members(unit);
        if let &[only] = members {
            return labels[only];
        }
        let mut leader: Option<(f64, usize)> = None;
        for cluster in most_common(members, labels) {
            let around = around(unit, cluster, labels, units, links);
            let is_better = leader.is_none_or(|(most, first)| {
                around > most + EQUAL || (around > most - EQUAL && size[cluster] > size[first])
            });
            if is_better {
                leader = Some((around, cluster));
            }
        }
        Some(leader.map_or_else(
            || {
                next += 1;
                next - 1
            },
            |(_, cluster)| cluster,
        ))
    };
    let start = (0..units.len()).map(&mut of_unit).collect();
    (start, next)
}

/// The labels that most of the points have.
pub(super) fn most_common(members: &[usize], labels: &[Label]) -> Vec<usize> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for cluster in members.iter().filter_map(|&point| labels[point]) {
        *counts.entry(cluster).or_default() += 1;
    }
    let most = counts.values().copied().max();
    counts.retain(|_, count| Some(*count) == most);
    counts.into_keys().collect()
}

/// The weight of the points with a label among a unit's neighbours and those it is neighbour to.
fn around(unit: usize, cluster: usize, labels: &[Label], units: &Units, links: &Links) -> f64 {
    let members = units.members(unit).iter();
    let neighbors = members.flat_map(|&point| links.of(point));
    neighbors
        .chain(links.to_unit(unit))
        .filter(|&&(point, _)| labels[point] == Some(cluster))
        .map(|&(_, weight)| weight)
        .sum()
}
