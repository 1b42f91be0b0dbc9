//! The pairs of sets of points that cannot-links and labels separate.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::MustLinkPolicy;
use crate::Result;
use crate::error::check_memory;
use crate::error::stored::{ensure_below, ensure_positive};
use crate::problem::{Closure, Constraints};

/// Sets of points, and which pairs of sets are separated: every point of the one from every point of
/// the other.
///
/// Must-links multiply cannot-links: one cannot-link between two components of a hundred points
/// stands for ten thousand pairs. So pairs of sets are stored, not pairs of points.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CannotLinkSets {
    /// In the order in which labels and cannot-links first name them.
    sets: Vec<Vec<u32>>,
    pairs: Vec<SetPair>,
}

/// Two sets that are separated, the smaller number first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct SetPair {
    sets: [u32; 2],
    weight: f64,
}

impl CannotLinkSets {
    /// The sets that `constraints` separate. With [`MustLinkPolicy::Hard`] this is the transitive
    /// closure of the constraints; with `Soft` the points that they name, and nothing more.
    ///
    /// A cannot-link's weight says how many times it counts. An implied one has the largest weight
    /// of those that imply it, and two labels are separated with weight 1. A cannot-link within a
    /// set separates nothing.
    pub fn new(constraints: &Constraints, must_links: MustLinkPolicy) -> Self {
        let closure = constraints.closure();
        let mut builder = Builder {
            is_enforced: must_links.enforced(constraints, &closure),
            label_of_component: vec![None; closure.n_components()],
            constraints,
            closure,
            sets: Vec::new(),
            set_of: BTreeMap::new(),
        };
        let mut weight_of: BTreeMap<[u32; 2], f64> = BTreeMap::new();
        let label_sets = builder.label_sets();
        for (at, &a) in label_sets.iter().enumerate() {
            let others = label_sets[at + 1..].iter().filter(|&&b| b != a);
            weight_of.extend(others.map(|&b| ([a.min(b), a.max(b)], 1.0)));
        }
        for pair in constraints.cannot_links() {
            let labels = pair.points.map(|point| builder.label_of(point));
            if let [Some(a), Some(b)] = labels
                && a != b
            {
                continue; // Separated by their labels already.
            }
            let mut sets = pair.points.map(|point| builder.set_of(point));
            sets.sort_unstable();
            if sets[0] != sets[1] {
                let weight = weight_of.entry(sets).or_insert(0.0);
                *weight = weight.max(pair.weight);
            }
        }
        let pairs = weight_of.into_iter();
        let pairs = pairs.map(|(sets, weight)| SetPair { sets, weight });
        Self { sets: builder.sets, pairs: pairs.collect() }
    }

    /// Refuses labels of which there are so many different ones that their pairs would not fit into memory.
    pub(crate) fn check_size(constraints: &Constraints) -> Result<()> {
        /// What a pair takes as it is collected and sorted.
        const PAIR: u128 = 64;
        let labels = constraints.label_names().len() as u128;
        let pairs = labels * labels.saturating_sub(1) / 2;
        let instead = "name fewer different labels, or use a method that draws pairs from labels, such as skms";
        check_memory("the pairs of different labels", PAIR * pairs, instead)
    }

    /// Fails where a file holds sets of points beyond the first `n`, or pairs of sets that do not exist.
    pub(crate) fn check(&self, n: usize) -> Result<()> {
        let points = self.sets.iter().flatten().map(|&point| point as usize);
        ensure_below("a point of a cannot-link set", points, n)?;
        let sets = self.pairs.iter().flat_map(|pair| pair.sets);
        let sets = sets.map(|set| set as usize);
        ensure_below("a cannot-link set", sets, self.sets.len())?;
        let weights = self.pairs.iter().map(|pair| &pair.weight);
        ensure_positive("the weight of a cannot-link", weights)
    }

    /// The points of every set.
    pub(crate) fn sets(&self) -> &[Vec<u32>] {
        &self.sets
    }

    /// The pairs of separated sets, the smaller number first, and their weights.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = ([usize; 2], f64)> + '_ {
        let pairs = self.pairs.iter();
        pairs.map(|pair| (pair.sets.map(|set| set as usize), pair.weight))
    }

    /// Whether nothing is separated.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The number of pairs of points that are separated.
    pub fn n_pairs(&self) -> u128 {
        let size = |set: usize| self.sets[set].len() as u128;
        self.pairs().map(|([a, b], _)| size(a) * size(b)).sum()
    }
}

/// Sets, made as labels and cannot-links name them.
struct Builder<'a> {
    constraints: &'a Constraints,
    closure: Closure,
    is_enforced: Vec<bool>,
    /// The first label of every enforced component.
    label_of_component: Vec<Option<usize>>,
    sets: Vec<Vec<u32>>,
    /// The set of a component, or of one point of it.
    set_of: BTreeMap<(usize, Option<usize>), u32>,
}

impl Builder<'_> {
    /// The set of every label: its component, or only the points that have it.
    fn label_sets(&mut self) -> Vec<u32> {
        let n_labels = self.constraints.label_names().len();
        let mut labelled: Vec<Vec<usize>> = vec![Vec::new(); n_labels];
        for entry in self.constraints.labels() {
            labelled[entry.label].push(entry.point);
        }
        let set_of_label = |(label, points): (usize, Vec<usize>)| {
            let component = self.closure.component_of(points[0]);
            if self.is_enforced[component] {
                self.label_of_component[component].get_or_insert(label);
                self.set_of(points[0])
            } else {
                add_set(&mut self.sets, &points)
            }
        };
        labelled.into_iter().enumerate().map(set_of_label).collect()
    }

    /// The label that separates a point: that of its component, or only its own.
    fn label_of(&self, point: usize) -> Option<usize> {
        let component = self.closure.component_of(point);
        if self.is_enforced[component] {
            self.label_of_component[component]
        } else {
            self.constraints.label_of(point)
        }
    }

    /// The set that a cannot-link of this point concerns: its component, or only the point.
    fn set_of(&mut self, point: usize) -> u32 {
        let component = self.closure.component_of(point);
        let (key, members) = if self.is_enforced[component] {
            ((component, None), self.closure.members(component))
        } else {
            ((component, Some(point)), std::slice::from_ref(&point))
        };
        let add = || add_set(&mut self.sets, members);
        *self.set_of.entry(key).or_insert_with(add)
    }
}

fn add_set(sets: &mut Vec<Vec<u32>>, points: &[usize]) -> u32 {
    sets.push(points.iter().map(|&point| point as u32).collect());
    (sets.len() - 1) as u32
}
