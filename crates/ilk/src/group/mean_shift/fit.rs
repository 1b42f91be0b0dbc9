//! The climb.

use std::ops::ControlFlow;

use ndarray::Array2;

use super::{MeanShift, MeanShiftModel};
use crate::group::{Grouping, StopReason, TraceStep};
use crate::observe::{Event, Observer};
use crate::problem::Points;
use crate::similarity::Bandwidth;
use crate::{Error, Result};

impl MeanShift {
    /// Finds the modes of the density and the points that climb to each.
    pub fn fit(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, MeanShiftModel)> {
        let _ = weights;
        let (n, d) = (points.len(), points.dims());
        let h = match self.bandwidth {
            Bandwidth::Fixed(h) => h,
            _ => 0.5,
        };
        let mut centers = points.view().to_owned();
        let mut trace = Vec::new();
        for iteration in 1..=self.max_iter {
            let mut movement = 0.0f64;
            for i in 0..n {
                let (mut sum, mut total) = (vec![0.0; d], 0.0);
                for j in 0..n {
                    let x = points.row(j);
                    let dist_sq: f64 = centers
                        .row(i)
                        .iter()
                        .zip(x)
                        .map(|(a, b)| (a - b).powi(2))
                        .sum();
                    let w = self.kernel.weight(dist_sq, h, self.truncation);
                    total += w;
                    for k in 0..d {
                        sum[k] += w * x[k];
                    }
                }
                let mut step = 0.0;
                for k in 0..d {
                    step += (sum[k] / total - centers[[i, k]]).powi(2);
                    centers[[i, k]] = sum[k] / total;
                }
                movement = movement.max(step.sqrt());
            }
            trace.push(TraceStep {
                active: n,
                movement,
            });
            if let ControlFlow::Break(()) =
                observer.event(&Event::new("mean shift", iteration, 0, n))
            {
                return Err(Error::Cancelled {
                    iterations: iteration,
                });
            }
            if movement < 1e-5 * h {
                break;
            }
        }
        let mut modes: Vec<Vec<f64>> = Vec::new();
        let mut labels = Vec::new();
        for center in centers.rows() {
            let near = modes.iter().position(|m| {
                m.iter()
                    .zip(center)
                    .map(|(a, b)| (a - b).powi(2))
                    .sum::<f64>()
                    < (0.01 * h).powi(2)
            });
            labels.push(Some(near.unwrap_or_else(|| {
                modes.push(center.to_vec());
                modes.len() - 1
            })));
        }
        let flat: Vec<f64> = modes.concat();
        let modes =
            Array2::from_shape_vec((modes.len(), d), flat).map_err(|_| Error::NoConvergence)?;
        let grouping = Grouping {
            n_clusters: modes.nrows(),
            labels,
            centers: Some(modes.clone()),
            bandwidth: Some(h),
            iterations: trace.len(),
            stop: StopReason::Converged,
            trace,
        };
        Ok((grouping, MeanShiftModel::new(modes)))
    }
}
