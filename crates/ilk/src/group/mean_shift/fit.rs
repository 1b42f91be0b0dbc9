//! Fitting: from points to modes, clusters and a model.

use super::ascent::{Ascent, CELL};
use super::blur::{Blurring, Iterate};
use super::model::{Climber, FixedDensity, MeanShiftModel, Path};
use super::modes::{ModeClusters, StationaryPoints};
use super::{density::Density, kernel::TruncatedProfile, params::MeanShift, trajectory::StopRule};
use crate::group::{Grouping, GroupingAlgorithm, GroupingInput, StopReason, TraceStep};
use crate::observe::{Observer, Progress};
use crate::{Result, problem::Points, similarity::ResolvedBandwidth};

/// Default tolerance and merge radius of kernels that jump, in bandwidths: scikit-learn's.
const JUMP_DEFAULTS: [f64; 2] = [1e-3, 1.0];
/// Those of smooth kernels; the radius is that of blurring, too.
const SMOOTH_DEFAULTS: [f64; 2] = [1e-7, 0.01];
/// Blurring converges when no centre moves by more than this share of a cell.
const MIN_MOVEMENT: f64 = 0.1;

impl GroupingAlgorithm for MeanShift {
    type Input<'a> = GroupingInput<'a, &'a Points>;
    type Model = MeanShiftModel;

    /// Finds the modes of the density and the points that ascend to each.
    fn group<'a>(
        &self,
        input: impl Into<Self::Input<'a>>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, MeanShiftModel)> {
        let input = input.into();
        let (points, weights) = (input.data, input.weights);
        self.check()?;
        let mut bandwidth = self.bandwidth.resolve(points, self.seed)?;
        if bandwidth.is_degenerate() {
            // All points coincide; every bandwidth gives one cluster.
            bandwidth = ResolvedBandwidth::Fixed(1.0);
        }
        let run = ShiftRun {
            params: self,
            points,
            weights,
            kernel: TruncatedProfile { profile: self.kernel, truncation: self.truncation },
            h: bandwidth.median(),
            bandwidth,
            progress: Progress::new(observer, "mean shift", points.len()),
        };
        if self.blurring { run.blur() } else { run.ascend() }
    }
}

struct ShiftRun<'a> {
    params: &'a MeanShift,
    points: &'a Points,
    weights: Option<&'a [f64]>,
    kernel: TruncatedProfile,
    bandwidth: ResolvedBandwidth,
    /// The bandwidth, or the median where every point has its own.
    h: f64,
    progress: Progress<'a>,
}

/// The result of both variants, with and without blurring.
struct ShiftResult {
    stationary: StationaryPoints,
    clusters: ModeClusters,
    /// The stationary point of every point, in the order of the input.
    stationary_of: Vec<usize>,
    trace: Vec<TraceStep>,
    converged: bool,
    /// The densities on which a new point has to be shifted.
    path: Path,
}

impl ShiftRun<'_> {
    /// The trajectories of all points on the density of the data.
    fn ascend(&self) -> Result<(Grouping, MeanShiftModel)> {
        let (data, dims) = (self.points.as_slice(), self.points.dims());
        let density = Density::new(data, dims, self.weights, &self.bandwidth, self.kernel);
        let [_, default] = self.defaults();
        let radius = self.params.merge_radius.unwrap_or(default) * self.h;
        let ascent = Ascent::new(&density, self.rule(), radius, self.params.seed, &self.progress)?;
        let clusters = if self.kernel.jumps() {
            ascent.stationary.absorb(radius)
        } else {
            ascent.stationary.link(radius, &ascent.saddles)
        };
        let mut stationary_of = vec![0; self.points.len()];
        for (slot, &i) in density.order().iter().enumerate() {
            stationary_of[i as usize] = ascent.stationary_of[slot];
        }
        let mut captors = ascent.captor_places();
        density.to_input(&mut captors);
        let captor_points = ascent.captor_points.iter();
        let path = Path::Fixed(FixedDensity {
            points: data.to_vec(),
            weights: self.weights.map(<[f64]>::to_vec),
            bandwidths: self.per_point(),
            captors,
            captor_clusters: captor_points.map(|&s| clusters.cluster_of[s]).collect(),
            capture_radius: ascent.capture_radius(),
        });
        let mut stationary = ascent.stationary;
        stationary.translate(|places| density.to_input(places));
        let result = ShiftResult {
            stationary,
            clusters,
            stationary_of,
            trace: ascent.trace.0,
            converged: ascent.converged,
            path,
        };
        Ok(self.finish(result))
    }

    /// The data move together with the centres.
    fn blur(&self) -> Result<(Grouping, MeanShiftModel)> {
        let (n, dims) = (self.points.len(), self.points.dims());
        let start = Iterate {
            places: self.points.as_slice().to_vec(),
            masses: self.weights.map_or_else(|| vec![1.0; n], <[f64]>::to_vec),
            bandwidths: self.per_point(),
        };
        let how = Blurring { dims, bandwidth: self.h, kernel: self.kernel, cell: self.params.cell };
        let mut rule = self.rule();
        // Movements within a cell are below the resolution of merging.
        rule.tol = rule.tol.max(MIN_MOVEMENT * self.params.cell * self.h);
        let blurred = how.run(start, rule, &self.progress)?;
        self.progress.report(blurred.trace.len(), n, 0.0, Some(blurred.last.masses.len()));

        // Blurring collapses points to single positions under every kernel: there are no plateaus.
        let radius = self.params.merge_radius.unwrap_or(SMOOTH_DEFAULTS[1]) * self.h;
        let mut stationary = StationaryPoints::new(dims, CELL * radius);
        let centers = blurred.last.places.chunks_exact(dims);
        let stationary_of_center: Vec<usize> = centers
            .zip(&blurred.last.masses)
            .map(|(place, &weight)| stationary.add(place, weight, true))
            .collect();
        let clusters = stationary.link(radius, &[]);
        let center_of = blurred.center_of.iter();
        let result = ShiftResult {
            stationary,
            clusters,
            stationary_of: center_of.map(|&c| stationary_of_center[c]).collect(),
            trace: blurred.trace,
            converged: blurred.converged,
            path: Path::Blurred { history: blurred.history, cell: self.params.cell },
        };
        Ok(self.finish(result))
    }

    fn finish(&self, result: ShiftResult) -> (Grouping, MeanShiftModel) {
        let ModeClusters { cluster_of, modes } = result.clusters;
        let modes = result.stationary.rows(&modes);
        let labels = result.stationary_of.iter().map(|&s| Some(cluster_of[s]));
        let stop = match self.params.fixed_iter {
            Some(_) => StopReason::FixedCount,
            None => StopReason::of_descent(result.converged),
        };
        let grouping = Grouping {
            centers: Some(modes.clone()),
            bandwidth: Some(self.h),
            ..Grouping::new(labels.collect(), modes.nrows(), stop, result.trace)
        };
        let climber = Climber {
            kernel: self.kernel,
            rule: self.rule(),
            bandwidth: self.h,
            summits: result.stationary.places().to_vec(),
            cluster_of,
            path: result.path,
        };
        (grouping, MeanShiftModel::new(modes, climber))
    }

    fn rule(&self) -> StopRule {
        let [default, _] = self.defaults();
        StopRule {
            tol: self.params.tol.unwrap_or(default) * self.h,
            max_iter: self.params.max_iter,
            fixed: self.params.fixed_iter,
        }
    }

    /// The tolerance and the merge radius that are used unless others are given, in bandwidths.
    fn defaults(&self) -> [f64; 2] {
        if self.kernel.jumps() { JUMP_DEFAULTS } else { SMOOTH_DEFAULTS }
    }

    fn per_point(&self) -> Option<Vec<f64>> {
        match &self.bandwidth {
            ResolvedBandwidth::Fixed(_) => None,
            ResolvedBandwidth::PerPoint(each) => Some(each.clone()),
        }
    }
}
