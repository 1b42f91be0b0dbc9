//! Fitting: from points to modes, clusters and a model.

use ndarray::Array2;

use super::ascent::{Ascent, CELL};
use super::blur::{Blurring, Iterate};
use super::climb::{End, Rule};
use super::density::Density;
use super::kernel::Kernel;
use super::model::{Climber, MeanShiftModel, Path};
use super::modes::Summits;
use super::params::MeanShift;
use super::watch::Watch;
use crate::Result;
use crate::group::{Grouping, Label, StopReason, TraceStep};
use crate::observe::Observer;
use crate::problem::Points;
use crate::similarity::Resolved;

/// Default tolerance of kernels that jump, in bandwidths: scikit-learn's.
const JUMP_TOL: f64 = 1e-3;
/// Default tolerance of smooth kernels, in bandwidths.
const SMOOTH_TOL: f64 = 1e-7;
/// Default merge radius of kernels that jump, in bandwidths: scikit-learn's.
const JUMP_MERGE_RADIUS: f64 = 1.0;
/// Default merge radius of smooth kernels and of blurring, in bandwidths.
const SMOOTH_MERGE_RADIUS: f64 = 0.01;
/// Centres that move less than this share of a cell stand still.
const STILL: f64 = 0.1;

impl MeanShift {
    /// Finds the modes of the density and the points that climb to each.
    ///
    /// `weights` says how many points each point counts for.
    pub fn fit(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, MeanShiftModel)> {
        self.check()?;
        let mut bandwidth = self.bandwidth.resolve(points, self.seed)?;
        if bandwidth.is_degenerate() {
            // All points coincide; any bandwidth gives the one cluster there is.
            bandwidth = Resolved::Fixed(1.0);
        }
        let run = Run {
            params: self,
            points,
            weights,
            kernel: Kernel {
                profile: self.kernel,
                truncation: self.truncation,
            },
            h: median(&bandwidth),
            bandwidth,
            watch: Watch::new(observer, "mean shift", points.len()),
        };
        if self.blurring {
            run.blur()
        } else {
            run.climb()
        }
    }
}

/// A fit under way.
struct Run<'a> {
    params: &'a MeanShift,
    points: &'a Points,
    weights: Option<&'a [f64]>,
    kernel: Kernel,
    bandwidth: Resolved,
    /// The bandwidth, or the median where every point has its own.
    h: f64,
    watch: Watch<'a>,
}

/// What both ways of shifting lead to.
struct Reached {
    summits: Summits,
    /// The clusters of the summits and the summits that are modes.
    linked: super::modes::Linked,
    /// The summit of every point, in the order of the input.
    summit_of: Vec<usize>,
    trace: Vec<TraceStep>,
    converged: bool,
    /// What a new point has to be shifted on.
    path: Path,
}

impl Run<'_> {
    /// Every point climbs the density of the data as they are.
    fn climb(&self) -> Result<(Grouping, MeanShiftModel)> {
        let data = self.points.as_slice();
        let density = Density::new(
            data,
            self.points.dims(),
            self.weights,
            &self.bandwidth,
            self.kernel,
        );
        let jumps = self.kernel.jumps();
        let default = if jumps {
            JUMP_MERGE_RADIUS
        } else {
            SMOOTH_MERGE_RADIUS
        };
        let radius = self.params.merge_radius.unwrap_or(default) * self.h;
        let ascent = Ascent::new(&density, self.rule(), radius, self.params.seed, &self.watch)?;
        let linked = if jumps {
            ascent.summits.absorb(radius)
        } else {
            ascent.summits.link(radius, &ascent.same)
        };
        let mut summit_of = vec![0; self.points.len()];
        for (slot, &i) in density.order().iter().enumerate() {
            summit_of[i as usize] = ascent.summit_of[slot];
        }
        let mut captors = ascent.captor_places();
        density.to_input(&mut captors);
        let path = Path::Fixed {
            points: data.to_vec(),
            weights: self.weights.map(<[f64]>::to_vec),
            bandwidths: self.per_point(),
            captors,
            captor_clusters: ascent
                .captor_summits
                .iter()
                .map(|&s| linked.cluster_of[s])
                .collect(),
            capture_radius: ascent.capture_radius(),
        };
        let mut summits = ascent.summits;
        summits.translate(|places| density.to_input(places));
        let reached = Reached {
            summits,
            linked,
            summit_of,
            trace: ascent.trace.0,
            converged: ascent.converged,
            path,
        };
        Ok(self.finish(reached))
    }

    /// The data move along.
    fn blur(&self) -> Result<(Grouping, MeanShiftModel)> {
        let (n, dims) = (self.points.len(), self.points.dims());
        let start = Iterate {
            places: self.points.as_slice().to_vec(),
            masses: self.weights.map_or_else(|| vec![1.0; n], <[f64]>::to_vec),
            bandwidths: self.per_point(),
        };
        let how = Blurring {
            dims,
            bandwidth: self.h,
            kernel: self.kernel,
            cell: self.params.cell,
        };
        let mut rule = self.rule();
        // Movements within a cell say nothing.
        rule.tol = rule.tol.max(STILL * self.params.cell * self.h);
        let blurred = how.run(start, rule, &self.watch)?;
        self.watch
            .report(blurred.trace.len(), n, 0.0, Some(blurred.last.masses.len()));

        // Blurring collapses points to single places whatever the kernel, so linkage is single.
        let radius = self.params.merge_radius.unwrap_or(SMOOTH_MERGE_RADIUS) * self.h;
        let mut summits = Summits::new(dims, CELL * radius);
        let centers = blurred
            .last
            .places
            .chunks_exact(dims)
            .zip(&blurred.last.masses);
        let summit_of_center: Vec<usize> = centers
            .map(|(place, &weight)| {
                let place = place.to_vec();
                summits.add(&End {
                    place,
                    weight,
                    converged: true,
                    captured_by: None,
                })
            })
            .collect();
        let linked = summits.link(radius, &[]);
        let summit_of = blurred
            .center_of
            .iter()
            .map(|&c| summit_of_center[c])
            .collect();
        let reached = Reached {
            summits,
            linked,
            summit_of,
            trace: blurred.trace,
            converged: blurred.converged,
            path: Path::Blurred {
                history: blurred.history,
                cell: self.params.cell,
            },
        };
        Ok(self.finish(reached))
    }

    fn finish(&self, reached: Reached) -> (Grouping, MeanShiftModel) {
        let Reached {
            summits,
            linked,
            summit_of,
            trace,
            converged,
            path,
        } = reached;
        let dims = self.points.dims();
        let modes = Array2::from_shape_fn((linked.modes.len(), dims), |(cluster, k)| {
            summits.place(linked.modes[cluster])[k]
        });
        let labels: Vec<Label> = summit_of
            .iter()
            .map(|&s| Some(linked.cluster_of[s]))
            .collect();
        let stop = match (self.params.fixed_iter, converged) {
            (Some(_), _) => StopReason::FixedCount,
            (None, true) => StopReason::Converged,
            (None, false) => StopReason::MaxIterations,
        };
        let climber = Climber {
            kernel: self.kernel,
            rule: self.rule(),
            bandwidth: self.h,
            summits: summits.places().to_vec(),
            cluster_of: linked.cluster_of,
            path,
        };
        let grouping = Grouping {
            labels,
            n_clusters: modes.nrows(),
            centers: Some(modes.clone()),
            rest: None,
            bandwidth: Some(self.h),
            iterations: trace.len(),
            stop,
            trace,
            history: Vec::new(),
        };
        (grouping, MeanShiftModel::new(modes, climber))
    }

    fn rule(&self) -> Rule {
        let default = if self.kernel.jumps() {
            JUMP_TOL
        } else {
            SMOOTH_TOL
        };
        Rule {
            tol: self.params.tol.unwrap_or(default) * self.h,
            max_iter: self.params.max_iter,
            fixed: self.params.fixed_iter,
        }
    }

    fn per_point(&self) -> Option<Vec<f64>> {
        match &self.bandwidth {
            Resolved::Fixed(_) => None,
            Resolved::PerPoint(each) => Some(each.clone()),
        }
    }
}

fn median(bandwidth: &Resolved) -> f64 {
    match bandwidth {
        Resolved::Fixed(h) => *h,
        Resolved::PerPoint(each) => {
            let mut sorted = each.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            sorted[sorted.len() / 2]
        }
    }
}
