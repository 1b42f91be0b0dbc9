//! Numbering clusters from 0 without gaps.

use std::collections::{HashMap, HashSet};

use super::Label;

/// New numbers for the clusters that labels name.
pub(crate) struct Renumbering {
    /// The old number of each new one.
    pub(crate) order: Vec<usize>,
    number_of: HashMap<usize, usize>,
}

impl Renumbering {
    /// Numbers clusters in the order in which the labels first name them.
    pub(crate) fn by_appearance(labels: impl IntoIterator<Item = usize>) -> Self {
        let mut is_seen = HashSet::new();
        let first = labels.into_iter().filter(|&c| is_seen.insert(c));
        Self::new(first.collect())
    }

    /// As [`by_appearance`](Self::by_appearance) or, if `keeps_order`, in the order of the old numbers.
    pub(super) fn of(labels: impl IntoIterator<Item = usize>, keeps_order: bool) -> Self {
        let by_appearance = Self::by_appearance(labels);
        if !keeps_order {
            return by_appearance;
        }
        let mut order = by_appearance.order;
        order.sort_unstable();
        Self::new(order)
    }

    fn new(order: Vec<usize>) -> Self {
        let numbers = order.iter().enumerate();
        Self { number_of: numbers.map(|(new, &old)| (old, new)).collect(), order }
    }

    pub(crate) fn n_clusters(&self) -> usize {
        self.order.len()
    }

    /// The new number of a cluster; `None` if no label names it.
    pub(crate) fn get(&self, cluster: usize) -> Label {
        self.number_of.get(&cluster).copied()
    }
}

/// The same partition with clusters numbered by first appearance, and their number.
pub(crate) fn renumber_by_appearance(labels: &[Label]) -> (Vec<Label>, usize) {
    let numbers = Renumbering::by_appearance(labels.iter().copied().flatten());
    let labels = labels.iter().map(|label| numbers.get((*label)?));
    (labels.collect(), numbers.n_clusters())
}

/// The number of clusters that are numbered from 0 without gaps: the largest label plus 1.
pub(crate) fn n_clusters(labels: &[Label]) -> usize {
    labels.iter().flatten().max().map_or(0, |last| last + 1)
}

/// Numbers below `n` replaced by the order of their first appearance, and how many there are.
pub(super) fn number_densely(values: impl Iterator<Item = u32>, n: usize) -> (Vec<u32>, usize) {
    let mut numbers = vec![None; n];
    let mut count = 0;
    let numbered = values.map(|value| {
        *numbers[value as usize].get_or_insert_with(|| {
            count += 1;
            count - 1
        })
    });
    (numbered.collect(), count as usize)
}
