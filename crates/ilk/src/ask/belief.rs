//! What the answers say about every unit: which cluster it belongs to, and how sure that is.

use std::sync::Arc;

use ndarray::{Array1, Array2, Axis, s};

use super::space::AskSpace;
use crate::Result;
use crate::numerics::linalg::{Cholesky, product};
use crate::problem::aggregate::Combine;
use crate::problem::{Closure, Constraints};
use crate::select::held_out::first_best;

/// The variance σ² of the noise on what is known of a unit.
pub(super) const NOISE: f64 = 0.01;

/// The least probability of a cluster that a unit is not separated from.
const LEAST: f64 = 0.002;

/// The least probability of a cluster not seen yet.
const UNSEEN: f64 = 0.02;

/// Rounds in which answers are left out.
const ROUNDS: usize = 4;

/// How probable another cluster must be, by all other units, for the answers about a unit to be left out.
const ELSEWHERE: f64 = 0.6;

/// Answers that weigh this much are confirmed.
const CONFIRMED: f64 = 1.5;

/// A cluster that answers have named: units that are known to belong together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Named {
    /// The units, ascending.
    pub(super) units: Vec<usize>,
    /// The component of the closure that they are.
    pub(super) component: usize,
    /// The probabilities that it is one of the clusters before it, and in the last place that it is one of its own.
    pub(super) identity: Vec<f64>,
}

/// Which cluster every unit belongs to, by the answers.
///
/// A component of must-linked units is a named cluster. The first ones are separated from each other. Any other may be
/// one of those before it: the probabilities of that are what the field says of its units, without the clusters that
/// it is separated from. Given the units L of all components, with those probabilities Y, the field has the mean
/// and the covariance
///
/// ```text
/// F = K_UL (K_LL + σ² I)^-1 Y,   K~ = K - K_UL (K_LL + σ² I)^-1 K_LU,
/// ```
///
/// computed component by component. F_ic is the probability that a walk from unit i over the graph ends in cluster c before it
/// ends elsewhere. What is left of 1 is the probability of a cluster that is not named yet.
#[derive(Debug)]
pub(super) struct Belief {
    pub(super) space: Arc<AskSpace>,
    pub(super) clusters: Vec<Named>,
    /// The position of the named cluster that a unit is in.
    pub(super) cluster_of: Vec<Option<usize>>,
    /// F: a row a cluster, a column a unit.
    pub(super) mean: Array2<f64>,
    /// The rows w with K~ = K - Σ w wᵀ.
    known: Array2<f64>,
    n_known: usize,
    /// The diagonal of K~.
    pub(super) variance: Array1<f64>,
    closure: Closure,
    /// How many must-links name a unit.
    links: Vec<usize>,
    /// How sure the surest constraint on a unit is, at most 1.
    confidence: Vec<f64>,
}

impl Belief {
    /// What must-links, cannot-links and labels say. Where answers have contradicted each other, unconfirmed ones about
    /// units that all others place elsewhere are left out: they are likely to be wrong too.
    pub(super) fn new(space: &Arc<AskSpace>, pairs: &Constraints, is_noisy: bool) -> Result<Self> {
        let mut on_units = pairs.on_sets(&space.unit_of, space.len(), Combine::Keep)?;
        for _ in 0..ROUNDS {
            let belief = Self::given(space, &on_units);
            let contradicted = if is_noisy { belief.contradicted()? } else { Vec::new() };
            let kept = without(&on_units, &contradicted)?;
            if kept == on_units {
                return Ok(belief);
            }
            on_units = kept;
        }
        Ok(Self::given(space, &on_units))
    }

    fn given(space: &Arc<AskSpace>, on_units: &Constraints) -> Self {
        let closure = on_units.closure();
        let mut links = vec![0; space.len()];
        for pair in on_units.must_links() {
            for unit in pair.points {
                links[unit] += 1;
            }
        }
        let components = components_in_order(&closure, space);
        let n = space.len();
        let n_units = components.iter().map(|&component| closure.members(component).len()).sum();
        let mut belief = Self {
            space: Arc::clone(space),
            clusters: Vec::new(),
            cluster_of: vec![None; n],
            mean: Array2::zeros((components.len(), n)),
            known: Array2::zeros((n_units, n)),
            n_known: 0,
            variance: space.covariance.diag().to_owned(),
            closure,
            links,
            confidence: confidence(on_units),
        };
        for component in components {
            belief.name(component);
        }
        belief
    }

    /// Units that are known to be in a cluster, but of which all other units say that they are in another: with A = K_LL
    /// + σ² I, the mean of unit i without its own target is y_i - (A^-1 Y)_i / (A^-1)_ii.
    fn contradicted(&self) -> Result<Vec<usize>> {
        let labelled: Vec<usize> =
            (0..self.space.len()).filter(|&unit| self.cluster_of[unit].is_some()).collect();
        let mut targets = Array2::zeros((labelled.len(), self.clusters.len()));
        for (row, &unit) in labelled.iter().enumerate() {
            let probability = self.probability(unit);
            for (cluster, share) in probability.iter().take(self.clusters.len()).enumerate() {
                targets[[row, cluster]] = *share;
            }
        }
        let without = left_out_means(&self.space.covariance, &labelled, &targets)?;
        let is_contradicted = |&(row, _): &(usize, usize)| {
            (0..self.clusters.len())
                .any(|c| targets[[row, c]] < 0.5 && without[[row, c]] > ELSEWHERE)
        };
        let contradicted = labelled.into_iter().enumerate().filter(is_contradicted);
        Ok(contradicted.map(|(_, unit)| unit).collect())
    }

    /// Takes a component as a cluster.
    fn name(&mut self, component: usize) {
        let units = self.closure.members(component).to_vec();
        let position = self.clusters.len();
        let mut identity = vec![0.0; position + 1];
        for &unit in &units {
            for (sum, share) in identity.iter_mut().zip(self.probability(unit)) {
                *sum += share / units.len() as f64;
            }
        }
        for &unit in &units {
            self.cluster_of[unit] = Some(position);
        }
        self.condition(&units, &identity);
        self.clusters.push(Named { units, component, identity });
    }

    /// The field given that units have these probabilities.
    fn condition(&mut self, units: &[usize], target: &[f64]) {
        let mut rows = self.covariances(units);
        for (at, &unit) in units.iter().enumerate() {
            let deviation = (self.variance[unit] + self.noise(unit)).sqrt();
            let (mut done, mut open) = rows.view_mut().split_at(Axis(0), at + 1);
            let mut row = done.row_mut(at);
            row /= deviation;
            for (cluster, mut mean) in self.mean.rows_mut().into_iter().enumerate() {
                let target = target.get(cluster).copied().unwrap_or(0.0);
                let step = (target - mean[unit]) / deviation;
                if step != 0.0 {
                    mean.scaled_add(step, &row);
                }
            }
            self.variance
                .zip_mut_with(&row, |variance, w| *variance = (*variance - w * w).max(0.0));
            for (mut later, &other) in open.rows_mut().into_iter().zip(&units[at + 1..]) {
                later.scaled_add(-row[other], &row);
            }
        }
        let end = self.n_known + units.len();
        self.known.slice_mut(s![self.n_known..end, ..]).assign(&rows);
        self.n_known = end;
    }

    /// The variance of the noise on what is known of a unit. An answer of confidence c is taken to be right with the
    /// probability p = (1 + c) / 2, and variance K~ (1 - p) / p moves the mean by the share p of the way.
    fn noise(&self, unit: usize) -> f64 {
        let confidence = self.confidence[unit];
        NOISE + self.variance[unit] * (1.0 - confidence) / (1.0 + confidence)
    }

    /// The rows of K~ of some units.
    pub(super) fn covariances(&self, units: &[usize]) -> Array2<f64> {
        let known = self.known.slice(s![..self.n_known, ..]);
        let own = known.select(Axis(1), units);
        self.space.covariance.select(Axis(0), units) - &product(own.t(), known)
    }

    /// The probabilities of the clusters named so far, and in the last place that of none of them.
    pub(super) fn probability(&self, unit: usize) -> Vec<f64> {
        if let Some(cluster) = self.cluster_of[unit] {
            let mut row = vec![0.0; self.clusters.len() + 1];
            let identity = &self.clusters[cluster].identity;
            row[..identity.len()].copy_from_slice(identity);
            return row;
        }
        let k = self.clusters.len();
        let mut row: Vec<f64> =
            (0..k).map(|cluster| self.mean[[cluster, unit]].max(LEAST)).collect();
        row.push((1.0 - row.iter().sum::<f64>()).max(UNSEEN));
        let component = self.closure.component_of(unit);
        for (share, cluster) in row.iter_mut().zip(&self.clusters) {
            if self.closure.are_components_separated(component, cluster.component) {
                *share = 0.0;
            }
        }
        let total: f64 = row.iter().sum();
        for share in &mut row {
            *share /= total;
        }
        row
    }

    /// The probability that two units belong together.
    pub(super) fn chance_of_same(&self, a: usize, b: usize) -> f64 {
        let [p, q] = [a, b].map(|unit| self.probability(unit));
        // The last is the probability of no named cluster, which may be two different ones.
        p.iter().zip(&q).take(self.clusters.len()).map(|(p, q)| p * q).sum()
    }

    /// Whether a unit is known not to be in a cluster.
    pub(super) fn is_excluded(&self, unit: usize, cluster: usize) -> bool {
        let component = self.closure.component_of(unit);
        self.closure.are_components_separated(component, self.clusters[cluster].component)
    }

    /// The units of a cluster, those of most must-links first, then those that say most about a unit. So clusters become
    /// stars: a wrong answer is about one unit, with which no others are compared.
    pub(super) fn comparisons(&self, unit: usize, cluster: usize) -> Vec<usize> {
        let row = self.space.covariance.row(unit);
        let links = |unit: usize| self.links[unit];
        let mut units = self.clusters[cluster].units.clone();
        units.sort_by(|&a, &b| {
            links(b).cmp(&links(a)).then(row[b].total_cmp(&row[a])).then(a.cmp(&b))
        });
        units
    }

    /// The unit that stands for a cluster: that of most must-links.
    pub(super) fn hub(&self, cluster: usize) -> usize {
        let units = &self.clusters[cluster].units;
        units[first_best(units.iter().map(|&unit| self.links[unit] as f64))]
    }

    /// The probability that a unit is in a cluster, as far as the field tells: a unit of a named cluster is in it as surely as
    /// that is one of its own.
    pub(super) fn confidence_in(&self, unit: usize, cluster: usize) -> f64 {
        let of_named = |own: usize| self.clusters[own].identity.get(cluster).copied();
        let found = match self.cluster_of[unit] {
            Some(own) => of_named(own),
            None => self.mean.get((cluster, unit)).copied(),
        };
        found.unwrap_or(0.0).clamp(0.0, 1.0)
    }

    /// The likeliest cluster of every unit.
    pub(super) fn labels(&self) -> Vec<usize> {
        let k = self.clusters.len();
        let likeliest = |unit: usize| {
            let value = |cluster: usize| match self.cluster_of[unit] {
                Some(own) => self.clusters[own].identity.get(cluster).copied().unwrap_or(0.0),
                None if self.is_excluded(unit, cluster) => -1.0,
                None => self.mean[[cluster, unit]],
            };
            (0..k)
                .reduce(|best, other| if value(other) > value(best) { other } else { best })
                .unwrap_or(0)
        };
        (0..self.space.len()).map(likeliest).collect()
    }
}

/// How sure the surest constraint on every unit is; 1 where there is none.
fn confidence(on_units: &Constraints) -> Vec<f64> {
    let mut surest: Vec<Option<f64>> = vec![None; on_units.n()];
    let mut raise = |unit: usize, weight: f64| {
        surest[unit] = Some(surest[unit].map_or(weight, |known| known.max(weight)));
    };
    for (pair, _) in on_units.pairs() {
        for unit in pair.points {
            raise(unit, pair.weight);
        }
    }
    for labelled in on_units.labels() {
        raise(labelled.point, labelled.weight);
    }
    surest.into_iter().map(|weight| weight.map_or(1.0, |weight| weight.min(1.0))).collect()
}

/// What the others say of every labelled unit: with A = K_LL + σ² I, the mean of unit i without its own target is
/// y_i - (A^-1 Y)_i / (A^-1)_ii.
pub(super) fn left_out_means(
    covariance: &Array2<f64>,
    labelled: &[usize],
    targets: &Array2<f64>,
) -> Result<Array2<f64>> {
    let rows = covariance.select(Axis(0), labelled);
    let mut among = rows.select(Axis(1), labelled);
    among.diag_mut().mapv_inplace(|variance| variance + NOISE);
    // With A = L Lᵀ the columns of L^-1 give A^-1 = L^-T L^-1.
    let root = Cholesky::factor(among.view())?.forward_solve(Array2::eye(labelled.len()).view());
    let pull = product(root.t(), product(root.view(), targets.view()).view());
    let own = root.map(|value| value * value).sum_axis(Axis(0)).insert_axis(Axis(1));
    Ok(targets - &(pull / own))
}

/// The constraints without unconfirmed pairs of these units.
fn without(constraints: &Constraints, units: &[usize]) -> Result<Constraints> {
    if units.is_empty() {
        return Ok(constraints.clone());
    }
    let mut kept = Constraints::new(constraints.n());
    for (pair, kind) in constraints.pairs() {
        if pair.weight > CONFIRMED || !pair.points.iter().any(|point| units.contains(point)) {
            kept.add(kind, &pair.points, pair.weight, None)?;
        }
    }
    for labelled in constraints.labels() {
        let name = &constraints.label_names()[labelled.label];
        kept.add_label(labelled.point, name, labelled.weight, None)?;
    }
    Ok(kept)
}

/// The components that any constraint concerns: first those that are all separated from each other, the largest of
/// them first, then the others. The unit that says most where there are none.
fn components_in_order(closure: &Closure, space: &AskSpace) -> Vec<usize> {
    let mut components: Vec<usize> = (0..closure.n_components())
        .filter(|&component| closure.is_constrained(component))
        .collect();
    components
        .sort_by_key(|&component| (std::cmp::Reverse(closure.members(component).len()), component));
    let (mut separate, mut others) = (Vec::new(), Vec::new());
    for component in components {
        if separate.iter().all(|&other| closure.are_components_separated(other, component)) {
            separate.push(component);
        } else {
            others.push(component);
        }
    }
    separate.append(&mut others);
    if separate.is_empty() {
        separate.push(closure.component_of(space.center));
    }
    separate
}
