//! The trajectories of points on a fixed density.
//!
//! Each point moves to the weighted mean around it until it stops moving. Under kernels with bounded
//! support points are followed one by one, over a [`NeighborCache`] that is gathered again only when
//! the point has left it. Under kernels with unbounded support a few points are followed together, so
//! that a block of data in the processor's cache serves them all. A point that comes very close to a
//! known mode ends there: it is captured.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::density::{Density, DensityScratch};
use super::neighbor_cache::{NeighborCache, skin_after};
use super::{flat_kernel::FlatTrajectories, neighbor_cache_f32::F32NeighborCaches};
use crate::numerics::{distances::dist_sq, neighbors::Neighbors, view_rows};
use crate::{Result, group::TraceStep, observe::Progress, similarity::Profile};

/// Points that are followed together, and the unit of parallel work.
const TILE: usize = 8;

/// When a trajectory ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct StopRule {
    /// A step at most this long is the last.
    pub(super) tol: f64,
    /// At most this many steps.
    pub(super) max_iter: usize,
    /// Exactly this many steps, whatever their length.
    pub(super) fixed: Option<usize>,
}

impl StopRule {
    /// Whether a trajectory ends after its `steps`-th step, of length `length`.
    pub(super) fn ends(self, steps: usize, length: f64) -> bool {
        match self.fixed {
            Some(count) => steps >= count,
            None => length <= self.tol || steps >= self.max_iter,
        }
    }
}

/// Where a trajectory ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Endpoint {
    /// The position, in the density's own coordinates.
    pub(super) place: Vec<f64>,
    /// Σ w at the last step, a measure of the density there.
    pub(super) weight: f64,
    /// Whether the last step was short enough, or a mode captured the point.
    pub(super) converged: bool,
    /// The mode that captured the point.
    pub(super) captured_by: Option<usize>,
}

/// Known modes, which capture the points that come near.
#[derive(Debug, Default)]
pub(super) struct CapturingModes {
    places: Vec<f64>,
    radius_sq: f64,
    /// Finds the mode where there are many.
    index: Option<Neighbors>,
}

impl CapturingModes {
    /// Modes at `places`, row by row, that capture within `radius`.
    pub(super) fn new(places: Vec<f64>, dims: usize, radius: f64) -> Self {
        let rows = view_rows(&places, dims);
        let index = (rows.nrows() > MANY_CAPTORS).then(|| Neighbors::new(rows));
        Self { radius_sq: radius * radius, places, index }
    }

    /// The mode that captures `x`; of several the first.
    pub(super) fn capture(&self, x: &[f64]) -> Option<usize> {
        if let Some(index) = &self.index {
            let mut first: Option<usize> = None;
            index.visit_within(x, self.radius_sq, |mode| {
                first = Some(first.map_or(mode.index, |other| other.min(mode.index)));
            });
            return first;
        }
        self.places.chunks_exact(x.len()).position(|mode| dist_sq(mode, x) <= self.radius_sq)
    }
}

/// Up to this many modes are compared one by one; more are searched through an index.
const MANY_CAPTORS: usize = 32;

/// The trace of a run, per iteration over any number of points. Merging is a sum and a maximum, so the order in which
/// workers finish does not matter.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Trace(pub(super) Vec<TraceStep>);

impl Trace {
    pub(super) fn record(&mut self, step: usize, movement: f64) {
        if self.0.len() < step {
            self.0.resize(step, TraceStep::new(0, 0.0));
        }
        let at = &mut self.0[step - 1];
        at.active += 1;
        at.movement = at.movement.max(movement);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), TraceStep::new(0, 0.0));
        }
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            a.active += b.active;
            a.movement = a.movement.max(b.movement);
        }
    }
}

/// Memory that a worker reuses from point to point.
#[derive(Default)]
struct Worker {
    scratch: DensityScratch,
    cache: NeighborCache,
    caches_f32: F32NeighborCaches,
}

/// Follows the trajectories of many points.
pub(super) struct Trajectories<'a> {
    pub(super) density: &'a Density,
    pub(super) rule: StopRule,
    pub(super) captors: &'a CapturingModes,
    pub(super) progress: &'a Progress<'a>,
    /// Whether these points count as finished in the progress that is reported.
    pub(super) counted: bool,
}

impl Trajectories<'_> {
    /// Follows the trajectory from every row of `starts` (the density's own coordinates).
    pub(super) fn run(&self, starts: &[f64]) -> Result<(Vec<Endpoint>, Trace)> {
        let dims = self.density.dims();
        let kernel = self.density.kernel;
        let is_bounded = kernel.support().is_some();
        let flat = (kernel.profile == Profile::Flat)
            .then(|| FlatTrajectories::new(self.density, self.rule));
        let tiles: Vec<(Vec<Endpoint>, Trace)> = starts
            .par_chunks(TILE * dims)
            .map_init(Worker::default, |worker, tile| {
                if is_bounded {
                    self.one_by_one(tile, flat.as_ref(), worker)
                } else {
                    self.together(tile, &mut worker.scratch)
                }
            })
            .collect();
        let mut ends = Vec::with_capacity(starts.len() / dims);
        let mut trace = Trace::default();
        for (tile_ends, tile_trace) in tiles {
            ends.extend(tile_ends);
            trace.merge(&tile_trace);
        }
        self.progress.check(trace.0.len())?;
        Ok((ends, trace))
    }

    /// Follows the points of a tile one after the other.
    fn one_by_one(
        &self,
        tile: &[f64],
        flat: Option<&FlatTrajectories<'_>>,
        worker: &mut Worker,
    ) -> (Vec<Endpoint>, Trace) {
        let Worker { scratch, cache, caches_f32 } = worker;
        let mut trace = Trace::default();
        let mut ends = Vec::with_capacity(TILE);
        for start in tile.chunks_exact(self.density.dims()) {
            if !self.progress.goes_on() {
                break;
            }
            cache.clear();
            let (end, steps, length) = match flat {
                Some(flat) => flat.run(start, scratch, caches_f32, &mut trace),
                None => self.follow(start, scratch, cache, &mut trace),
            };
            self.progress.report(steps, usize::from(self.counted), length, None);
            ends.push(end);
        }
        (ends, trace)
    }

    fn follow(
        &self,
        start: &[f64],
        scratch: &mut DensityScratch,
        cache: &mut NeighborCache,
        trace: &mut Trace,
    ) -> (Endpoint, usize, f64) {
        let h = self.density.widths.median;
        let mut x = start.to_vec();
        let mut previous = start.to_vec();
        let mut length = 0.0;
        for steps in 1.. {
            if !cache.covers(&x) {
                let skin = skin_after((steps > 1).then_some(length / h));
                cache.gather(self.density, &x, skin * h, scratch);
            }
            previous.copy_from_slice(&x);
            let weight = cache.shift(self.density, &mut x, scratch);
            length = dist_sq(&previous, &x).sqrt();
            trace.record(steps, length);
            let captured_by = self.captors.capture(&x);
            if captured_by.is_some() || self.rule.ends(steps, length) {
                let end = Endpoint {
                    place: x,
                    weight,
                    converged: captured_by.is_some() || length <= self.rule.tol,
                    captured_by,
                };
                return (end, steps, length);
            }
        }
        unreachable!("every rule ends")
    }

    /// Follows the points of a tile together; those that have ended leave it.
    ///
    /// Far from a mode single precision is enough, and most points are captured before they need
    /// more. Points near a mode that is not known yet go on in double precision.
    fn together(&self, starts: &[f64], scratch: &mut DensityScratch) -> (Vec<Endpoint>, Trace) {
        let n = starts.len() / self.density.dims();
        let mut moving =
            ActivePoints { points: (0..n).collect(), steps: vec![0; n], xs: starts.to_vec() };
        let mut ended = (vec![None; n], Trace::default());
        if self.density.has_shift_f32() && self.rule.fixed.is_none() && self.rule.max_iter > 1 {
            let enough = MIN_STEP_F32 * self.density.widths.median;
            let leave = |steps, length, total| {
                total == 0.0 || length <= enough || steps + 1 >= self.rule.max_iter
            };
            let shift = Density::shift_f32;
            moving = self.advance(moving, &mut ended, shift, leave, false, scratch);
        }
        let leave = |steps, length, _| self.rule.ends(steps, length);
        self.advance(moving, &mut ended, Density::shift, leave, true, scratch);
        let (ends, trace) = ended;
        (ends.into_iter().flatten().collect(), trace)
    }

    /// Shifts points until each is captured or `leave(steps, length, total)`. If `last`, a point ends
    /// where it leaves; otherwise returns those that left.
    fn advance(
        &self,
        mut moving: ActivePoints,
        (ends, trace): &mut (Vec<Option<Endpoint>>, Trace),
        shift: impl Fn(&Density, &mut [f64], &mut Vec<f64>, &mut DensityScratch),
        leave: impl Fn(usize, f64, f64) -> bool,
        last: bool,
        scratch: &mut DensityScratch,
    ) -> ActivePoints {
        let dims = self.density.dims();
        let (mut previous, mut totals) = (Vec::new(), Vec::new());
        let mut left = ActivePoints::default();
        while !moving.points.is_empty() {
            previous.clone_from(&moving.xs);
            shift(self.density, &mut moving.xs, &mut totals, scratch);
            let (mut iteration, mut finished, mut movement) = (0, 0, 0.0f64);
            let mut staying = ActivePoints::default();
            for (at, &point) in moving.points.iter().enumerate() {
                let x = &moving.xs[at * dims..(at + 1) * dims];
                let length = dist_sq(&previous[at * dims..(at + 1) * dims], x).sqrt();
                let steps = moving.steps[at] + 1;
                iteration = iteration.max(steps);
                movement = movement.max(length);
                trace.record(steps, length);
                let captured_by = self.captors.capture(x);
                let leaves = leave(steps, length, totals[at]);
                if captured_by.is_some() || (leaves && last) {
                    finished += usize::from(self.counted);
                    ends[point] = Some(Endpoint {
                        place: x.to_vec(),
                        weight: totals[at],
                        converged: captured_by.is_some() || length <= self.rule.tol,
                        captured_by,
                    });
                } else if leaves {
                    left.push(point, steps, x);
                } else {
                    staying.push(point, steps, x);
                }
            }
            if !self.progress.report(iteration, finished, movement, None) {
                break;
            }
            moving = staying;
        }
        left
    }
}

/// The points of a tile that still move.
#[derive(Default)]
struct ActivePoints {
    /// Their numbers in the tile.
    points: Vec<usize>,
    /// The steps each of them has made.
    steps: Vec<usize>,
    /// Where each of them is.
    xs: Vec<f64>,
}

impl ActivePoints {
    fn push(&mut self, point: usize, steps: usize, x: &[f64]) {
        self.points.push(point);
        self.steps.push(steps);
        self.xs.extend_from_slice(x);
    }
}

/// Single precision is enough while steps are longer than this, in bandwidths.
const MIN_STEP_F32: f64 = 1e-3;
