//! What was said of points, said of partitions.

use std::collections::{BTreeMap, BTreeSet};

use crate::Result;
use crate::numerics::neighbors::Neighbors;
use crate::problem::{Closure, ConstraintKind, Constraints, Points};

/// Divides partitions that hold points that must be apart, so that none does; points of which nothing
/// was said go with the nearest of which something was. What must-links contradict is left alone.
pub(super) fn divide(
    points: &Points,
    closure: &Closure,
    partitions: &mut [usize],
    count: &mut usize,
) {
    let mut named: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (point, &partition) in partitions.iter().enumerate() {
        let component = closure.component_of(point);
        if closure.is_named(component) {
            named.entry(partition).or_default().insert(component);
        }
    }
    // The colours of components, for the partitions that are divided.
    let colors: BTreeMap<usize, BTreeMap<usize, usize>> = named
        .into_iter()
        .map(|(partition, components)| (partition, colors(closure, &components)))
        .filter(|(_, colors)| !colors.is_empty())
        .collect();
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (point, partition) in partitions.iter().enumerate() {
        if colors.contains_key(partition) {
            members.entry(*partition).or_default().push(point);
        }
    }
    for (partition, members) in members {
        let colors = &colors[&partition];
        let color_of = |&point: &usize| colors.get(&closure.component_of(point)).copied();
        let seeds: Vec<usize> = members
            .iter()
            .copied()
            .filter(|point| color_of(point).is_some())
            .collect();
        let seeded = points.select(&seeds);
        let nearest = Neighbors::new(seeded.view()).nearest_each(points.select(&members).view(), 1);
        for (at, &point) in members.iter().enumerate() {
            let seed = || nearest.row(at).first().map(|near| seeds[near.index]);
            let color = color_of(&point).or_else(|| color_of(&seed()?)).unwrap_or(0);
            if color > 0 {
                partitions[point] = *count + color - 1;
            }
        }
        *count += colors.values().max().copied().unwrap_or(0);
    }
}

/// Colours for components so that none has the colour of one from which it must be apart; those that are
/// apart from no other have none.
fn colors(closure: &Closure, components: &BTreeSet<usize>) -> BTreeMap<usize, usize> {
    let mut colors = BTreeMap::new();
    for &a in components {
        let is_apart = |&&b: &&usize| closure.are_components_separated(a, b);
        let mut others = components.iter().filter(is_apart).peekable();
        if others.peek().is_none() {
            continue;
        }
        let taken: BTreeSet<usize> = others.filter_map(|b| colors.get(b).copied()).collect();
        let free = (0..=taken.len()).find(|color| !taken.contains(color));
        colors.insert(a, free.unwrap_or(0));
    }
    colors
}

/// Pairs and labels of points as those of their partitions. Between two partitions more must-links than
/// cannot-links are one must-link, and the other way round; a partition has the label that most of its
/// labelled points have.
pub(super) fn lifted(
    said: &Constraints,
    partitions: &[usize],
    count: usize,
) -> Result<Constraints> {
    let mut votes: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (pairs, sign) in [(said.must_links(), 1.0), (said.cannot_links(), -1.0)] {
        for pair in pairs {
            let [a, b] = pair.points.map(|point| partitions[point]);
            if a != b {
                *votes.entry((a.min(b), a.max(b))).or_default() += sign * pair.weight;
            }
        }
    }
    let mut over = Constraints::new(count);
    for ((a, b), vote) in votes {
        if vote > 0.0 {
            over.add(ConstraintKind::MustLink, &[a, b], 1.0, None)?;
        } else if vote < 0.0 {
            over.add(ConstraintKind::CannotLink, &[a, b], 1.0, None)?;
        }
    }
    let mut labels: BTreeMap<usize, BTreeMap<usize, f64>> = BTreeMap::new();
    for labelled in said.labels() {
        let of = labels.entry(partitions[labelled.point]).or_default();
        *of.entry(labelled.label).or_default() += labelled.weight;
    }
    for (partition, votes) in labels {
        let most = votes.iter().fold(
            None,
            |most: Option<(usize, f64)>, (&label, &vote)| match most {
                Some((_, best)) if best >= vote => most,
                _ => Some((label, vote)),
            },
        );
        if let Some((label, _)) = most {
            over.add_label(partition, &said.label_names()[label], 1.0, None)?;
        }
    }
    Ok(over)
}
