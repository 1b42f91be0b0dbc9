//! The field in a metric that is learned from the answers.

use std::sync::Arc;

use ndarray::{Array1, Array2, Axis};

use super::belief::{Belief, left_out_means};
use super::space::{AskSpace, NEIGHBORS, covariance};
use crate::Result;
use crate::numerics::linalg::{product, symmetric_eigen};
use crate::problem::{Constraints, Input, Points, Problem};
use crate::similarity::graph::{EdgeRule, EdgeWeight, OneSided, neighbor_graph};

/// Known units beyond one a cluster from which on a metric is learned.
const LEAST_KNOWN: usize = 6;

/// What is added to the shares of all clusters of a unit, so that one mistake does not decide between fields.
const FLOOR: f64 = 0.05;

/// The variance that is added to that of every axis, as a share of the mean.
const RIDGE: f64 = 1e-3;

/// The least scatter within clusters along an axis, as a share of the scatter of all.
const LEAST_SCATTER: f64 = 1e-6;

/// Units whose clusters are known.
struct Known {
    units: Vec<usize>,
    /// A row a unit, a column a cluster, with a one where the unit is in the cluster.
    targets: Array2<f64>,
}

impl AskSpace {
    /// The same units with a covariance that follows the answers; none where they are too few, or where there are no
    /// columns to weigh.
    ///
    /// With T the scatter of all units and R that within the known clusters, after T is whitened, distances are
    /// measured in the coordinates
    ///
    /// ```text
    /// x' = T^1/2 R_λ^-1/2 T^-1/2 x,   R_λ = (1 - λ) R + λ I,   λ = d / (d + m - k)
    /// ```
    ///
    /// of d dimensions, with m known units in k clusters: along directions in which clusters are narrow, distances
    /// grow (relevant component analysis, Bar-Hillel et al. 2005, shrunk towards the given metric). The
    /// covariance is the mean of the field in these coordinates and of the given one, weighted by how probable each
    /// holds the cluster of every known unit by all the others.
    pub(super) fn learned(
        self: &Arc<Self>,
        problem: &Problem,
        pairs: &Constraints,
        is_noisy: bool,
    ) -> Result<Option<Self>> {
        let Input::Points(_) = problem.input() else { return Ok(None) };
        let Some(known) = self.known(pairs, is_noisy)? else { return Ok(None) };
        let coordinates = self.metric_coordinates(&known)?;
        let neighbors = NEIGHBORS.min(self.len().saturating_sub(1)).max(1);
        let edges = EdgeRule::Nearest { neighbors, one_sided: OneSided::Kept };
        let graph = neighbor_graph(&Points::new(coordinates)?, edges, EdgeWeight::SELF_TUNING)?;
        let adapted = covariance(&graph)?;
        let given = known.log_probability(&self.covariance)?;
        let share = 1.0 / (1.0 + (given - known.log_probability(&adapted)?).exp());
        Ok(Some(self.with_covariance(&self.covariance * (1.0 - share) + adapted * share)))
    }

    fn known(self: &Arc<Self>, pairs: &Constraints, is_noisy: bool) -> Result<Option<Known>> {
        let belief = Belief::new(self, pairs, is_noisy)?;
        let labels = belief.labels();
        let units: Vec<usize> =
            (0..self.len()).filter(|&unit| belief.cluster_of[unit].is_some()).collect();
        let mut clusters: Vec<usize> = units.iter().map(|&unit| labels[unit]).collect();
        clusters.sort_unstable();
        clusters.dedup();
        if clusters.len() < 2 || units.len() < clusters.len() + LEAST_KNOWN {
            return Ok(None);
        }
        let mut targets = Array2::zeros((units.len(), clusters.len()));
        for (row, &unit) in units.iter().enumerate() {
            targets[[row, clusters.partition_point(|&cluster| cluster < labels[unit])]] = 1.0;
        }
        Ok(Some(Known { units, targets }))
    }

    /// x' of every unit.
    fn metric_coordinates(&self, known: &Known) -> Result<Array2<f64>> {
        let rows = self.coordinates.view();
        let dims = rows.ncols() as f64;
        let mean = rows.mean_axis(Axis(0)).unwrap_or_default();
        let centered = &rows - &mean;
        let mut total = product(centered.t(), centered.view()) / rows.nrows() as f64;
        let ridge = (RIDGE * total.diag().sum() / dims).max(f64::MIN_POSITIVE);
        total.diag_mut().mapv_inplace(|variance| variance + ridge);
        let total = symmetric_eigen(total.view())?;
        let scales = total.values.mapv(|variance| variance.max(ridge).sqrt());
        let whitened = product(centered.view(), (&total.vectors / &scales).view());
        let chosen = whitened.select(Axis(0), &known.units);
        let counts = known.targets.sum_axis(Axis(0)).insert_axis(Axis(1));
        let means = product(known.targets.t(), chosen.view()) / &counts;
        let apart = chosen - product(known.targets.view(), means.view());
        let freedom = (known.units.len() - counts.len()) as f64;
        let shrinkage = dims / (dims + freedom);
        let mut within = product(apart.t(), apart.view()) * ((1.0 - shrinkage) / freedom);
        within.diag_mut().mapv_inplace(|scatter| scatter + shrinkage);
        let within = symmetric_eigen(within.view())?;
        let factors: Array1<f64> = within.values.mapv(|v| 1.0 / v.max(LEAST_SCATTER).sqrt());
        let inverse_root = product((&within.vectors * &factors).view(), within.vectors.t());
        Ok(product(whitened.view(), (inverse_root * &scales).view()))
    }
}

impl Known {
    /// How probable a field holds the cluster of every known unit by all the others, as a sum of logarithms.
    fn log_probability(&self, covariance: &Array2<f64>) -> Result<f64> {
        let means = left_out_means(covariance, &self.units, &self.targets)?;
        let of_unit =
            |(means, targets): (ndarray::ArrayView1<'_, f64>, ndarray::ArrayView1<'_, f64>)| {
                let shares = means.mapv(|mean| mean.max(0.0) + FLOOR);
                ((&shares * &targets).sum() / shares.sum()).ln()
            };
        Ok(means.rows().into_iter().zip(self.targets.rows()).map(of_unit).sum())
    }
}
