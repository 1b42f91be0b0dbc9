//! The groups that answers make among themselves.

use std::collections::BTreeMap;

use super::{Answer, Table};

/// Points up to which groups are looked for; there is a matrix of all pairs of them, of 32 MB.
const MOST_POINTS: usize = 2000;

/// What a third point says about two counts this much of what was said about the two themselves.
const HEARSAY: f64 = 0.2;

/// Times that every point may change its group.
const SWEEPS: usize = 50;

/// Differences up to this are rounding.
const EQUAL: f64 = 1e-9;

/// A group for every point of which something was said.
pub(super) struct Groups {
    group: BTreeMap<usize, usize>,
    /// Whether the answers want a point in its group more than in any other, or alone.
    is_sure: BTreeMap<usize, bool>,
}

impl Groups {
    /// Groups that agree with as many answers as can be found.
    ///
    /// Points are joined, those first for which most speaks: what is believed of two groups, and what it
    /// says by way of third points. Then every point moves to where most of all answers want it, until none
    /// moves. `None` where nothing is doubted, and for very many points.
    pub(super) fn of(pairs: &[Answer], is_believed: &[bool], n: usize) -> Option<Self> {
        if is_believed.iter().all(|&believed| believed) {
            return None;
        }
        let mut points: Vec<usize> = pairs.iter().flat_map(|pair| pair.points).collect();
        points.sort_unstable();
        points.dedup();
        if points.len() > MOST_POINTS {
            return None;
        }
        let number: BTreeMap<usize, usize> = points.iter().copied().zip(0..).collect();
        let believed = pairs.iter().zip(is_believed).filter(|(_, yes)| **yes);
        let evidence = evidence(
            &Table::new(believed.map(|(pair, _)| pair), n),
            &points,
            &number,
        );
        let mut group = joined(evidence, points.len());
        let all = Table::new(pairs.iter(), n);
        let answers: Vec<Vec<(usize, f64)>> = points
            .iter()
            .map(|&point| {
                all.0[point]
                    .iter()
                    .map(|(other, &value)| (number[other], value))
                    .collect()
            })
            .collect();
        for _ in 0..SWEEPS {
            let mut has_moved = false;
            for point in 0..points.len() {
                let (own, best, elsewhere) = wanted(&answers[point], &group, group[point]);
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
            let (own, _, elsewhere) = wanted(&answers[point], &group, group[point]);
            own > elsewhere.max(0.0) + EQUAL
        };
        Some(Self {
            is_sure: points
                .iter()
                .copied()
                .zip((0..points.len()).map(is_sure))
                .collect(),
            group: points.iter().copied().zip(group.iter().copied()).collect(),
        })
    }

    /// Whether an answer agrees with the groups; `None` where those are not sure of its points.
    pub(super) fn agree(&self, answer: &Answer) -> Option<bool> {
        let [a, b] = answer.points;
        let are_together = self.group[&a] == self.group[&b];
        (self.is_sure[&a] && self.is_sure[&b]).then_some(are_together == (answer.value > 0.0))
    }
}

/// What speaks for two points being together, for all of them, row after row.
fn evidence(table: &Table, points: &[usize], number: &BTreeMap<usize, usize>) -> Vec<f64> {
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
                    evidence[number[one] * c + number[other]] += HEARSAY * x * y;
                }
            }
        }
    }
    evidence
}

/// Joins the two groups for which most speaks, while anything does. The group of every point.
fn joined(mut weights: Vec<f64>, c: usize) -> Vec<usize> {
    let mut group: Vec<usize> = (0..c).collect();
    let mut is_alive = vec![true; c];
    let best_of = |weights: &[f64], is_alive: &[bool], row: usize| {
        let others = (0..c).filter(|&other| other != row && is_alive[other]);
        others.fold((0.0, row), |best, other| {
            let weight = weights[row * c + other];
            if weight > best.0 {
                (weight, other)
            } else {
                best
            }
        })
    };
    let mut best: Vec<(f64, usize)> = (0..c)
        .map(|row| best_of(&weights, &is_alive, row))
        .collect();
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
        group
            .iter_mut()
            .filter(|group| **group == gone)
            .for_each(|group| *group = keep);
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

/// How much the answers about a point want it in its own group; the other group that they want it in
/// most, and how much.
fn wanted(answers: &[(usize, f64)], group: &[usize], own: usize) -> (f64, usize, f64) {
    let mut by_group: BTreeMap<usize, f64> = BTreeMap::new();
    for &(other, value) in answers {
        *by_group.entry(group[other]).or_default() += value;
    }
    let here = by_group.remove(&own).unwrap_or(0.0);
    let (best, most) =
        by_group
            .into_iter()
            .fold((own, f64::NEG_INFINITY), |best, (group, value)| {
                if value > best.1 { (group, value) } else { best }
            });
    (here, best, most)
}
