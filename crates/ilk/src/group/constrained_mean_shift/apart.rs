//! Who is kept apart from whom.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::problem::{ConstraintKind, Constraints};
use crate::{Error, Result};

/// Sets of points, and which sets are kept apart: every point of the one from every point of the
/// other.
///
/// Must-links multiply cannot-links: with components of a hundred points, one cannot-link between
/// two of them stands for ten thousand pairs. So pairs of sets are kept, and pairs of distinct
/// centres are made from them in every iteration, with the number of pairs of points that each
/// stands for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Apart {
    sets: Vec<Vec<u32>>,
    pairs: Vec<SetPair>,
}

/// What must-links (and shared labels) spread to all that they join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// Nothing: the points named are apart, as they were named.
    Nothing,
    /// What was said of any, unless it contradicts them. Where must-links join what a cannot-link or
    /// two labels keep apart, one of those answers is wrong; nothing follows from such a component,
    /// and what was said of its points counts for them alone.
    Consistent,
    /// What was said of any: the transitive closure.
    Everything,
}

/// Two sets that are apart, the one with the smaller number first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct SetPair {
    sets: [u32; 2],
    weight: f64,
}

/// Two centres that are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CenterPair {
    /// The smaller number first; the same twice where both ends have met.
    pub(super) centers: [u32; 2],
    /// How many times that was said, counting weights.
    pub(super) times: f64,
}

impl Apart {
    /// What the constraints keep apart.
    ///
    /// A cannot-link's weight says how many times it counts; an implied one has the largest weight
    /// of those that imply it. A cannot-link within a set keeps nothing apart.
    pub fn new(said: &Constraints, spread: Spread) -> Self {
        let components = said.closure();
        let spreads: Vec<bool> = match spread {
            Spread::Nothing => vec![false; components.n_components()],
            Spread::Consistent => {
                let contradicted = components.contradicted(said);
                contradicted.into_iter().map(|is_wrong| !is_wrong).collect()
            }
            Spread::Everything => vec![true; components.n_components()],
        };
        let mut apart = Self::default();

        // A label's set: its component, or only the points that have it.
        let names = said.label_names().len();
        let mut labelled: Vec<Vec<usize>> = vec![Vec::new(); names];
        for label in said.labels() {
            labelled[label.label].push(label.point);
        }
        let mut label_of_component = vec![None; components.n_components()];
        let mut set_of_component: BTreeMap<usize, u32> = BTreeMap::new();
        let label_sets: Vec<u32> = (0..names)
            .map(|label| {
                let component = components.component_of(labelled[label][0]);
                if spreads[component] {
                    label_of_component[component].get_or_insert(label);
                    let add = || apart.add_set(components.members(component));
                    *set_of_component.entry(component).or_insert_with(add)
                } else {
                    apart.add_set(&labelled[label])
                }
            })
            .collect();
        let mut weight_of: BTreeMap<[u32; 2], f64> = BTreeMap::new();
        for (at, &a) in label_sets.iter().enumerate() {
            let others = label_sets[at + 1..].iter().filter(|&&b| b != a);
            weight_of.extend(others.map(|&b| ([a.min(b), a.max(b)], 1.0)));
        }

        let mut set_of_point: BTreeMap<usize, u32> = BTreeMap::new();
        for pair in said.cannot_links() {
            let label = |point: usize| {
                let component = components.component_of(point);
                if spreads[component] {
                    label_of_component[component]
                } else {
                    said.label_of(point)
                }
            };
            let [a, b] = pair.points;
            if label(a).zip(label(b)).is_some_and(|(a, b)| a != b) {
                continue; // The labels have said so.
            }
            let mut sets = pair.points.map(|point| {
                let component = components.component_of(point);
                if spreads[component] {
                    let add = || apart.add_set(components.members(component));
                    *set_of_component.entry(component).or_insert_with(add)
                } else {
                    let add = || apart.add_set(&[point]);
                    *set_of_point.entry(point).or_insert_with(add)
                }
            });
            sets.sort_unstable();
            if sets[0] == sets[1] {
                continue;
            }
            let weight = weight_of.entry(sets).or_insert(0.0);
            *weight = weight.max(pair.weight);
        }
        apart.pairs = weight_of
            .into_iter()
            .map(|(sets, weight)| SetPair { sets, weight })
            .collect();
        apart
    }

    fn add_set(&mut self, points: &[usize]) -> u32 {
        self.sets.push(points.iter().map(|&p| p as u32).collect());
        (self.sets.len() - 1) as u32
    }

    /// Refuses pairs that name points beyond the first `n`: only a damaged file can hold them.
    pub(super) fn check(&self, n: usize) -> Result<()> {
        for (entry, pair) in self.pairs.iter().enumerate() {
            for set in pair.sets {
                let points = self.sets.get(set as usize);
                let last = points.map_or(Some(n), |set| set.iter().max().map(|&p| p as usize));
                if let Some(point) = last.filter(|&point| point >= n) {
                    return Err(Error::OutOfRange {
                        kind: ConstraintKind::CannotLink,
                        entry,
                        point,
                        n,
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether nothing is kept apart.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The number of pairs of points that are kept apart.
    pub fn n_pairs(&self) -> u128 {
        let size = |set: u32| self.sets[set as usize].len() as u128;
        self.pairs
            .iter()
            .map(|pair| size(pair.sets[0]) * size(pair.sets[1]))
            .sum()
    }

    /// The pairs of centres that are apart, sorted, each once. `center_of` gives the centre of every
    /// point.
    pub(super) fn center_pairs(&self, center_of: &[u32]) -> Vec<CenterPair> {
        let counted: Vec<Vec<(u32, f64)>> = self
            .sets
            .iter()
            .map(|set| {
                let mut centers: Vec<u32> =
                    set.iter().map(|&point| center_of[point as usize]).collect();
                centers.sort_unstable();
                let runs = centers.chunk_by(|a, b| a == b);
                runs.map(|run| (run[0], run.len() as f64)).collect()
            })
            .collect();
        let mut pairs = Vec::new();
        for pair in &self.pairs {
            let [left, right] = pair.sets.map(|set| &counted[set as usize]);
            for &(a, count_a) in left {
                pairs.extend(right.iter().map(|&(b, count_b)| CenterPair {
                    centers: [a.min(b), a.max(b)],
                    times: count_a * count_b * pair.weight,
                }));
            }
        }
        pairs.sort_unstable_by_key(|pair| pair.centers);
        pairs.dedup_by(|next, kept| {
            let same = next.centers == kept.centers;
            if same {
                kept.times += next.times;
            }
            same
        });
        pairs
    }
}
