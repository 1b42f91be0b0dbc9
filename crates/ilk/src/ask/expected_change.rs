//! The question whose answer is expected to decide most points.

use ndarray::Array2;

use super::belief::Belief;
use super::question::Question;
use super::questioner::{Questioner, RankedQuestion};
use super::state::AskState;
use crate::Result;
use crate::observe::Observer;

/// Units that are looked at closely.
const SHORTLIST: usize = 100;

#[derive(Debug, Clone, Copy, Default)]
pub struct ExpectedChange;

impl Questioner for ExpectedChange {
    fn questions(&self, state: &AskState, n: usize, _observer: &dyn Observer) -> Result<Vec<RankedQuestion>> {
        let belief = Belief::new(state)?;
        let mut ranked = merges(&belief);
        ranked.extend(placements(&belief));
        ranked.sort_by(|a, b| b.value.total_cmp(&a.value));
        let mut taken = Vec::new();
        for candidate in ranked {
            if taken.len() >= n { break; }
            taken.push(candidate);
        }
        Ok(taken)
    }
}

/// Whether a unit is in one of the known clusters.
fn placements(belief: &Belief<'_>) -> Vec<RankedQuestion> {
    let space = belief.space;
    let k = belief.clusters.len();
    let variances = belief.variances();
    let uncertainty = |unit: usize| {
        let row = belief.probability.row(unit);
        1.0 - row.iter().take(k).fold(0.0f64, |most, &p| most.max(p))
    };
    let mut open: Vec<(usize, f64)> = (0..space.len())
        .filter(|&unit| belief.cluster_of[unit].is_none())
        .map(|unit| {
            let influence = space.influence[unit] * variances[unit] / space.covariance[[unit, unit]];
            (unit, uncertainty(unit) * influence)
        })
        .collect();
    open.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    open.truncate(SHORTLIST);
    let units: Vec<usize> = open.iter().map(|(unit, _)| *unit).collect();
    let covariance = belief.covariance_of(&units);
    let mut ranked = Vec::new();
    for (at, &unit) in units.iter().enumerate() {
        let gain = expected_gain(belief, unit, &covariance, at, variances[unit]);
        let row = belief.probability.row(unit);
        let mut order: Vec<usize> = (0..k).filter(|&c| !belief.is_excluded(unit, c)).collect();
        order.sort_by(|&a, &b| row[b].total_cmp(&row[a]).then(a.cmp(&b)));
        let Some(&likeliest) = order.first() else { continue };
        let mut cost = row[k] * order.len() as f64;
        for (rank, &cluster) in order.iter().enumerate() {
            cost += (rank + 1) as f64 * row[cluster];
        }
        let other = belief.comparison(unit, likeliest);
        let pair = [unit, other].map(|u| space.representatives[u]);
        ranked.push(RankedQuestion { question: Question::pair(pair[0], pair[1]), value: gain / cost.max(1.0) });
    }
    ranked
}

/// How much the expected number of points in a wrong cluster falls when the cluster of a unit is known.
fn expected_gain(belief: &Belief<'_>, unit: usize, covariance: &Array2<f64>, at: usize, variance: f64) -> f64 {
    let space = belief.space;
    let k = belief.clusters.len();
    let scale = 1.0 / (variance + super::belief::NOISE);
    let own = belief.mean.row(unit);
    let chance = belief.probability.row(unit);
    let mut gain = 0.0;
    for z in 0..space.len() {
        if belief.cluster_of[z].is_some() { continue; }
        let g = covariance[[z, at]] * scale;
        if g.abs() < 1e-4 && z != unit { continue; }
        let mean = belief.mean.row(z);
        let before = (0..k).map(|c| mean[c]).fold(0.0f64, f64::max).min(1.0);
        let mut after = 0.0;
        for y in 0..=k {
            if chance[y] < 1e-3 { continue; }
            let mut best = if y == k { g } else { 0.0 };
            for c in 0..k {
                let target = if c == y { 1.0 } else { 0.0 };
                best = f64::max(best, mean[c] + g * (target - own[c]));
            }
            after += chance[y] * best.min(1.0);
        }
        gain += space.sizes[z] * (after - before);
    }
    gain
}

/// Whether two known clusters are one.
fn merges(belief: &Belief<'_>) -> Vec<RankedQuestion> {
    let space = belief.space;
    let k = belief.clusters.len();
    let mut masses = vec![0.0; k];
    for (unit, label) in belief.labels().into_iter().enumerate() {
        masses[label] += space.sizes[unit];
    }
    let mut ranked = Vec::new();
    for b in 0..k {
        for a in 0..b {
            let unit = belief.clusters[b].units[0];
            if belief.is_excluded(unit, a) { continue; }
            let other = belief.comparison(unit, a);
            let value = super::expected_change::MERGE * masses[a].min(masses[b]);
            let pair = [unit, other].map(|u| space.representatives[u]);
            ranked.push(RankedQuestion { question: Question::pair(pair[0], pair[1]), value });
        }
    }
    ranked
}
const MERGE: f64 = 0.03;
