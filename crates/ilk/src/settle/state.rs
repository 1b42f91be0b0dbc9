//! The labels of all units, what they cost, and what a change of one would gain.

use super::links::Links;
use super::units::{Kind, Tie, Units};
use crate::group::Label;

/// Gains closer than this are equal: the sums of logarithms behind them are good to 1e-13.
pub(super) const EQUAL: f64 = 1e-10;

/// A change of one unit's label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Move {
    pub(super) unit: usize,
    pub(super) to: usize,
    /// By how much it lowers the energy.
    pub(super) gain: f64,
}

/// The labels of all units, and the energy
///
/// ```text
/// E = - Σ_i log(v_i(l_i) + floor) + penalty · (weight of broken ties)
/// ```
///
/// with v_i(l) the weight of point i's neighbours that have label l; a point without a cluster has
/// v_i = 0. Everything that depends on the label of one unit c is, up to a constant,
///
/// ```text
/// gain(l) =   Σ_{i in c} log (s_i + x_i(l) + floor) / (s_i + floor)            its own neighbours
///           + Σ_{j: l_j = l} log (v_j + u_j + floor) / (v_j + floor)           those it is neighbour to
///           + penalty · (weight of ties to label l: together, less apart)
/// ```
///
/// where s_i and x_i(l) are the weights of i's neighbours in c and outside with label l, and u_j
/// and v_j those of j's neighbours in c and outside with label l_j. So a move from a to b lowers E
/// by exactly gain(b) - gain(a).
pub(super) struct State<'a> {
    pub(super) units: &'a Units,
    pub(super) links: &'a Links,
    floor: f64,
    penalty: f64,
    label: Vec<Label>,
    /// v_i(l_i), neighbours in the own unit included.
    support: Vec<f64>,
    /// Points of every cluster.
    size: Vec<usize>,
    n_clusters: usize,
    /// The units of every cluster, and some that have left it.
    roster: Vec<Vec<usize>>,
    /// For every cluster the weight of the labels that its units carry.
    label_weight: Vec<f64>,
    weights: Tally,
    gains: Tally,
}

impl<'a> State<'a> {
    pub(super) fn new(
        units: &'a Units,
        links: &'a Links,
        label: Vec<Label>,
        n_labels: usize,
        floor: f64,
        penalty: f64,
    ) -> Self {
        let mut state = Self {
            units,
            links,
            floor,
            penalty,
            label,
            support: Vec::new(),
            size: vec![0; n_labels],
            n_clusters: 0,
            roster: vec![Vec::new(); n_labels],
            label_weight: vec![0.0; n_labels],
            weights: Tally::new(n_labels),
            gains: Tally::new(n_labels),
        };
        let n = links.n();
        state.support = (0..n).map(|point| state.support_of(point)).collect();
        for unit in 0..units.len() {
            state.enroll(unit);
        }
        state
    }

    pub(super) fn label(&self, unit: usize) -> Label {
        self.label[unit]
    }

    pub(super) fn label_of_point(&self, point: usize) -> Label {
        self.label[self.units.of(point)]
    }

    /// Clusters that have points.
    pub(super) fn n_clusters(&self) -> usize {
        self.n_clusters
    }

    /// Points of every label, 0 for those that are gone.
    pub(super) fn sizes(&self) -> &[usize] {
        &self.size
    }

    /// v_i(l_i) of a point.
    pub(super) fn support(&self, point: usize) -> f64 {
        self.support[point]
    }

    /// The units of a cluster. Asked again, it names only those that have come since.
    pub(super) fn take_roster(&mut self, cluster: usize) -> Vec<usize> {
        let mut units = std::mem::take(&mut self.roster[cluster]);
        units.retain(|&unit| self.label[unit] == Some(cluster));
        units
    }

    /// Counts a unit as one of its cluster.
    fn enroll(&mut self, unit: usize) {
        if let Some(cluster) = self.label[unit] {
            self.n_clusters += usize::from(self.size[cluster] == 0);
            self.size[cluster] += self.units.members(unit).len();
            self.label_weight[cluster] += self.units.label_weight(unit);
            self.roster[cluster].push(unit);
        }
    }

    /// E.
    pub(super) fn energy(&self) -> f64 {
        let rough: f64 = self.support.iter().map(|v| -(v + self.floor).ln()).sum();
        rough + self.penalty * self.broken()
    }

    /// The weight of the ties that the labels break.
    fn broken(&self) -> f64 {
        let mut broken = 0.0;
        for unit in 0..self.units.len() {
            let label = self.label[unit];
            for tie in self.units.ties(unit) {
                let is_shared = label.is_some() && self.label[tie.other] == label;
                if tie.other < unit && is_shared != (tie.kind == Kind::Together) {
                    broken += tie.weight;
                }
            }
        }
        // Σ_{a<b} w_a w_b, cluster by cluster.
        let mut so_far = vec![0.0; self.size.len()];
        for &unit in self.units.labelled() {
            if let Some(cluster) = self.label[unit] {
                let weight = self.units.label_weight(unit);
                broken += weight * so_far[cluster];
                so_far[cluster] += weight;
            }
        }
        broken
    }

    fn support_of(&self, point: usize) -> f64 {
        let own = self.label_of_point(point);
        if own.is_none() {
            return 0.0;
        }
        let same = |&&(other, _): &&(usize, f64)| self.label_of_point(other) == own;
        let neighbors = self.links.of(point).iter();
        neighbors.filter(same).map(|&(_, weight)| weight).sum()
    }

    /// The move of `unit` that lowers the energy most, if one does. Its labels to choose from are
    /// those of its neighbours and of the points that it is neighbour to. Where the unit has the
    /// `forbidden` label, the best of the others is taken at any price.
    pub(super) fn best_move(&mut self, unit: usize, forbidden: Label) -> Option<Move> {
        self.tally_gains(unit);
        let own = self.label[unit];
        let must_leave = own.is_some() && own == forbidden;
        let stay = own.map_or(0.0, |cluster| self.gains.sum[cluster]);
        let mut best: Option<Move> = None;
        for &to in &self.gains.seen {
            let gain = self.gains.sum[to] - stay;
            let is_allowed = Some(to) != own && Some(to) != forbidden;
            let is_better = match best {
                Some(best) => {
                    gain > best.gain + EQUAL || (gain > best.gain - EQUAL && to < best.to)
                }
                None => must_leave || gain > EQUAL,
            };
            if is_allowed && is_better {
                best = Some(Move { unit, to, gain });
            }
        }
        best
    }

    fn tally_gains(&mut self, unit: usize) {
        let Self {
            units,
            links,
            floor,
            label,
            weights,
            gains,
            ..
        } = self;
        gains.clear();
        // Its own label is a choice even where no neighbour has it.
        let own = label[unit];
        if let Some(cluster) = own {
            gains.add(cluster, 0.0);
        }
        for &point in units.members(unit) {
            weights.clear();
            for &(other, weight) in links.of(point) {
                let other = units.of(other);
                if other != unit
                    && let Some(cluster) = label[other]
                {
                    weights.add(cluster, weight);
                }
            }
            let base = links.inside(point) + *floor;
            for &cluster in &weights.seen {
                gains.add(cluster, ((base + weights.sum[cluster]) / base).ln());
            }
        }
        for &(point, weight) in links.to_unit(unit) {
            if let Some(cluster) = label[units.of(point)] {
                let outside = if Some(cluster) == own {
                    (self.support[point] - weight).max(0.0)
                } else {
                    self.support[point]
                };
                let base = outside + *floor;
                gains.add(cluster, ((base + weight) / base).ln());
            }
        }
        for &Tie {
            other,
            weight,
            kind,
        } in units.ties(unit)
        {
            match (label[other], kind) {
                (Some(cluster), Kind::Together) => gains.add(cluster, self.penalty * weight),
                (Some(cluster), Kind::Apart) if gains.is_seen[cluster] => {
                    gains.add(cluster, -self.penalty * weight);
                }
                _ => {}
            }
        }
        let own_weight = units.label_weight(unit);
        if own_weight > 0.0 {
            for i in 0..gains.seen.len() {
                let cluster = gains.seen[i];
                let mut others = self.label_weight[cluster];
                if Some(cluster) == own {
                    others -= own_weight;
                }
                gains.sum[cluster] -= self.penalty * own_weight * others;
            }
        }
    }

    /// Gives `unit` the label `to`.
    pub(super) fn relabel(&mut self, unit: usize, to: Label) {
        let from = std::mem::replace(&mut self.label[unit], to);
        let (units, links) = (self.units, self.links);
        if let Some(cluster) = from {
            self.size[cluster] -= units.members(unit).len();
            self.n_clusters -= usize::from(self.size[cluster] == 0);
            self.label_weight[cluster] -= units.label_weight(unit);
        }
        self.enroll(unit);
        // Summed anew, not updated: the same labels have the same bits, whatever came before.
        for &point in units.members(unit) {
            self.support[point] = self.support_of(point);
        }
        for &(point, _) in links.to_unit(unit) {
            let label = self.label_of_point(point);
            if label == from || label == to {
                self.support[point] = self.support_of(point);
            }
        }
    }
}

/// Sums by cluster, few of which are not 0.
struct Tally {
    sum: Vec<f64>,
    is_seen: Vec<bool>,
    seen: Vec<usize>,
}

impl Tally {
    fn new(len: usize) -> Self {
        Self {
            sum: vec![0.0; len],
            is_seen: vec![false; len],
            seen: Vec::new(),
        }
    }

    fn add(&mut self, cluster: usize, amount: f64) {
        if !self.is_seen[cluster] {
            self.is_seen[cluster] = true;
            self.seen.push(cluster);
        }
        self.sum[cluster] += amount;
    }

    fn clear(&mut self) {
        for cluster in self.seen.drain(..) {
            self.sum[cluster] = 0.0;
            self.is_seen[cluster] = false;
        }
    }
}
