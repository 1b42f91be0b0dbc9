//! A fitted mean shift: the density and its modes, for new points.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use super::blur::{Blurring, History, Iterate};
use super::trajectory::{CapturingModes, StopRule, Trajectories};
use super::{density::Density, kernel::TruncatedProfile};
use crate::error::stored::{
    MAX_STORED_STEPS, checked_on_read, ensure, ensure_below, ensure_finite, ensure_len,
    ensure_not_negative, ensure_positive, invalid,
};
use crate::numerics::{cached::Cached, neighbors::Neighbors, view_rows};
use crate::observe::{Observer, Progress, Silent};
use crate::similarity::{Profile, ResolvedBandwidth};
use crate::{Result, error::check_dims, group::Label, problem::Points};

checked_on_read! {
    /// A new point is shifted as the training points were, on the same density (or, after blurring, on the
    /// same sequence of densities), and gets the cluster of the place where it ends.
    ///
    /// The model holds the data; after blurring, the centres of every step. Those become fewer from step to
    /// step as points coincide, and take at most sixteen times the memory of the data: where points collapse so
    /// slowly that more would be needed, `predict` repeats the blurring after the last step kept, with the same
    /// result.
    pub struct MeanShiftModel {
        modes: Array2<f64>,
        climber: Climber,
    }
    at first use, index: Cached<PredictionIndex>;
}

/// How points were shifted, and the clusters of the places where they ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Climber {
    pub(super) kernel: TruncatedProfile,
    pub(super) rule: StopRule,
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
    Fixed(FixedDensity),
    /// The density of every step.
    Blurred { history: History, cell: f64 },
}

/// The data of a density, and the modes that capture points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct FixedDensity {
    pub(super) points: Vec<f64>,
    pub(super) weights: Option<Vec<f64>>,
    pub(super) bandwidths: Option<Vec<f64>>,
    pub(super) captors: Vec<f64>,
    pub(super) captor_clusters: Vec<usize>,
    pub(super) capture_radius: f64,
}

/// What predictions need beside the model's fields; made at the first one.
struct PredictionIndex {
    summits: Neighbors,
    /// The density on which new points climb, and the modes that capture them; none after blurring.
    density: Option<(Density, CapturingModes)>,
}

/// The number of rows of `dims` finite values; an error where there is none or the last one is incomplete.
pub(super) fn count_rows(what: &str, values: &[f64], dims: usize) -> Result<usize> {
    ensure(!values.is_empty() && values.len().is_multiple_of(dims), || {
        format!("{what} are {} values, not rows of {dims}", values.len())
    })?;
    ensure_finite(what, values)?;
    Ok(values.len() / dims)
}

/// The largest bandwidth that a stored model may have. The unused lanes of blocks of points are filled up
/// with coordinates farther away than any kernel of such a bandwidth extends.
const MAX_BANDWIDTH: f64 = 1e100;

/// Fails unless all bandwidths are above 0 and not too large for the arithmetic, and there are `n` of them
/// if there are any.
pub(super) fn check_bandwidths(bandwidths: Option<&[f64]>, n: usize) -> Result<()> {
    let Some(bandwidths) = bandwidths else {
        return Ok(());
    };
    ensure_len("the list of bandwidths", bandwidths.len(), n)?;
    let is_bad = |h: &&f64| !(**h > 0.0 && **h <= MAX_BANDWIDTH);
    match bandwidths.iter().find(is_bad) {
        None => Ok(()),
        Some(h) => Err(invalid(format!(
            "a bandwidth is {h} where a number above 0, at most {MAX_BANDWIDTH:e}, is needed"
        ))),
    }
}

impl Climber {
    fn check(&self, n_clusters: usize, dims: usize) -> Result<()> {
        let truncation = self.kernel.truncation;
        let is_truncated = self.kernel.profile == Profile::Truncated;
        ensure(!is_truncated || (truncation > 0.0 && truncation <= 1.0), || {
            format!("its kernel is truncated at {truncation}")
        })?;
        check_bandwidths(Some(&[self.bandwidth]), 1)?;
        ensure_not_negative("the tolerance", [&self.rule.tol])?;
        ensure(self.rule.max_iter > 0, || "it makes no step".to_owned())?;
        let steps = self.rule.fixed.unwrap_or(1);
        ensure((1..=MAX_STORED_STEPS).contains(&steps), || {
            format!("it makes {steps} steps where 1 to {MAX_STORED_STEPS} are possible")
        })?;
        let n_summits = count_rows("the places of the summits", &self.summits, dims)?;
        let clusters = &self.cluster_of;
        ensure_len("the clusters of the summits", clusters.len(), n_summits)?;
        let each = clusters.iter().copied();
        ensure_below("the cluster of a summit", each, n_clusters)?;
        match &self.path {
            Path::Fixed(fixed) => fixed.check(n_clusters, dims),
            Path::Blurred { history, cell } => {
                ensure_positive("the side of a cell", [cell])?;
                history.check(dims)
            }
        }
    }
}

impl FixedDensity {
    fn check(&self, n_clusters: usize, dims: usize) -> Result<()> {
        let n = count_rows("the points", &self.points, dims)?;
        if let Some(weights) = &self.weights {
            ensure_len("the list of weights", weights.len(), n)?;
            ensure_positive("the weight of a point", weights)?;
        }
        check_bandwidths(self.bandwidths.as_deref(), n)?;
        let n_captors = match self.captors.len() {
            0 => 0,
            _ => count_rows("the places of the captors", &self.captors, dims)?,
        };
        let clusters = &self.captor_clusters;
        ensure_len("the clusters of the captors", clusters.len(), n_captors)?;
        let each = clusters.iter().copied();
        ensure_below("the cluster of a captor", each, n_clusters)?;
        ensure_not_negative("the capture radius", [&self.capture_radius])
    }

    /// The density, and the modes that capture points, in its coordinates.
    fn laid_out(&self, dims: usize, kernel: TruncatedProfile, h: f64) -> (Density, CapturingModes) {
        let bandwidth = resolved(self.bandwidths.as_ref(), h);
        let weights = self.weights.as_deref();
        let density = Density::new(&self.points, dims, weights, &bandwidth, kernel);
        let mut captors = self.captors.clone();
        density.to_local(&mut captors);
        let captors = CapturingModes::new(captors, dims, self.capture_radius);
        (density, captors)
    }
}

/// The bandwidth of each point, or `h` for all.
pub(super) fn resolved(bandwidths: Option<&Vec<f64>>, h: f64) -> ResolvedBandwidth {
    let fixed = ResolvedBandwidth::Fixed(h);
    bandwidths.map_or(fixed, |each| ResolvedBandwidth::PerPoint(each.clone()))
}

impl MeanShiftModel {
    fn checked(mut self) -> Result<Self> {
        let (n_clusters, dims) = self.modes.dim();
        ensure(n_clusters > 0 && dims > 0, || {
            format!("it has {n_clusters} modes with {dims} dimensions")
        })?;
        ensure_finite("a coordinate of a mode", &self.modes)?;
        self.climber.check(n_clusters, dims)?;
        let rule = &mut self.climber.rule;
        rule.max_iter = rule.max_iter.min(MAX_STORED_STEPS);
        Ok(self)
    }

    pub(super) fn new(modes: Array2<f64>, climber: Climber) -> Self {
        Self { modes, climber, index: Cached::default() }
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
        self.predict_observed(points, &Silent)
    }

    /// As [`predict`](Self::predict), with an observer that sees progress and can cancel.
    pub fn predict_observed(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>> {
        let dims = self.dims();
        check_dims(points.dims(), dims)?;
        let progress = Progress::new(observer, "predict", points.len());
        let index = self.index.get(|| PredictionIndex::new(&self.climber, dims));
        match (&self.climber.path, &index.density) {
            (Path::Blurred { history, cell }, _) => {
                let places = self.follow_blurring(history, *cell, points, &progress)?;
                Ok(self.clusters_of_places(places, index))
            }
            (Path::Fixed(fixed), Some((density, captors))) => {
                let trajectories = Trajectories {
                    density,
                    rule: self.climber.rule,
                    captors,
                    progress: &progress,
                    counted: true,
                };
                let mut starts = points.as_slice().to_vec();
                density.to_local(&mut starts);
                let (ends, _) = trajectories.run(&starts)?;
                let mut places: Vec<f64> = ends.iter().flat_map(|end| end.place.clone()).collect();
                density.to_input(&mut places);
                let mut labels = self.clusters_of_places(places, index);
                for (label, end) in labels.iter_mut().zip(&ends) {
                    let captured = end.captured_by.map(|c| fixed.captor_clusters[c]);
                    *label = captured.or(*label);
                }
                Ok(labels)
            }
            (Path::Fixed(_), None) => unreachable!("a fixed density is indexed"),
        }
    }

    /// Where points end that are shifted on the densities of all blurring steps.
    fn follow_blurring(
        &self,
        history: &History,
        cell: f64,
        points: &Points,
        progress: &Progress<'_>,
    ) -> Result<Vec<f64>> {
        let dims = self.dims();
        let (bandwidth, kernel) = (self.climber.bandwidth, self.climber.kernel);
        let mut places = points.as_slice().to_vec();
        let follow = |step: usize, iterate: &Iterate| {
            let density = iterate.density(dims, bandwidth, kernel);
            density.to_local(&mut places);
            density.shift_all(&mut places, || progress.report(step, 0, 0.0, None));
            density.to_input(&mut places);
            progress.check(step)
        };
        let how = Blurring { dims, bandwidth, kernel, cell };
        history.replay(how, progress, follow)?;
        Ok(places)
    }

    /// The cluster of the summit nearest to each place.
    fn clusters_of_places(&self, places: Vec<f64>, index: &PredictionIndex) -> Vec<Label> {
        let places = view_rows(&places, self.dims());
        let nearest = index.summits.nearest_each(places, 1);
        let cluster_of = |i: usize| {
            // A place that overflowed has no nearest summit.
            let summit = nearest.row(i).first()?;
            self.climber.cluster_of.get(summit.index).copied()
        };
        (0..nearest.len()).map(cluster_of).collect()
    }
}

impl PredictionIndex {
    fn new(climber: &Climber, dims: usize) -> Self {
        let density = match &climber.path {
            Path::Blurred { .. } => None,
            Path::Fixed(fixed) => Some(fixed.laid_out(dims, climber.kernel, climber.bandwidth)),
        };
        Self { summits: Neighbors::new(view_rows(&climber.summits, dims)), density }
    }
}
