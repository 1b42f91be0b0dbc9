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
    /// What the constraints keep apart: with `closure`, whole components of must-links (and labels),
    /// otherwise the points named, as they were named.
    ///
    /// A cannot-link's weight says how many times it counts; an implied one has the largest weight
    /// of those that imply it.
    pub fn new(said: &Constraints, closure: bool) -> Self {
        if closure {
            Self::of_components(said)
        } else {
            Self::as_said(said)
        }
    }

    fn of_components(said: &Constraints) -> Self {
        let closure = said.closure();
        let mut weight_of: BTreeMap<[usize; 2], f64> = BTreeMap::new();
        for pair in said.cannot_links() {
            let mut ends = pair.points.map(|point| closure.component_of(point));
            ends.sort_unstable();
            let weight = weight_of.entry(ends).or_insert(0.0);
            *weight = weight.max(pair.weight);
        }
        let mut apart = Self::default();
        let mut set_of: BTreeMap<usize, u32> = BTreeMap::new();
        for (a, b) in closure.cannot_link_components() {
            let sets = [a, b].map(|component| {
                *set_of
                    .entry(component)
                    .or_insert_with(|| apart.add_set(closure.members(component).iter().copied()))
            });
            let weight = weight_of.get(&[a, b]).copied().unwrap_or(1.0);
            apart.pairs.push(SetPair { sets, weight });
        }
        apart
    }

    fn as_said(said: &Constraints) -> Self {
        let mut apart = Self::default();
        let labels: Vec<u32> = (0..said.label_names().len())
            .map(|label| {
                let of_label = said.labels().iter().filter(|l| l.label == label);
                apart.add_set(of_label.map(|labelled| labelled.point))
            })
            .collect();
        for (at, &a) in labels.iter().enumerate() {
            let others = labels[at + 1..].iter();
            apart.pairs.extend(others.map(|&b| SetPair {
                sets: [a, b],
                weight: 1.0,
            }));
        }
        for pair in said.cannot_links() {
            let [a, b] = pair.points;
            let said_by_labels = matches!(
                (said.label_of(a), said.label_of(b)),
                (Some(a), Some(b)) if a != b
            );
            if said_by_labels {
                continue;
            }
            let sets = [a, b].map(|point| apart.add_set([point]));
            let weight = pair.weight;
            apart.pairs.push(SetPair { sets, weight });
        }
        apart
    }

    fn add_set(&mut self, points: impl IntoIterator<Item = usize>) -> u32 {
        self.sets
            .push(points.into_iter().map(|point| point as u32).collect());
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
