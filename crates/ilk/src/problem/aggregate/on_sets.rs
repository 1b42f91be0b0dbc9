//! Constraints on points, written as constraints on sets of points.

use std::collections::BTreeMap;

use crate::{Result, numerics::extrema::heaviest, problem::Constraints};

/// What several constraints between the same two sets, or on one set, become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Combine {
    /// Every kind of pair stays, with its largest weight; a set gets the label that was given
    /// first, with its weight. For sets of points that coincide.
    Keep,
    /// Between two sets, must-links and cannot-links are set off against each other: what weighs
    /// more becomes one pair of weight 1, and nothing is left where both weigh the same. A set gets
    /// the label that weighs most, of equal ones the one that was named first, with weight 1. For
    /// sets that were found by clustering.
    Majority,
}

impl Constraints {
    /// The must-links, cannot-links and labels as constraints on the sets `0..n`, of which
    /// `set_of` names one for each point. Pairs within a set are left out, and so are comparisons,
    /// sources and ids.
    pub(crate) fn on_sets(&self, set_of: &[usize], n: usize, combine: Combine) -> Result<Self> {
        let mut on_sets = Self::new(n);
        match combine {
            Combine::Keep => {
                for (pair, kind) in self.pairs() {
                    let sets = pair.points.map(|point| set_of[point]);
                    if sets[0] != sets[1] {
                        on_sets.add(kind, &sets, pair.weight, None)?;
                    }
                }
                for labelled in self.labels() {
                    let set = set_of[labelled.point];
                    if on_sets.label_of(set).is_none() {
                        let name = &self.label_names()[labelled.label];
                        on_sets.add_label(set, name, labelled.weight, None)?;
                    }
                }
            }
            Combine::Majority => {
                for ([a, b], weight) in self.net_weights(|point| Some(set_of[point])) {
                    if weight > 0.0 {
                        on_sets.must_link(a, b)?;
                    } else if weight < 0.0 {
                        on_sets.cannot_link(a, b)?;
                    }
                }
                for (set, label) in self.heaviest_labels(set_of) {
                    on_sets.label(set, &self.label_names()[label])?;
                }
            }
        }
        Ok(on_sets)
    }

    /// For every two sets with pairs between them, the smaller number first, the weight of the
    /// must-links less that of the cannot-links. Points without a set are left out.
    pub(crate) fn net_weights(
        &self,
        set_of: impl Fn(usize) -> Option<usize>,
    ) -> BTreeMap<[usize; 2], f64> {
        let mut weights = BTreeMap::new();
        for (points, weight) in self.signed_pairs() {
            if let [Some(a), Some(b)] = points.map(&set_of)
                && a != b
            {
                *weights.entry([a.min(b), a.max(b)]).or_default() += weight;
            }
        }
        weights
    }

    /// The label that weighs most in every set that has one.
    fn heaviest_labels(&self, set_of: &[usize]) -> BTreeMap<usize, usize> {
        let mut weights: BTreeMap<usize, BTreeMap<usize, f64>> = BTreeMap::new();
        for labelled in self.labels() {
            let of_set = weights.entry(set_of[labelled.point]).or_default();
            *of_set.entry(labelled.label).or_default() += labelled.weight;
        }
        let sets = weights.into_iter();
        sets.filter_map(|(set, weights)| Some((set, heaviest(weights)?))).collect()
    }
}
