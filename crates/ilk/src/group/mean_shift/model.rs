//! A fitted mean shift: the density and its modes, for new points.

use ndarray::Array2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::blur::{Blurring, History, Iterate};
use super::climb::{Captors, Climb, Rule};
use super::density::{Density, Scratch};
use super::kernel::Kernel;
use super::watch::Watch;
use crate::group::Label;
use crate::numerics::neighbors::Neighbors;
use crate::observe::{Observer, Silent};
use crate::problem::Points;
use crate::similarity::Resolved;
use crate::{Error, Result};

/// What a fit keeps to place new points: they are shifted as the training points were, on the same
/// density (or, after blurring, along the same sequence of densities), and get the cluster of the
/// place they reach.
///
/// It holds the data; after blurring, the centres of every step. Those are fewer from step to step as
/// points meet, and at most sixteen times the data in all: where points collapse so slowly that more
/// would be needed, `predict` blurs on from the last step kept, with the same result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeanShiftModel {
    modes: Array2<f64>,
    climber: Climber,
}

/// How points were shifted, and the clusters of the places they reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Climber {
    pub(super) kernel: Kernel,
    pub(super) rule: Rule,
    pub(super) bandwidth: f64,
    /// Distinct places where training points ended, row by row.
    pub(super) summits: Vec<f64>,
    /// The cluster of every summit.
    pub(super) cluster_of: Vec<usize>,
    pub(super) path: Path,
}

/// What points were shifted on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Path {
    /// One density.
    Fixed {
        points: Vec<f64>,
        weights: Option<Vec<f64>>,
        bandwidths: Option<Vec<f64>>,
        captors: Vec<f64>,
        captor_clusters: Vec<usize>,
        capture_radius: f64,
    },
    /// The density of every step.
    Blurred { history: History, cell: f64 },
}

impl MeanShiftModel {
    pub(super) fn new(modes: Array2<f64>, climber: Climber) -> Self {
        Self { modes, climber }
    }

    /// One row a cluster: its mode.
    pub fn modes(&self) -> &Array2<f64> {
        &self.modes
    }

    /// The bandwidth, or the median where every point has its own.
    pub fn bandwidth(&self) -> f64 {
        self.climber.bandwidth
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.modes.nrows()
    }

    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.modes.ncols()
    }

    /// The clusters of new points. Training points get the labels that the fit gave them.
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        self.predict_watched(points, &Silent)
    }

    /// As [`predict`](Self::predict), with an observer that sees progress and can cancel.
    pub fn predict_watched(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>> {
        let dims = self.dims();
        if points.dims() != dims {
            return Err(Error::WrongDimensions {
                found: points.dims(),
                expected: dims,
            });
        }
        let climber = &self.climber;
        let watch = Watch::new(observer, "predict", points.len());
        let kernel = climber.kernel;
        match &climber.path {
            Path::Fixed {
                points: data,
                weights,
                bandwidths,
                captors,
                captor_clusters,
                capture_radius,
            } => {
                let bandwidth = match bandwidths {
                    Some(each) => Resolved::PerPoint(each.clone()),
                    None => Resolved::Fixed(climber.bandwidth),
                };
                let density = Density::new(data, dims, weights.as_deref(), &bandwidth, kernel);
                let mut places = captors.clone();
                density.to_local(&mut places);
                let captors = Captors::new(places, dims, *capture_radius);
                let climb = Climb {
                    density: &density,
                    rule: climber.rule,
                    captors: &captors,
                    watch: &watch,
                    counted: true,
                };
                let mut starts = points.as_slice().to_vec();
                density.to_local(&mut starts);
                let (ends, _) = climb.run(&starts)?;
                let mut places: Vec<f64> = ends.iter().flat_map(|end| end.place.clone()).collect();
                density.to_input(&mut places);
                let reached = climber.clusters_of_places(places, dims);
                Ok(ends
                    .iter()
                    .zip(reached)
                    .map(|(end, cluster)| match end.captured_by {
                        Some(captor) => Some(captor_clusters[captor]),
                        None => cluster,
                    })
                    .collect())
            }
            Path::Blurred { history, cell } => {
                let mut places = points.as_slice().to_vec();
                let h = climber.bandwidth;
                let follow = |step: usize, iterate: &Iterate| {
                    let density = iterate.density(dims, h, kernel);
                    density.to_local(&mut places);
                    places.par_chunks_mut(8 * dims).for_each_init(
                        || (Scratch::default(), Vec::new()),
                        |(scratch, totals), tile| {
                            if watch.report(step, 0, 0.0, None) {
                                density.shift(tile, totals, scratch);
                            }
                        },
                    );
                    density.to_input(&mut places);
                    watch.check(step)
                };
                let how = Blurring {
                    dims,
                    bandwidth: h,
                    kernel,
                    cell: *cell,
                };
                history.replay(how, &watch, follow)?;
                Ok(climber.clusters_of_places(places, dims))
            }
        }
    }
}

impl Climber {
    /// The cluster of the summit nearest to each place.
    fn clusters_of_places(&self, places: Vec<f64>, dims: usize) -> Vec<Label> {
        let rows = |values: Vec<f64>| {
            Array2::from_shape_fn((values.len() / dims, dims), |(i, k)| values[i * dims + k])
        };
        let summits = rows(self.summits.clone());
        let nearest = Neighbors::new(summits.view()).nearest_each(rows(places).view(), 1);
        (0..nearest.len())
            .map(|i| {
                nearest
                    .row(i)
                    .first()
                    .map(|summit| self.cluster_of[summit.index])
            })
            .collect()
    }
}
