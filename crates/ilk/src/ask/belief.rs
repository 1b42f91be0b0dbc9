//! What the answers say about every unit: which cluster it belongs to, and how sure that is.

use ndarray::{Array2, Axis};

use super::space::AskSpace;
use super::state::AskState;
use crate::Result;
use crate::numerics::linalg::{Cholesky, product};
use crate::problem::aggregate::Combine;
use crate::problem::{Closure, Constraints};

/// The variance of the noise on what is known of a unit.
pub(super) const NOISE: f64 = 0.01;

/// How sure it must be that a unit belongs to no known cluster for it to found one that is not separated from all.
const SURE: f64 = 0.9;

/// The least probability of a cluster not seen yet, as a share.
const UNSEEN: f64 = 0.01;

/// A cluster that answers have named: the units that are known to be in it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Known {
    pub(super) units: Vec<usize>,
    /// Whether it is separated from all that were known before it.
    pub(super) is_separate: bool,
}

/// Which cluster every unit belongs to, as far as the answers tell.
///
/// Sets of units that answers hold together and apart are clusters that are known. Given their units L, with targets
/// Y of 0 and 1, the field has the mean and the covariance
///
/// ```text
/// F = K_UL (K_LL + σ² I)^-1 Y,   K~ = K - K_UL (K_LL + σ² I)^-1 K_LU.
/// ```
///
/// F_ic is the probability that a walk from unit i over the graph ends in cluster c before it ends elsewhere. What is
/// left of 1 is the probability of a cluster that is not known yet.
pub(super) struct Belief<'a> {
    pub(super) space: &'a AskSpace,
    pub(super) clusters: Vec<Known>,
    /// The cluster of every unit that is in a known one.
    pub(super) cluster_of: Vec<Option<usize>>,
    /// F: a row a unit, a column a cluster.
    pub(super) mean: Array2<f64>,
    /// The probabilities of the clusters, and in the last column that of none of them.
    pub(super) probability: Array2<f64>,
    /// L^-1 K_LU with L the Cholesky factor of K_LL + σ² I: its columns give K~.
    whitened: Array2<f64>,
    closure: Closure,
}

impl<'a> Belief<'a> {
    /// What the answers of a state say.
    pub(super) fn new(state: &'a AskState) -> Result<Self> {
        let space = state.space();
        Self::of_pairs(space, &state.pairs())
    }

    pub(super) fn of_pairs(space: &'a AskSpace, pairs: &Constraints) -> Result<Self> {
        let on_units = pairs.on_sets(&space.unit_of, space.len(), Combine::Keep)?;
        let closure = on_units.closure();
        let mut clusters = separate_clusters(&closure, space);
        loop {
            let belief = Self::given(space, closure.clone(), clusters)?;
            let Some(component) = belief.newcomer() else { return Ok(belief) };
            let units = closure.members(component).to_vec();
            clusters = belief.clusters;
            clusters.push(Known { units, is_separate: false });
        }
    }

    fn given(space: &'a AskSpace, closure: Closure, clusters: Vec<Known>) -> Result<Self> {
        let n = space.len();
        let mut cluster_of = vec![None; n];
        for (cluster, known) in clusters.iter().enumerate() {
            for &unit in &known.units {
                cluster_of[unit] = Some(cluster);
            }
        }
        let labelled: Vec<usize> = (0..n).filter(|&unit| cluster_of[unit].is_some()).collect();
        let mut targets = Array2::zeros((labelled.len(), clusters.len()));
        for (row, &unit) in labelled.iter().enumerate() {
            if let Some(cluster) = cluster_of[unit] {
                targets[[row, cluster]] = 1.0;
            }
        }
        let rows = space.covariance.select(Axis(0), &labelled);
        let mut among = rows.select(Axis(1), &labelled);
        among.diag_mut().mapv_inplace(|variance| variance + NOISE);
        let factor = Cholesky::factor(among.view())?;
        let mean = product(rows.t(), factor.solve(targets.view()).view());
        let whitened = factor.forward_solve(rows.view());
        let mut belief =
            Self { space, clusters, cluster_of, probability: Array2::zeros((0, 0)), mean, whitened, closure };
        belief.probability = belief.probabilities();
        Ok(belief)
    }

    fn probabilities(&self) -> Array2<f64> {
        let (n, k) = self.mean.dim();
        let mut probability = Array2::zeros((n, k + 1));
        for unit in 0..n {
            let mut row = probability.row_mut(unit);
            if let Some(cluster) = self.cluster_of[unit] {
                row[cluster] = 1.0;
                continue;
            }
            let mut sum = 0.0;
            for cluster in 0..k {
                row[cluster] = self.mean[[unit, cluster]].max(0.0);
                sum += row[cluster];
            }
            row[k] = (1.0 - sum).max(UNSEEN);
            for cluster in 0..k {
                if self.is_excluded(unit, cluster) {
                    row[cluster] = 0.0;
                }
            }
            let total = row.sum();
            row.mapv_inplace(|share| share / total);
        }
        probability
    }

    /// Whether a unit is known not to be in a cluster.
    pub(super) fn is_excluded(&self, unit: usize, cluster: usize) -> bool {
        let [own, other] = [unit, self.clusters[cluster].units[0]].map(|u| self.closure.component_of(u));
        self.closure.are_components_separated(own, other)
    }

    /// A component that is surely in none of the known clusters.
    fn newcomer(&self) -> Option<usize> {
        let k = self.clusters.len();
        let is_new = |&unit: &usize| {
            let component = self.closure.component_of(unit);
            self.cluster_of[unit].is_none()
                && self.closure.is_constrained(component)
                && self.probability[[unit, k]] > SURE
                && (0..k).any(|cluster| self.is_excluded(unit, cluster))
        };
        (0..self.space.len()).find(is_new).map(|unit| self.closure.component_of(unit))
    }

    /// Columns of K~.
    pub(super) fn covariance_of(&self, units: &[usize]) -> Array2<f64> {
        let own = self.whitened.select(Axis(1), units);
        self.space.covariance.select(Axis(1), units) - product(self.whitened.t(), own.view())
    }

    /// The diagonal of K~.
    pub(super) fn variances(&self) -> Vec<f64> {
        let known = self.whitened.map_axis(Axis(0), |column| column.dot(&column));
        self.space.covariance.diag().iter().zip(&known).map(|(k, known)| (k - known).max(0.0)).collect()
    }

    /// The member of a cluster by which a unit is compared with it: the one that says most about it.
    pub(super) fn comparison(&self, unit: usize, cluster: usize) -> usize {
        let row = self.space.covariance.row(unit);
        let units = self.clusters[cluster].units.iter().copied();
        units.reduce(|best, other| if row[other] > row[best] { other } else { best }).unwrap_or(unit)
    }

    /// The component of a unit.
    pub(super) fn component_of(&self, unit: usize) -> usize {
        self.closure.component_of(unit)
    }

    /// The likeliest cluster of every unit.
    pub(super) fn labels(&self) -> Vec<usize> {
        let k = self.clusters.len();
        let likeliest = |unit: usize| {
            let row = self.probability.row(unit);
            let rest = self.mean.row(unit);
            let better = |a: usize, b: usize| (row[b], rest[b]) > (row[a], rest[a]);
            (0..k).reduce(|best, other| if better(best, other) { other } else { best }).unwrap_or(0)
        };
        (0..self.space.len()).map(likeliest).collect()
    }
}

/// Components that are all separated from each other, the largest first; the unit that says most where there are no
/// constraints.
fn separate_clusters(closure: &Closure, space: &AskSpace) -> Vec<Known> {
    let mut components: Vec<usize> =
        (0..closure.n_components()).filter(|&component| closure.is_constrained(component)).collect();
    components.sort_by_key(|&component| (std::cmp::Reverse(closure.members(component).len()), component));
    let mut chosen: Vec<usize> = Vec::new();
    for component in components {
        if chosen.iter().all(|&other| closure.are_components_separated(other, component)) {
            chosen.push(component);
        }
    }
    if chosen.is_empty() {
        chosen.push(closure.component_of(space.center));
    }
    let known = |component: usize| Known { units: closure.members(component).to_vec(), is_separate: true };
    chosen.into_iter().map(known).collect()
}
