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
    let mut said: BTreeMap<usize, BTreeMap<usize, Vec<usize>>> = BTreeMap::new();
    for (point, &partition) in partitions.iter().enumerate() {
        let component = closure.component_of(point);
        if closure.is_named(component) {
            let components = said.entry(partition).or_default();
            components.entry(component).or_default().push(point);
        }
    }
    for (partition, components) in said {
        let colors = colors(closure, &components.keys().copied().collect::<Vec<_>>());
        let n_colors = colors.iter().flatten().max().map_or(1, |last| last + 1);
        if n_colors == 1 {
            continue;
        }
        let named = components.values().zip(&colors);
        let seeds: Vec<(usize, usize)> = named
            .filter_map(|(members, color)| color.map(|color| (members, color)))
            .flat_map(|(members, color)| members.iter().map(move |&point| (point, color)))
            .collect();
        let rows: Vec<usize> = seeds.iter().map(|&(point, _)| point).collect();
        let seeded = points.select(&rows);
        let nearest = Neighbors::new(seeded.view());
        let members: Vec<usize> = (0..partitions.len())
            .filter(|&point| partitions[point] == partition)
            .collect();
        let table = nearest.nearest_each(points.select(&members).view(), 1);
        for (at, &point) in members.iter().enumerate() {
            let color = table.row(at).first().map_or(0, |near| seeds[near.index].1);
            if color > 0 {
                partitions[point] = *count + color - 1;
            }
        }
        *count += n_colors - 1;
    }
    close_gaps(partitions, count);
}

/// Colours for components so that none has the colour of one from which it must be apart; none for
/// those that are apart from no other.
fn colors(closure: &Closure, components: &[usize]) -> Vec<Option<usize>> {
    let apart = |a: usize, b: usize| {
        components[a] != components[b]
            && closure.are_components_separated(components[a], components[b])
    };
    let n = components.len();
    let mut colors: Vec<Option<usize>> = vec![None; n];
    for a in 0..n {
        let taken: BTreeSet<usize> = (0..n)
            .filter(|&b| apart(a, b))
            .filter_map(|b| colors[b])
            .collect();
        if (0..n).any(|b| apart(a, b)) {
            colors[a] = (0..n).find(|color| !taken.contains(color));
        }
    }
    colors
}

/// Numbers partitions anew where some have lost all points.
fn close_gaps(partitions: &mut [usize], count: &mut usize) {
    let used: BTreeSet<usize> = partitions.iter().copied().collect();
    let number: BTreeMap<usize, usize> = used
        .iter()
        .enumerate()
        .map(|(new, &old)| (old, new))
        .collect();
    for partition in partitions.iter_mut() {
        *partition = number[partition];
    }
    *count = used.len();
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
