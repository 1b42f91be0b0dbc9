//! The clusters that the answers name.

use ndarray::Array2;
use rayon::prelude::*;

use super::belief::Belief;
use super::state::AskState;
use crate::Result;
use crate::group::{Label, renumber_by_appearance};
use crate::numerics::neighbors::Neighbors;
use crate::problem::Input;

/// Representatives of super-instances by which a point is placed.
const NEAREST: usize = 5;

impl AskState {
    /// The clusters that the answers name, of every point: the likeliest by the field of [`ExpectedChange`], numbered by
    /// first appearance. Points that must-links hold together share a cluster. Where there are super-instances, a point is
    /// placed by those that are near it, weighted by exp(-d²/d_5²).
    ///
    /// [`ExpectedChange`]: super::ExpectedChange
    ///
    /// # Errors
    /// [`Error::NotPositiveDefinite`](crate::Error::NotPositiveDefinite) where rounding leaves the field without an inverse.
    pub fn clusters(&self) -> Result<Vec<Label>> {
        Ok(self.clusters_with_confidence()?.0)
    }

    /// As [`clusters`](Self::clusters), with the probability that the field gives each point of its cluster. What is left
    /// of 1 is also that of clusters that no answer has named yet.
    ///
    /// # Errors
    /// Those of [`clusters`](Self::clusters).
    pub fn clusters_with_confidence(&self) -> Result<(Vec<Label>, Vec<f64>)> {
        let belief = self.belief()?;
        let space = &belief.space;
        let of_unit = belief.labels();
        let unit_confidence: Vec<f64> = of_unit
            .iter()
            .enumerate()
            .map(|(unit, &label)| belief.confidence_in(unit, label))
            .collect();
        let of_points = |of_unit: &dyn Fn(usize) -> (usize, f64)| {
            space.unit_of.iter().map(|&unit| of_unit(unit)).unzip()
        };
        let (mut labels, mut confidence): (Vec<usize>, Vec<f64>) =
            of_points(&|unit| (of_unit[unit], unit_confidence[unit]));
        if let (Input::Points(points), true) = (self.problem().input(), space.has_super_instances) {
            let shares = shares(&belief, &of_unit);
            let table = self.memo().nearest.get_or_init(|| {
                let index = Neighbors::new(points.select(&space.representatives).view());
                index.nearest_each(points.view(), NEAREST)
            });
            (labels, confidence) = (0..points.len())
                .into_par_iter()
                .map(|point| {
                    let nearest = table.row(point);
                    let width = table.kth_sq(point, NEAREST).max(f64::MIN_POSITIVE);
                    let mut sums = vec![0.0; belief.clusters.len()];
                    let mut total = 0.0;
                    for neighbor in nearest {
                        let weight = (-neighbor.dist_sq / width).exp();
                        total += weight;
                        for (sum, share) in sums.iter_mut().zip(shares.row(neighbor.index)) {
                            *sum += weight * share;
                        }
                    }
                    let better = |a: usize, b: usize| if sums[b] > sums[a] { b } else { a };
                    let best = (0..sums.len()).reduce(better).unwrap_or(0);
                    let share =
                        sums.get(best).map_or(0.0, |sum| sum / total.max(f64::MIN_POSITIVE));
                    (best, share.min(1.0))
                })
                .unzip();
            let pairs = self.pairs();
            let closure = pairs.closure();
            for point in pairs.constrained_points() {
                // All points of a component are where its first one's unit is.
                let first = closure.members(closure.component_of(point))[0];
                let unit = space.unit_of[first];
                (labels[point], confidence[point]) = (of_unit[unit], unit_confidence[unit]);
            }
        }
        let labels: Vec<Label> = labels.into_iter().map(Some).collect();
        Ok((renumber_by_appearance(&labels).0, confidence))
    }
}

/// The share of every unit in every cluster; a unit of a named cluster has all of it in the likeliest.
fn shares(belief: &Belief, labels: &[usize]) -> Array2<f64> {
    let mut shares = belief.mean.t().mapv(|mean| mean.max(0.0));
    for (unit, known) in belief.cluster_of.iter().enumerate() {
        if known.is_some() {
            shares.row_mut(unit).fill(0.0);
            shares[[unit, labels[unit]]] = 1.0;
        }
    }
    shares
}
