//! A fitted mean shift: the density and its modes, for new points.

use ndarray::Array2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::blur::Iterate;
use super::climb::{Captors, Climb, Rule};
use super::density::{Density, Kernel, Scratch, dist_sq};
use super::watch::Watch;
use crate::group::Label;
use crate::observe::{Observer, Silent};
use crate::problem::Points;
use crate::similarity::Resolved;
use crate::{Error, Result};

/// What a fit keeps to place new points: they are shifted as the training points were, on the same
/// density (or, after blurring, along the same sequence of densities), and get the cluster of the
/// place they reach.
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
    Blurred { history: Vec<Iterate> },
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
                let captors = Captors {
                    places,
                    radius_sq: capture_radius * capture_radius,
                };
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
                Ok(ends
                    .into_par_iter()
                    .map(|mut end| {
                        if let Some(captor) = end.captured_by {
                            return Some(captor_clusters[captor]);
                        }
                        density.to_input(&mut end.place);
                        climber.nearest_summit(&end.place)
                    })
                    .collect())
            }
            Path::Blurred { history } => {
                let mut places = points.as_slice().to_vec();
                for (step, iterate) in history.iter().enumerate() {
                    let density = iterate.density(dims, climber.bandwidth, kernel);
                    density.to_local(&mut places);
                    places.par_chunks_mut(8 * dims).for_each_init(
                        || (Scratch::default(), Vec::new()),
                        |(scratch, totals), tile| {
                            if watch.report(step + 1, 0, 0.0, None) {
                                density.shift(tile, totals, scratch);
                            }
                        },
                    );
                    watch.check(step + 1)?;
                    density.to_input(&mut places);
                }
                Ok(places
                    .par_chunks(dims)
                    .map(|x| climber.nearest_summit(x))
                    .collect())
            }
        }
    }
}

impl Climber {
    /// The cluster of the summit nearest to `x`.
    fn nearest_summit(&self, x: &[f64]) -> Label {
        self.summits
            .chunks_exact(x.len())
            .zip(&self.cluster_of)
            .map(|(summit, &cluster)| (dist_sq(summit, x), cluster))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, cluster)| cluster)
    }
}
