//! The labels of all sets, their energy, and what a move of one set would gain.

use super::neighbor_graph::NeighborGraph;
use crate::group::Label;
use crate::numerics::accumulator::SparseAccumulator;
use crate::problem::aggregate::{AggregatedConstraints, SetLink};

/// Gains closer than this are equal: the sums of logarithms behind them are good to 1e-13.
pub(super) const EQUAL: f64 = 1e-10;

/// A change of one set's label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SetMove {
    pub(super) set: usize,
    pub(super) to: usize,
    /// By how much it lowers the energy.
    pub(super) gain: f64,
}

/// The labels of all sets, and the energy
///
/// ```text
/// E = - Σ_i log(v_i(l_i) + floor) + penalty · (weight of violated constraints)
/// ```
///
/// with v_i(l) the weight of point i's neighbours that have label l; a point without a cluster has
/// v_i = 0. Everything that depends on the label of one set c is, up to a constant,
///
/// ```text
/// gain(l) =   Σ_{i in c} log (s_i + x_i(l) + floor) / (s_i + floor)       neighbours of its points
///           + Σ_{j: l_j = l} log (v_j + u_j + floor) / (v_j + floor)      points whose neighbour it is
///           + penalty · (weight of must-links less cannot-links with sets of label l)
/// ```
///
/// where s_i and x_i(l) are the weights of i's neighbours in c and outside with label l, and u_j
/// and v_j those of j's neighbours in c and outside with label l_j. So a move from a to b lowers E
/// by exactly gain(b) - gain(a).
pub(super) struct LabelEnergy<'a> {
    pub(super) sets: &'a AggregatedConstraints,
    pub(super) graph: &'a NeighborGraph,
    floor: f64,
    penalty: f64,
    /// The label of every set.
    label: Vec<Label>,
    /// v_i(l_i), neighbours in the own set included.
    support: Vec<f64>,
    /// Points of every cluster.
    size: Vec<usize>,
    n_clusters: usize,
    /// The sets that have joined each cluster; some may have left it since.
    joined: Vec<Vec<usize>>,
    /// For every cluster the label weights of its sets, summed.
    label_weight: Vec<f64>,
    /// For sets that no neighbour may offer a label without violations: other labels, the nearest
    /// first. Empty where neighbours alone offer labels.
    alternatives: Vec<Vec<usize>>,
    /// Scratch: x_i(l) of one point, and gain(l) of one set.
    weights: SparseAccumulator,
    gains: SparseAccumulator,
}

impl<'a> LabelEnergy<'a> {
    pub(super) fn new(
        sets: &'a AggregatedConstraints,
        graph: &'a NeighborGraph,
        label: Vec<Label>,
        n_labels: usize,
        floor: f64,
        penalty: f64,
    ) -> Self {
        let mut energy = Self {
            sets,
            graph,
            floor,
            penalty,
            label,
            support: Vec::new(),
            size: vec![0; n_labels],
            n_clusters: 0,
            joined: vec![Vec::new(); n_labels],
            label_weight: vec![0.0; n_labels],
            alternatives: Vec::new(),
            weights: SparseAccumulator::new(n_labels),
            gains: SparseAccumulator::new(n_labels),
        };
        let n = graph.n();
        energy.support = (0..n).map(|point| energy.support_of(point)).collect();
        for set in 0..sets.len() {
            energy.count(set);
        }
        energy
    }

    /// Lets sets that cannot-links or labels separate from others of their cluster take one of these
    /// labels, for each set the nearest first.
    pub(super) fn with_alternatives(mut self, alternatives: Vec<Vec<usize>>) -> Self {
        self.alternatives = alternatives;
        self
    }

    /// The nearest alternative of a set that violates a cannot-link or a label where it is, if one of
    /// them holds nothing that is separated from it.
    fn alternative(&self, set: usize) -> Label {
        let is_violated_in = |cluster: usize| {
            let links = self.sets.links(set).iter();
            let own = self.sets.label_weight(set);
            let of_others = self.label_weight[cluster]
                - match self.label[set] {
                    Some(here) if here == cluster => own,
                    _ => 0.0,
                };
            own * of_others > 0.0
                || links
                    .filter(|link| link.weight < 0.0)
                    .any(|link| self.label[link.other] == Some(cluster))
        };
        let alternatives = self.alternatives.get(set)?;
        if !is_violated_in(self.label[set]?) {
            return None;
        }
        let free = alternatives.iter().find(|&&label| !is_violated_in(label));
        free.copied()
    }

    /// The label of a set.
    pub(super) fn label(&self, set: usize) -> Label {
        self.label[set]
    }

    pub(super) fn label_of_point(&self, point: usize) -> Label {
        self.label[self.sets.set_of(point)]
    }

    /// Clusters that have points.
    pub(super) fn n_clusters(&self) -> usize {
        self.n_clusters
    }

    /// Points of every label, 0 for those that no point has any more.
    pub(super) fn sizes(&self) -> &[usize] {
        &self.size
    }

    /// v_i(l_i) of a point.
    pub(super) fn support(&self, point: usize) -> f64 {
        self.support[point]
    }

    /// The sets of a cluster that have joined it since the last call for it.
    pub(super) fn take_sets_of(&mut self, cluster: usize) -> Vec<usize> {
        let mut sets = std::mem::take(&mut self.joined[cluster]);
        sets.retain(|&set| self.label[set] == Some(cluster));
        sets
    }

    /// Counts a set as one of its cluster.
    fn count(&mut self, set: usize) {
        if let Some(cluster) = self.label[set] {
            self.n_clusters += usize::from(self.size[cluster] == 0);
            self.size[cluster] += self.sets.members(set).len();
            self.label_weight[cluster] += self.sets.label_weight(set);
            self.joined[cluster].push(set);
        }
    }

    /// E: the disagreement of neighbours plus the weight of violated constraints.
    pub(super) fn energy(&self) -> f64 {
        let disagreement: f64 = self.support.iter().map(|v| -(v + self.floor).ln()).sum();
        disagreement + self.penalty * self.violated()
    }

    /// The weight of the constraints that the labels violate.
    fn violated(&self) -> f64 {
        let mut violated = 0.0;
        for set in 0..self.sets.len() {
            let label = self.label[set];
            for link in self.sets.links(set) {
                let is_shared = label.is_some() && self.label[link.other] == label;
                if link.other < set && is_shared != (link.weight > 0.0) {
                    violated += link.weight.abs();
                }
            }
        }
        // Two labels in one cluster: Σ_{a<b} w_a w_b, cluster by cluster.
        let mut so_far = vec![0.0; self.size.len()];
        for &set in self.sets.labelled() {
            if let Some(cluster) = self.label[set] {
                let weight = self.sets.label_weight(set);
                violated += weight * so_far[cluster];
                so_far[cluster] += weight;
            }
        }
        violated
    }

    fn support_of(&self, point: usize) -> f64 {
        let own = self.label_of_point(point);
        if own.is_none() {
            return 0.0;
        }
        let same = |&&(other, _): &&(usize, f64)| self.label_of_point(other) == own;
        let neighbors = self.graph.of(point).iter();
        neighbors.filter(same).map(|&(_, weight)| weight).sum()
    }

    /// The move of `set` that lowers the energy most, if one does. It may take any label of its
    /// neighbours, of the points whose neighbour it is, and of sets that must-links connect with it.
    /// Where it has the `forbidden` label, the best of the others is taken even if the energy rises.
    pub(super) fn best_move(&mut self, set: usize, forbidden: Label) -> Option<SetMove> {
        self.compute_gains(set);
        let own = self.label[set];
        let must_leave = own.is_some() && own == forbidden;
        let stay = own.map_or(0.0, |cluster| self.gains.get(cluster));
        let mut best: Option<SetMove> = None;
        for to in self.gains.touched().iter().map(|&to| to as usize) {
            let gain = self.gains.get(to) - stay;
            let is_allowed = Some(to) != own && Some(to) != forbidden;
            let is_better = match best {
                Some(best) => {
                    gain > best.gain + EQUAL || (gain > best.gain - EQUAL && to < best.to)
                }
                None => must_leave || gain > EQUAL,
            };
            if is_allowed && is_better {
                best = Some(SetMove { set, to, gain });
            }
        }
        best
    }

    /// gain(l) of every label that `set` may take.
    fn compute_gains(&mut self, set: usize) {
        self.gains.clear();
        // Its own label is a choice even where no neighbour has it.
        if let Some(cluster) = self.label[set] {
            self.gains.add(cluster as u32, 0.0);
        }
        self.add_neighbor_gains(set);
        if let Some(cluster) = self.alternative(set) {
            self.gains.add(cluster as u32, 0.0);
        }
        for &SetLink { other, weight } in self.sets.links(set) {
            if let Some(cluster) = self.label[other]
                && (weight > 0.0 || self.gains.is_touched(cluster))
            {
                self.gains.add(cluster as u32, self.penalty * weight);
            }
        }
        let own_weight = self.sets.label_weight(set);
        if own_weight > 0.0 {
            for at in 0..self.gains.touched().len() {
                let cluster = self.gains.touched()[at];
                let mut others = self.label_weight[cluster as usize];
                if self.label[set] == Some(cluster as usize) {
                    others -= own_weight;
                }
                self.gains.add(cluster, -(self.penalty * own_weight * others));
            }
        }
    }

    /// The first two sums of gain(l).
    fn add_neighbor_gains(&mut self, set: usize) {
        let Self { sets, graph, floor, label, weights, gains, .. } = self;
        for &point in sets.members(set) {
            weights.clear();
            for &(other, weight) in graph.of(point) {
                let other = sets.set_of(other);
                if other != set
                    && let Some(cluster) = label[other]
                {
                    weights.add(cluster as u32, weight);
                }
            }
            let base = graph.weight_within(point) + *floor;
            for &cluster in weights.touched() {
                let weight = weights.get(cluster as usize);
                gains.add(cluster, ((base + weight) / base).ln());
            }
        }
        for &(point, weight) in graph.incoming(set) {
            if let Some(cluster) = label[sets.set_of(point)] {
                let outside = if label[set] == Some(cluster) {
                    (self.support[point] - weight).max(0.0)
                } else {
                    self.support[point]
                };
                let base = outside + *floor;
                gains.add(cluster as u32, ((base + weight) / base).ln());
            }
        }
    }

    /// Gives `set` the label `to`.
    pub(super) fn relabel(&mut self, set: usize, to: Label) {
        let from = std::mem::replace(&mut self.label[set], to);
        let (sets, graph) = (self.sets, self.graph);
        if let Some(cluster) = from {
            self.size[cluster] -= sets.members(set).len();
            self.n_clusters -= usize::from(self.size[cluster] == 0);
            self.label_weight[cluster] -= sets.label_weight(set);
        }
        self.count(set);
        // Summed anew, not updated: the same labels have the same bits, whatever came before.
        for &point in sets.members(set) {
            self.support[point] = self.support_of(point);
        }
        for &(point, _) in graph.incoming(set) {
            let label = self.label_of_point(point);
            if label == from || label == to {
                self.support[point] = self.support_of(point);
            }
        }
    }
}
