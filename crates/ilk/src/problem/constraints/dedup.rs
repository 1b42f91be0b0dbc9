//! Lists in which repeated entries count once.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Constraint, Labelled};

/// Entries in the order of their first insertion, with a map beside them that finds the entry of
/// given points in O(1), so that a repetition is folded and not appended.
#[derive(Debug, Clone, Default)]
pub(super) struct Deduplicated<const K: usize> {
    pub(super) entries: Vec<Constraint<K>>,
    position: HashMap<[usize; K], usize>,
}

impl<const K: usize> Deduplicated<K> {
    /// Appends, or raises the weight of the equal entry. `key` stands for all orders of the points that
    /// mean the same; the order of the first one stays.
    pub(super) fn insert(&mut self, key: [usize; K], constraint: Constraint<K>) {
        let next = self.entries.len();
        let position = *self.position.entry(key).or_insert(next);
        match self.entries.get_mut(position) {
            Some(known) => {
                known.weight = known.weight.max(constraint.weight);
                known.source = known.source.take().or(constraint.source);
            }
            None => self.entries.push(constraint),
        }
    }
}

/// Labelled points and the names of their labels, in the order of their first insertion.
#[derive(Debug, Clone, Default)]
pub(super) struct DeduplicatedLabels {
    pub(super) entries: Vec<Labelled>,
    position: HashMap<usize, usize>,
    pub(super) names: Vec<String>,
    name_position: HashMap<String, usize>,
}

impl DeduplicatedLabels {
    pub(super) fn label_of(&self, point: usize) -> Option<usize> {
        self.entry_of(point).map(|entry| self.entries[entry].label)
    }

    /// The entry that labels a point.
    pub(super) fn entry_of(&self, point: usize) -> Option<usize> {
        self.position.get(&point).copied()
    }

    /// Appends, or raises the weight of the equal entry. The caller has made sure
    /// that the point has no other label.
    pub(super) fn insert(
        &mut self,
        point: usize,
        name: &str,
        weight: f64,
        source: Option<Arc<str>>,
    ) {
        if let Some(&position) = self.position.get(&point) {
            let known = &mut self.entries[position];
            known.weight = known.weight.max(weight);
            known.source = known.source.take().or(source);
            return;
        }
        let label = self.intern(name);
        self.position.insert(point, self.entries.len());
        self.entries.push(Labelled { point, label, weight, source });
    }

    fn intern(&mut self, name: &str) -> usize {
        if let Some(&label) = self.name_position.get(name) {
            return label;
        }
        let label = self.names.len();
        self.names.push(name.to_owned());
        self.name_position.insert(name.to_owned(), label);
        label
    }
}
