//! What constraints on points become on sets of points.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod` | [`AggregatedConstraints`]: sets that move as one, and the pairs between them |
//! | `policy` | [`MustLinkPolicy`]: which points are one set |
//! | `cannot_link_sets` | [`CannotLinkSets`]: the pairs of sets that cannot-links and labels separate |
//! | `cannot_link_graph` | [`CannotLinkGraph`]: cannot-links between nodes that are merged step by step |
//! | `on_sets` | constraints on the sets of a given partition |
//!
//! The first two views differ on purpose. [`AggregatedConstraints`] bounds every weight by 1e6,
//! separates two labels with the product of their weights, and treats the points of a label as one
//! set even in a contradicted component. [`CannotLinkSets`] does none of that: two labels are
//! separated with weight 1, and in a contradicted component a cannot-link concerns the two points
//! that it names.

mod cannot_link_graph;
mod cannot_link_sets;
mod on_sets;
mod policy;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

pub(crate) use cannot_link_graph::CannotLinkGraph;
pub use cannot_link_sets::CannotLinkSets;
pub(crate) use on_sets::Combine;
pub use policy::MustLinkPolicy;

use super::{Closure, Constraints, Pair};
use crate::numerics::ragged::RaggedRows;

/// Weights are bounded by this, so that sums stay finite.
const MAX_WEIGHT: f64 = 1e6;

/// Sets of points that get one label together, and the constraints between them.
///
/// Where must-links are enforced, a set is a component of the [`Closure`]. Where they are not, it is
/// a point, or all points of a label, and must-links connect sets as cannot-links do. The weights of
/// several pairs of a kind between the same two sets are added: one label for both would violate all
/// of them. Two labels are separated with the product of their weights, as all pairs of their points
/// would be; that stays implicit, as one weight for each set.
pub(crate) struct AggregatedConstraints {
    set_of: Vec<usize>,
    members: RaggedRows,
    links: RaggedRows<SetLink>,
    /// The total weight of the labelled points of the set; 0 where it has none.
    label_weight: Vec<f64>,
    labelled: Vec<usize>,
}

/// A must-link or cannot-link between a set and another.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct SetLink {
    pub(crate) other: usize,
    /// Above 0 for a must-link, below 0 for a cannot-link.
    pub(crate) weight: f64,
}

impl AggregatedConstraints {
    pub(crate) fn new(
        constraints: &Constraints,
        closure: &Closure,
        must_links: MustLinkPolicy,
    ) -> Self {
        let is_enforced = must_links.enforced(constraints, closure);
        let (set_of, n_sets) = sets(constraints, closure, &is_enforced);
        let mut label_weight = vec![0.0_f64; n_sets];
        for labelled in constraints.labels() {
            let weight = &mut label_weight[set_of[labelled.point]];
            *weight = (*weight + labelled.weight).min(MAX_WEIGHT);
        }
        let must_links = total_weights(&set_of, constraints.must_links());
        let cannot_links = total_weights(&set_of, constraints.cannot_links());
        // Labels separate two sets already: only what a cannot-link weighs beyond that is added.
        let beyond_labels = cannot_links.into_iter().filter_map(|([a, b], weight)| {
            let beyond = weight - label_weight[a] * label_weight[b];
            (beyond > 0.0).then_some(([a, b], -beyond))
        });
        let links: Vec<([usize; 2], f64)> = must_links.into_iter().chain(beyond_labels).collect();
        let links = links.iter().flat_map(|&([a, b], weight)| {
            let link = |other| SetLink { other, weight };
            [(a, link(b)), (b, link(a))]
        });
        let members = set_of.iter().enumerate().map(|(point, &set)| (set, point));
        Self {
            members: RaggedRows::new(n_sets, members),
            links: RaggedRows::new(n_sets, links),
            labelled: (0..n_sets).filter(|&set| label_weight[set] > 0.0).collect(),
            set_of,
            label_weight,
        }
    }

    /// Number of sets.
    pub(crate) fn len(&self) -> usize {
        self.label_weight.len()
    }

    /// Number of points.
    pub(crate) fn n_points(&self) -> usize {
        self.set_of.len()
    }

    /// The set of a point.
    pub(crate) fn set_of(&self, point: usize) -> usize {
        self.set_of[point]
    }

    /// The points of a set, ascending.
    pub(crate) fn members(&self, set: usize) -> &[usize] {
        self.members.row(set)
    }

    /// The must-links of a set with others, then its cannot-links.
    pub(crate) fn links(&self, set: usize) -> &[SetLink] {
        self.links.row(set)
    }

    /// The total weight of the labelled points of the set; 0 where it has none.
    pub(crate) fn label_weight(&self, set: usize) -> f64 {
        self.label_weight[set]
    }

    /// The sets with a label. Any two of them are separated.
    pub(crate) fn labelled(&self) -> &[usize] {
        &self.labelled
    }
}

/// The set of every point, numbered by their first points, and the number of sets.
fn sets(constraints: &Constraints, closure: &Closure, is_enforced: &[bool]) -> (Vec<usize>, usize) {
    #[derive(PartialEq, Eq, Hash)]
    enum Key {
        Component(usize),
        Label(usize),
        Point(usize),
    }
    let mut number: HashMap<Key, usize> = HashMap::new();
    let set_of = (0..constraints.n())
        .map(|point| {
            let component = closure.component_of(point);
            let key = match constraints.label_of(point) {
                _ if is_enforced[component] => Key::Component(component),
                Some(label) => Key::Label(label),
                None => Key::Point(point),
            };
            let next = number.len();
            *number.entry(key).or_insert(next)
        })
        .collect();
    (set_of, number.len())
}

/// The pairs of different sets that `pairs` connect, sorted, each with its total weight.
fn total_weights(set_of: &[usize], pairs: &[Pair]) -> BTreeMap<[usize; 2], f64> {
    let mut found: BTreeMap<[usize; 2], f64> = BTreeMap::new();
    for pair in pairs {
        let mut sets = pair.points.map(|point| set_of[point]);
        sets.sort_unstable();
        if sets[0] != sets[1] {
            let weight = found.entry(sets).or_default();
            *weight = (*weight + pair.weight).min(MAX_WEIGHT);
        }
    }
    found
}
