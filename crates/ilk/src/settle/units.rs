//! What moves as one, and what ties units together or apart.

use std::collections::{BTreeMap, HashMap};

use super::params::MustLinks;
use crate::problem::{Closure, Constraints, Pair};

/// What an answer weighs at most. A weight above this is as good as certain, and sums stay finite.
const MAX_WEIGHT: f64 = 1e6;

/// The points that move as one, and the ties between them.
///
/// A unit is a component of the must-links, where those are hard. Where they are soft it is a point,
/// or all points of a label, and the must-links between units are ties as cannot-links are. Several
/// answers of a kind between the same two units are one tie, with the largest of their weights. Two
/// labels are kept apart with the product of their weights; that stays implicit, as a weight for
/// each.
pub(super) struct Units {
    unit_of: Vec<usize>,
    members: Vec<Vec<usize>>,
    ties: Vec<Vec<Tie>>,
    /// The largest weight of a label in the unit; 0 where it has none.
    label_weight: Vec<f64>,
    labelled: Vec<usize>,
    conflicts: Vec<usize>,
}

/// What was said about a unit and another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tie {
    pub(super) other: usize,
    pub(super) weight: f64,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Together,
    Apart,
}

impl Units {
    pub(super) fn new(said: &Constraints, must_links: MustLinks) -> Self {
        let closure = said.closure();
        let conflicts: Vec<usize> = (0..said.cannot_links().len())
            .filter(|&entry| {
                let [a, b] = said.cannot_links()[entry].points;
                closure.are_linked(a, b)
            })
            .collect();
        let is_soft = match must_links {
            MustLinks::Hard => vec![false; closure.n_components()],
            MustLinks::Uncontradicted | MustLinks::Auto => closure.contradicted(said),
            MustLinks::Soft => vec![true; closure.n_components()],
        };
        let (unit_of, members) = units(said, &closure, &is_soft);
        let mut label_weight = vec![0.0_f64; members.len()];
        for labelled in said.labels() {
            let weight = &mut label_weight[unit_of[labelled.point]];
            *weight = weight.max(labelled.weight.min(MAX_WEIGHT));
        }

        let mut ties: Vec<Vec<Tie>> = vec![Vec::new(); members.len()];
        let mut tie = |a: usize, b: usize, weight, kind| {
            for (unit, other) in [(a, b), (b, a)] {
                ties[unit].push(Tie {
                    other,
                    weight,
                    kind,
                });
            }
        };
        for ([a, b], weight) in between(&unit_of, said.must_links()) {
            tie(a, b, weight, Kind::Together);
        }
        for ([a, b], weight) in between(&unit_of, said.cannot_links()) {
            // Labels keep the two apart already: what the cannot-link says beyond that is left.
            let beyond = weight - label_weight[a] * label_weight[b];
            if beyond > 0.0 {
                tie(a, b, beyond, Kind::Apart);
            }
        }
        let is_labelled = |&unit: &usize| label_weight[unit] > 0.0;
        Self {
            labelled: (0..members.len()).filter(is_labelled).collect(),
            unit_of,
            members,
            ties,
            label_weight,
            conflicts,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    pub(super) fn of(&self, point: usize) -> usize {
        self.unit_of[point]
    }

    pub(super) fn members(&self, unit: usize) -> &[usize] {
        &self.members[unit]
    }

    pub(super) fn ties(&self, unit: usize) -> &[Tie] {
        &self.ties[unit]
    }

    pub(super) fn label_weight(&self, unit: usize) -> f64 {
        self.label_weight[unit]
    }

    /// The units with a label, any two of which are apart.
    pub(super) fn labelled(&self) -> &[usize] {
        &self.labelled
    }

    pub(super) fn into_conflicts(self) -> Vec<usize> {
        self.conflicts
    }
}

/// The unit of every point and the points of every unit, numbered by their first point.
fn units(said: &Constraints, closure: &Closure, is_soft: &[bool]) -> (Vec<usize>, Vec<Vec<usize>>) {
    #[derive(PartialEq, Eq, Hash)]
    enum Name {
        Component(usize),
        Label(usize),
        Point(usize),
    }
    let mut number: HashMap<Name, usize> = HashMap::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    let unit_of = (0..said.n())
        .map(|point| {
            let component = closure.component_of(point);
            let name = match said.label_of(point) {
                _ if !is_soft[component] => Name::Component(component),
                Some(label) => Name::Label(label),
                None => Name::Point(point),
            };
            let unit = *number.entry(name).or_insert(members.len());
            if unit == members.len() {
                members.push(Vec::new());
            }
            members[unit].push(point);
            unit
        })
        .collect();
    (unit_of, members)
}

/// The pairs of units that answers of a kind are about, sorted, each with its largest weight.
fn between(unit_of: &[usize], pairs: &[Pair]) -> BTreeMap<[usize; 2], f64> {
    let mut found: BTreeMap<[usize; 2], f64> = BTreeMap::new();
    for pair in pairs {
        let mut ends = pair.points.map(|point| unit_of[point]);
        ends.sort_unstable();
        if ends[0] != ends[1] {
            let weight = found.entry(ends).or_default();
            *weight = weight.max(pair.weight.min(MAX_WEIGHT));
        }
    }
    found
}
