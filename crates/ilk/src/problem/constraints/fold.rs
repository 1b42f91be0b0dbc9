//! Lists in which saying a thing twice is saying it once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Constraint, Labelled};

/// Entries in the order of their first insertion, with a map beside them that finds the entry of
/// given points in O(1), so that a repetition is folded and not appended.
#[derive(Debug, Clone, Default)]
pub(super) struct Folded<const K: usize> {
    entries: Vec<Constraint<K>>,
    position: HashMap<[usize; K], usize>,
}

impl<const K: usize> Folded<K> {
    pub(super) fn as_slice(&self) -> &[Constraint<K>] {
        &self.entries
    }

    /// Appends, or raises the weight of the entry that says the same.
    pub(super) fn insert(&mut self, constraint: Constraint<K>) {
        self.insert_as(constraint.points, constraint);
    }

    /// The same where points in other orders, all of which are written as `key`, say the same. The
    /// order of the first one stays.
    pub(super) fn insert_as(&mut self, key: [usize; K], constraint: Constraint<K>) {
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

/// The map only repeats what the entries say.
impl<const K: usize> PartialEq for Folded<K> {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

/// Labelled points and the names of their labels, in the order of their first insertion.
#[derive(Debug, Clone, Default)]
pub(super) struct FoldedLabels {
    entries: Vec<Labelled>,
    position: HashMap<usize, usize>,
    names: Vec<String>,
    name_position: HashMap<String, usize>,
}

impl FoldedLabels {
    pub(super) fn as_slice(&self) -> &[Labelled] {
        &self.entries
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn label_of(&self, point: usize) -> Option<usize> {
        self.position
            .get(&point)
            .map(|&position| self.entries[position].label)
    }

    /// Appends, or raises the weight of the entry that says the same. The caller has made sure
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
        self.entries.push(Labelled {
            point,
            label,
            weight,
            source,
        });
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

/// The maps only repeat what the entries and names say.
impl PartialEq for FoldedLabels {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries && self.names == other.names
    }
}

/// The sources named so far: a file of a million answers by one person holds the name once.
#[derive(Debug, Clone, Default)]
pub(super) struct Sources(HashSet<Arc<str>>);

impl Sources {
    pub(super) fn intern(&mut self, source: &str) -> Arc<str> {
        if let Some(known) = self.0.get(source) {
            return Arc::clone(known);
        }
        let source: Arc<str> = source.into();
        self.0.insert(Arc::clone(&source));
        source
    }
}
