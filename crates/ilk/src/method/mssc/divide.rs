//! Partitions that hold separated points are divided.

use std::collections::{BTreeMap, BTreeSet};

use crate::problem::{Closure, Points};
use crate::refine::{label_of_part, parts_by_nearest_seed};

/// Divides partitions that hold components which must be separated, until none does. Points of other
/// components go with the nearest point of those. Contradictions within a component divide nothing.
pub(super) fn divide(
    points: &Points,
    closure: &Closure,
    partitions: &mut [usize],
    count: &mut usize,
) {
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (point, &partition) in partitions.iter().enumerate() {
        members.entry(partition).or_default().push(point);
    }
    for (partition, members) in members {
        let components: BTreeSet<usize> = members
            .iter()
            .map(|&point| closure.component_of(point))
            .filter(|&component| closure.is_constrained(component))
            .collect();
        let colors = colors(closure, &components);
        let color_of = |point: usize| colors.get(&closure.component_of(point)).copied();
        let Some(last) = colors.values().max() else {
            continue;
        };
        let seeds: Vec<(usize, usize)> =
            members.iter().filter_map(|&point| Some((point, color_of(point)?))).collect();
        let parts = parts_by_nearest_seed(points, &members, &seeds);
        for (&point, part) in members.iter().zip(parts) {
            let part = color_of(point).unwrap_or(part);
            partitions[point] = label_of_part(partition, *count, part);
        }
        *count += last;
    }
}

/// Greedy colouring: every component gets the first colour that no component separated from it has.
/// Those that none of the others is separated from get no colour.
fn colors(closure: &Closure, components: &BTreeSet<usize>) -> BTreeMap<usize, usize> {
    let mut colors = BTreeMap::new();
    for &a in components {
        let is_separated = |&&b: &&usize| closure.are_components_separated(a, b);
        let mut others = components.iter().filter(is_separated).peekable();
        if others.peek().is_none() {
            continue;
        }
        let taken: BTreeSet<usize> = others.filter_map(|b| colors.get(b).copied()).collect();
        let free = (0..=taken.len()).find(|color| !taken.contains(color));
        colors.insert(a, free.unwrap_or(0));
    }
    colors
}
