//! Groups of points that agree with most pairs.

use std::collections::BTreeMap;

use super::{PairTable, SignedPair};

/// Groups are computed for at most this many points; it takes a matrix of all pairs of them, of 32 MB.
const MAX_POINTS: usize = 2000;

/// The weight of what two pairs with a third point imply, relative to a pair of the two points.
const IMPLIED_WEIGHT: f64 = 0.2;

/// Sweeps in which points change their groups, at most.
const SWEEPS: usize = 50;

/// Differences up to this are rounding errors.
const EQUAL: f64 = 1e-9;

/// A group for every point with a pair, and whether the pairs of the point support it more than any
/// other group, and more than none.
pub(super) struct ConsistentGroups(BTreeMap<usize, (usize, bool)>);

impl ConsistentGroups {
    /// Groups that agree with as many pairs as this search finds.
    ///
    /// Groups are merged, the largest weight between two first: that of the kept pairs, and of what these
    /// imply through third points. Then every point moves to the group that most of all its pairs support,
    /// until none moves. `None` where all pairs are kept, and for more than [`MAX_POINTS`] points.
    pub(super) fn of(pairs: &[SignedPair], is_kept: &[bool], n: usize) -> Option<Self> {
        if is_kept.iter().all(|&kept| kept) {
            return None;
        }
        let mut points: Vec<usize> = pairs.iter().flat_map(|pair| pair.0).collect();
        points.sort_unstable();
        points.dedup();
        if points.len() > MAX_POINTS {
            return None;
        }
        let number: BTreeMap<usize, usize> = points.iter().copied().zip(0..).collect();
        let kept = pairs.iter().zip(is_kept).filter(|(_, yes)| **yes);
        let kept = PairTable::new(kept.map(|(pair, _)| pair), n);
        let mut group = merge_groups(evidence(&kept, &points, &number), points.len());
        let all = PairTable::new(pairs.iter(), n);
        let pairs_of = |&point: &usize| -> Vec<(usize, f64)> {
            let pairs = all.0[point].iter();
            pairs.map(|(other, &value)| (number[other], value)).collect()
        };
        let pairs_of: Vec<Vec<(usize, f64)>> = points.iter().map(pairs_of).collect();
        for _ in 0..SWEEPS {
            let mut has_moved = false;
            for point in 0..points.len() {
                let (own, best, elsewhere) =
                    supported_groups(&pairs_of[point], &group, group[point]);
                if elsewhere.max(0.0) <= own + EQUAL {
                    continue;
                }
                has_moved = true;
                let alone = group.iter().max().map_or(0, |&last| last + 1);
                group[point] = if elsewhere > EQUAL { best } else { alone };
            }
            if !has_moved {
                break;
            }
        }
        let is_sure = |point: usize| {
            let (own, _, elsewhere) = supported_groups(&pairs_of[point], &group, group[point]);
            own > elsewhere.max(0.0) + EQUAL
        };
        let found = (0..points.len()).map(|at| (points[at], (group[at], is_sure(at))));
        Some(Self(found.collect()))
    }

    /// Whether a pair agrees with the groups; `None` where the groups of its points are not sure.
    pub(super) fn agree(&self, &(points, value): &SignedPair) -> Option<bool> {
        let [(a, is_sure_a), (b, is_sure_b)] = points.map(|point| self.0[&point]);
        (is_sure_a && is_sure_b).then_some((a == b) == (value > 0.0))
    }
}

/// The signed weight between any two points, direct and implied, row after row.
fn evidence(table: &PairTable, points: &[usize], number: &BTreeMap<usize, usize>) -> Vec<f64> {
    let c = points.len();
    let mut evidence = vec![0.0; c * c];
    for (at, &point) in points.iter().enumerate() {
        let about = &table.0[point];
        for (one, &value) in about {
            evidence[at * c + number[one]] += value;
        }
        for (one, &x) in about {
            for (other, &y) in about {
                if one != other && (x > 0.0 || y > 0.0) {
                    evidence[number[one] * c + number[other]] += IMPLIED_WEIGHT * x * y;
                }
            }
        }
    }
    evidence
}

/// Merges the two groups with the largest weight between them, while it is positive. Returns the group of
/// every point.
fn merge_groups(mut weights: Vec<f64>, c: usize) -> Vec<usize> {
    let mut group: Vec<usize> = (0..c).collect();
    let mut is_alive = vec![true; c];
    let best_of = |weights: &[f64], is_alive: &[bool], row: usize| {
        let others = (0..c).filter(|&other| other != row && is_alive[other]);
        others.fold((0.0, row), |best, other| {
            let weight = weights[row * c + other];
            if weight > best.0 { (weight, other) } else { best }
        })
    };
    let mut best: Vec<(f64, usize)> = (0..c).map(|row| best_of(&weights, &is_alive, row)).collect();
    loop {
        let alive = (0..c).filter(|&row| is_alive[row]);
        let Some(keep) = alive.reduce(|a, b| if best[b].0 > best[a].0 { b } else { a }) else {
            return group;
        };
        let (weight, gone) = best[keep];
        if weight <= EQUAL {
            return group;
        }
        is_alive[gone] = false;
        for other in 0..c {
            if other != keep && is_alive[other] {
                let sum = weights[keep * c + other] + weights[gone * c + other];
                weights[keep * c + other] = sum;
                weights[other * c + keep] = sum;
            }
        }
        group.iter_mut().filter(|group| **group == gone).for_each(|group| *group = keep);
        for row in 0..c {
            if !is_alive[row] {
                continue;
            }
            let now = weights[row * c + keep];
            if row == keep || best[row].1 == keep || best[row].1 == gone {
                best[row] = best_of(&weights, &is_alive, row);
            } else if now > best[row].0 {
                best[row] = (now, keep);
            }
        }
    }
}

/// The weight of a point's pairs with its own group; the other group with the largest weight, and that
/// weight.
fn supported_groups(pairs: &[(usize, f64)], group: &[usize], own: usize) -> (f64, usize, f64) {
    let mut by_group: BTreeMap<usize, f64> = BTreeMap::new();
    for &(other, value) in pairs {
        *by_group.entry(group[other]).or_default() += value;
    }
    let here = by_group.remove(&own).unwrap_or(0.0);
    let (best, most) =
        by_group.into_iter().fold((own, f64::NEG_INFINITY), |best, (group, value)| {
            if value > best.1 { (group, value) } else { best }
        });
    (here, best, most)
}
