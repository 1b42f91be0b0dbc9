//! The question whose answer is expected to decide most points.

use std::collections::HashSet;

use ndarray::Array1;

use super::belief::{Belief, NOISE};
use super::question::Question;
use super::questioner::{Questioner, RankedQuestion};
use super::state::AskState;
use crate::Result;
use crate::observe::Observer;

/// Units that are looked at closely.
const SHORTLIST: usize = 100;

/// Clusters of a unit that are asked about.
const LIKELIEST: usize = 2;

#[derive(Debug, Clone, Copy, Default)]
pub struct ExpectedChange;

impl Questioner for ExpectedChange {
    fn questions(&self, state: &AskState, n: usize, _observer: &dyn Observer) -> Result<Vec<RankedQuestion>> {
        let belief = Belief::new(state)?;
        let asked = state.asked();
        let mut ranked = Vec::new();
        for node in shortlist(&belief) {
            ranked.extend(node.questions(&belief, &asked));
        }
        ranked.sort_by(|a, b| b.value.total_cmp(&a.value));
        ranked.truncate(n);
        Ok(ranked)
    }
}

/// A unit, or a cluster that may be another, that questions may place.
struct Node {
    unit: usize,
    /// The probabilities of the clusters, and in the last place of none of them.
    probability: Vec<f64>,
    /// What the field says now.
    mean: Vec<f64>,
    /// How far the field follows at every unit.
    influence: Array1<f64>,
    /// The row of its own cluster, where it has one.
    own: Option<usize>,
}

fn shortlist(belief: &Belief<'_>) -> Vec<Node> {
    let space = belief.space;
    let k = belief.clusters.len();
    let mut nodes = Vec::new();
    for (position, cluster) in belief.clusters.iter().enumerate() {
        let own = cluster.identity[position];
        if own > 0.999 { continue; }
        let unit = cluster.units[0];
        let probability = belief.probability(unit);
        let influence = &belief.mean.row(position) / own;
        nodes.push(Node { unit, mean: probability[..k].to_vec(), probability, influence, own: Some(position) });
    }
    let uncertainty = |unit: usize| {
        1.0 - (0..k).fold(0.0f64, |most, cluster| most.max(belief.mean[[cluster, unit]]))
    };
    let mut open: Vec<(usize, f64)> = (0..space.len())
        .filter(|&unit| belief.cluster_of[unit].is_none())
        .map(|unit| {
            let influence = space.influence[unit] * belief.variance[unit] / space.covariance[[unit, unit]];
            (unit, uncertainty(unit) * influence)
        })
        .collect();
    open.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    open.truncate(SHORTLIST);
    for (unit, _) in open {
        let influence = belief.covariance(unit) / (belief.variance[unit] + NOISE);
        nodes.push(Node { unit, probability: belief.probability(unit), mean: belief.mean.column(unit).to_vec(), influence, own: None });
    }
    nodes
}

impl Node {
    fn questions(&self, belief: &Belief<'_>, asked: &HashSet<&Question>) -> Vec<RankedQuestion> {
        let k = belief.clusters.len();
        let mut order: Vec<usize> = (0..k).filter(|&c| Some(c) != self.own && self.probability[c] > 0.0).collect();
        order.sort_by(|&a, &b| self.probability[b].total_cmp(&self.probability[a]).then(a.cmp(&b)));
        let mut ranked = Vec::new();
        for &cluster in order.iter().take(LIKELIEST) {
            let of = &belief.space.representatives;
            let pairs = belief.comparisons(self.unit, cluster);
            let pair = pairs.iter().map(|&other| Question::pair(of[self.unit], of[other]));
            let Some(question) = pair.into_iter().find(|question| !asked.contains(question)) else { continue };
            ranked.push(RankedQuestion { question, value: self.gain(belief, cluster) });
        }
        ranked
    }

    /// How much the expected number of points in a wrong cluster falls when it is known whether this is in a cluster.
    fn gain(&self, belief: &Belief<'_>, cluster: usize) -> f64 {
        let chance = self.probability[cluster];
        let k = belief.clusters.len();
        let mut same = vec![0.0; k + 1];
        same[cluster] = 1.0;
        let mut different = self.probability.clone();
        different[cluster] = 0.0;
        let rest: f64 = different.iter().sum();
        different.iter_mut().for_each(|share| *share /= rest.max(1e-12));
        let mut sum = 0.0;
        for z in 0..belief.space.len() {
            let g = self.influence[z];
            if g.abs() < 1e-3 { continue; }
            let column = belief.mean.column(z);
            let (mut before, mut a, mut b) = (0.0f64, 0.0f64, 0.0f64);
            for c in 0..k {
                before = before.max(column[c]);
                a = a.max(column[c] + g * (same[c] - self.mean[c]));
                b = b.max(column[c] + g * (different[c] - self.mean[c]));
            }
            if self.own.is_none() {
                a = a.max(g * same[k]);
                b = b.max(g * different[k]);
            }
            sum += belief.space.sizes[z] * (chance * a.min(1.0) + (1.0 - chance) * b.min(1.0) - before.min(1.0));
        }
        sum
    }
}
