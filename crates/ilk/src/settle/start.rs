//! The labels to begin with.

use std::collections::{BTreeMap, HashMap};

use super::links::Links;
use super::state::EQUAL;
use super::units::Units;
use crate::group::Label;

/// The same labels, numbered by first appearance, and how many there are.
pub(super) fn by_appearance(labels: &[Label]) -> (Vec<Label>, usize) {
    let mut number = HashMap::new();
    let mut renumber = |cluster: usize| {
        let next = number.len();
        *number.entry(cluster).or_insert(next)
    };
    let labels = labels.iter().map(|l| l.map(&mut renumber)).collect();
    (labels, number.len())
}

/// The label that each unit starts with, and how many there may be: the one that most of its points
/// have; of several, the one that more of their neighbours have. A unit of several points none of
/// which has a label starts as a new cluster, since it was said to belong together.
pub(super) fn start(
    labels: &[Label],
    n_labels: usize,
    units: &Units,
    links: &Links,
    floor: f64,
) -> (Vec<Label>, usize) {
    let mut next = n_labels;
    let start = (0..units.len())
        .map(|unit| match units.members(unit) {
            &[only] => labels[only],
            members => most_common(members, labels, links, floor).or_else(|| {
                next += 1;
                Some(next - 1)
            }),
        })
        .collect();
    (start, next)
}

fn most_common(members: &[usize], labels: &[Label], links: &Links, floor: f64) -> Label {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for cluster in members.iter().filter_map(|&point| labels[point]) {
        *counts.entry(cluster).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    let mut tied = counts
        .iter()
        .filter(|&(_, &count)| count == most)
        .map(|(&cluster, _)| cluster);
    let held = |cluster: usize| -> f64 {
        let share = |&point: &usize| -> f64 {
            let neighbors = links.of(point).iter();
            let same = neighbors.filter(|&&(other, _)| labels[other] == Some(cluster));
            same.map(|&(_, weight)| weight).sum()
        };
        members.iter().map(|p| (share(p) + floor).ln()).sum()
    };
    let first = tied.next()?;
    let mut best = (first, None);
    for cluster in tied {
        let (leader, leader_held) = best;
        let leader_held = leader_held.unwrap_or_else(|| held(leader));
        let held = held(cluster);
        best = if held > leader_held + EQUAL {
            (cluster, Some(held))
        } else {
            (leader, Some(leader_held))
        };
    }
    Some(best.0)
}
